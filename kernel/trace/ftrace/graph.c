// SPDX-License-Identifier: GPL-2.0
/*
 * Function graph: the entry of functions, and their return.
 *
 * A user of function graph has an ftrace_ops, which says whose functions' entries it gets.
 * If it accepts a call, that is written down in the task's shadow stack, and the
 * function's return address becomes return_to_handler:
 *
 *	caller		function	ftrace_caller		return_to_handler
 *	call		site		push frame; ask users;
 *					if one accepts, divert
 *			body
 *			return					pop frame; tell those users
 *	goes on
 *
 * That is before the function has done anything with its return address, saved it, signed
 * it, or pushed it to a shadow call stack of the compiler's. Nobody else knows of the
 * change but unwinders, who find return_to_handler where the caller should be, and ask
 * ftrace_graph_ret_addr().
 *
 * What returns is the newest call of the task that was diverted. Calls that never
 * return, of a task that exits, leave their frames to be freed with the stack. If a call
 * is left by another way than its return its frame is found when one further out returns:
 * that is not the call whose frame comes next.
 *
 * Who is told of a return
 *
 * Users come and go while calls are under way, some for as long as a task sleeps. A frame
 * has a bit for each user that accepted it, by its number, and says when the youngest of
 * those was registered. A user with the same number that is younger than that is somebody
 * else (user[] is ftrace_graph_users[], and what is on the left in graph_users.c):
 *
 *	unregister A, register B	CPU on which a call returns
 *	1. no site calls A		a. raise preempt_count
 *	2. user[idx] = NULL		b. load user[idx], and its @born
 *	3. ftrace_synchronize()		c. if not younger than the frame: retfunc
 *	4. A may be freed		d. lower preempt_count
 *	5. B's @born = ++newest
 *	6. user[idx] = B, release
 *
 * (3) waits until everybody who was between (a) and (d) is behind (d), see synchronize.c; who
 * comes to (a) later finds what (2) stored, or B. The frames that A accepted were pushed
 * before (3), when @newest was less than B's. What (b) loads from B is what (5) stored:
 * the load's address depends on what (6) stored. @born wraps after 2^32 registrations;
 * a call would have to last as long as these take. (1) comes first, as that can take its time:
 * whoever is accepted meanwhile, and returns, is told of.
 *
 * Which calls are those around another
 *
 * From a call one can look at those around it, and leave something with them for their
 * returns (fgraph_retrieve_parent_data()). An interrupt can come while one of these is about
 * to be over, with its users told already, but its frame still there. So as soon as its time
 * is taken a call is nobody's any more, for everybody but those who are being told:
 *
 *	a call that returns		an interrupt's
 *
 *	takes the time			before (a): leaves something, which who is told finds
 *	a. frame's users = 0		after (a): does not find the call
 *	tells those it had
 *
 * What protects against recursion
 *
 * Whatever users call may be traced. A bit of trace_recursion for the context is held
 * while they run, and a second one when there is an entry all the same: that may be of an
 * interrupt that is just beginning or ending, in a context that looks the same, so they see
 * it; with both held no entry is seen. Users therefore see what they call themselves, but
 * not what they call then. A return that comes with both bits held is that of an entry
 * from before. Its users are told without a bit: those that are held protect as well.
 */
#include <linux/bits.h>
#include <linux/ftrace.h>
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

/* What preempt_count() knows of interrupts. */
#define INTERRUPTS	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK)

static noinline int enter_interrupt(void)
{
	return trace_recursion_enter(TRACE_RECURSION_GRAPH);
}

/* trace_recursion_enter(), short for tasks that run no callback. */
static __always_inline int graph_recursion_enter(void)
{
	unsigned long held = READ_ONCE(current->trace_recursion);

	if (unlikely(held & BIT(TRACE_RECURSION_GRAPH) || preempt_count() & INTERRUPTS))
		return enter_interrupt();
	WRITE_ONCE(current->trace_recursion, held | BIT(TRACE_RECURSION_GRAPH));
	barrier();
	return TRACE_RECURSION_GRAPH;
}

/* A frame for a call, if it may have one. */
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

/* Preemption is off, as trace_clock_local() would have it. */
static __always_inline void accept_call(struct ftrace_ret_stack *frame, u16 accepted, u32 born,
					struct ftrace_regs *fregs)
{
	frame->born = born;
	frame->calltime = sched_clock_noinstr();
	/* Now it is a call of theirs, with all that belongs to it, for whoever interrupts. */
	barrier();
	frame->users = accepted;
	arch_graph_divert(fregs, (unsigned long)return_to_handler);
}

