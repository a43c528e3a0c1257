// SPDX-License-Identifier: GPL-2.0
/*
 * The function tracer: a record of each call of a function, with its caller.
 *
 * Every instance has an ftrace_ops of its own, whose filter says which functions;
 * that of the top instance is ftrace_global_ops. The callbacks are the hottest path
 * of all tracing: what an option would have to test there is another callback.
 * They are called with preemption off.
 */
#include <linux/ftrace.h>
#include <linux/init.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "../core/record.h"
#include "../ftrace/ftrace.h"
#include "../ring_buffer/reserve.h"
#include "tracers.h"

/* Rows of function_options. */
enum {
	OPTION_STACK,
};

/* Flags are found out after the clock was read: there is less to keep until then. */
static __always_inline void function_record(struct trace_buffer *buffer, unsigned long ip,
					    unsigned long parent_ip, unsigned int interrupts)
{
	struct ring_buffer_claim claim;
	struct function_entry *entry;
	unsigned int count;

	entry = ring_buffer_fast_reserve(buffer, sizeof(*entry), &claim);
	if (unlikely(!entry))
		return;
	count = ftrace_preempt_count();
	trace_entry_init(&entry->ent, TRACE_FN,
			 trace_context(count & (PREEMPT_MASK | interrupts)));
	entry->ip = ip;
	entry->parent_ip = parent_ip;
	trace_export(entry, sizeof(*entry), TRACE_EXPORT_KIND_FUNCTION);
	if (interrupts)
		current->trace_recursion |= TRACE_TASK_RECORDED;
	ring_buffer_fast_commit(&claim);
}

/* What preempt_count() knows of interrupts. */
#define INTERRUPTS	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK)

/* In interrupts, where softirqs are off, and when a callback may be running. */
static noinline void function_call_interrupt(unsigned long ip, unsigned long parent_ip,
					     struct trace_buffer *buffer)
{
	int bit = trace_recursion_enter(TRACE_RECURSION_OPS);

	if (bit < 0)
		return;
	function_record(buffer, ip, parent_ip, INTERRUPTS);
	trace_recursion_leave(bit);
}

static void function_call(unsigned long ip, unsigned long parent_ip,
			  struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct trace_array *tr = op->private;
	struct trace_buffer *buffer = READ_ONCE(tr->array_buffer.buffer);
	unsigned long held;

	if (!ring_buffer_fast_is_on(buffer))
		return;
	held = READ_ONCE(current->trace_recursion);
	if (unlikely(held & BIT(TRACE_RECURSION_OPS) || preempt_count() & INTERRUPTS)) {
		function_call_interrupt(ip, parent_ip, buffer);
		return;
	}
	/* What trace_recursion_enter() comes to in a task. */
	WRITE_ONCE(current->trace_recursion, held | BIT(TRACE_RECURSION_OPS) | TRACE_TASK_RECORDED);
	barrier();
	function_record(buffer, ip, parent_ip, 0);
	trace_recursion_leave(TRACE_RECURSION_OPS);
}

/* What lies between a traced function and trace_record_stack(): callback, trampoline. */
#define STACK_SKIP	2

/* With option func_stack_trace. */
static void function_stack_call(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct trace_array *tr = op->private;
	struct trace_buffer *buffer = READ_ONCE(tr->array_buffer.buffer);
	unsigned int context = trace_context(ftrace_preempt_count());
	int bit;

	if (!ring_buffer_fast_is_on(buffer))
		return;
	bit = trace_recursion_enter(TRACE_RECURSION_OPS);
	if (unlikely(bit < 0))
		return;
	function_record(buffer, ip, parent_ip, INTERRUPTS);
	trace_record_stack(tr, context, STACK_SKIP);
	trace_recursion_leave(bit);
}

static struct tracer function_tracer;

static struct ftrace_ops *function_ops(struct trace_array *tr)
{
	return tracer_data(tr, &function_tracer);
}

static int function_register(struct trace_array *tr, bool stack)
{
	struct ftrace_ops *ops = function_ops(tr);

	ops->func = stack ? function_stack_call : function_call;
	return register_ftrace_function(ops);
}

static int function_init(struct trace_array *tr)
{
	int err = function_register(tr, tracer_option(tr, OPTION_STACK));

	if (!err)
		trace_comm_record_start();
	return err;
}

