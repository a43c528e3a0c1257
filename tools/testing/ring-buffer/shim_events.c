// SPDX-License-Identifier: GPL-2.0
/*
 * The functions behind shim_events.h.
 */
#include <pthread.h>
#include <sched.h>
#include <unistd.h>

#include "shim_events.h"

#include "harness.h"

__thread struct task_struct shim_task;
__thread unsigned int shim_preempt_count;

/*
 * Memory of each CPU for records. A CPU is a thread, so a variable that each thread has is where
 * this_cpu_ptr() has to look for it.
 */
#undef this_cpu_ptr
#define this_cpu_ptr(p)		(p)
#include "../../../kernel/trace/core/scratch.c"

/*
 * RCU. A CPU that enters or leaves its outermost section of a kind counts on: so it is inside while
 * the count is odd. Whoever frees memory waits until each CPU that was inside has counted on:
 *
 *	a CPU				the thread that frees
 *
 *	count++, to odd			the pointer was replaced
 *	load the pointer		load the count
 *
 * Both sides are ordered by full barriers: one of them sees what the other one has stored.
 */
static struct shim_reader {
	unsigned long	count[SHIM_RCUS];
	unsigned int	nest[SHIM_RCUS];
} __aligned(64) readers[NR_CPUS];

struct srcu_struct tracepoint_srcu;

void shim_read_lock(enum shim_rcu kind)
{
	struct shim_reader *reader = &readers[shim_this_cpu];

	if (!reader->nest[kind]++)
		__atomic_add_fetch(&reader->count[kind], 1, __ATOMIC_SEQ_CST);
	smp_mb();
}

void shim_read_unlock(enum shim_rcu kind)
{
	struct shim_reader *reader = &readers[shim_this_cpu];

	if (!--reader->nest[kind])
		__atomic_add_fetch(&reader->count[kind], 1, __ATOMIC_SEQ_CST);
}

static void wait_for_readers(enum shim_rcu kind)
{
	unsigned long before;
	int cpu;

	smp_mb();
	for (cpu = 0; cpu < NR_CPUS; cpu++) {
		before = __atomic_load_n(&readers[cpu].count[kind], __ATOMIC_SEQ_CST);
		while (before % 2 && before == __atomic_load_n(&readers[cpu].count[kind],
							       __ATOMIC_SEQ_CST))
			sched_yield();
	}
}

static int heads_lock;
static struct rcu_head *heads[SHIM_RCUS];
static unsigned long heads_waiting;

/* Call the functions whose callers were waiting when this began. */
static void end_grace_period(enum shim_rcu kind)
{
	struct rcu_head *head, *next;

	shim_lock(&heads_lock);
	head = heads[kind];
	heads[kind] = NULL;
	shim_unlock(&heads_lock);
	if (!head)
		return;
	wait_for_readers(kind);
	for (; head; head = next) {
		next = head->next;
		head->func(head);
		__atomic_sub_fetch(&heads_waiting, 1, __ATOMIC_RELEASE);
	}
}

static void *grace_period_thread(void *arg)
{
	for (;;) {
		end_grace_period(SHIM_RCU);
		end_grace_period(SHIM_SRCU);
		usleep(50);
	}
	return NULL;
}

static void start_grace_periods(void)
{
	pthread_t thread;

	CHECK(!pthread_create(&thread, NULL, grace_period_thread, NULL));
	pthread_detach(thread);
}

void shim_call(enum shim_rcu kind, struct rcu_head *head, void (*func)(struct rcu_head *head))
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	pthread_once(&once, start_grace_periods);
	__atomic_add_fetch(&heads_waiting, 1, __ATOMIC_RELAXED);
	shim_lock(&heads_lock);
	head->func = func;
	head->next = heads[kind];
	heads[kind] = head;
	shim_unlock(&heads_lock);
}

/* Wait until everything that was to be freed is freed. */
void shim_rcu_barrier(void)
{
	while (__atomic_load_n(&heads_waiting, __ATOMIC_ACQUIRE))
		sched_yield();
}

/* Delayed work: there is only one. */
static struct delayed_work *queued;

void shim_queue_work(struct delayed_work *work)
{
	__atomic_store_n(&queued, work, __ATOMIC_RELEASE);
}

void shim_run_work(void)
{
	struct delayed_work *work = __atomic_exchange_n(&queued, NULL, __ATOMIC_ACQUIRE);

	if (work)
		work->work.func(&work->work);
}

/* Tracepoints. */
int shim_probe_error;

int tracepoint_probe_register(struct tracepoint *tp, void *probe, void *data)
{
	if (shim_probe_error)
		return shim_probe_error;
	CHECK(!tp->probe, "%s has a probe", tp->name);
	__atomic_store_n(&tp->data, data, __ATOMIC_RELAXED);
	__atomic_store_n(&tp->probe, probe, __ATOMIC_RELEASE);
	return 0;
}

int tracepoint_probe_unregister(struct tracepoint *tp, void *probe, void *data)
{
	CHECK(tp->probe == probe && tp->data == data, "%s has no such probe", tp->name);
	__atomic_store_n(&tp->probe, NULL, __ATOMIC_RELEASE);
	return 0;
}
