// SPDX-License-Identifier: GPL-2.0
/*
 * The callbacks of the function_graph tracer at the entry and the return of functions. As in the
 * function tracer, conditions are tested when the callbacks are chosen, not in each call. They are
 * called with preemption off.
 *
 * With tracing_thresh, the entry callback records nothing, and the return is recorded only if the
 * call took long. Option funcgraph-whole, see the end of this file, then also records the call.
 */
#include <linux/irqflags.h>
#include <linux/preempt.h>
#include <linux/sched.h>

#include "../core/instance.h"
#include "../core/record.h"
#include "../ftrace/ftrace.h"
#include "../ftrace/shadow_stack.h"
#include "../ring_buffer/reserve.h"
#include "graph.h"

unsigned int graph_max_depth;

/**
 * union graph_roots - calls of a task that decide about the calls inside of them
 * @function: 1 + depth of the outermost call of a function in set_graph_function; 0: none
 * @except: 1 + depth of the outermost call of a function in set_graph_notrace; 0: none
 * @irq: an interrupt called @function
 * @unseen: the call of @function was not recorded
 * @busy: with option funcgraph-whole: callers are being recorded
 * @any: 0: all members are 0
 *
 * This is the task's word of fgraph_get_task_var(). When an interrupt ends, the functions that it
 * has called have returned, so it leaves the word unchanged.
 */
union graph_roots {
	struct {
		u16	function;
		u16	except;
		u8	irq;
		u8	unseen;
		u8	busy;
	};
	unsigned long	any;
};

static_assert(sizeof(union graph_roots) == sizeof(long));

static __always_inline union graph_roots *graph_roots(struct fgraph_ops *gops)
{
	return (union graph_roots *)task_shadow_var(gops);
}

static __always_inline void graph_drop_function(union graph_roots *roots)
{
	roots->function = 0;
	roots->irq = 0;
	roots->unseen = false;
}

static __always_inline void graph_recorded(void)
{
	current->trace_recursion |= TRACE_TASK_RECORDED;
}

/* The context is computed after space was reserved: while tracing is off, there is none. */
static __always_inline void graph_commit_call(struct ring_buffer_claim *claim,
					      struct graph_call_entry *entry, unsigned long func,
					      int depth, unsigned int context)
{
	trace_entry_init(&entry->ent, TRACE_GRAPH_ENT, context);
	entry->func = func;
	entry->depth = depth;
	graph_recorded();
	ring_buffer_fast_commit(claim);
}

static __always_inline bool graph_record_call(struct trace_buffer *buffer, unsigned long func,
					      int depth)
{
	struct ring_buffer_claim claim;
	struct graph_call_entry *entry;

	entry = ring_buffer_fast_reserve(buffer, sizeof(*entry), &claim);
	if (unlikely(!entry))
		return false;
	graph_commit_call(&claim, entry, func, depth, trace_context(ftrace_preempt_count()));
	return true;
}

static unsigned int graph_words(unsigned int parts)
{
	return !!(parts & GRAPH_PART_RETADDR) + !!(parts & GRAPH_PART_TIME) +
	       (parts & GRAPH_PART_ARGS ? GRAPH_NR_ARGS : 0);
}

/* Record a call of the current task with all @parts. @args and @context are those of the call. */
static bool graph_record_long(struct trace_buffer *buffer, const struct ftrace_ret_stack *frame,
			      unsigned int parts, const unsigned long *args,
			      unsigned int context)
{
	struct ring_buffer_claim claim;
	struct graph_long_entry *entry;
	u64 *word;

	entry = ring_buffer_fast_reserve(buffer, struct_size(entry, word, graph_words(parts)),
					 &claim);
	if (!entry)
		return false;
	trace_entry_init(&entry->call.ent,
			 parts & GRAPH_PART_RETADDR ? TRACE_GRAPH_RETADDR_ENT : TRACE_GRAPH_ENT,
			 context);
	entry->call.func = frame->func;
	entry->call.depth = frame->depth;
	entry->parts = parts;
	word = entry->word;
	if (parts & GRAPH_PART_RETADDR)
		*word++ = shadow_stack_caller(task_shadow_stack(current), frame);
	if (parts & GRAPH_PART_TIME)
		*word++ = frame->calltime;
	if (parts & GRAPH_PART_ARGS)
		memcpy(word, args, GRAPH_NR_ARGS * sizeof(*args));
	graph_recorded();
	ring_buffer_fast_commit(&claim);
	return true;
}

