// SPDX-License-Identifier: GPL-2.0
/*
 * Reading shadow stacks: users' data, frames, and return addresses for unwinders.
 */
#include <linux/align.h>
#include <linux/export.h>

#include "shadow_stack.h"

/**
 * shadow_stack_reserve - reserve memory for a user's data after the newest frame
 * @stack: the stack of the task that runs
 * @idx: fgraph_ops::idx of the user
 * @size: bytes to reserve
 *
 * Context: fgraph_ops::entryfunc, for its own frame.
 * Return: the memory, aligned to words and not cleared; NULL if there is not enough.
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
	/* An interrupt may look for its own data in this frame: fill this in before. */
	barrier();
	frame->size += room;
	return data + 1;
}

/**
 * shadow_stack_data - find a user's data
 * @frame: the frame of the call that the data belong to
 * @idx: fgraph_ops::idx of the user
 * @size: set to the number of bytes
 *
 * Context: fgraph_ops::entryfunc or retfunc, for a frame of the task that runs.
 * Return: what shadow_stack_reserve() returned; NULL if nothing was reserved.
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

/* The first frame from @frame on that is of call @fp and has a real return address. */
static struct ftrace_ret_stack *real_frame(const struct shadow_stack *stack,
					   const struct ftrace_ret_stack *frame, unsigned long fp)
{
	while (frame && (READ_ONCE(frame->fp) != fp ||
			 READ_ONCE(frame->ret) == (unsigned long)return_to_handler))
		frame = shadow_stack_older(stack, frame);
	return (struct ftrace_ret_stack *)frame;
}

/**
 * shadow_stack_find - find the frame that says where a call really returns to
 * @stack: the stack of any task
 * @below: offset of a frame that the result has to be older than; 0: any frame
 * @fp: the key of the call, see arch_graph_key()
 *
 * Functions that end in a jump to another one leave several frames for one call. All but the oldest
 * say that the call returns to return_to_handler.
 *
 * Context: any. In the stack of a task that runs on another CPU, the result may be wrong.
 * Return: the frame; NULL if there is none.
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
 * shadow_stack_caller - find out where a call with a known frame really returns to
 * @stack: the stack of the task that runs
 * @frame: the frame of the call, or of a function that it has jumped to
 *
 * Context: any.
 * Return: the address; 0 if it is not known.
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
	/* If the task runs on another CPU, the frame may have become that of a jump. */
	real = frame ? READ_ONCE(frame->ret) : ret;
	if (real == ret)
		return task == current ? ret : ret + 4;
	if (idx)
		*idx = (void *)frame - (void *)stack;
	return real;
}

/**
 * ftrace_graph_ret_addr - get the return address that an unwinder should have found
 * @task: the task whose stack is being unwound
 * @idx: points to 0 at the first call, then to what the last call left there; may be NULL
 * @ret: the address that the unwinder found
 * @retp: the key of the call, see arch_graph_key()
 *
 * Unwinders call this for every frame of every stack, and nearly always @ret is right: this case is
 * tested first.
 *
 * Context: any.
 * Return: the address that the function will return to; @ret if no other address is known. The
 * calls of a task that runs on another CPU may return during this call. Then this returns an
 * address within return_to_handler, which tells the unwinder that the real address is not known.
 */
unsigned long ftrace_graph_ret_addr(struct task_struct *task, int *idx, unsigned long ret,
				    unsigned long *retp)
{
	return likely(ret != (unsigned long)return_to_handler) ?
	       ret : real_ret_addr(task, idx, ret, retp);
}

/**
 * ftrace_graph_get_ret_stack - get the frame of a call that is under way
 * @task: the current task, or one that does not run
 * @skip: number of newer calls to skip
 *
 * Context: any.
 * Return: the frame; NULL if the task has no more than @skip calls.
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
 * fgraph_reserve_data - reserve memory from a call's entry until its return
 * @idx: fgraph_ops::idx of the user
 * @size_bytes: bytes to reserve, at most 256
 *
 * Context: fgraph_ops::entryfunc. If that returns 0, the memory is freed.
 * Return: the memory, not cleared; NULL if there is not enough. The call is then counted like those
 * that are too deep to be seen, since the user will not accept it.
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
 * fgraph_retrieve_data - get what fgraph_reserve_data() returned at the entry of a call
 * @idx: fgraph_ops::idx of the user
 * @size_bytes: set to the number of bytes
 *
 * Context: fgraph_ops::retfunc, or entryfunc after fgraph_reserve_data().
 * Return: the memory; NULL if nothing was reserved.
 */
void *fgraph_retrieve_data(int idx, int *size_bytes)
{
	return fgraph_retrieve_parent_data(idx, size_bytes, 0);
}
EXPORT_SYMBOL_GPL(fgraph_retrieve_data);

/**
 * fgraph_retrieve_parent_data - get the data of a caller of the current call
 * @idx: fgraph_ops::idx of the user
 * @size_bytes: set to the number of bytes
 * @depth: 0: the current call; 1: its nearest caller; and so on. Only calls that any user has
 *	accepted are counted
 *
 * Context: fgraph_ops::entryfunc or retfunc.
 * Return: the memory; NULL if nothing was reserved, if there is no such call, or if that call has
 * begun to return (the current one is then of an interrupt, or of a user that is being told).
 */
void *fgraph_retrieve_parent_data(int idx, int *size_bytes, int depth)
{
	struct ftrace_ret_stack *frame = ftrace_graph_get_ret_stack(current, depth);

	/* Do not return data of another user that had the number before. */
	if (!frame || (depth && !ftrace_graph_accepted(frame, idx)))
		return NULL;
	return shadow_stack_data(frame, idx, size_bytes);
}
EXPORT_SYMBOL_GPL(fgraph_retrieve_parent_data);

/**
 * fgraph_get_task_var - get the user's word for the current task
 * @gops: the user
 *
 * The word is 0 when the user is registered, and in new tasks.
 *
 * Context: fgraph_ops::entryfunc or retfunc.
 * Return: pointer to the word, never NULL.
 */
unsigned long *fgraph_get_task_var(struct fgraph_ops *gops)
{
	return task_shadow_var(gops);
}
EXPORT_SYMBOL_GPL(fgraph_get_task_var);
