/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Shadow stacks: the real return addresses of a task's calls that return to return_to_handler.
 *
 * A call whose return a user waits for has a frame, struct ftrace_ret_stack. Frames lie one after
 * the other, each followed by the words that users keep with it. The task that owns the stack
 * pushes and pops frames. So do interrupts and NMIs on top of it, at any point: they end before the
 * code that they interrupted goes on, and have popped by then what they pushed. So two plain words
 * are enough, @used and @top, and either side of an interruption finds them as they were before:
 *
 *	push				an interrupt's push and pop
 *	1. load @used: the frame	before (2): a frame in the same place, popped
 *	2. store @used, after it	   again; ours is not filled in yet
 *	3. fill the frame		after (2): a frame after ours; the frame below
 *	4. store @top: the frame	   it, from @top, is the one before ours, or ours
 *
 *	pop
 *	5. store @top: the one below	before (6): a frame after the one being popped
 *	6. store @used: the frame	after (6): in its place, which is free
 *
 * An unwinder walks from @top downwards, and may interrupt all this. The frames that @top leads to
 * are filled in before (4), and are not overwritten before (6). The unwinder does not see a frame
 * between (1) and (4), and need not: its call does not return to return_to_handler yet, see
 * graph.c.
 *
 * An unwinder on another CPU than the task's may see anything. It must not trust what it sees, but
 * stays inside of the stack and comes to an end: shadow_stack_seen().
 */
#ifndef _KERNEL_TRACE_FTRACE_SHADOW_STACK_H
#define _KERNEL_TRACE_FTRACE_SHADOW_STACK_H

#include <linux/compiler.h>
#include <linux/ftrace.h>
#include <linux/sched.h>
#include <linux/types.h>

/* The largest number of users of function graph at a time. */
#define FTRACE_GRAPH_USERS	16

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

/* The users, indexed by fgraph_ops::idx. graph_users.c writes them. */
extern struct fgraph_ops *ftrace_graph_users[FTRACE_GRAPH_USERS];

#define SHADOW_STACK_SIZE	4096

/* The largest number of bytes that a user can keep with one frame. */
#define SHADOW_DATA_MAX		256

/**
 * struct shadow_stack - the shadow stack of a task; frames follow
 * @used: bytes in use, including this structure. Long, like @top, because some machines would have
 *	to extend an int for each address that is computed with it
 * @top: offset of the newest complete frame; 0: there is none
 * @var: for each user, its word for the task
 */
struct shadow_stack {
	unsigned long	used;
	unsigned long	top;
	unsigned long	var[FTRACE_GRAPH_USERS];
};

/**
 * struct shadow_data - a user's data with a frame; the data follow
 * @idx: fgraph_ops::idx of the user
 * @size: number of bytes of data; memory is reserved for whole words
 */
struct shadow_data {
	u32		idx;
	u32		size;
};

/* The shadow stack of a task, or NULL. */
static __always_inline struct shadow_stack *task_shadow_stack(struct task_struct *task)
{
	return (struct shadow_stack *)READ_ONCE(task->ret_stack);
}

/* A user's word for the current task: fgraph_get_task_var(), inlined for the hot path. */
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

/* Can there be a frame at this offset? Also true for a frame that has been popped. */
static __always_inline bool shadow_stack_holds(unsigned int at)
{
	return at >= sizeof(struct shadow_stack) && IS_ALIGNED(at, sizeof(u64)) &&
	       at <= SHADOW_STACK_SIZE - sizeof(struct ftrace_ret_stack);
}

/* Walks use this: return the frame at @at if it can be one and is below @above; otherwise NULL. */
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
 * Push a new frame without users. Return NULL if there is no space for one. Preemption may be on,
 * but @stack has to be that of the task that runs.
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

/* Pop a complete frame, with all frames above it. */
static __always_inline void
shadow_stack_pop(struct shadow_stack *stack, const struct ftrace_ret_stack *frame)
{
	WRITE_ONCE(stack->top, frame->below);			/* 5. */
	barrier();
	WRITE_ONCE(stack->used, (void *)frame - (void *)stack);	/* 6. */
}

/* Free the memory that was reserved after the newest frame since it had this @size. */
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
