// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of tracers, and which of them an instance runs.
 *
 * Every instance has a struct tracer_state for every tracer that it may run, so that a tracer can
 * be prepared (its options, its filters) before it is switched on.
 */
#include <linux/error-injection.h>
#include <linux/init.h>
#include <linux/seq_file.h>
#include <linux/slab.h>

#include "../lib/boot.h"
#include "files.h"
#include "instance.h"
#include "internal.h"
#include "snapshot.h"
#include "tracer.h"

/* The tracer that was registered last comes first, also in available_tracers. */
static LIST_HEAD(tracers);

static bool tracer_fits(const struct tracer *tracer, const struct trace_array *tr)
{
	return !tr->name || !tracer->top_only;
}

static int trace_array_attach_tracer(struct trace_array *tr, struct tracer *tracer)
{
	struct tracer_state *state __free(kfree) = kzalloc(sizeof(*state), GFP_KERNEL);
	int err;

	if (!state)
		return -ENOMEM;
	state->tracer = tracer;
	state->options = trace_options_default(tracer);
	if (tracer->attach) {
		err = tracer->attach(tr, state);
		if (err)
			return err;
	}
	if (tracer == &nop_tracer)
		tr->current_tracer = state;
	list_add_tail(&no_free_ptr(state)->list, &tr->tracers);
	return 0;
}

/**
 * trace_array_attach_tracers - attach all tracers to a new instance
 * @tr: the instance, not in the list yet; nop becomes its current tracer
 *
 * Context: may sleep; trace_registry_lock held, unless no other task can run yet.
 * Return: 0; or negative errno, with some tracers attached.
 */
int trace_array_attach_tracers(struct trace_array *tr)
{
	struct tracer *tracer;
	int err;

	list_for_each_entry(tracer, &tracers, list) {
		if (!tracer_fits(tracer, tr))
			continue;
		err = trace_array_attach_tracer(tr, tracer);
		if (err)
			return err;
	}
	return 0;
}

/**
 * trace_array_detach_tracers - detach all tracers from an instance
 * @tr: the instance, not in the list any more; its current tracer is nop
 *
 * Context: may sleep; trace_registry_lock held, unless no other task can run yet; tr->lock not
 * held.
 */
void trace_array_detach_tracers(struct trace_array *tr)
{
	struct tracer_state *state, *next;

	list_for_each_entry_safe(state, next, &tr->tracers, list) {
		if (state->tracer->detach)
			state->tracer->detach(tr, state);
		list_del(&state->list);
		kfree(state);
	}
}

/**
 * trace_array_find_tracer - find a tracer by name
 * @tr: the instance
 * @name: the whole name
 *
 * Context: any; tr->lock held, or after boot, when no tracers are registered any more.
 * Return: the tracer's state in the instance, or NULL.
 */
struct tracer_state *trace_array_find_tracer(struct trace_array *tr, const char *name)
{
	struct tracer_state *state;

	list_for_each_entry(state, &tr->tracers, list) {
		if (!strcmp(state->tracer->name, name))
			return state;
	}
	return NULL;
}

/**
 * tracer_data - get a tracer's data for an instance
 * @tr: the instance
 * @tracer: the tracer
 *
 * Context: tr->lock or trace_registry_lock held.
 * Return: what the tracer's attach() has put into state->data; NULL if the tracer is not for this
 * instance.
 */
void *tracer_data(struct trace_array *tr, const struct tracer *tracer)
{
	struct tracer_state *state = trace_array_find_tracer(tr, tracer->name);

	return state ? state->data : NULL;
}

/* The tracer that ftrace= names, until it is registered. */
TRACE_BOOT_TEXT("ftrace=", boot_tracer);

static void __init tracer_start_if_asked(struct tracer *tracer)
{
	int err;

	if (!boot_tracer || strcmp(boot_tracer, tracer->name))
		return;
	boot_tracer = NULL;
	err = trace_array_set_tracer(trace_top, tracer->name);
	if (err)
		pr_err("tracing: ftrace=%s: error %d\n", tracer->name, err);
}

static int __init trace_array_add_tracer(struct trace_array *tr, struct tracer *tracer)
{
	int err;

	scoped_guard(mutex, &tr->lock)
		err = trace_array_attach_tracer(tr, tracer);
	if (!err)
		trace_options_create_tracer(tr, tracer);
	return err;
}

/**
 * register_tracer - register a tracer
 * @tracer: the tracer; must never be freed
 *
 * If ftrace= names the tracer, it starts at once.
 *
 * Context: boot; may sleep.
 * Return: 0; -EINVAL if it has no name; -EEXIST if the name is taken; -ENOMEM; or the errno of
 * attach().
 */
