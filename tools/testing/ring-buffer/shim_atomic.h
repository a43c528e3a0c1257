/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interrupts at each access, memory ordering and atomics: part of shim.h.
 */
#ifndef _RB_SHIM_ATOMIC_H
#define _RB_SHIM_ATOMIC_H

#include "shim_types.h"

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

#endif /* _RB_SHIM_ATOMIC_H */
