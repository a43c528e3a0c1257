// SPDX-License-Identifier: GPL-2.0
/*
 * The function tracer: it records each call of a function, with the caller.
 *
 * Each instance has its own ftrace_ops, whose filter selects the functions; the top instance has
 * ftrace_global_ops. The callbacks are the hottest path of tracing. So they do not test options:
 * there is a callback for each combination of options. They are called with preemption off.
 */
#include <linux/container_of.h>
#include <linux/init.h>
#include <linux/irqflags.h>
#include <linux/percpu.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>

#include "../core/saved_cmdlines.h"
#include "../core/files.h"
#include "../core/instance.h"
#include "../core/readme.h"
#include "../core/record.h"
#include "../core/tracer.h"
#include "../ftrace/ftrace.h"
#include "../ring_buffer/reserve.h"
#include "tracers.h"

/* Indexes into function_options. */
enum {
	OPTION_STACK,
	OPTION_NO_REPEATS,
};

/* The flags are computed after the clock was read: fewer registers are live during that. */
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

/* The bits of preempt_count() for interrupts. */
#define INTERRUPTS	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK)

/* For calls in interrupts, calls with softirqs off, and calls while a callback may be running. */
static noinline void function_call_interrupt(unsigned long ip, unsigned long parent_ip,
					     struct trace_buffer *buffer)
{
	int bit = trace_recursion_enter(TRACE_RECURSION_OPS);

	if (bit < 0)
		return;
	function_record(buffer, ip, parent_ip, INTERRUPTS);
	trace_recursion_leave(bit);
}

static noinline void function_call_on(unsigned long ip, unsigned long parent_ip,
				      struct trace_buffer *buffer)
{
	unsigned long held = READ_ONCE(current->trace_recursion);

	if (unlikely(held & BIT(TRACE_RECURSION_OPS) || preempt_count() & INTERRUPTS)) {
		function_call_interrupt(ip, parent_ip, buffer);
		return;
	}
	/* The same as trace_recursion_enter() in a task. */
	WRITE_ONCE(current->trace_recursion, held | BIT(TRACE_RECURSION_OPS) | TRACE_TASK_RECORDED);
	barrier();
	function_record(buffer, ip, parent_ip, 0);
	trace_recursion_leave(TRACE_RECURSION_OPS);
}

/* Short for the case that recording is off. It jumps to function_call_on(): see the Makefile. */
static noinline void function_call(unsigned long ip, unsigned long parent_ip,
				   struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct trace_array *tr = op->private;
	struct trace_buffer *buffer = READ_ONCE(tr->array_buffer.buffer);

	if (ring_buffer_fast_is_on(buffer))
		function_call_on(ip, parent_ip, buffer);
}

/* Like function_call(), while the pid files exclude some tasks. */
static void function_call_wanted(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	const struct trace_array *tr = op->private;

	if (trace_pids_wanted(&tr->function_pids))
		function_call(ip, parent_ip, op, fregs);
}

/*
 * Callbacks with options. Each tests the pid files, as the test takes little of their time. There
 * is a callback for each combination of options instead of one that tests the options:
 * ftrace_ops_set_func() waits until no CPU runs the old callback, with the old options.
 */
static bool function_is_wanted(const struct trace_array *tr)
{
	return ring_buffer_fast_is_on(READ_ONCE(tr->array_buffer.buffer)) &&
	       trace_pids_allow(&tr->function_pids);
}

/*
 * A call site ends at most this many bytes after its address, on any architecture. A stack is
 * recorded from the traced function on. That function is found by its call site, to which the
 * dispatcher returns, since the number of functions between the two depends on the dispatcher. It
 * cannot be found by its return address, which a kretprobe changes.
 */
#define SITE_SIZE	8

/*
 * Functions that walk the stack are traced, too. The recursion bit that admits the first functions
 * of an interrupt would also admit the functions of the walk, and a stack would be recorded for
 * each of them. So the bit is not used here: the first functions of an interrupt that arrives here,
 * or while a stack is recorded, are not recorded.
 */
static __always_inline int enter_with_stack(void)
{
	int bit = trace_recursion_enter(TRACE_RECURSION_OPS);

	if (likely(bit != TRACE_RECURSION_OPS + TRACE_RECURSION_EARLY))
		return bit;
	trace_recursion_leave(bit);
	return -1;
}

