/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Waiting, polling and delayed work: part of shim.h.
 */
#ifndef _RB_SHIM_WAIT_H
#define _RB_SHIM_WAIT_H

#include "shim_types.h"

/*
 * Waiting. A queue counts its wake-ups. A waiter notes the count, then looks for events, and sleeps
 * only while the count is the same. Wakers may be signal handlers.
 */
typedef struct { u32 wakes; } wait_queue_head_t;

struct shim_wait {
	wait_queue_head_t	*queue;
	u32			wakes;
};

#define TASK_INTERRUPTIBLE		1
#define init_waitqueue_head(queue)	((queue)->wakes = 0)
#define ERESTARTSYS			512

/* There are no signals. */
#define wait_event_interruptible(queue, condition)			\
({									\
	struct shim_wait __wait = { };					\
									\
	for (;;) {							\
		prepare_to_wait(&(queue), &__wait, TASK_INTERRUPTIBLE);	\
		if (condition)						\
			break;						\
		schedule();						\
	}								\
	0;								\
})

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

#endif /* _RB_SHIM_WAIT_H */
