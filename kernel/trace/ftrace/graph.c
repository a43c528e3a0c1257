// SPDX-License-Identifier: GPL-2.0
/*
 * Function graph: entries of functions, and their returns.
 *
 * A user of function graph has an ftrace_ops, which selects the functions whose entries the user
 * sees. If the user accepts a call, this is noted in the task's shadow stack, and the function's
 * return address becomes return_to_handler:
 *
 *	caller		function	ftrace_caller		return_to_handler
 *	call		site		push frame; call users;
 *					if one accepts, divert
 *			body
 *			return					pop frame; tell those users
 *	goes on
 *
 * This happens before the function has saved or signed its return address, or pushed it to a shadow
 * call stack of the compiler. Only unwinders see the change: they find return_to_handler where the
 * caller should be, and call ftrace_graph_ret_addr().
 *
 * The call that returns is the newest diverted call of the task. If a task exits, the frames of its
 * calls are freed with the stack. If a call ends without a return, its frame stays until one of its
 * callers returns: this caller then finds that the newest frame is not its own.
 *
 * Which users are told of a return
 *
 * Users come and go while calls are under way, some of which last as long as a task sleeps. A frame
 * has a bit for each user that accepted the call, by the user's number. But a user that comes later
 * may have the same number, and must not be told of returns of calls that it never saw. So the
 * frame also stores when the newest of the users that accepted was registered (@serial); a user
 * that was registered later is not told. (user[] is ftrace_graph_users[]; the left column is in
 * graph_users.c.)
 *
 *	unregister A, register B	CPU on which a call returns
 *	1. no site calls A		a. raise preempt_count
 *	2. user[idx] = NULL		b. load user[idx], and its @serial
 *	3. ftrace_synchronize()		c. if not newer than the frame: retfunc
 *	4. A may be freed		d. lower preempt_count
 *	5. B's @serial = ++newest
 *	6. user[idx] = B, release
 *
 * (3) waits until every CPU that was between (a) and (d) is past (d), see synchronize.c. A CPU
 * that comes to (a) later finds what (2) stored, or B. The frames of calls that A accepted were
 * pushed before (3), when @newest was less than B's @serial. (b) loads from B what (5) stored,
 * since the address of that load depends on what (6) stored. @serial wraps after 2^32
 * registrations: a call would have to last that long to be mistaken. (1) comes first, as it may
 * take long: until (2), A is told of the returns of calls that it accepts during (1).
 *
 * Data of the callers of a call
 *
 * At a call, a user can look at the callers of this call, and store data with them for their
 * returns (fgraph_retrieve_parent_data()). An interrupt can come when a call has told its users of
 * its return and still has its frame. Data that the interrupt stores there would be lost. So once
 * the time of a return is taken, and before the users are told, the call's frame loses all users:
 *
 *	a call that returns		a call of an interrupt
 *
 *	takes the time			before (a): leaves data, which users find when told
 *	a. frame's users = 0		after (a): does not find the call
 *	tells the users it had
 *
 * Protection against recursion
 *
 * The functions that users call may be traced. While users run, a bit of trace_recursion for the
 * context is held. If there is an entry nevertheless, a second bit is taken: the entry may be of an
 * interrupt that is just beginning or ending, in a context that looks the same, so users see it.
 * With both bits held, no entry is seen. Therefore users see the functions that they call, but not
 * the functions that these call in turn. A return that comes with both bits held belongs to an
 * entry from before. Its users are told without taking a bit: the held bits protect as well.
 */
#include <linux/bits.h>
#include <linux/sched.h>
#include <linux/sched/clock.h>

#include "ftrace.h"
#include "graph.h"
#include "shadow_stack.h"

struct fgraph_ops *ftrace_graph_users[FTRACE_GRAPH_USERS];

static bool graph_dead;

static __always_inline struct fgraph_ops *user_of(struct ftrace_ops *ops)
{
	return container_of(ops, struct fgraph_ops, ops);
}

/* The bits of preempt_count() that say whether an interrupt runs. */
#define INTERRUPTS	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK)

static noinline int enter_interrupt(void)
{
	return trace_recursion_enter(TRACE_RECURSION_GRAPH);
}

/* As trace_recursion_enter(), but shorter for tasks that run no callback. */
static __always_inline int graph_recursion_enter(void)
{
	unsigned long held = READ_ONCE(current->trace_recursion);

	if (unlikely(held & BIT(TRACE_RECURSION_GRAPH) || preempt_count() & INTERRUPTS))
		return enter_interrupt();
	WRITE_ONCE(current->trace_recursion, held | BIT(TRACE_RECURSION_GRAPH));
	barrier();
	return TRACE_RECURSION_GRAPH;
}

/* Push a frame for a call. Without space for one, count the call as missed and return NULL. */
static __always_inline struct ftrace_ret_stack *
begin_call(struct shadow_stack *stack, unsigned long ip, unsigned long parent_ip,
	   struct ftrace_regs *fregs)
{
	struct ftrace_ret_stack *frame;

	frame = shadow_stack_push(stack, parent_ip, ip, arch_graph_entry_key(fregs));
	if (unlikely(!frame))
		atomic_inc(&current->trace_overrun);
	return frame;
}

