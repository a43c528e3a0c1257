// SPDX-License-Identifier: GPL-2.0
/*
 * Looking around in shadow stacks: data of users, frames, and what unwinders ask.
 */
#include <linux/align.h>
#include <linux/export.h>
#include <linux/ftrace.h>
#include <linux/sched.h>

#include "shadow_stack.h"

/**
 * shadow_stack_reserve - make room for a user's data behind the newest frame
 * @stack: the stack of the task that runs
 * @idx: whose
 * @size: in bytes
 *
 * Context: fgraph_ops::entryfunc, for its own frame.
 * Return: the room, aligned to words, with anything in it; NULL: there is not enough.
 */
void *shadow_stack_reserve(struct shadow_stack *stack, unsigned int idx, unsigned int size)
{
	struct ftrace_ret_stack *frame = shadow_stack_at(stack, stack->top);
	struct shadow_data *data = (void *)stack + stack->used;
	unsigned int room = sizeof(*data) + ALIGN(size, sizeof(long));

	if (size > SHADOW_DATA_MAX || stack->used + room > SHADOW_STACK_SIZE)
		return NULL;
	WRITE_ONCE(stack->used, stack->used + room);
	barrier();
	*data = (struct shadow_data){ .idx = idx, .size = size };
	/* Who interrupts may look for its own. */
	barrier();
	frame->size += room;
	return data + 1;
}

/**
 * shadow_stack_data - find a user's data
 * @frame: whose calls they are about
 * @idx: whose they are
 * @size: how many bytes there are
 *
 * Context: fgraph_ops::entryfunc or retfunc, for a frame of the task that runs.
 * Return: what was reserved, NULL: nothing.
 */
void *shadow_stack_data(struct ftrace_ret_stack *frame, unsigned int idx, int *size)
{
	struct shadow_data *data = (void *)(frame + 1);
	void *end = (void *)frame + frame->size;

	for (; (void *)data < end; data = (void *)(data + 1) + ALIGN(data->size, sizeof(long))) {
		if (data->idx == idx) {
			*size = data->size;
			return data + 1;
		}
	}
	return NULL;
}

/* From @frame on, the first of call @fp that is not one of a jump. */
static struct ftrace_ret_stack *real_frame(const struct shadow_stack *stack,
					   const struct ftrace_ret_stack *frame, unsigned long fp)
{
	while (frame && (READ_ONCE(frame->fp) != fp ||
			 READ_ONCE(frame->ret) == (unsigned long)return_to_handler))
		frame = shadow_stack_older(stack, frame);
	return (struct ftrace_ret_stack *)frame;
}

/**
 * shadow_stack_find - find out where a call really returns to
 * @stack: any task's stack
 * @below: older than the frame in this place; 0: any
 * @fp: which call
 *
 * Functions that end in a jump to another one leave several frames for one call. All
 * but the oldest say that it returns to return_to_handler.
 *
 * Context: any. What is found in the stack of a task that runs elsewhere may be wrong.
 * Return: the frame, NULL: there is none.
 */
struct ftrace_ret_stack *shadow_stack_find(const struct shadow_stack *stack, unsigned int below,
					   unsigned long fp)
{
	struct ftrace_ret_stack *frame;

	frame = shadow_stack_holds(below) ?
		shadow_stack_older(stack, shadow_stack_at(stack, below)) :
		shadow_stack_newest(stack);
	return real_frame(stack, frame, fp);
}

/**
 * shadow_stack_caller - the same for a call whose frame is known
 * @stack: the stack of the task that runs
 * @frame: of the call, or of one that it jumped to
 *
 * Context: any.
 * Return: the address, 0: it is not known.
 */
unsigned long shadow_stack_caller(const struct shadow_stack *stack,
				  const struct ftrace_ret_stack *frame)
{
	frame = real_frame(stack, frame, frame->fp);
	return frame ? frame->ret : 0;
}

static noinline unsigned long real_ret_addr(struct task_struct *task, int *idx, unsigned long ret,
					    unsigned long *retp)
{
	struct shadow_stack *stack = task_shadow_stack(task);
	struct ftrace_ret_stack *frame;
	unsigned long real;

	if (!stack)
		return ret;
	frame = shadow_stack_find(stack, idx ? *idx : 0, (unsigned long)retp);
	/* Elsewhere, the frame may have become that of a jump meanwhile. */
	real = frame ? READ_ONCE(frame->ret) : ret;
	if (real == ret)
		return task == current ? ret : ret + 4;
	if (idx)
		*idx = (void *)frame - (void *)stack;
	return real;
}