/* The callback for option func_stack_trace. */
static void function_stack_call(unsigned long ip, unsigned long parent_ip,
				struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	struct trace_array *tr = op->private;
	unsigned int context = trace_context(ftrace_preempt_count());
	int bit;

	if (!function_is_wanted(tr))
		return;
	bit = enter_with_stack();
	if (unlikely(bit < 0))
		return;
	function_record(READ_ONCE(tr->array_buffer.buffer), ip, parent_ip, INTERRUPTS);
	trace_record_stack_from(tr, context, ip, SITE_SIZE);
	trace_recursion_leave(bit);
}

/*
 * Option func-no-repeats: if a CPU calls the same function from the same place repeatedly, the
 * first call is recorded. The number of repetitions is recorded before the next other call.
 *
 * Interrupts are off from the comparison with the last call until the record is written, so that
 * the records are in the order of the calls. An NMI may come in between, so NMIs record their calls
 * as without the option.
 */

/**
 * struct function_repeats - the last call that was recorded on a CPU
 * @ip: its call site; 0: it is not in the buffer any more
 * @parent_ip: its caller
 * @last: buffer time of the last repetition
 * @count: number of repetitions since it was recorded
 * @generation: ring_buffer_fast_generation() of the CPU's buffer when it was recorded
 */
struct function_repeats {
	unsigned long	ip;
	unsigned long	parent_ip;
	u64		last;
	unsigned int	count;
	unsigned int	generation;
};

/**
 * struct function_instance - the function tracer in an instance
 * @ops: callback and filter; their private member is the instance
 * @own_ops: the memory of @ops; the top instance has ftrace_global_ops instead
 * @repeats: the last call of each CPU; NULL until option func-no-repeats is first set
 */
struct function_instance {
	struct ftrace_ops			*ops;
	struct ftrace_ops			own_ops;
	struct function_repeats __percpu	*repeats;
};

static struct function_instance function_top = { .ops = &ftrace_global_ops };

static struct function_instance *function_of_ops(struct ftrace_ops *ops)
{
	return ops == &ftrace_global_ops ? &function_top :
	       container_of(ops, struct function_instance, own_ops);
}

static unsigned int function_generation(const struct trace_array *tr)
{
	return ring_buffer_fast_generation(tr->array_buffer.buffer, raw_smp_processor_id());
}

/* The largest count that fits into a record. */
#define REPEATS_MAX	U16_MAX

static void function_repeats_record(struct trace_array *tr, struct function_repeats *repeats,
				    unsigned int context)
{
	struct func_repeats_entry *entry;
	struct ring_buffer_event *event;
	u64 since;

	if (!repeats->count)
		return;
	event = trace_reserve_event(tr, TRACE_FUNC_REPEATS, sizeof(*entry), context);
	if (event) {
		entry = ring_buffer_event_data(event);
		since = ring_buffer_event_time_stamp(tr->array_buffer.buffer, event) -
			repeats->last;
		entry->ip = repeats->ip;
		entry->parent_ip = repeats->parent_ip;
		entry->count = repeats->count;
		entry->top_delta_ts = since >> 32;
		entry->bottom_delta_ts = since;
		trace_commit(tr);
	}
	repeats->count = 0;
}

static bool function_record_as(struct trace_array *tr, unsigned long ip,
			       unsigned long parent_ip, unsigned int context)
{
	struct function_entry *entry = trace_reserve(tr, TRACE_FN, sizeof(*entry), context);

	if (!entry)
		return false;
	entry->ip = ip;
	entry->parent_ip = parent_ip;
	trace_export(entry, sizeof(*entry), TRACE_EXPORT_KIND_FUNCTION);
	trace_commit(tr);
	return true;
}

/* Called with interrupts off. Return: true if the call itself was recorded. */
static bool function_record_new(struct ftrace_ops *op, unsigned long ip,
				unsigned long parent_ip, unsigned int context)
{
	struct function_repeats *repeats = raw_cpu_ptr(function_of_ops(op)->repeats);
	struct trace_array *tr = op->private;
	unsigned int generation = function_generation(tr);
	bool recorded;

	/* The call was cleared, or went into a snapshot: do not record its repetitions. */
	if (unlikely(repeats->generation != generation))
		*repeats = (struct function_repeats) { .generation = generation };
	if (repeats->ip == ip && repeats->parent_ip == parent_ip &&
	    repeats->count < REPEATS_MAX) {
		repeats->last = ring_buffer_time_stamp(tr->array_buffer.buffer);
		repeats->count++;
		return false;
	}
	function_repeats_record(tr, repeats, context);
	recorded = function_record_as(tr, ip, parent_ip, context);
	repeats->ip = recorded ? ip : 0;
	repeats->parent_ip = parent_ip;
	return recorded;
}

