// SPDX-License-Identifier: GPL-2.0
/*
 * The registry of events: those of the kernel from early boot on, those of a module while it is
 * loaded.
 */
#include <linux/init.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "../core/instance.h"
#include "events.h"
#include "fields.h"

DEFINE_MUTEX(trace_event_mutex);
LIST_HEAD(trace_event_calls);
LIST_HEAD(trace_event_systems);

static DEFINE_XARRAY(event_numbers);

/* Number of the first of the kernel's events that come last, see events_register(); 0: none */
unsigned int trace_event_last __ro_after_init;

/**
 * trace_event_by_number - find an event by its number
 * @number: the number
 *
 * Context: trace_event_mutex held.
 * Return: the event; NULL if it was removed, or if the number is of another type of entries.
 */
struct trace_event_call *trace_event_by_number(unsigned int number)
{
	lockdep_assert_held(&trace_event_mutex);
	return xa_load(&event_numbers, number);
}

/**
 * trace_event_system_find - find a system by its name
 * @name: the name
 *
 * Context: trace_event_mutex held.
 * Return: the system, which is never freed; NULL if there has been none of this name.
 */
struct trace_event_system *trace_event_system_find(const char *name)
{
	static struct trace_event_system *last;
	struct trace_event_system *system;

	lockdep_assert_held(&trace_event_mutex);
	/* Events of one header come one after the other. */
	if (last && !strcmp(last->name, name))
		return last;
	list_for_each_entry(system, &trace_event_systems, list) {
		if (!strcmp(system->name, name)) {
			last = system;
			return system;
		}
	}
	return NULL;
}

static struct trace_event_system *event_system_get(const char *name)
{
	struct trace_event_system *system = trace_event_system_find(name);
	size_t size = strlen(name) + 1;

	if (!system) {
		system = kzalloc(struct_size(system, name, size), GFP_KERNEL);
		if (!system)
			return NULL;
		memcpy(system->name, name, size);
		list_add_tail(&system->list, &trace_event_systems);
	}
	system->events++;
	return system;
}

static int event_number(struct trace_event_call *call)
{
	int err;

	call->event.funcs->fields = trace_event_print_fields;
	if (!trace_event_restore(call) && !register_trace_event(&call->event))
		return -ENODEV;
	err = xa_err(xa_store(&event_numbers, call->event.type, call, GFP_KERNEL));
	if (err)
		unregister_trace_event(&call->event);
	return err;
}

static int event_add(struct trace_event_call *call)
{
	struct trace_event_system *system = event_system_get(call->class->system);
	int err;

	if (!system)
		return -ENOMEM;
	err = event_number(call);
	if (err) {
		system->events--;
		return err;
	}
	trace_event_pids_prepare(call);
	trace_event_check_print(call);
	list_add_tail(&call->list, &trace_event_calls);
	return 0;
}

/**
 * trace_event_add - register an event
 * @call: the event; must not be freed before trace_event_remove()
 *
 * Context: may sleep; trace_event_mutex held.
 * Return: 0; -ENOSYS if this kernel never has the event; -ENODEV if no number is left, or if
 * allocating memory for the number fails; -ENOMEM.
 */
int trace_event_add(struct trace_event_call *call)
{
	const struct trace_event_class_ops *ops = call->class->ops;
	int err = ops && ops->prepare ? ops->prepare(call) : 0;

	lockdep_assert_held(&trace_event_mutex);
	err = err ?: event_add(call);
	if (err && err != -ENOSYS)
		pr_warn("tracing: event %s cannot be used: error %d\n", trace_event_name(call),
			err);
	return err;
}

/**
 * trace_event_remove - forget an event
 * @call: the event, which has no users any more and is detached
 *
 * If a buffer may have records of it, they can be printed by their fields from now on.
 *
 * Context: may sleep; trace_event_mutex held.
 */
void trace_event_remove(struct trace_event_call *call)
{
	lockdep_assert_held(&trace_event_mutex);
	list_del(&call->list);
	trace_event_system_find(call->class->system)->events--;
	xa_erase(&event_numbers, call->event.type);
	trace_event_retire(call);
}

/*
 * The kernel's events
 */

/* Defined by the linker script; the memory is freed after boot. */
extern struct trace_event_call *__start_ftrace_events[];
extern struct trace_event_call *__stop_ftrace_events[];

/*
 * Switching an event on allocates memory, and switches preemption and interrupts off and on a dozen
 * times. All events are switched on in the order in which they were registered. If the events of
 * these systems did not come last, more than half of the work would be to record them.
 */
static const char *const last_systems[] __initconst = { "kmem", "preemptirq" };

/* The place of an event: from 1 on, by its system; 0: before those */
static unsigned int __init event_place(const struct trace_event_call *call)
{
	int index = match_string(last_systems, ARRAY_SIZE(last_systems), call->class->system);

	return index < 0 ? 0 : index + 1;
}

static void __init events_register(unsigned int place)
{
	struct trace_event_call **call;

	for (call = __start_ftrace_events; call < __stop_ftrace_events; call++) {
		if (event_place(*call) != place)
			continue;
		if (!trace_event_add(*call) && place && !trace_event_last)
			trace_event_last = (*call)->event.type;
	}
}

/**
 * trace_events_register - register the kernel's events
 *
 * Context: boot, from trace_init().
 */
void __init trace_events_register(void)
{
	unsigned int place;

	guard(mutex)(&trace_event_mutex);
	for (place = 0; place <= ARRAY_SIZE(last_systems); place++)
		events_register(place);
}
