/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the kernel that only recording trace events uses, in user space. shim_events.c has
 * its functions.
 *
 * The current task is the thread. A probe runs in a read section of RCU or of tracepoint_srcu: the
 * memory that call_rcu() and call_srcu() are given is freed when all CPUs have left the sections
 * that they were in, and not before. So ASan sees what is used too long.
 */
#ifndef _RB_SHIM_EVENTS_H
#define _RB_SHIM_EVENTS_H

#include "shim.h"

#define CONFIG_TRACING		1
#define CONFIG_PERF_EVENTS	1
#define CONFIG_PREEMPT_RT	0

#define notrace
#define __rcu
#define __user
#define __counted_by(member)
#define __packed		__attribute__((packed))
#define __printf(text, first)	__attribute__((format(printf, text, first)))
#define BITS_PER_LONG		64
#define TASK_COMM_LEN		16
#define struct_size(p, member, n)	(sizeof(*(p)) + (n) * sizeof((p)->member[0]))
#define hweight32(word)		__builtin_popcount(word)
#define WARN_ON_ONCE(cond)						\
({									\
	if (cond) {							\
		fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #cond); \
		abort();						\
	}								\
	false;								\
})

/* There are no latency tracers, and no readers of what they keep. */
#define _TRACE_CORE_LATENCY_H
struct latency_view { };

/* In the kernel, the load of a pointer orders all that is read through it. */
#undef READ_ONCE
#define READ_ONCE(x)						\
({								\
	interrupt_here();					\
	(typeof(x))__atomic_load_n(&(x), __ATOMIC_CONSUME);	\
})

/* The task, and its context. */
struct task_struct {
	int		pid;
	unsigned long	trace_recursion;
	unsigned int	migration_disabled;
	bool		need_resched;
	bool		preempt_resched;
};

extern __thread struct task_struct shim_task;
extern __thread unsigned int shim_preempt_count;

#undef current
#define current				(&shim_task)
#define preempt_count()			READ_ONCE(shim_preempt_count)
#define tif_need_resched()		(current->need_resched)
#define test_preempt_need_resched()	(current->preempt_resched)

#define PREEMPT_DISABLE_OFFSET	1U
#define PREEMPT_MASK		0x000000ffU
#define SOFTIRQ_OFFSET		0x00000100U
#define SOFTIRQ_DISABLE_OFFSET	(2 * SOFTIRQ_OFFSET)
#define SOFTIRQ_MASK		0x0000ff00U
#define HARDIRQ_OFFSET		0x00010000U
#define HARDIRQ_MASK		0x000f0000U
#define NMI_OFFSET		0x00100000U
#define NMI_MASK		0x00f00000U

#define softirq_count()		(shim_preempt_count & SOFTIRQ_MASK)
#define raw_irqs_disabled()	!!(shim_preempt_count & (HARDIRQ_MASK | NMI_MASK))

/* 0: task, 1: softirq, 2: interrupt, 3: NMI */
static inline unsigned int interrupt_context_level(void)
{
	unsigned int count = preempt_count();

	return count & NMI_MASK ? 3 : count & HARDIRQ_MASK ? 2 : !!(count & SOFTIRQ_OFFSET);
}

#define raw_cpu_read(member)	READ_ONCE(*this_cpu_ptr(&(member)))

/* RCU. */
struct rcu_head {
	struct rcu_head	*next;
	void		(*func)(struct rcu_head *head);
};

enum shim_rcu { SHIM_RCU, SHIM_SRCU, SHIM_RCUS };
struct srcu_struct { int unused; };
extern struct srcu_struct tracepoint_srcu;

void shim_read_lock(enum shim_rcu kind);
void shim_read_unlock(enum shim_rcu kind);
void shim_call(enum shim_rcu kind, struct rcu_head *head, void (*func)(struct rcu_head *head));
void shim_rcu_barrier(void);

#define call_rcu(head, func)		shim_call(SHIM_RCU, head, func)
#define call_srcu(srcu, head, func)	shim_call(SHIM_SRCU, head, func)
#define rcu_dereference_raw(p)		READ_ONCE(p)
#define rcu_access_pointer(p)		READ_ONCE(p)
#define rcu_assign_pointer(p, v)	smp_store_release(&(p), v)
#define RCU_INIT_POINTER(p, v)		WRITE_ONCE(p, v)
#define rcu_dereference_protected(p, held)	({ WARN_ON_ONCE(!(held)); (p); })
#define lockdep_is_held(mutex)		__atomic_load_n(&(mutex)->locked, __ATOMIC_RELAXED)

typedef struct { int locked; } spinlock_t;
typedef struct { long counter; } atomic_long_t;

/* Static keys: they are switched before CPUs run. */
struct static_key_false { bool on; };
#define static_branch_unlikely(key)	((key)->on)
#define static_keys_begin()		((void)0)
#define static_keys_end()		((void)0)

/* Lists. */
struct list_head { struct list_head *next, *prev; };
struct hlist_head { struct hlist_node *first; };

#define LIST_HEAD(name)		struct list_head name = { &(name), &(name) }
#define list_for_each_entry(pos, head, member)				\
	for ((pos) = container_of((head)->next, typeof(*(pos)), member); \
	     &(pos)->member != (head);					\
	     (pos) = container_of((pos)->member.next, typeof(*(pos)), member))

static inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	entry->next = head;
	entry->prev = head->prev;
	head->prev->next = entry;
	head->prev = entry;
}

/* Delayed work: the test decides when it runs. */
#define HZ			250
#define SYSTEM_SCHEDULING	1
#define system_state		SYSTEM_SCHEDULING
#define system_unbound_wq	NULL
#define DECLARE_DELAYED_WORK(name, fn)	struct delayed_work name = { .work.func = fn }
#define queue_delayed_work(wq, dwork, delay)	shim_queue_work(dwork)

void shim_queue_work(struct delayed_work *work);
void shim_run_work(void);

/* A tracepoint has one probe at most. */
struct tracepoint {
	const char	*name;
	void		*probe;
	void		*data;
};

extern int shim_probe_error;	/* tracepoint_probe_register() returns this */

int tracepoint_probe_register(struct tracepoint *tp, void *probe, void *data);
int tracepoint_probe_unregister(struct tracepoint *tp, void *probe, void *data);

/* Types of members and arguments that nothing here uses. */
struct perf_event;
struct seq_file;
typedef u64 resource_size_t;
struct inode { void *i_private; };
struct xarray { int unused; };
struct seq_buf { size_t len; };
struct file_operations { int unused; };
struct inode *file_inode(struct file *file);
void seq_buf_init(struct seq_buf *seq, char *buffer, size_t size);
size_t seq_buf_used(struct seq_buf *seq);
bool seq_buf_has_overflowed(struct seq_buf *seq);

#endif /* _RB_SHIM_EVENTS_H */
