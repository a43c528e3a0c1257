/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shadow stacks: where a task's calls return to, as long as they return to
 * return_to_handler instead.
 *
 * A call whose return somebody waits for has a frame, struct ftrace_ret_stack. Frames lie
 * one behind the other, each followed by the words that its users keep with it. The
 * task whose stack it is pushes and pops, and so do interrupts and NMIs on top of it, at
 * any point: they are done before what they interrupted goes on, and have popped
 * what they pushed. So two plain words are all there is, @used and @top, and
 * either side of an interruption finds them as they were before:
 *
 *	push				an interrupt's push and pop
 *	1. load @used: the frame	before (2): a frame in the same place, and gone
 *	2. store @used, behind it	   again; nobody has looked at ours yet
 *	3. fill the frame		after (2): a frame behind ours; @top, which it
 *	4. store @top: the frame	   leads to below, is that of before or ours
 *
 *	pop
 *	5. store @top: the one below	before (6): a frame behind the one that goes
 *	6. store @used: the frame	after (6): in its place, which nobody needs
 *
 * An unwinder goes from @top downwards, and may interrupt all this: what @top leads to is
 * filled in before (4), and not overwritten before (6). Frames between (1) and (4) it does
 * not see, and need not: their calls do not return to return_to_handler yet, see graph.c.
 *
 * An unwinder on another CPU, of a task that runs, sees anything. It must not believe it,
 * but stays inside of the stack and gets to an end: shadow_stack_seen().
 */
#ifndef _KERNEL_TRACE_FTRACE_SHADOW_STACK_H
#define _KERNEL_TRACE_FTRACE_SHADOW_STACK_H

#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/sched.h>
#include <linux/types.h>

/* Of function graph there are at most so many users at a time. */
#define FTRACE_GRAPH_USERS	16

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* By fgraph_ops::idx; graph_users.c writes it. */
extern struct fgraph_ops *ftrace_graph_users[FTRACE_GRAPH_USERS];

#define SHADOW_STACK_SIZE	4096

/* A user's data with one frame. */
#define SHADOW_DATA_MAX		256

/**
 * struct shadow_stack - a task's; frames follow
 * @used: its bytes in use, this included. Two longs, as some machines have to extend an
 *	int each time that a place is computed with it
 * @top: where the newest complete frame is; 0: there is none
 * @var: a word of each user for the task
 */
struct shadow_stack {
	unsigned long	used;
	unsigned long	top;
	unsigned long	var[FTRACE_GRAPH_USERS];
};

/**
 * struct shadow_data - a user's words with a frame; they follow
 * @idx: whose
 * @size: how many bytes; room is taken for whole words
 */
struct shadow_data {
	u32		idx;
	u32		size;
};

/* NULL: the task has none. */
static __always_inline struct shadow_stack *task_shadow_stack(struct task_struct *task)
{
	return (struct shadow_stack *)READ_ONCE(task->ret_stack);
}

/* A user's word for the current task: fgraph_get_task_var(), for who has no time. */
static __always_inline unsigned long *task_shadow_var(const struct fgraph_ops *gops)
{
	return &task_shadow_stack(current)->var[gops->idx];
}

static __always_inline void shadow_stack_init(struct shadow_stack *stack)
{
	*stack = (struct shadow_stack){ .used = sizeof(*stack) };
}

static __always_inline struct ftrace_ret_stack *
shadow_stack_at(const struct shadow_stack *stack, unsigned long at)
{
	return (void *)stack + at;
}

/* Is there a frame in this place? There may be, at least. */
static __always_inline bool shadow_stack_holds(unsigned int at)
{
	return at >= sizeof(struct shadow_stack) && IS_ALIGNED(at, sizeof(u64)) &&
	       at <= SHADOW_STACK_SIZE - sizeof(struct ftrace_ret_stack);
}

/* For who walks: a frame below @above. NULL: there is none. */
static __always_inline struct ftrace_ret_stack *
shadow_stack_seen(const struct shadow_stack *stack, unsigned int at, unsigned int above)
{
	return at < above && shadow_stack_holds(at) ? shadow_stack_at(stack, at) : NULL;
}

static __always_inline struct ftrace_ret_stack *
shadow_stack_newest(const struct shadow_stack *stack)
{
	return shadow_stack_seen(stack, READ_ONCE(stack->top), SHADOW_STACK_SIZE);
}

static __always_inline struct ftrace_ret_stack *
shadow_stack_older(const struct shadow_stack *stack, const struct ftrace_ret_stack *frame)
{
	return shadow_stack_seen(stack, READ_ONCE(frame->below), (void *)frame - (void *)stack);
}

/*
 * A new frame, with no users; NULL: there is no room for one. Preemption does not matter,
 * but it is the stack of the task that runs.
 */
static __always_inline struct ftrace_ret_stack *
shadow_stack_push(struct shadow_stack *stack, unsigned long ret, unsigned long func,
		  unsigned long fp)
{
	unsigned long at = READ_ONCE(stack->used), below = READ_ONCE(stack->top);
	struct ftrace_ret_stack *frame = shadow_stack_at(stack, at);

	if (unlikely(at > SHADOW_STACK_SIZE - sizeof(*frame)))
		return NULL;
	WRITE_ONCE(stack->used, at + sizeof(*frame));		/* 2. */
	barrier();
	frame->ret = ret;
	frame->func = func;
	frame->fp = fp;
	frame->below = below;
	frame->depth = below ? shadow_stack_at(stack, below)->depth + 1 : 0;
	frame->users = 0;
	frame->size = sizeof(*frame);
	barrier();
	WRITE_ONCE(stack->top, at);				/* 4. */
	return frame;
}

/* Takes a frame away that is complete, with all above it. */
static __always_inline void
shadow_stack_pop(struct shadow_stack *stack, const struct ftrace_ret_stack *frame)
{
	WRITE_ONCE(stack->top, frame->below);			/* 5. */
	barrier();
	WRITE_ONCE(stack->used, (void *)frame - (void *)stack);	/* 6. */
}

/* Takes away from the newest frame what was reserved since it had this @size. */
static __always_inline void
shadow_stack_trim(struct shadow_stack *stack, struct ftrace_ret_stack *frame, unsigned int size)
{
	if (likely(frame->size == size))
		return;
	frame->size = size;
	barrier();
	WRITE_ONCE(stack->used, (void *)frame - (void *)stack + size);
}

bool ftrace_graph_accepted(const struct ftrace_ret_stack *frame, unsigned int idx);
void *shadow_stack_reserve(struct shadow_stack *stack, unsigned int idx, unsigned int size);
void *shadow_stack_data(struct ftrace_ret_stack *frame, unsigned int idx, int *size);
struct ftrace_ret_stack *shadow_stack_find(const struct shadow_stack *stack, unsigned int below,
					   unsigned long fp);
unsigned long shadow_stack_caller(const struct shadow_stack *stack,
				  const struct ftrace_ret_stack *frame);

#endif /* CONFIG_FUNCTION_GRAPH_TRACER */
#endif /* _KERNEL_TRACE_FTRACE_SHADOW_STACK_H */