static __always_inline void accept_call(struct ftrace_ret_stack *frame, u16 accepted,
					struct ftrace_graph_entry *entry,
					struct ftrace_regs *fregs)
{
	ftrace_graph_begin_time(&entry->ent);
	frame->calltime = entry->calltime;
	/* From here on, interrupts find the call as a call of these users: fill in all before. */
	barrier();
	frame->users = accepted;
	arch_graph_divert(fregs, (unsigned long)return_to_handler);
}

/* The shadow stack of the current task; NULL if it has none, or its calls are not to be seen. */
static __always_inline struct shadow_stack *stack_to_use(void)
{
	struct shadow_stack *stack = task_shadow_stack(current);

	if (unlikely(!stack)) {
		ftrace_graph_ask_for_stack();
		return NULL;
	}
	return unlikely(atomic_read(&current->tracing_graph_pause)) ? NULL : stack;
}

/* The registers to show to users. Sites made with -pg have none, see asm/ftrace.h. */
static __always_inline struct ftrace_regs *shown_regs(struct ftrace_regs *fregs)
{
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) ? fregs : NULL;
}

/* Has another ops decided that the function is not run? */
static __always_inline bool is_skipped(struct ftrace_regs *fregs, unsigned long parent_ip)
{
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) &&
	       ftrace_regs_get_instruction_pointer(fregs) == parent_ip;
}

/* Assign members one by one: a compound literal would clear the padding between them. */
static __always_inline void entry_init(struct ftrace_graph_entry *entry, unsigned long ip,
				       const struct ftrace_ret_stack *frame,
				       struct ftrace_regs *fregs)
{
	entry->ent.func = ip;
	entry->ent.depth = frame->depth;
	entry->fregs = shown_regs(fregs);
	entry->calltime = 0;
}

/**
 * ftrace_graph_enter_one - the callback of sites that only one user wants
 * @ip: address of the site
 * @parent_ip: address that its function returns to
 * @ops: the user's ops
 * @fregs: the function's registers; for sites made with -pg, its frame pointer
 *
 * Context: a callback of the site.
 */
void notrace ftrace_graph_enter_one(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct fgraph_ops *gops = user_of(ops);
	struct ftrace_graph_entry entry __uninitialized;
	struct ftrace_ret_stack *frame;
	struct shadow_stack *stack;
	int bit = graph_recursion_enter();

	if (unlikely(bit < 0))
		return;
	stack = stack_to_use();
	if (unlikely(!stack))
		goto leave;
	frame = begin_call(stack, ip, parent_ip, fregs);
	if (unlikely(!frame))
		goto leave;
	entry_init(&entry, ip, frame, fregs);
	if (gops->entryfunc(&entry.ent, gops)) {
		frame->serial = gops->serial;
		accept_call(frame, BIT(gops->idx), &entry, fregs);
	} else {
		shadow_stack_pop(stack, frame);
	}
leave:
	trace_recursion_leave(bit);
}

/*
 * Call the entryfunc of each user. Return a bit for each user that accepts the call, and set
 * @frame->serial to the serial of the newest of these users.
 */
static u16 ask_users(struct shadow_stack *stack, struct ftrace_ret_stack *frame,
		     struct ftrace_graph_entry *entry, struct ftrace_ops *const *ops,
		     unsigned int nr)
{
	unsigned int i, size;
	u16 accepted = 0;

	for (i = 0; i < nr; i++) {
		struct fgraph_ops *gops = user_of(ops[i]);

		size = frame->size;
		if (gops->entryfunc(&entry->ent, gops)) {
			if (!accepted || (s32)(gops->serial - frame->serial) > 0)
				frame->serial = gops->serial;
			accepted |= BIT(gops->idx);
		} else {
			shadow_stack_trim(stack, frame, size);
		}
	}
	return accepted;
}

/**
 * ftrace_graph_enter - handle the entry of a function that several users want
 * @ip: address of the site
 * @parent_ip: address that its function returns to
 * @ops: the ops of the users
 * @nr: number of users
 * @fregs: the function's registers; for sites made with -pg, its frame pointer
 *
 * Another ops may have decided that the function is not run. Its return is seen nevertheless.
 *
 * Context: a callback of the site.
 */
void notrace ftrace_graph_enter(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *const *ops, unsigned int nr,
				struct ftrace_regs *fregs)
{
	struct shadow_stack *stack;
	struct ftrace_ret_stack *frame;
	struct ftrace_graph_entry entry __uninitialized;
	u16 accepted;
	int bit;

	if (unlikely(READ_ONCE(graph_dead)))
		return;
	bit = graph_recursion_enter();
	if (unlikely(bit < 0))
		return;
	stack = stack_to_use();
	frame = stack ? begin_call(stack, ip, parent_ip, fregs) : NULL;
	if (likely(frame)) {
		entry_init(&entry, ip, frame, fregs);
		accepted = ask_users(stack, frame, &entry, ops, nr);
		if (accepted) {
			accept_call(frame, accepted, &entry, fregs);
			if (unlikely(is_skipped(fregs, parent_ip)))
				ftrace_override_function_with_return(fregs);
		} else {
			shadow_stack_pop(stack, frame);
		}
	}
	trace_recursion_leave(bit);
}