int __init register_tracer(struct tracer *tracer)
{
	struct trace_array *tr;
	struct tracer *other;
	int err = 0;

	if (!tracer->name || WARN_ON(tracer->nr_options > BITS_PER_TYPE(u64)))
		return -EINVAL;

	scoped_guard(mutex, &trace_registry_lock) {
		list_for_each_entry(other, &tracers, list) {
			if (!strcmp(other->name, tracer->name))
				return -EEXIST;
		}
		list_for_each_entry(tr, &trace_arrays, list) {
			if (tracer_fits(tracer, tr) && !err)
				err = trace_array_add_tracer(tr, tracer);
		}
		/*
		 * After an error, instances that are made later do not get the tracer, either.
		 * Those that have it keep it: it works there.
		 */
		if (!err)
			list_add(&tracer->list, &tracers);
	}
	if (err) {
		pr_err("tracing: tracer %s: error %d\n", tracer->name, err);
		return err;
	}
	if (trace_top)
		tracer_start_if_asked(tracer);
	return 0;
}

/**
 * trace_array_end_tracer - end the current tracer, and make nop the current one
 * @tr: the instance
 *
 * Context: may sleep, tr->lock held.
 */
void trace_array_end_tracer(struct trace_array *tr)
{
	struct tracer *old = trace_array_tracer(tr);

	lockdep_assert_held(&tr->lock);
	if (old->reset)
		old->reset(tr);
	tr->current_tracer = trace_array_find_tracer(tr, nop_tracer.name);
}

static int trace_array_begin_tracer(struct trace_array *tr, struct tracer_state *state)
{
	int err = 0;

	tr->current_tracer = state;
	if (state->tracer->init)
		err = state->tracer->init(tr);
	if (err)
		tr->current_tracer = trace_array_find_tracer(tr, nop_tracer.name);
	return err;
}

/**
 * trace_array_set_tracer - switch to another tracer
 * @tr: the instance; its buffer is cleared, unless the tracer is the current one already
 * @name: name of the tracer
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if there is no such tracer; -ENOMEM; -EBUSY while a file consumes the trace,
 * if the buffer has to be expanded while it is mapped or being read, or if a latency tracer is not
 * possible now; or the errno of the tracer's init(), and then nop is the current tracer.
 */
noinline int trace_array_set_tracer(struct trace_array *tr, const char *name)
{
	struct tracer_state *state;
	int err;

	guard(mutex)(&tr->lock);
	state = trace_array_find_tracer(tr, name);
	if (!state)
		return -EINVAL;
	err = trace_array_expand(tr);
	if (err)
		return err;
	if (state == tr->current_tracer)
		return 0;
	if (tr->pipes || (state->tracer->latency && !trace_latency_possible(tr)))
		return -EBUSY;

	trace_array_end_tracer(tr);
	trace_snapshot_settle(tr);
	trace_array_reset(tr);
	return trace_array_begin_tracer(tr, state);
}
ALLOW_ERROR_INJECTION(trace_array_set_tracer, ERRNO);

static int __init boot_tracer_check(void)
{
	if (boot_tracer && trace_top)
		pr_warn("tracing: ftrace=%s: there is no such tracer\n", boot_tracer);
	return 0;
}
late_initcall_sync(boot_tracer_check);

/*
 * Control files
 */

static int current_tracer_show(struct seq_file *m, struct trace_scope *scope)
{
	guard(mutex)(&scope->tr->lock);
	seq_printf(m, "%s\n", trace_array_tracer(scope->tr)->name);
	return 0;
}

static int current_tracer_store(struct trace_scope *scope, char *text)
{
	return trace_array_set_tracer(scope->tr, strim(text));
}

TRACE_CONTROL(current_tracer, .show = current_tracer_show, .store = current_tracer_store);

static int available_tracers_show(struct seq_file *m, struct trace_scope *scope)
{
	struct tracer *tracer;
	char *space = "";

	guard(mutex)(&trace_registry_lock);
	list_for_each_entry(tracer, &tracers, list) {
		if (!tracer_fits(tracer, scope->tr))
			continue;
		seq_printf(m, "%s%s", space, tracer->name);
		space = " ";
	}
	seq_putc(m, '\n');
	return 0;
}

TRACE_CONTROL(available_tracers, .show = available_tracers_show);

TRACE_FILES(tracer_files,
	{ "current_tracer", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &current_tracer.fops },
	{ "available_tracers", TRACE_MODE_READ, TRACE_FILE_INSTANCE, &available_tracers.fops });