static __always_inline void graph_get_args(struct ftrace_graph_ent *trace, unsigned long *args)
{
	struct ftrace_regs *fregs = ftrace_graph_ent_regs(trace);
	unsigned int i;

	for (i = 0; i < GRAPH_NR_ARGS; i++)
		args[i] = ftrace_regs_get_argument(fregs, i);
}

static __always_inline void graph_commit_return(struct ring_buffer_claim *claim,
						struct graph_return_entry *entry,
						const struct ftrace_graph_ret *trace,
						unsigned int context)
{
	trace_entry_init(&entry->ent, TRACE_GRAPH_RET, context);
	entry->func = trace->func;
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	entry->retval = trace->retval;
#endif
	entry->depth = trace->depth;
	entry->overrun = trace->overrun;
	entry->calltime = trace->calltime;
	entry->rettime = trace->rettime;
	graph_recorded();
	ring_buffer_fast_commit(claim);
}

static __always_inline void graph_record_return(struct trace_buffer *buffer,
						const struct ftrace_graph_ret *trace)
{
	u64 ts = ring_buffer_fast_time_stamp_since(buffer, trace->rettime);
	struct ring_buffer_claim claim;
	struct graph_return_entry *entry;

	entry = ring_buffer_fast_reserve_at(buffer, sizeof(*entry), ts, &claim);
	if (likely(entry))
		graph_commit_return(&claim, entry, trace, trace_context(ftrace_preempt_count()));
}

/**
 * graph_record_place_in - record an address as if a function was called, for other tracers
 * @tr: the instance
 * @ip: address in the code
 * @context: from trace_context()
 *
 * Context: any, with preemption or interrupts off.
 */
void graph_record_place_in(struct trace_array *tr, unsigned long ip, unsigned int context)
{
	struct trace_buffer *buffer = READ_ONCE(tr->array_buffer.buffer);
	struct ftrace_graph_ret trace = { .func = ip };
	struct graph_return_entry *end;
	struct ring_buffer_claim claim;
	struct graph_call_entry *call;

	call = ring_buffer_fast_reserve(buffer, sizeof(*call), &claim);
	if (!call)
		return;
	graph_commit_call(&claim, call, ip, 0, context);
	end = ring_buffer_fast_reserve(buffer, sizeof(*end), &claim);
	if (end)
		graph_commit_return(&claim, end, &trace, context);
}

static __always_inline struct trace_buffer *graph_buffer(const struct fgraph_ops *gops)
{
	const struct graph_tracer *graph = gops->private;

	return READ_ONCE(graph->tr->array_buffer.buffer);
}

/* Entry callback that records all calls. */
static int graph_call(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	ftrace_graph_begin_time(trace);
	return graph_record_call(graph_buffer(gops), trace->func, trace->depth);
}

/* The end of a call that is in roots. Return: true if the call was not recorded. */
static noinline bool graph_leave_roots(union graph_roots *roots, int depth)
{
	bool unseen = roots->except == depth + 1;

	if (unseen)
		roots->except = 0;
	if (roots->function == depth + 1) {
		unseen |= roots->unseen;
		graph_drop_function(roots);
	}
	return unseen;
}

static __always_inline bool graph_is_over(struct fgraph_ops *gops, int depth)
{
	union graph_roots *roots = graph_roots(gops);

	return unlikely(roots->any) && graph_leave_roots(roots, depth);
}

static void graph_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	if (!graph_is_over(gops, trace->depth))
		graph_record_return(graph_buffer(gops), trace);
}

/*
 * Callbacks that record selected calls
 */

enum graph_verdict {
	GRAPH_REFUSE,
	GRAPH_RECORD,
	GRAPH_ROOT,	/* record this call, and all calls inside of it */
	GRAPH_WAIT,	/* record nothing until this call has returned */
};

/* Drop roots whose depth is @depth or more: these calls have ended without a return. */
static __always_inline void graph_drop_roots(union graph_roots *roots, int depth)
{
	if (unlikely(roots->except > depth))
		roots->except = 0;
	if (unlikely(roots->function > depth))
		graph_drop_function(roots);
}

static __always_inline enum graph_verdict
graph_select(union graph_roots *roots, const struct ftrace_graph_ent *trace)
{
	bool inside = false;

	if (roots->any) {
		graph_drop_roots(roots, trace->depth);
		if (roots->except)
			return GRAPH_REFUSE;
		inside = roots->function;
	}
	if (ftrace_graph_selected(FTRACE_NOTRACE, trace->func)) {
		roots->except = trace->depth + 1;
		return GRAPH_WAIT;
	}
	if (inside)
		return GRAPH_RECORD;
	/* Test this before ftrace_graph_selects(): most calls are refused here, by one test. */
	if (!ftrace_graph_selected(FTRACE_FILTER, trace->func))
		return GRAPH_REFUSE;
	if (!ftrace_graph_selects(FTRACE_FILTER))
		return GRAPH_RECORD;
	roots->function = trace->depth + 1;
	roots->irq = !!in_hardirq();
	return GRAPH_ROOT;
}

