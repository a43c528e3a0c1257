/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the kernel that the ring buffer uses, in user space. All <linux/...> and <asm/...>
 * headers that it includes are generated files that include this one.
 *
 * A CPU is a thread that has called cpu_start(). It is interrupted in two ways. Signals stand for
 * inter-processor interrupts and devices. And wherever the code reads or writes shared memory,
 * interrupt_here() calls the test's handler at random, so that windows of a single instruction
 * are hit, too.
 */
#ifndef _RB_SHIM_H
#define _RB_SHIM_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* <linux/types.h>, <linux/compiler.h> and such. */
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef u32 __u32;
typedef u64 __u64;
typedef int64_t s64;
typedef unsigned int gfp_t;
typedef unsigned int __poll_t;

#define U16_MAX		UINT16_MAX
#define U64_MAX		UINT64_MAX

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#undef __always_inline
#define __always_inline	inline __attribute__((always_inline))
#define noinline	__attribute__((noinline))
#define fallthrough	__attribute__((fallthrough))
#define static_assert(x) _Static_assert(x, #x)
#define __aligned(x)	__attribute__((aligned(x)))
#define __percpu
#define __acquire(lock)	((void)0)
#define __release(lock)	((void)0)
#define ____cacheline_aligned_in_smp __aligned(64)
#define EXPORT_SYMBOL_GPL(x) extern typeof(x) x
#define ALLOW_ERROR_INJECTION(x, type) extern typeof(x) x

/* Only for the options that the ring buffer asks for. */
#define IS_ENABLED(option)		option
#define CONFIG_SMP			1
#ifndef CONFIG_HAVE_64BIT_ALIGNED_ACCESS
#define CONFIG_HAVE_64BIT_ALIGNED_ACCESS 0
#endif
#define CONFIG_CPU_BIG_ENDIAN		0

#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define GENMASK(h, l)		((~0UL >> (63 - (h))) & (~0UL << (l)))
#define GENMASK_ULL(h, l)	GENMASK(h, l)
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define round_up(x, y)		((((x) - 1) | ((y) - 1)) + 1)
#define min(a, b)	({ typeof(a) __a = (a); typeof(b) __b = (b); __a < __b ? __a : __b; })
#define max(a, b)	({ typeof(a) __a = (a); typeof(b) __b = (b); __a > __b ? __a : __b; })
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define ilog2(n)		(63 - __builtin_clzl(n))
#define ERR_PTR(n)		((void *)(long)(n))
#define IS_ERR(p)		((unsigned long)(p) >= -4095UL)
#define PTR_ERR(p)		((long)(p))
#define swap(a, b)		({ typeof(a) __t = (a); (a) = (b); (b) = __t; })
#define container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))
#define check_add_overflow(a, b, sum)	__builtin_add_overflow(a, b, sum)

/* Interrupts. */
void interrupt_here(void);
extern __thread bool interrupts_off;

static inline void preempt_disable_notrace(void) { }
static inline void preempt_enable_notrace(void) { }
static inline bool in_nmi(void) { return false; }
extern int oops_in_progress;

void local_irq_off(unsigned long *flags);
void local_irq_on(unsigned long flags);
#define local_irq_save(flags)		local_irq_off(&(flags))
#define local_irq_restore(flags)	local_irq_on(flags)

/* Memory ordering and atomics. */
#define barrier()	({ interrupt_here(); __asm__ __volatile__("" ::: "memory"); })
#define smp_mb()	__atomic_thread_fence(__ATOMIC_SEQ_CST)
#define smp_rmb()	__atomic_thread_fence(__ATOMIC_ACQUIRE)
#define smp_wmb()	__atomic_thread_fence(__ATOMIC_RELEASE)
#define cpu_relax()	({ interrupt_here(); })

#define READ_ONCE(x)						\
({								\
	interrupt_here();					\
	(typeof(x))__atomic_load_n(&(x), __ATOMIC_RELAXED);	\
})
#define WRITE_ONCE(x, v)					\
({								\
	interrupt_here();					\
	__atomic_store_n(&(x), (v), __ATOMIC_RELAXED);		\
	interrupt_here();					\
})
#define smp_load_acquire(p)	__atomic_load_n(p, __ATOMIC_ACQUIRE)
#define smp_store_release(p, v)					\
({								\
	interrupt_here();					\
	__atomic_store_n(p, v, __ATOMIC_RELEASE);		\
	interrupt_here();					\
})