/**
 * ftrace_graph_ret_addr - the return address that an unwinder should have found
 * @task: whose stack it unwinds
 * @idx: 0 at first, then what the last call left there; NULL: none
 * @ret: what it found
 * @retp: of which call, as the architecture says (arch_graph_key())
 *
 * Unwinders ask for every frame of every stack, so what nearly all of them get stands alone.
 *
 * Context: any.
 * Return: where the function will return to; @ret if that is not known to be elsewhere. Of a
 * task that runs on another CPU there may be none, as its calls return meanwhile; then it is
 * an address within return_to_handler, which means that no better one is to be had.
 */
unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx, unsigned long ret,
				    unsigned long *retp)
{
	return likely(ret != (unsigned long)return_to_handler) ?
	       ret : real_ret_addr(task, idx, ret, retp);
}

/**
 * ftrace_graph_get_ret_stack - a call of a task that is under way
 * @task: the current one, or one that does not run
 * @skip: how many newer ones there are
 *
 * Context: any.
 * Return: the call; NULL: there are not as many.
 */
struct ftrace_ret_stack *ftrace_graph_get_ret_stack(struct task_struct *task, int skip)
{
	struct shadow_stack *stack = task_shadow_stack(task);
	struct ftrace_ret_stack *frame = stack ? shadow_stack_newest(stack) : NULL;

	while (frame && skip--)
		frame = shadow_stack_older(stack, frame);
	return frame;
}

/**
 * fgraph_reserve_data - keep something from a call's entry until its return
 * @idx: fgraph_ops::idx
 * @size_bytes: how much, at most 256 bytes
 *
 * Context: fgraph_ops::entryfunc. Gone if that returns 0.
 * Return: the memory, not cleared; NULL: there is not enough. That counts as one more call
 * of the task that was too deep in others to be seen, as the user will not accept it.
 */
void *fgraph_reserve_data(int idx, int size_bytes)
{
	void *data = shadow_stack_reserve(task_shadow_stack(current), idx, size_bytes);

	if (unlikely(!data))
		atomic_inc(&current->trace_overrun);
	return data;
}
EXPORT_SYMBOL_GPL(fgraph_reserve_data);

/**
 * fgraph_retrieve_data - what fgraph_reserve_data() gave at the entry of a call
 * @idx: fgraph_ops::idx
 * @size_bytes: how much it was
 *
 * Context: fgraph_ops::retfunc, or entryfunc behind fgraph_reserve_data().
 * Return: the memory; NULL: nothing was reserved.
 */
void *fgraph_retrieve_data(int idx, int *size_bytes)
{
	return fgraph_retrieve_parent_data(idx, size_bytes, 0);
}
EXPORT_SYMBOL_GPL(fgraph_retrieve_data);

/**
 * fgraph_retrieve_parent_data - the same for a call around the one that is returning
 * @idx: fgraph_ops::idx
 * @size_bytes: how much it was
 * @depth: how many calls further out; each call that anybody accepted counts
 *
 * Context: fgraph_ops::entryfunc or retfunc.
 * Return: the memory; NULL: nothing was reserved, there is no such call, or it is about to
 * return, too, and what is asked for was called by an interrupt, or by somebody who was told.
 */
void *fgraph_retrieve_parent_data(int idx, int *size_bytes, int depth)
{
	struct ftrace_ret_stack *frame = ftrace_graph_get_ret_stack(current, depth);

	/* What others left there who had the number before is not for this user. */
	if (!frame || (depth && !ftrace_graph_accepted(frame, idx)))
		return NULL;
	return shadow_stack_data(frame, idx, size_bytes);
}
EXPORT_SYMBOL_GPL(fgraph_retrieve_parent_data);

/**
 * fgraph_get_task_var - a word of the user's for the current task
 * @gops: the user
 *
 * It is 0 when the user is registered, and in new tasks.
 * Context: fgraph_ops::entryfunc or retfunc.
 * Return: the word, never NULL.
 */
unsigned long *fgraph_get_task_var(struct fgraph_ops *gops)
{
	return task_shadow_var(gops);
}
EXPORT_SYMBOL_GPL(fgraph_get_task_var);