/*
 * Without option funcgraph-irqs, an interrupt's calls are recorded only inside of a function in
 * set_graph_function that it has called.
 */
static __always_inline bool graph_refuses_irq(const struct graph_tracer *graph,
					      const union graph_roots *roots)
{
	return !graph->irqs && in_hardirq() && !(roots->function && roots->irq);
}

/*
 * A call while tracing is off. If its function is in set_graph_notrace, the calls inside of it are
 * not recorded even if tracing is switched on meanwhile.
 */
static noinline enum graph_verdict graph_judge_unrecorded(union graph_roots *roots,
							  const struct ftrace_graph_ent *trace)
{
	graph_drop_roots(roots, trace->depth);
	if (roots->except || !ftrace_graph_selected(FTRACE_NOTRACE, trace->func))
		return GRAPH_REFUSE;
	roots->except = trace->depth + 1;
	return GRAPH_WAIT;
}

static __always_inline enum graph_verdict graph_judge(struct ftrace_graph_ent *trace,
						      struct fgraph_ops *gops)
{
	const struct graph_tracer *graph = gops->private;
	unsigned int max_depth = READ_ONCE(graph->max_depth);
	union graph_roots *roots = graph_roots(gops);
	enum graph_verdict verdict;
	bool on = ring_buffer_fast_is_on(READ_ONCE(graph->tr->array_buffer.buffer));

	if (!on && !ftrace_graph_selects(FTRACE_NOTRACE))
		return GRAPH_REFUSE;
	if (max_depth && trace->depth >= max_depth)
		return GRAPH_REFUSE;
	/* trace_pids_wanted() is not valid here: this may still run after the pids were cleared. */
	if (READ_ONCE(graph->pids) && !trace_pids_allow(&graph->tr->function_pids))
		return GRAPH_REFUSE;
	if (!on)
		return graph_judge_unrecorded(roots, trace);
	verdict = graph_select(roots, trace);
	if (verdict == GRAPH_RECORD && graph_refuses_irq(graph, roots))
		return GRAPH_REFUSE;
	return verdict;
}

static void graph_no_root(struct fgraph_ops *gops, enum graph_verdict verdict)
{
	if (verdict == GRAPH_ROOT)
		graph_drop_function(graph_roots(gops));
}

static __always_inline bool graph_some_call_in(struct trace_buffer *buffer,
					       struct ftrace_graph_ent *trace,
					       struct fgraph_ops *gops, enum graph_verdict verdict)
{
	bool recorded;

	ftrace_graph_begin_time(trace);
	recorded = graph_record_call(buffer, trace->func, trace->depth);
	if (!recorded)
		graph_no_root(gops, verdict);
	return recorded;
}

static noinline int graph_some_call(struct ftrace_graph_ent *trace, struct fgraph_ops *gops,
				    enum graph_verdict verdict)
{
	return graph_some_call_in(graph_buffer(gops), trace, gops, verdict);
}

/* Short for calls that are refused. It jumps to graph_some_call(): see the Makefile. */
static int graph_some_calls(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	enum graph_verdict verdict = graph_judge(trace, gops);

	if (verdict == GRAPH_REFUSE || verdict == GRAPH_WAIT)
		return verdict == GRAPH_WAIT;
	return graph_some_call(trace, gops, verdict);
}

/* Entry callback for options that record more parts of a call. */
static int graph_detailed_calls(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	enum graph_verdict verdict = graph_judge(trace, gops);
	const struct graph_tracer *graph = gops->private;
	unsigned int parts = READ_ONCE(graph->parts);
	unsigned long args[GRAPH_NR_ARGS];
	bool recorded;

	if (verdict == GRAPH_REFUSE || verdict == GRAPH_WAIT)
		return verdict == GRAPH_WAIT;
	if (parts & GRAPH_PART_ARGS)
		graph_get_args(trace, args);
	ftrace_graph_begin_time(trace);
	recorded = graph_record_long(graph_buffer(gops),
				     shadow_stack_newest(task_shadow_stack(current)), parts, args,
				     trace_context(ftrace_preempt_count()));
	if (!recorded)
		graph_no_root(gops, verdict);
	return recorded;
}

static enum graph_verdict graph_judge_in(struct trace_array *tr,
					 const struct ftrace_graph_ent *trace,
					 struct fgraph_ops *gops)
{
	unsigned int max_depth = READ_ONCE(graph_max_depth);