#define __shim_cmpxchg(p, old, new, order)			\
({								\
	typeof(*(p)) __old = (old);				\
	interrupt_here();					\
	__atomic_compare_exchange_n(p, &__old, new, false, order, __ATOMIC_ACQUIRE); \
	interrupt_here();					\
	__old;							\
})
#define cmpxchg(p, old, new)		__shim_cmpxchg(p, old, new, __ATOMIC_SEQ_CST)
#define cmpxchg_local(p, old, new)	__shim_cmpxchg(p, old, new, __ATOMIC_ACQ_REL)
#define cmpxchg64_local(p, old, new)	cmpxchg_local(p, old, new)

#ifdef __SANITIZE_THREAD__
void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
#define data_race(expr)						\
({								\
	AnnotateIgnoreReadsBegin(__FILE__, __LINE__);		\
	expr;							\
	AnnotateIgnoreReadsEnd(__FILE__, __LINE__);		\
})
#else
#define data_race(expr)		({ expr; })
#endif

typedef struct { int counter; } atomic_t;
typedef struct { long counter; } local_t;

#define atomic_read(v)		__atomic_load_n(&(v)->counter, __ATOMIC_RELAXED)
#define atomic_add(n, v)	((void)__atomic_add_fetch(&(v)->counter, n, __ATOMIC_SEQ_CST))
#define atomic_inc(v)		atomic_add(1, v)
#define atomic_dec(v)		atomic_add(-1, v)
#define atomic_inc_return(v)	__atomic_add_fetch(&(v)->counter, 1, __ATOMIC_SEQ_CST)
#define atomic_or(n, v)		((void)__atomic_fetch_or(&(v)->counter, n, __ATOMIC_SEQ_CST))
#define atomic_fetch_or(n, v)	__atomic_fetch_or(&(v)->counter, n, __ATOMIC_SEQ_CST)
#define atomic_try_cmpxchg(v, old, new)				\
	__atomic_compare_exchange_n(&(v)->counter, old, new, false, __ATOMIC_SEQ_CST, \
				    __ATOMIC_RELAXED)
#define atomic_andnot(n, v)	((void)__atomic_fetch_and(&(v)->counter, ~(n), __ATOMIC_SEQ_CST))

#define local_read(v)		__atomic_load_n(&(v)->counter, __ATOMIC_RELAXED)
#define local_set(v, n)		__atomic_store_n(&(v)->counter, n, __ATOMIC_RELAXED)
#define local_add(n, v)		((void)__atomic_add_fetch(&(v)->counter, n, __ATOMIC_RELAXED))
#define local_inc(v)		local_add(1, v)

/* Locks. Readers hold theirs for a short time, so waiters spin. */
typedef struct { int locked; } raw_spinlock_t;
struct mutex { int locked; };

bool shim_trylock(int *lock);
void shim_lock(int *lock);
void shim_unlock(int *lock);

#define raw_spin_lock_init(l)	((l)->locked = 0)
#define raw_spin_lock(l)	shim_lock(&(l)->locked)
#define SINGLE_DEPTH_NESTING	1
#define raw_spin_lock_nested(l, class)	raw_spin_lock(l)
#define raw_spin_trylock(l)	shim_trylock(&(l)->locked)
#define raw_spin_unlock(l)	shim_unlock(&(l)->locked)
#define raw_spin_unlock_irqrestore(l, flags)	\
	({ raw_spin_unlock(l); local_irq_restore(flags); })
#define DEFINE_MUTEX(name)	struct mutex name
#define mutex_init(m)		((m)->locked = 0)

/* <linux/cleanup.h> */
struct shim_guard { int *lock; };
struct shim_guard shim_mutex_guard(struct mutex *mutex);
struct shim_guard shim_cpus_read_lock_guard(void);
struct shim_guard shim_preempt_guard(void);
struct shim_guard shim_rcu_guard(void);
void shim_cpus_lock(void);
void shim_cpus_unlock(void);
void shim_end_guard(struct shim_guard *guard);

#define __free(name)		__attribute__((cleanup(__free_##name)))
#define DEFINE_FREE(name, type, free) \
	static inline void __free_##name(void *p) { type _T = *(type *)p; free; }