static __always_inline void function_no_repeats(struct ftrace_ops *op, unsigned long ip,
						unsigned long parent_ip, bool stack)
{
	struct trace_array *tr = op->private;
	unsigned int context = trace_context(ftrace_preempt_count());
	unsigned long flags;
	bool recorded;
	int bit;

	if (!function_is_wanted(tr))
		return;
	bit = stack ? enter_with_stack() : trace_recursion_enter(TRACE_RECURSION_OPS);
	if (unlikely(bit < 0))
		return;
	if (unlikely(in_nmi())) {
		recorded = function_record_as(tr, ip, parent_ip, context);
	} else {
		raw_local_irq_save(flags);
		recorded = function_record_new(op, ip, parent_ip, context);
		raw_local_irq_restore(flags);
	}
	if (stack && recorded)
		trace_record_stack_from(tr, context, ip, SITE_SIZE);
	trace_recursion_leave(bit);
}

static void function_no_repeats_call(unsigned long ip, unsigned long parent_ip,
				     struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	function_no_repeats(op, ip, parent_ip, false);
}

static void function_stack_no_repeats_call(unsigned long ip, unsigned long parent_ip,
					   struct ftrace_ops *op, struct ftrace_regs *fregs)
{
	function_no_repeats(op, ip, parent_ip, true);
}

#define STACK		BIT(OPTION_STACK)
#define NO_REPEATS	BIT(OPTION_NO_REPEATS)

static const ftrace_func_t function_callbacks[] = {
	[0]			= function_call,
	[STACK]			= function_stack_call,
	[NO_REPEATS]		= function_no_repeats_call,
	[STACK | NO_REPEATS]	= function_stack_no_repeats_call,
};

static struct function_instance *function_instance(struct trace_array *tr)
{
	return tracer_data(tr, &function_tracer);
}

/**
 * function_tracer_ops - get the ops whose filter is set_ftrace_filter of an instance
 * @tr: the instance; its lock is held
 *
 * Context: tr->lock held.
 * Return: the ops of the function tracer in that instance; NULL before it has that tracer.
 */
struct ftrace_ops *function_tracer_ops(struct trace_array *tr)
{
	struct function_instance *function = function_instance(tr);

	return function ? function->ops : NULL;
}

/* Set the callback for @options. Its data must be ready: tracing may be running. */
static void function_choose(struct trace_array *tr, u64 options)
{
	bool some = !options && trace_pids_active(&tr->function_pids);

	ftrace_ops_set_func(function_tracer_ops(tr),
			    some ? function_call_wanted : function_callbacks[options]);
}

static u64 function_options_now(struct trace_array *tr)
{
	return trace_array_find_tracer(tr, function_tracer.name)->options;
}

static void function_pids_change(struct trace_array *tr)
{
	function_choose(tr, function_options_now(tr));
	graph_pids_changed(tr);
}

static int function_stack_change(struct trace_array *tr, bool on)
{
	function_choose(tr, function_options_now(tr) ^ STACK);
	return 0;
}

static void function_repeats_forget(struct function_instance *function)
{
	int cpu;

	for_each_possible_cpu(cpu)
		*per_cpu_ptr(function->repeats, cpu) = (struct function_repeats) {};
}

static void function_repeats_end(void *data)
{
	struct function_instance *function = data;
	struct function_repeats *repeats = this_cpu_ptr(function->repeats);
	struct trace_array *tr = function->ops->private;

	if (repeats->generation == function_generation(tr))
		function_repeats_record(tr, repeats, trace_context(preempt_count()));
}

/* The memory is kept until the instance is removed. */
static int function_no_repeats_change(struct trace_array *tr, bool on)
{
	struct function_instance *function = function_instance(tr);

	if (!function->repeats)
		function->repeats = alloc_percpu(struct function_repeats);
	if (!function->repeats)
		return -ENOMEM;
	if (on)
		function_repeats_forget(function);
	function_choose(tr, function_options_now(tr) ^ NO_REPEATS);
	if (!on && trace_array_tracer(tr) == &function_tracer)
		on_each_cpu(function_repeats_end, function, true);
	return 0;
}

static const struct trace_option function_options[] = {
	[OPTION_STACK] = { .name = "func_stack_trace", .change = function_stack_change },
	[OPTION_NO_REPEATS] = {
		.name = "func-no-repeats", .change = function_no_repeats_change,
	},
};

static int function_init(struct trace_array *tr)
{
	struct function_instance *function = function_instance(tr);
	int err;

	if (function->repeats)
		function_repeats_forget(function);
	trace_comm_record_start();
	err = register_ftrace_function(function->ops);
	if (err)
		trace_comm_record_stop();
	return err;
}