	if ((max_depth && trace->depth >= max_depth) || !trace_pids_allow(&tr->function_pids))
		return GRAPH_REFUSE;
	return graph_select(graph_roots(gops), trace);
}

/**
 * graph_call_in - record a call, if it is selected, for another tracer
 * @tr: the instance, whose set_ftrace_pid selects tasks
 * @trace: the call
 * @gops: callbacks of the other tracer
 *
 * Context: of an entry callback.
 * Return: the value for the entry callback to return: true if graph_return_in() is to be called
 * when the function returns.
 */
bool graph_call_in(struct trace_array *tr, struct ftrace_graph_ent *trace,
		   struct fgraph_ops *gops)
{
	enum graph_verdict verdict = graph_judge_in(tr, trace, gops);

	if (verdict == GRAPH_REFUSE || verdict == GRAPH_WAIT)
		return verdict == GRAPH_WAIT;
	return graph_some_call_in(READ_ONCE(tr->array_buffer.buffer), trace, gops, verdict);
}

/**
 * graph_skip_call_in - note a call, but do not record it, for another tracer
 * @tr: the instance, whose set_ftrace_pid selects tasks
 * @trace: the call
 * @gops: callbacks of the other tracer
 *
 * If the function is in set_graph_function, graph_call_in() records the calls inside of it; if it
 * is in set_graph_notrace, graph_call_in() does not.
 *
 * Context: of an entry callback.
 * Return: as graph_call_in().
 */
bool graph_skip_call_in(struct trace_array *tr, const struct ftrace_graph_ent *trace,
			struct fgraph_ops *gops)
{
	enum graph_verdict verdict;

	if (!ftrace_graph_selects(FTRACE_FILTER) && !ftrace_graph_selects(FTRACE_NOTRACE))
		return false;
	verdict = graph_judge_in(tr, trace, gops);
	if (verdict == GRAPH_ROOT)
		graph_roots(gops)->unseen = true;
	return verdict == GRAPH_ROOT || verdict == GRAPH_WAIT;
}

/**
 * graph_return_in - record a return for another tracer, unless its call was skipped
 * @tr: the instance of graph_call_in()
 * @trace: the return
 * @gops: callbacks of the other tracer
 *
 * Context: of a return callback.
 */
void graph_return_in(struct trace_array *tr, const struct ftrace_graph_ret *trace,
		     struct fgraph_ops *gops)
{
	if (!graph_is_over(gops, trace->depth))
		graph_record_return(READ_ONCE(tr->array_buffer.buffer), trace);
}

/**
 * graph_skip_return - note a return, but do not record it, for another tracer
 * @trace: the return
 * @gops: callbacks of the other tracer
 *
 * Context: of a return callback.
 */
void graph_skip_return(const struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	graph_is_over(gops, trace->depth);
}

/*
 * Long calls, with tracing_thresh
 */

static int graph_long_calls(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	return graph_judge(trace, gops) != GRAPH_REFUSE;
}

/* hwlat may have changed tracing_thresh; if it is 0, all calls count as long. */
static bool graph_took_long(const struct ftrace_graph_ret *trace)
{
	return trace->rettime - trace->calltime >= READ_ONCE(tracing_thresh);
}

static void graph_long_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	if (!graph_is_over(gops, trace->depth) && graph_took_long(trace))
		graph_record_return(graph_buffer(gops), trace);
}

/*
 * Whole calls: long ones, with option funcgraph-whole.
 *
 * A long call is recorded when it returns. All its callers take even longer, so they will have to
 * be recorded, too: callers that are not recorded yet are recorded before the call, outermost
 * first. So the text has the calls in the right order and depth. The return of each recorded call
 * is recorded, too, even if the call was not long. The entry of a call has the buffer time of the
 * return, as times in the buffer must not decrease. The time of the call is stored as a part of the
 * entry, and so is the context of the call.
 */

/**
 * struct graph_pending - data that is stored with a call until its duration is known
 * @recorded: the call was recorded
 * @has_args: @args is set
 * @context: from trace_context() at the call
 * @args: argument registers of the call
 */
struct graph_pending {
	u8		recorded;
	u8		has_args;
	u16		context;
	unsigned long	args[];
};