#define __guard			__attribute__((cleanup(shim_end_guard)))
#define guard(name)		struct shim_guard __guard_##name __guard = shim_##name##_guard
/* CPUs. */
#define NR_CPUS			8
#define nr_cpu_ids		NR_CPUS

struct cpumask { unsigned long bits; };
typedef struct cpumask cpumask_var_t[1];
extern const struct cpumask shim_possible, *cpu_online_mask;
extern __thread int shim_this_cpu;

#define cpu_possible(cpu)	((unsigned int)(cpu) < NR_CPUS)
#define smp_processor_id()	shim_this_cpu
#define raw_smp_processor_id()	shim_this_cpu
#define cpu_to_node(cpu)	0
#define cpu_online(cpu)		cpumask_test_cpu(cpu, cpu_online_mask)

static inline bool cpumask_test_cpu(int cpu, const struct cpumask *mask)
{
	return cpu >= 0 && cpu < NR_CPUS &&
	       (__atomic_load_n(&mask->bits, __ATOMIC_ACQUIRE) >> cpu & 1);
}

static inline void cpumask_set_cpu(int cpu, struct cpumask *mask)
{
	__atomic_fetch_or(&mask->bits, 1UL << cpu, __ATOMIC_SEQ_CST);
}

static inline bool zalloc_cpumask_var(cpumask_var_t *mask, gfp_t flags)
{
	(*mask)->bits = 0;
	return true;
}

#define cpumask_weight(mask)	__builtin_popcountl((mask)->bits)
#define free_cpumask_var(mask)	((void)(mask))
#define for_each_cpu_and(cpu, a, b) \
	for ((cpu) = 0; (cpu) < NR_CPUS; (cpu)++) \
		if (cpumask_test_cpu(cpu, a) && cpumask_test_cpu(cpu, b))
#define for_each_cpu(cpu, mask)		for_each_cpu_and(cpu, mask, &shim_possible)
#define for_each_possible_cpu(cpu)	for_each_cpu(cpu, &shim_possible)

const struct cpumask *cpumask_of(int cpu);
int smp_call_function_single(int cpu, void (*fn)(void *info), void *info, int wait);
void usleep_range(unsigned long from, unsigned long to);

/* As in the kernel, a pointer may be to a member: the same distance for all types. */
#define PERCPU_DISTANCE		1024
#define per_cpu_ptr(p, cpu)	((typeof(p))((char *)(p) + (cpu) * PERCPU_DISTANCE))
#define this_cpu_ptr(p)		per_cpu_ptr(p, shim_this_cpu)

/* Per thread instead of per CPU, since readers run on no CPU. */
#define DECLARE_PER_CPU(type, name)	extern __thread type name
#define DEFINE_PER_CPU(type, name)	__thread type name
#define __this_cpu_read(name)	(name)
#define __this_cpu_inc(name)	((void)(name)++)
#define __this_cpu_dec(name)	((void)(name)--)
#define alloc_percpu(type)						\
({									\
	static_assert(sizeof(type) <= PERCPU_DISTANCE);			\
	(type *)calloc(NR_CPUS, PERCPU_DISTANCE);			\
})
#define free_percpu(p)		free(p)

struct hlist_node { int unused; };
#define hlist_entry(p, type, member)	container_of(p, type, member)

#define CPUHP_TRACE_RB_PREPARE	0
int cpuhp_setup_state_multi(int state, const char *name,
			    int (*prepare)(unsigned int cpu, struct hlist_node *node),
			    void *teardown);
int cpuhp_state_add_instance(int state, struct hlist_node *node);
int cpuhp_state_remove_instance(int state, struct hlist_node *node);

/* Memory. */
#define PAGE_SIZE		4096UL
#define GFP_KERNEL		0
#define __GFP_RETRY_MAYFAIL	0
#define __GFP_ZERO		0
#define __GFP_COMP		0

struct page;
extern long shim_free_pages;
extern int shim_fail_after;	/* allocations that succeed, then all fail; -1: no limit */

void *shim_alloc(size_t size);
struct page *alloc_pages_node(int node, gfp_t flags, unsigned int order);
void free_pages(unsigned long addr, unsigned int order);
#define page_address(page)		((void *)(page))
#define si_mem_available()		shim_free_pages
#define kmalloc(size, flags)		shim_alloc(size)
#define kvmalloc(size, flags)		shim_alloc(size)
#define kzalloc(size, flags)		shim_alloc(size)
#define kzalloc_node(size, flags, node)	shim_alloc(size)
#define kcalloc(n, size, flags)	kvcalloc(n, size, flags)
#define kvcalloc(n, size, flags)	shim_alloc((size_t)(n) * (size))
#define kfree(p)			free(p)
#define kvfree(p)			free(p)

