// SPDX-License-Identifier: GPL-2.0
/*
 * Options of an instance and of its tracers: trace_options, and one file for each option in
 * options/.
 *
 * The options are listed in option_list.h and in the tables of the tracers.
 */
#include <linux/init.h>
#include <linux/ring_buffer.h>
#include <linux/seq_file.h>
#include <linux/tracefs.h>
#include <linux/uaccess.h>

#include "files.h"
#include "instance.h"
#include "internal.h"
#include "snapshot.h"
#include "tracer.h"

#define OPTION(symbol, option_name, option_on, option_top, option_change)	\
	[TRACE_OPT_##symbol] = {						\
		.name		= option_name,					\
		.on		= option_on,					\
		.top_only	= option_top,					\
		.change		= option_change,				\
	},

static const struct trace_option core_options[TRACE_NR_OPTIONS] = {
#include "option_list.h"
};

#undef OPTION

/* The type trace_print_func, which modules use as well, gives printers the options as an int. */
static_assert(TRACE_NR_OPTIONS <= 32);

/**
 * struct option_place - an option in an instance
 * @option: the option
 * @state: the tracer that has the option; NULL for a core option
 * @bit: bit number in @state->options or in trace_array::options
 */
struct option_place {
	const struct trace_option	*option;
	struct tracer_state		*state;
	unsigned int			bit;
};

/* Where a function below takes a tracer, this stands for the core. */
static const struct tracer core_tracer = {
	.options	= core_options,
	.nr_options	= TRACE_NR_OPTIONS,
};

/**
 * trace_options_default - get the initial values of options
 * @tracer: the tracer that has the options; NULL: get the values of the core's options
 *
 * Context: any.
 * Return: a value for tracer_state::options or trace_array::options.
 */
u64 trace_options_default(const struct tracer *tracer)
{
	u64 options = 0;
	unsigned int i;

	tracer = tracer ?: &core_tracer;
	for (i = 0; i < tracer->nr_options; i++)
		options |= tracer->options[i].on ? BIT_ULL(i) : 0;
	return options;
}

/* Find an option of a tracer or, with @state NULL, of the core. */
static bool option_find(struct tracer_state *state, const char *name, struct option_place *place)
{
	const struct tracer *tracer = state ? state->tracer : &core_tracer;
	const struct trace_option *option = tracer->options;
	unsigned int i;

	for (i = 0; i < tracer->nr_options; i++, option++) {
		if (option->name && !strcmp(option->name, name)) {
			*place = (struct option_place) { option, state, i };
			return true;
		}
	}
	return false;
}

/* Option trace_printk_dest is on in one instance only, and printk_dest.c knows in which. */
static u64 core_options_of(const struct trace_array *tr)
{
	return tr->options |
	       (trace_printk_goes_to(tr) ? BIT_ULL(TRACE_OPT_PRINTK_DEST) : 0);
}

static bool option_is_on(const struct trace_array *tr, const struct option_place *place)
{
	return place->state ? place->state->options & BIT_ULL(place->bit) :
			      core_options_of(tr) & BIT_ULL(place->bit);
}

static int option_set(struct trace_array *tr, const struct option_place *place, bool on)
{
	struct tracer_state *state = place->state;
	int err = 0;

	lockdep_assert_held(&tr->lock);
	if (option_is_on(tr, place) == on)
		return 0;
	if (place->option->change)
		err = place->option->change(tr, on);
	if (err)
		return err;
	if (state)
		state->options ^= BIT_ULL(place->bit);
	else if (place->bit != TRACE_OPT_PRINTK_DEST)
		trace_option_write(tr, place->bit, on);
	return 0;
}

/* Options that a new instance does not inherit from the top one. */
#define OPTIONS_NOT_INHERITED						\
	(BIT_ULL(TRACE_OPT_PRINTK_DEST) | BIT_ULL(TRACE_OPT_FUNCTION_FORK) |	\
	 BIT_ULL(TRACE_OPT_EVENT_FORK))