static void function_reset(struct trace_array *tr)
{
	trace_comm_record_stop();
	unregister_ftrace_function(function_ops(tr));
}

static int function_stack_change(struct trace_array *tr, bool on)
{
	int err;

	if (trace_array_tracer(tr) != &function_tracer)
		return 0;
	err = unregister_ftrace_function(function_ops(tr));
	return err ?: function_register(tr, on);
}

static const struct trace_option function_options[] = {
	[OPTION_STACK] = { .name = "func_stack_trace", .change = function_stack_change },
};

static int function_attach(struct trace_array *tr, struct tracer_state *state)
{
	struct ftrace_ops *ops = &ftrace_global_ops;

	if (tr->name) {
		ops = kzalloc(sizeof(*ops), GFP_KERNEL);
		if (!ops)
			return -ENOMEM;
	}
	ops->func = function_call;
	ops->private = tr;
	state->data = ops;
	return 0;
}

static void function_detach(struct trace_array *tr, struct tracer_state *state)
{
	if (state->data == &ftrace_global_ops)
		return;
	ftrace_end_commands(tr);
	ftrace_free_filter(state->data);
	kfree(state->data);
}

static struct tracer function_tracer = {
	.name		= "function",
	.options	= function_options,
	.nr_options	= ARRAY_SIZE(function_options),
	.attach		= function_attach,
	.detach		= function_detach,
	.init		= function_init,
	.reset		= function_reset,
};

#ifdef CONFIG_DYNAMIC_FTRACE

/*
 * set_ftrace_filter and set_ftrace_notrace: which functions, as the ftrace room
 * reads and writes it. An open file keeps its instance, and so the ops.
 */
static int function_filter_open(struct inode *inode, struct file *file,
				enum ftrace_filter_side side)
{
	struct ftrace_ops *ops;
	struct trace_array *tr;
	int err;

	err = trace_scope_get(inode->i_private);
	if (err)
		return err;
	tr = trace_file_scope(file)->tr;
	scoped_guard(mutex, &tr->lock)
		ops = function_ops(tr);
	err = ops ? ftrace_filter_open(ops, side, inode, file) : -ENODEV;
	if (err)
		trace_scope_put(inode->i_private);
	return err;
}

static int filter_open(struct inode *inode, struct file *file)
{
	return function_filter_open(inode, file, FTRACE_FILTER);
}

static int notrace_open(struct inode *inode, struct file *file)
{
	return function_filter_open(inode, file, FTRACE_NOTRACE);
}

static int filter_release(struct inode *inode, struct file *file)
{
	int err = ftrace_filter_release(inode, file);

	trace_scope_put(inode->i_private);
	return err;
}

#define FUNCTION_FILTER_FOPS(open_filter) {		\
	.open		= open_filter,			\
	.read		= seq_read,			\
	.write		= ftrace_filter_write,		\
	.llseek		= seq_lseek,			\
	.release	= filter_release,		\
}

static const struct file_operations filter_fops = FUNCTION_FILTER_FOPS(filter_open);
static const struct file_operations notrace_fops = FUNCTION_FILTER_FOPS(notrace_open);

static const struct trace_file rows[] = {
	{ "set_ftrace_filter", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &filter_fops },
	{ "set_ftrace_notrace", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &notrace_fops },
	{ "available_filter_functions", TRACE_MODE_READ, TRACE_FILE_TOP, &ftrace_avail_fops },
	{ "available_filter_functions_addrs", TRACE_MODE_READ, TRACE_FILE_TOP,
	  &ftrace_avail_addrs_fops },
	{ "enabled_functions", TRACE_MODE_READ, TRACE_FILE_TOP, &ftrace_enabled_fops },
	{ "touched_functions", TRACE_MODE_READ, TRACE_FILE_TOP, &ftrace_touched_fops },
	{ "dyn_ftrace_total_info", TRACE_MODE_READ, TRACE_FILE_TOP,
	  &ftrace_total_info_fops },
};

TRACE_FILES(rows);

#endif /* CONFIG_DYNAMIC_FTRACE */

/**
 * function_tracer_init - offer the function tracer
 *
 * Boot, after ftrace_init().
 */
void __init function_tracer_init(void)
{
	register_tracer(&function_tracer);
}