/* The user with this number, if it had the number already when the call was accepted. */
static __always_inline struct fgraph_ops *user_since(const struct ftrace_ret_stack *frame,
						     unsigned long idx)
{
	struct fgraph_ops *gops = READ_ONCE(ftrace_graph_users[idx]);

	return gops && (s32)(frame->serial - READ_ONCE(gops->serial)) >= 0 ? gops : NULL;
}

/**
 * ftrace_graph_accepted - has a user accepted a call that has not begun to return?
 * @frame: the frame of the call, of the current task
 * @idx: fgraph_ops::idx of the user
 *
 * Context: fgraph_ops::entryfunc or retfunc.
 * Return: true if it has; may also be true if an earlier user that had the same number has.
 */
bool ftrace_graph_accepted(const struct ftrace_ret_stack *frame, unsigned int idx)
{
	return frame->users & BIT(idx) && user_since(frame, idx);
}

static __always_inline void tell_users(struct ftrace_ret_stack *frame,
				       struct ftrace_graph_ret *trace)
{
	unsigned long i, left = frame->users;

	/* Step (a) at the top of this file: interrupts do not find the call any more. */
	WRITE_ONCE(frame->users, 0);
	barrier();
	for (i = 0; left; i++, left >>= 1) {
		struct fgraph_ops *gops = left & 1 ? user_since(frame, i) : NULL;

		if (gops)
			gops->retfunc(trace, gops);
	}
}

static __always_inline void end_call(struct ftrace_ret_stack *frame, struct ftrace_regs *fregs)
{
	struct ftrace_graph_ret trace = {
		.func = frame->func,
		.retval = ftrace_regs_get_return_value(fregs),
		.depth = frame->depth,
		.overrun = atomic_read(&current->trace_overrun),
		.calltime = frame->calltime,
		.rettime = sched_clock_noinstr(),
	};
	int bit = graph_recursion_enter();

	tell_users(frame, &trace);
	if (likely(bit >= 0))
		trace_recursion_leave(bit);
}

/*
 * The newest frame does not belong to the call that returns. If an older frame does, the newer
 * calls ended without a return: pop their frames. If no frame does, the function has lost its
 * caller's frame pointer, or the stack pointer. But it did return to return_to_handler, so take the
 * newest frame.
 */
static noinline struct ftrace_ret_stack *
returning_frame(struct shadow_stack *stack, struct ftrace_regs *fregs)
{
	struct ftrace_ret_stack *frame, *newer;
	unsigned long key = arch_graph_key(fregs);

	frame = shadow_stack_newest(stack);
	while (frame && frame->fp != key)
		frame = shadow_stack_older(stack, frame);
	if (frame) {
		while ((newer = shadow_stack_newest(stack)) != frame)
			shadow_stack_pop(stack, newer);
		return frame;
	}
	ftrace_graph_stop();
	frame = shadow_stack_newest(stack);
	if (!frame)
		panic("ftrace: a function returned that was not called");
	WARN(1, "ftrace: bad frame: expected %lx, received %lx\n  from func %ps return to %ps\n",
	     frame->fp, key, (void *)frame->func, (void *)frame->ret);
	return frame;
}

/**
 * ftrace_return_to_handler - handle the return of a traced function
 * @fregs: the function's return value, and the stack and frame pointers of its caller
 *
 * return_to_handler, to which the function has returned, calls this.
 *
 * Context: the return of a traced function: any, NMI included.
 * Return: the address that the function was called from.
 */
unsigned long notrace ftrace_return_to_handler(struct ftrace_regs *fregs)
{
	struct shadow_stack *stack = task_shadow_stack(current);
	unsigned long top = stack->top;
	struct ftrace_ret_stack *frame = shadow_stack_at(stack, top);
	unsigned long ret;

	preempt_disable_notrace();
	if (unlikely(!top || frame->fp != arch_graph_key(fregs)))
		frame = returning_frame(stack, fregs);
	ret = frame->ret;
	arch_graph_set_caller(fregs, ret);
	end_call(frame, fregs);
	shadow_stack_pop(stack, frame);
	preempt_enable_notrace();
	return ret;
}

/**
 * ftrace_graph_stop - see no more entries, for good
 *
 * Calls that are under way still return to their callers.
 *
 * Context: any.
 */
void ftrace_graph_stop(void)
{
	unsigned int i;

	WRITE_ONCE(graph_dead, true);
	/* Pairs with start_user() of graph_users.c. */
	smp_mb();
	for (i = 0; i < FTRACE_GRAPH_USERS; i++) {
		struct fgraph_ops *gops = READ_ONCE(ftrace_graph_users[i]);

		if (gops)
			WRITE_ONCE(gops->ops.func, ftrace_stub);
	}
}

/**
 * ftrace_graph_is_dead - has function graph been stopped?
 *
 * Context: any.
 * Return: true after ftrace_graph_stop().
 */
bool ftrace_graph_is_dead(void)
{
	return READ_ONCE(graph_dead);
}