/* No test frees a buffer that is in use, so there is nothing to wait for. */
#define synchronize_rcu()		((void)0)

/* Mapping: an area is an array of pages. */
struct folio;
struct vm_area_struct {
	unsigned long	vm_start, vm_end, vm_pgoff, vm_flags;
	void		**pages;
};

#define VM_WRITE	BIT(1)
#define VM_EXEC		BIT(2)
#define VM_MAYWRITE	BIT(5)
#define VM_MAYEXEC	BIT(6)
#define VM_MAYSHARE	BIT(7)
#define VM_MIXEDMAP	0
#define VM_DONTCOPY	0
#define VM_DONTDUMP	0
#define VM_DONTEXPAND	0
#define vm_flags_mod(vma, set, clear)	((vma)->vm_flags &= ~(clear))
#define vma_pages(vma)			(((vma)->vm_end - (vma)->vm_start) / PAGE_SIZE)
#define virt_to_page(addr)		((struct page *)(addr))
#define virt_to_folio(addr)		((struct folio *)(addr))
#define flush_dcache_folio(folio)	((void)(folio))

static inline int vm_insert_page(struct vm_area_struct *vma, unsigned long addr,
				 struct page *page)
{
	vma->pages[(addr - vma->vm_start) / PAGE_SIZE] = page;
	return 0;
}

#define current				NULL
#define set_cpus_allowed_ptr(task, mask)	0
#define fatal_signal_pending(task)	false

/* Time. */
u64 sched_clock_noinstr(void);
u64 trace_clock_local(void);

/*
 * Waiting. A queue counts its wake-ups. A waiter notes the count, then looks for events, and sleeps
 * only while the count is the same. Wakers may be signal handlers.
 */
typedef struct { u32 wakes; } wait_queue_head_t;

struct shim_wait {
	wait_queue_head_t	*queue;
	u32			wakes;
};

#define DEFINE_WAIT(name)		struct shim_wait name = { }
#define TASK_INTERRUPTIBLE		1
#define init_waitqueue_head(queue)	((queue)->wakes = 0)
#define finish_wait(queue, wait)	((void)(wait))
#define signal_pending(task)		false
#define ERESTARTSYS			512

void prepare_to_wait(wait_queue_head_t *queue, struct shim_wait *wait, int state);
void schedule(void);
void wake_up_all(wait_queue_head_t *queue);

struct file;
typedef struct poll_table_struct { struct shim_wait wait; } poll_table;
#define EPOLLIN				0x01
#define EPOLLERR			0x08
#define EPOLLRDNORM			0x40

static inline void poll_wait(struct file *filp, wait_queue_head_t *queue, poll_table *table)
{
	if (table)
		prepare_to_wait(queue, &table->wait, TASK_INTERRUPTIBLE);
}

/* A CPU that queues an irq_work is interrupted by it at once. */
struct irq_work { void (*func)(struct irq_work *work); };

#define init_irq_work(work, fn)		((work)->func = (fn))
#define irq_work_sync(work)		((void)(work))
#define irq_work_queue_on(work, cpu)	irq_work_queue(work)
void irq_work_queue(struct irq_work *work);

/* Delayed work; the delay is in ticks. */
struct work_struct { void (*func)(struct work_struct *work); };
struct delayed_work {
	struct work_struct	work;
	struct delayed_work	*next;
	u64			due;
};

#define system_wq			NULL
#define INIT_DELAYED_WORK(dwork, fn)	((dwork)->work.func = (fn))
#define to_delayed_work(w)		container_of(w, struct delayed_work, work)
void mod_delayed_work(void *wq, struct delayed_work *work, unsigned int delay);
void cancel_delayed_work_sync(struct delayed_work *work);

struct trace_seq;

#define pr_warn_once(...)	fprintf(stderr, __VA_ARGS__)

/* Nothing is traced here, so kernel/trace/lib/hide.h is left out. */
#define _TRACE_LIB_HIDE_H

static inline unsigned long trace_recursion_hide(void)
{
	return 0;
}

static inline void trace_recursion_show(unsigned long taken)
{
}

#endif /* _RB_SHIM_H */