/* The stack of a task whose calls are to be seen, or NULL. */
static __always_inline struct shadow_stack *stack_to_use(void)
{
	struct shadow_stack *stack = task_shadow_stack(current);

	if (unlikely(!stack)) {
		ftrace_graph_ask_for_stack();
		return NULL;
	}
	return unlikely(atomic_read(&current->tracing_graph_pause)) ? NULL : stack;
}

/* Sites made with -pg have no registers to show, see asm/ftrace.h. */
static __always_inline struct ftrace_regs *shown_regs(struct ftrace_regs *fregs)
{
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) ? fregs : NULL;
}

/* Has somebody decided that the function is not run? */
static __always_inline bool is_skipped(struct ftrace_regs *fregs, unsigned long parent_ip)
{
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS) &&
	       ftrace_regs_get_instruction_pointer(fregs) == parent_ip;
}

/* Not a compound literal, which would clear what is between the members. */
static __always_inline void entry_init(struct ftrace_graph_entry *entry, unsigned long ip,
				       const struct ftrace_ret_stack *frame,
				       struct ftrace_regs *fregs)
{
	entry->ent.func = ip;
	entry->ent.depth = frame->depth;
	entry->fregs = shown_regs(fregs);
}

/**
 * ftrace_graph_enter_one - the callback of sites that one user wants
 * @ip: the site
 * @parent_ip: where its function returns to
 * @ops: the user
 * @fregs: the function's registers; where sites are made with -pg, its frame pointer
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
	if (gops->entryfunc(&entry.ent, gops))
		accept_call(frame, BIT(gops->idx), gops->born, fregs);
	else
		shadow_stack_pop(stack, frame);
leave:
	trace_recursion_leave(bit);
}

/* Asks some users; returns which of them accept, and of these the youngest's @born. */
static u16 ask_users(struct shadow_stack *stack, struct ftrace_ret_stack *frame,
		     struct ftrace_graph_entry *entry, struct ftrace_ops *const *ops,
		     unsigned int nr, u32 *born)
{
	unsigned int i, size;
	u16 accepted = 0;

	for (i = 0; i < nr; i++) {
		struct fgraph_ops *gops = user_of(ops[i]);

		size = frame->size;
		if (gops->entryfunc(&entry->ent, gops)) {
			if (!accepted || (s32)(gops->born - *born) > 0)
				*born = gops->born;
			accepted |= BIT(gops->idx);
		} else {
			shadow_stack_trim(stack, frame, size);
		}
	}
	return accepted;
}

/**
 * ftrace_graph_enter - a function is entered that several users want
 * @ip: its call site
 * @parent_ip: where it returns to
 * @ops: the users
 * @nr: how many
 * @fregs: its registers; where sites are made with -pg, its frame pointer
 *
 * Somebody else may have decided that the function is not run: it returns then, too.
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
	u32 born;
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
		accepted = ask_users(stack, frame, &entry, ops, nr, &born);
		if (accepted) {
			accept_call(frame, accepted, born, fregs);
			if (unlikely(is_skipped(fregs, parent_ip)))
				ftrace_override_function_with_return(fregs);
		} else {
			shadow_stack_pop(stack, frame);
		}
	}
	trace_recursion_leave(bit);
}

/* The user with this number, if it had it when the call was accepted. */
static __always_inline struct fgraph_ops *user_since(const struct ftrace_ret_stack *frame,
						     unsigned long idx)
{
	struct fgraph_ops *gops = READ_ONCE(ftrace_graph_users[idx]);

	return gops && (s32)(frame->born - READ_ONCE(gops->born)) >= 0 ? gops : NULL;
}

/**
 * ftrace_graph_accepted - is a call one that a user accepted, and has not begun to return?
 * @frame: the call, of the current task
 * @idx: fgraph_ops::idx of the user
 *
 * Context: fgraph_ops::entryfunc or retfunc.
 * Return: true or false, also if the user before it with this number did.
 */
bool ftrace_graph_accepted(const struct ftrace_ret_stack *frame, unsigned int idx)
{
	return frame->users & BIT(idx) && user_since(frame, idx);
}

static __always_inline void tell_users(struct ftrace_ret_stack *frame,
				       struct ftrace_graph_ret *trace)
{
	unsigned long i, left = frame->users;

	/* a., for whoever interrupts. */
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
 * The newest frame is not that of the call that returns. If that of another one is, those
 * above it were left in some other way, and go with it. If not the function has lost its
 * caller's frame pointer, or the stack pointer. It did return here, so the newest is right.
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
 * ftrace_return_to_handler - a function has returned to return_to_handler
 * @fregs: what it returns, and the stack and frame pointers of its caller
 *
 * Context: the return of a traced function: any, NMI included.
 * Return: where it was called from.
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
 * Calls under way return as they should.
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