/**
 * trace_options_inherit - give a new instance the options of the top one
 * @tr: the instance, with the options of trace_options_default()
 *
 * An option that cannot be changed keeps its value.
 *
 * Context: may sleep.
 */
void trace_options_inherit(struct trace_array *tr)
{
	u64 differ = (READ_ONCE(trace_top->options) ^ tr->options) & ~OPTIONS_NOT_INHERITED;
	unsigned int nr;

	guard(mutex)(&tr->lock);
	for (nr = 0; nr < TRACE_NR_OPTIONS; nr++) {
		if (differ & BIT_ULL(nr))
			trace_option_set(tr, nr, !core_options[nr].on);
	}
}

/**
 * trace_options_end - end services that an instance's options have started
 * @tr: the instance, which is being removed
 *
 * Context: may sleep.
 */
void trace_options_end(struct trace_array *tr)
{
	guard(mutex)(&tr->lock);
	trace_option_set(tr, TRACE_OPT_RECORD_TGID, false);
}

/**
 * trace_option_set_text - set an option as written to trace_options
 * @tr: the instance
 * @text: name of an option, or "no" and the name; white space around it is removed
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if neither the core nor the current tracer has this option; or the errno of
 * the option's change().
 */
int trace_option_set_text(struct trace_array *tr, char *text)
{
	char *name = strim(text);
	bool on = strncmp(name, "no", 2);
	struct option_place place;

	if (!on)
		name += 2;
	guard(mutex)(&tr->lock);
	if (!option_find(NULL, name, &place) && !option_find(tr->current_tracer, name, &place))
		return -EINVAL;
	return option_set(tr, &place, on);
}

/**
 * trace_option_set - switch a core option
 * @tr: the instance
 * @nr: the option
 * @on: the new value
 *
 * Context: may sleep, tr->lock held.
 * Return: 0, or the errno of the option's change().
 */
int trace_option_set(struct trace_array *tr, enum trace_option_number nr, bool on)
{
	const struct option_place place = { &core_options[nr], NULL, nr };

	return option_set(tr, &place, on);
}

/**
 * option_overwrite - the change() of the option "overwrite"
 * @tr: the instance
 * @on: true: a full buffer loses its oldest events; false: it loses new ones
 *
 * A latency tracer needs the newest events, so the option stays on while one runs.
 *
 * Context: tr->lock held.
 * Return: 0; -EINVAL if a latency tracer needs the option.
 */
int option_overwrite(struct trace_array *tr, bool on)
{
	if (!on && trace_latency_active(tr))
		return -EINVAL;
	ring_buffer_change_overwrite(tr->array_buffer.buffer, on);
	return 0;
}

static int option_functions(struct trace_array *tr, bool functions, bool graph)
{
	struct tracer *tracer = trace_array_tracer(tr);

	return tracer->functions ? tracer->functions(tr, functions, graph) : 0;
}

/**
 * option_function_trace - the change() of the option function-trace
 * @tr: the instance
 * @on: the new value, which the current tracer may refuse
 *
 * Context: may sleep, tr->lock held.
 * Return: 0, or the errno of the tracer's functions().
 */
int option_function_trace(struct trace_array *tr, bool on)
{
	return option_functions(tr, on, trace_option(tr, TRACE_OPT_DISPLAY_GRAPH));
}

/**
 * option_display_graph - the change() of the option display-graph
 * @tr: the instance
 * @on: the new value, which the current tracer may refuse
 *
 * Context: may sleep, tr->lock held.
 * Return: 0, or the errno of the tracer's functions().
 */
int option_display_graph(struct trace_array *tr, bool on)
{
	return option_functions(tr, trace_option(tr, TRACE_OPT_FUNCTION_TRACE), on);
}

/*
 * Control files
 */

static void options_show(struct seq_file *m, const struct tracer *tracer, u64 on)
{
	unsigned int i;

	for (i = 0; i < tracer->nr_options; i++) {
		if (tracer->options[i].name)
			seq_printf(m, "%s%s\n", on & BIT_ULL(i) ? "" : "no",
				   tracer->options[i].name);
	}
}