static int graph_whole_calls(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	const struct graph_tracer *graph = gops->private;
	bool has_args = READ_ONCE(graph->parts) & GRAPH_PART_ARGS;
	enum graph_verdict verdict = graph_judge(trace, gops);
	struct graph_pending *pending;

	if (verdict == GRAPH_REFUSE || verdict == GRAPH_WAIT)
		return verdict == GRAPH_WAIT;
	pending = fgraph_reserve_data(gops->idx,
				      struct_size(pending, args, has_args ? GRAPH_NR_ARGS : 0));
	if (!pending) {
		graph_no_root(gops, verdict);
		return false;
	}
	pending->recorded = false;
	pending->has_args = has_args;
	pending->context = trace_context(ftrace_preempt_count());
	/* At the return, the registers have other values. */
	if (has_args)
		graph_get_args(trace, pending->args);
	return true;
}

/* The data of caller number @nr of the returning call; NULL: this tracer does not record it. */
static struct graph_pending *graph_pending(struct fgraph_ops *gops, int nr)
{
	int size;

	return fgraph_retrieve_parent_data(gops->idx, &size, nr);
}

/* Number of calls, from the innermost, that were not recorded. All callers of these were. */
static int graph_unrecorded(struct fgraph_ops *gops)
{
	struct graph_pending *pending;
	int nr;

	for (nr = 0; ftrace_graph_get_ret_stack(current, nr); nr++) {
		pending = graph_pending(gops, nr);
		if (pending && pending->recorded)
			break;
	}
	return nr;
}

static void graph_record_pending(struct trace_buffer *buffer, struct fgraph_ops *gops, int nr)
{
	struct graph_pending *pending = graph_pending(gops, nr);
	const struct graph_tracer *graph = gops->private;
	unsigned int parts = GRAPH_PART_TIME | (READ_ONCE(graph->parts) & GRAPH_PART_RETADDR);

	if (!pending)
		return;
	if (pending->has_args)
		parts |= GRAPH_PART_ARGS;
	pending->recorded = graph_record_long(buffer, ftrace_graph_get_ret_stack(current, nr),
					      parts, pending->args, pending->context);
}

/*
 * Record the returning call and all its callers that were not recorded, outermost first. Interrupts
 * are off: an interrupt's long call comes before this, and records all of these calls itself, or
 * comes after it, and finds them recorded. An NMI may come in the middle. Its calls are then not
 * recorded, as they would precede their callers.
 */
static void graph_record_callers(struct trace_buffer *buffer, struct fgraph_ops *gops)
{
	union graph_roots *roots = graph_roots(gops);
	unsigned long flags;
	int nr;

	raw_local_irq_save(flags);
	if (!roots->busy) {
		roots->busy = true;
		barrier();
		for (nr = graph_unrecorded(gops); nr; nr--)
			graph_record_pending(buffer, gops, nr - 1);
		barrier();
		roots->busy = false;
	}
	raw_local_irq_restore(flags);
}

static void graph_whole_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	struct trace_buffer *buffer = graph_buffer(gops);
	struct graph_pending *pending;

	if (graph_is_over(gops, trace->depth))
		return;
	pending = graph_pending(gops, 0);
	if (!pending)
		return;
	if (!pending->recorded && graph_took_long(trace))
		graph_record_callers(buffer, gops);
	if (pending->recorded)
		graph_record_return(buffer, trace);
}

static bool graph_takes_all(const struct graph_tracer *graph)
{
	return graph->irqs && !graph->max_depth && !ftrace_graph_selects(FTRACE_FILTER) &&
	       !ftrace_graph_selects(FTRACE_NOTRACE) && !READ_ONCE(graph->pids);
}

static trace_func_graph_ent_t graph_entry(const struct graph_tracer *graph)
{
	if (graph->mode == GRAPH_LONG_RETURNS)
		return graph_long_calls;
	if (graph->mode == GRAPH_LONG_WHOLE)
		return graph_whole_calls;
	if (graph->parts)
		return graph_detailed_calls;
	return graph_takes_all(graph) ? graph_call : graph_some_calls;
}

static const trace_func_graph_ret_t graph_returns[] = {
	[GRAPH_ALL]		= graph_return,
	[GRAPH_LONG_RETURNS]	= graph_long_return,
	[GRAPH_LONG_WHOLE]	= graph_whole_return,
};

/**
 * graph_choose - choose the callbacks for the settings of the instance
 * @graph: the tracer. If its mode changes, the caller has to call ftrace_graph_forget_calls(), so
 *	that no return callback is called for calls of the old mode
 *
 * Context: process context; callers exclude each other.
 */
void graph_choose(struct graph_tracer *graph)
{
	struct fgraph_ops *gops = &graph->gops;

	WRITE_ONCE(graph->max_depth, graph_max_depth);
	WRITE_ONCE(gops->retfunc, graph_returns[graph->mode]);
	/* Set retfunc first: the calls that the new entry callback accepts need the new retfunc. */
	smp_store_release(&gops->entryfunc, graph_entry(graph));
}
