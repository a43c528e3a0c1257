/* SPDX-License-Identifier: GPL-2.0 */
/*
 * CPUs, their data, and locks: part of shim.h.
 */
#ifndef _RB_SHIM_CPU_H
#define _RB_SHIM_CPU_H

#include "shim_atomic.h"

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
#define cpu_possible_mask	(&shim_possible)
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
DEFINE_FREE(kfree, void *, free(_T))
#define no_free_ptr(p)		({ typeof(p) __p = (p); (p) = NULL; __p; })
#define __guard			__attribute__((cleanup(shim_end_guard)))
#define guard(name)		struct shim_guard __guard_##name __guard = shim_##name##_guard

#endif /* _RB_SHIM_CPU_H */