static void function_reset(struct trace_array *tr)
{
	unregister_ftrace_function(function_tracer_ops(tr));
	trace_comm_record_stop();
}

/* All instances but the top one have ops and pids of their own. */
static int function_attach(struct trace_array *tr, struct tracer_state *state)
{
	struct function_instance *function = &function_top;

	tr->function_pids.wanted = &ftrace_pid_task;
	if (tr->name) {
		function = kzalloc(sizeof(*function), GFP_KERNEL);
		tr->function_pids.wanted = alloc_percpu(struct task_struct *);
		if (!tr->function_pids.wanted || !function) {
			free_percpu(tr->function_pids.wanted);
			kfree(function);
			return -ENOMEM;
		}
		function->ops = &function->own_ops;
	}
	state->data = function;
	tr->function_pids.changed = function_pids_change;
	function->ops->func = function_call;
	function->ops->private = tr;
	return 0;
}

static void function_detach(struct trace_array *tr, struct tracer_state *state)
{
	struct function_instance *function = state->data;

	trace_pids_end(tr, &tr->function_pids);
	free_percpu(function->repeats);
	if (function == &function_top)
		return;
	free_percpu(tr->function_pids.wanted);
	ftrace_free_filter(function->ops);
	kfree(function);
}

struct tracer function_tracer = {
	.name		= "function",
	.options	= function_options,
	.nr_options	= ARRAY_SIZE(function_options),
	.attach		= function_attach,
	.detach		= function_detach,
	.init		= function_init,
	.reset		= function_reset,
};

static struct trace_pids *function_pids_of(struct trace_array *tr)
{
	return &tr->function_pids;
}

static const struct trace_pid_file function_pids_file =
	TRACE_PID_FILE(function_pids_of, TRACE_PIDS_ONLY, "no pid\n");
static const struct trace_pid_file notrace_pid_file =
	TRACE_PID_FILE(function_pids_of, TRACE_PIDS_EXCEPT, "no pid\n");

TRACE_FILES(function_pid_files,
	{ "set_ftrace_pid", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &function_pids_file.fops },
	{ "set_ftrace_notrace_pid", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE,
	  &notrace_pid_file.fops });

TRACE_README(function_pid_readme, 1000,
	"\n"
	"For whom\n"
	"  set_ftrace_pid	functions of these tasks only\n"
	"  set_ftrace_notrace_pid	never of these\n"
	"	option function-fork: and of their children\n");

#ifdef CONFIG_DYNAMIC_FTRACE

/*
 * set_ftrace_filter and set_ftrace_notrace: select functions; ftrace/ reads and writes these files.
 * An open file holds a reference to the instance, and so to the ops.
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
		ops = function_tracer_ops(tr);
	err = ops ? ftrace_filter_open(ops, side, inode, file) : -ENODEV;
	if (err)
		trace_scope_put(inode->i_private);
	return err;
}

static int filter_release(struct inode *inode, struct file *file)
{
	int err = ftrace_filter_release(inode, file);

	trace_scope_put(inode->i_private);
	return err;
}

FILTER_FILE_FOPS(set_ftrace_filter, function_filter_open, FTRACE_FILTER, filter_release);
FILTER_FILE_FOPS(set_ftrace_notrace, function_filter_open, FTRACE_NOTRACE, filter_release);

static int total_info_show(struct seq_file *m, struct trace_scope *scope)
{
	unsigned long sites, pages, groups;

	ftrace_total_info(&sites, &pages, &groups);
	seq_printf(m, "%lu pages:%lu groups: %lu\n", sites, pages, groups);
	return 0;
}

TRACE_CONTROL(total_info, .show = total_info_show);

TRACE_FILES(function_files,
	{ "set_ftrace_filter", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &set_ftrace_filter_fops },
	{ "set_ftrace_notrace", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &set_ftrace_notrace_fops },
	{ "available_filter_functions", TRACE_MODE_READ, TRACE_FILE_TOP, &ftrace_avail_fops },
	{ "available_filter_functions_addrs", TRACE_MODE_READ, TRACE_FILE_TOP,
	  &ftrace_avail_addrs_fops },
	{ "enabled_functions", TRACE_MODE_READ, TRACE_FILE_TOP, &ftrace_enabled_fops },
	{ "touched_functions", TRACE_MODE_READ, TRACE_FILE_TOP, &ftrace_touched_fops },
	{ "dyn_ftrace_total_info", TRACE_MODE_READ, TRACE_FILE_TOP, &total_info.fops });

#endif /* CONFIG_DYNAMIC_FTRACE */