static int trace_options_show(struct seq_file *m, struct trace_scope *scope)
{
	struct trace_array *tr = scope->tr;

	guard(mutex)(&tr->lock);
	options_show(m, &core_tracer, core_options_of(tr));
	options_show(m, trace_array_tracer(tr), tr->current_tracer->options);
	return 0;
}

static int trace_options_store(struct trace_scope *scope, char *text)
{
	return trace_option_set_text(scope->tr, text);
}

TRACE_CONTROL(trace_options, .show = trace_options_show, .store = trace_options_store, .max = 64);

/*
 * options/NAME: the name of the file says which option it is. So the file needs no data of its
 * own, which could become stale. All tracers have files, whether or not they are current.
 */
static bool option_find_file(struct file *file, struct option_place *place)
{
	const char *name = file->f_path.dentry->d_name.name;
	struct tracer_state *state;

	if (option_find(NULL, name, place))
		return true;
	list_for_each_entry(state, &trace_file_scope(file)->tr->tracers, list) {
		if (option_find(state, name, place))
			return true;
	}
	return false;
}

static ssize_t option_read(struct file *file, char __user *ubuf, size_t count, loff_t *ppos)
{
	struct trace_array *tr = trace_file_scope(file)->tr;
	struct option_place place;
	char text[2] = "0\n";

	scoped_guard(mutex, &tr->lock) {
		if (!option_find_file(file, &place))
			return -ENODEV;
		if (option_is_on(tr, &place))
			text[0] = '1';
	}
	return simple_read_from_buffer(ubuf, count, ppos, text, sizeof(text));
}

static ssize_t option_write(struct file *file, const char __user *ubuf, size_t count,
			    loff_t *ppos)
{
	struct trace_array *tr = trace_file_scope(file)->tr;
	struct option_place place;
	unsigned long on;
	int err;

	err = kstrtoul_from_user(ubuf, count, 10, &on);
	if (err)
		return err;
	if (on > 1)
		return -EINVAL;

	guard(mutex)(&tr->lock);
	if (!option_find_file(file, &place))
		return -ENODEV;
	err = option_set(tr, &place, on);
	if (err)
		return err;
	*ppos += count;
	return count;
}

static const struct file_operations option_fops = {
	.open		= trace_scope_open,
	.read		= option_read,
	.write		= option_write,
	.llseek		= generic_file_llseek,
	.release	= trace_scope_release,
};

/**
 * trace_options_create_tracer - make the files for a tracer's options
 * @tr: the instance
 * @tracer: the tracer
 *
 * Context: may sleep, trace_registry_lock held.
 * Return: 0, or -ENOMEM if a file could not be made or @tr has no options_dir.
 */
int trace_options_create_tracer(struct trace_array *tr, const struct tracer *tracer)
{
	const struct trace_option *option = tracer->options;
	int err = 0;

	if (!tr->options_dir)
		return -ENOMEM;

	for (; option < tracer->options + tracer->nr_options; option++) {
		if (!option->name || (tr->name && option->top_only))
			continue;
		if (IS_ERR_OR_NULL(tracefs_create_file(option->name, TRACE_MODE_WRITE,
						       tr->options_dir, &tr->scopes[0],
						       &option_fops))) {
			pr_warn("tracing: cannot create options/%s\n", option->name);
			err = -ENOMEM;
		}
	}
	return err;
}

/**
 * trace_options_create - make the files for all options of an instance
 * @tr: the instance
 *
 * Context: may sleep, trace_registry_lock held.
 * Return: 0, or -ENOMEM if a file could not be made or @tr has no options_dir.
 */
int trace_options_create(struct trace_array *tr)
{
	struct tracer_state *state;
	int err;

	err = trace_options_create_tracer(tr, &core_tracer);
	list_for_each_entry(state, &tr->tracers, list)
		err = trace_options_create_tracer(tr, state->tracer) ?: err;
	return err;
}

TRACE_FILES(options_files,
	{ "trace_options", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &trace_options.fops });
