// SPDX-License-Identifier: GPL-2.0
/*
 * The functions behind shim.h.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <pthread.h>
#include <signal.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "harness.h"

#include "internal.h"

const struct cpumask shim_possible = { .bits = (1UL << NR_CPUS) - 1 };
static struct cpumask online;
const struct cpumask *cpu_online_mask = &online;

__thread int shim_this_cpu = -1;
__thread bool interrupts_off;
int oops_in_progress;
__thread u64 cpu_clock;

long shim_free_pages = 1 << 20;
int shim_fail_after = -1;

/* Locks. */
bool shim_trylock(int *lock)
{
	int expected = 0;

	return __atomic_compare_exchange_n(lock, &expected, 1, false, __ATOMIC_ACQUIRE,
					   __ATOMIC_RELAXED);
}

void shim_lock(int *lock)
{
	while (!shim_trylock(lock))
		sched_yield();
}

void shim_unlock(int *lock)
{
	__atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

static int hotplug_lock;

struct shim_guard shim_mutex_guard(struct mutex *mutex)
{
	shim_lock(&mutex->locked);
	return (struct shim_guard) { &mutex->locked };
}

struct shim_guard shim_cpus_read_lock_guard(void)
{
	shim_lock(&hotplug_lock);
	return (struct shim_guard) { &hotplug_lock };
}

void shim_cpus_lock(void)
{
	shim_lock(&hotplug_lock);
}

void shim_cpus_unlock(void)
{
	shim_unlock(&hotplug_lock);
}

struct shim_guard shim_preempt_guard(void)
{
	return (struct shim_guard) { };
}

struct shim_guard shim_rcu_guard(void)
{
	return (struct shim_guard) { };
}

void shim_end_guard(struct shim_guard *guard)
{
	if (guard->lock)
		shim_unlock(guard->lock);
}

/*
 * CPUs and interrupts. While a flag says that interrupts are off, the signal handlers that stand
 * for interrupts only note them.
 */
struct shim_cpu {
	pthread_t	thread;
	void		(*fn)(void *info);
	void		*info;
	int		called;
};

static struct shim_cpu cpus[NR_CPUS];
static __thread volatile sig_atomic_t ipi_pending;

static void handle_ipi(void)
{
	struct shim_cpu *cpu = &cpus[shim_this_cpu];

	do {
		interrupts_off = true;
		ipi_pending = 0;
		if (__atomic_load_n(&cpu->called, __ATOMIC_ACQUIRE)) {
			cpu->fn(cpu->info);
			__atomic_store_n(&cpu->called, 0, __ATOMIC_RELEASE);
		}
		interrupts_off = false;
	} while (ipi_pending);
}

static void ipi_signal(int sig)
{
	if (interrupts_off)
		ipi_pending = 1;
	else
		handle_ipi();
}

void local_irq_off(unsigned long *flags)
{
	*flags = interrupts_off;
	interrupts_off = true;
	__asm__ __volatile__("" ::: "memory");
}

void local_irq_on(unsigned long flags)
{
	__asm__ __volatile__("" ::: "memory");
	interrupts_off = flags;
	if (!flags && ipi_pending)
		handle_ipi();
}

int smp_call_function_single(int cpu, void (*fn)(void *info), void *info, int wait)
{
	struct shim_cpu *target = &cpus[cpu];

	target->fn = fn;
	target->info = info;
	__atomic_store_n(&target->called, 1, __ATOMIC_RELEASE);
	pthread_kill(target->thread, SIGUSR1);
	while (__atomic_load_n(&target->called, __ATOMIC_ACQUIRE))
		sched_yield();
	return 0;
}

void cpu_start(int cpu)
{
	struct sigaction action = { .sa_handler = ipi_signal };

	sigaction(SIGUSR1, &action, NULL);
	shim_this_cpu = cpu;
	cpus[cpu].thread = pthread_self();
	/* A caller that has seen that the CPU is down, and holds the lock, acts for it. */
	shim_lock(&hotplug_lock);
	cpumask_set_cpu(cpu, &online);
	shim_unlock(&hotplug_lock);
}

/*
 * A caller of smp_call_function_single() holds the lock: serve it first. Do not wait for its
 * signal, which TSan does not deliver to a loop like this one.
 */
void cpu_stop(void)
{
	while (!shim_trylock(&hotplug_lock)) {
		handle_ipi();
		sched_yield();
	}
	__atomic_fetch_and(&online.bits, ~(1UL << shim_this_cpu), __ATOMIC_SEQ_CST);
	shim_unlock(&hotplug_lock);
	shim_this_cpu = -1;
}

const struct cpumask *cpumask_of(int cpu)
{
	static const struct cpumask masks[] = {
		{ 1 }, { 2 }, { 4 }, { 8 }, { 16 }, { 32 }, { 64 }, { 128 },
	};

	static_assert(ARRAY_SIZE(masks) == NR_CPUS);
	return &masks[cpu];
}

void usleep_range(unsigned long from, unsigned long to)
{
	usleep(from);
}

static int (*prepare_cpu)(unsigned int cpu, struct hlist_node *node);
int shim_cpus = NR_CPUS;

int cpuhp_setup_state_multi(int state, const char *name,
			    int (*prepare)(unsigned int cpu, struct hlist_node *node),
			    void *teardown)
{
	prepare_cpu = prepare;
	return 0;
}

int cpuhp_state_add_instance(int state, struct hlist_node *node)
{
	int cpu, ret = 0;

	for (cpu = 0; cpu < shim_cpus && !ret; cpu++)
		ret = prepare_cpu(cpu, node);
	return ret;
}

int cpuhp_state_remove_instance(int state, struct hlist_node *node)
{
	return 0;
}

int cpu_up(struct trace_buffer *buffer, int cpu)
{
	return prepare_cpu(cpu, &buffer->node);
}

/* Memory. */
static bool shim_fails(void)
{
	return shim_fail_after >= 0 && shim_fail_after-- == 0 && !(shim_fail_after = 0);
}

void *shim_alloc(size_t size)
{
	return shim_fails() ? NULL : calloc(1, size);
}

struct page *alloc_pages_node(int node, gfp_t flags, unsigned int order)
{
	size_t size = PAGE_SIZE << order;
	void *page;

	if (shim_fails())
		return NULL;
	page = aligned_alloc(size, size);
	if (page)
		memset(page, 0, size);
	return page;
}

void free_pages(unsigned long addr, unsigned int order)
{
	free((void *)addr);
}

/* Time: each CPU has its own clock, which jumps at random. */
u64 sched_clock_noinstr(void)
{
	u64 now;

	interrupt_here();
	now = __atomic_add_fetch(&cpu_clock, clock_step(), __ATOMIC_RELAXED);
	interrupt_here();
	return now;
}

u64 trace_clock_local(void)
{
	return sched_clock_noinstr();
}

/* Waiting. */
unsigned int wakes, second_looks;

static __thread struct shim_wait *waiting;

void prepare_to_wait(wait_queue_head_t *queue, struct shim_wait *wait, int state)
{
	wait->queue = queue;
	wait->wakes = __atomic_load_n(&queue->wakes, __ATOMIC_SEQ_CST);
	waiting = wait;
	smp_mb();
}

void schedule(void)
{
	syscall(SYS_futex, &waiting->queue->wakes, FUTEX_WAIT_PRIVATE, waiting->wakes, NULL);
}

void wake_up_all(wait_queue_head_t *queue)
{
	int saved = errno;

	__atomic_add_fetch(&queue->wakes, 1, __ATOMIC_SEQ_CST);
	syscall(SYS_futex, &queue->wakes, FUTEX_WAKE_PRIVATE, INT_MAX);
	errno = saved;
}

void irq_work_queue(struct irq_work *work)
{
	__atomic_add_fetch(&wakes, 1, __ATOMIC_RELAXED);
	work->func(work);
}

/* Delayed work: a list, and a thread that looks at it every tick. */
#define TICK_US		4000

static pthread_mutex_t work_lock = PTHREAD_MUTEX_INITIALIZER;
static struct delayed_work *works;
static u64 ticks;

static bool take_work(struct delayed_work *work)
{
	struct delayed_work **at;

	for (at = &works; *at; at = &(*at)->next) {
		if (*at == work) {
			*at = work->next;
			return true;
		}
	}
	return false;
}

/* The caller holds the lock, so work that is cancelled is either done or never will be. */
static void do_due_work(void)
{
	struct delayed_work *work, *next;

	for (work = works; work; work = next) {
		next = work->next;
		if (work->due <= ticks && take_work(work)) {
			second_looks++;
			work->work.func(&work->work);
		}
	}
}

static void *work_thread(void *arg)
{
	for (;;) {
		usleep(TICK_US);
		pthread_mutex_lock(&work_lock);
		ticks++;
		do_due_work();
		pthread_mutex_unlock(&work_lock);
	}
	return NULL;
}

static void start_work_thread(void)
{
	pthread_t thread;

	CHECK(!pthread_create(&thread, NULL, work_thread, NULL));
	pthread_detach(thread);
}

void mod_delayed_work(void *wq, struct delayed_work *work, unsigned int delay)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, start_work_thread);
	pthread_mutex_lock(&work_lock);
	take_work(work);
	work->due = ticks + delay;
	work->next = works;
	works = work;
	pthread_mutex_unlock(&work_lock);
}

void cancel_delayed_work_sync(struct delayed_work *work)
{
	pthread_mutex_lock(&work_lock);
	take_work(work);
	pthread_mutex_unlock(&work_lock);
}
