/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Trace events: the events of the kernel and its modules, and the state of events in an instance.
 *
 * An event is a struct trace_event_call, which its definition generates. It is found by its number,
 * which its records have, too: a number is never given to a second event while a buffer has records
 * of the first one. A file of tracefs has the number instead of a pointer, so it may be open longer
 * than the event exists.
 *
 * An instance has a struct trace_event_file of an event only after the event was used in that
 * instance. It is freed when the instance or the event is removed.
 *
 * Locks: trace_registry_lock is outside of trace_event_mutex, which is outside of
 * trace_array::lock. Recording takes none; record.c describes how it works without.
 */
#ifndef _TRACE_EVENTS_H
#define _TRACE_EVENTS_H

#include <linux/bits.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/rcupdate.h>
#include <linux/trace_events.h>
#include <linux/xarray.h>

#include "../core/pids.h"
#include "../lib/line.h"

struct event_filter;
struct eventfs_inode;
struct module;
struct seq_file;
struct trace_array;

/* Protects the registry, the events' users, and the files of all instances. */
extern struct mutex trace_event_mutex;

/* All events; the newest comes last. */
extern struct list_head trace_event_calls;

/**
 * struct trace_event_system - events whose headers have the same TRACE_SYSTEM
 * @list: in trace_event_systems, from which it is never removed
 * @name: its name
 * @events: number of events; 0: it has no directory
 */
struct trace_event_system {
	struct list_head	list;
	unsigned int		events;
	char			name[];
};

extern struct list_head trace_event_systems;

/* registry.c */
extern unsigned int trace_event_last;
void trace_events_register(void);
int trace_event_add(struct trace_event_call *call);
void trace_event_remove(struct trace_event_call *call);
struct trace_event_call *trace_event_by_number(unsigned int number);
struct trace_event_system *trace_event_system_find(const char *name);

/* retired.c */
int trace_event_restore(struct trace_event_call *call);
void trace_event_retire(struct trace_event_call *call);

/* print_helpers.c */
void trace_event_print_mask(const struct trace_iterator *iter, struct trace_seq *s,
			    const void *mask, unsigned int size);

/*
 * Can an event be attached? A custom event cannot before its module has found the tracepoint. Any
 * context.
 */
static inline bool trace_event_has_tracepoint(const struct trace_event_call *call)
{
	return call->class->ops != &trace_custom_event_ops || READ_ONCE(call->data);
}

/* evals.c */
void trace_evals_puts(struct seq_file *m, const struct trace_event_call *call, const char *text);

/**
 * enum trace_event_file_flag - conditions that an instance checks before it takes a record
 * @TRACE_EVENT_FILE_SOFT_DISABLED: it takes none: the event is off, and a holder keeps it attached
 * @TRACE_EVENT_FILE_PID_FILTER: it takes records of some tasks
 * @TRACE_EVENT_FILE_TWO_PIDS: it takes records of some tasks, of an event that is about two tasks:
 *	checked when the record is complete
 * @TRACE_EVENT_FILE_EARLY_FILTER: its filter can refuse some records before they are made
 * @TRACE_EVENT_FILE_FILTER: it has a filter: checked when the record is complete
 * @TRACE_EVENT_FILE_TRIGGERS: it has triggers. Then trace_event_users.many is set
 * @TRACE_EVENT_FILE_RECORD_TRIGGERS: they run when the record is complete, not before
 *
 * These are numbers of bits.
 */
enum trace_event_file_flag {
	TRACE_EVENT_FILE_SOFT_DISABLED,
	TRACE_EVENT_FILE_PID_FILTER,
	TRACE_EVENT_FILE_TWO_PIDS,
	TRACE_EVENT_FILE_EARLY_FILTER,
	TRACE_EVENT_FILE_FILTER,
	TRACE_EVENT_FILE_TRIGGERS,
	TRACE_EVENT_FILE_RECORD_TRIGGERS,
};

/**
 * struct trace_event_file - an event in an instance
 * @rcu: to free it; the first member
 * @call: the event
 * @tr: the instance
 * @flags: mask of enum trace_event_file_flag; 0: each record is taken. Changed by atomic operations
 * @attached: the instance is among the event's users: the event is on, or has holders
 * @holders: number of users that keep the event attached, so that they can switch it in any
 *	context: function commands and triggers
 * @filter: which records it takes; NULL: all
 * @triggers: struct trace_trigger, the newest first; read by probes
 * @refused: the filter that user space tried last, as the file "filter" shows it; NULL if it was
 *	not refused
 */
struct trace_event_file {
	struct rcu_head		rcu;
	struct trace_event_call	*call;
	struct trace_array	*tr;
	unsigned long		flags;
	bool			attached;
	unsigned int		holders;
	struct event_filter __rcu *filter;
	struct list_head	triggers;
	char			*refused;
};

/* Is the event on? Any context. */
static inline bool trace_event_file_is_on(const struct trace_event_file *file)
{
	return READ_ONCE(file->attached) &&
	       !(READ_ONCE(file->flags) & BIT(TRACE_EVENT_FILE_SOFT_DISABLED));
}

/**
 * struct trace_event_users - the users that get the records of an event
 * @rcu: to free it; the first member
 * @nr: number of slots, at least 1
 * @perf: perf gets them
 * @triggers: an instance has triggers
 * @many: there is more than one slot, or @perf, or @triggers. More than one slot stays until the
 *	event is detached
 * @attached: the event is attached to its tracepoint; not for probes
 * @file: the instances; slots may be NULL
 *
 * Probes read it while it changes: each member is one word that is stored at once.
 */
struct trace_event_users {
	struct rcu_head		rcu;
	unsigned int		nr;
	bool			perf;
	bool			triggers;
	bool			many;
	bool			attached;
	struct trace_event_file	*file[] __counted_by(nr);
};

/* users.c */
int trace_event_users_add(struct trace_event_call *call, struct trace_event_file *file);
void trace_event_users_remove(struct trace_event_call *call, struct trace_event_file *file);
int trace_event_users_add_perf(struct trace_event_call *call);
void trace_event_users_remove_perf(struct trace_event_call *call);
void trace_event_users_triggers(struct trace_event_call *call);
void trace_event_users_end(struct trace_event_call *call);
void trace_event_free(void *memory);

/**
 * struct trace_event_instance - the state of trace events in an instance
 * @pids: tasks whose events are recorded
 * @dir: its directory events/; NULL before tracefs exists
 * @files: struct trace_event_file by number of the event
 * @dirs: directories of events by number of the event
 * @systems: directories of systems: struct event_system_dir of dir.c
 * @modules: words of set_event that wait for modules: struct event_wait of wait.c
 * @marker: the event of markers, once it had a trigger; one of @files
 * @syscall_user_size: bytes of user memory that events of system calls record for each argument
 */
struct trace_event_instance {
	struct trace_pids	pids;
	struct eventfs_inode	*dir;
	struct xarray		files;
	struct xarray		dirs;
	struct list_head	systems;
	struct list_head	modules;
	struct trace_event_file	*marker;
	unsigned int		syscall_user_size;
};

/* switch.c */
struct trace_event_file *trace_event_file_get(struct trace_array *tr,
					      struct trace_event_call *call);
struct trace_event_file *trace_event_file_find(struct trace_array *tr,
					       const struct trace_event_call *call);
int trace_event_file_set(struct trace_event_file *file, bool on);
int trace_event_file_hold(struct trace_event_file *file);
void trace_event_file_release(struct trace_event_file *file);
void trace_event_file_set_soft(struct trace_event_file *file, bool on);
void trace_event_file_end(struct trace_event_file *file);
void trace_event_files_end(struct trace_array *tr);
void trace_event_files_off(struct trace_array *tr);
bool trace_array_has_event(const struct trace_array *tr, const struct trace_event_call *call);

/* dir.c */
void trace_event_dirs_add(struct trace_event_call *call);
void trace_event_dirs_remove(struct trace_event_call *call);
int trace_event_instances_init(void);

/* pids.c */
void trace_event_pids_prepare(struct trace_event_call *call);
void trace_event_file_pids(struct trace_event_file *file);
int trace_event_pids_create(struct trace_array *tr, struct trace_event_instance *events);
void trace_event_pids_destroy(struct trace_array *tr);

/* print_check.c */
unsigned int trace_event_unsafe_argument(const struct trace_event_call *call, const char *text);
void trace_event_check_print(const struct trace_event_call *call);

/* trigger/marker.c */
extern struct trace_event_call trace_marker_call;

/* trigger/files.c */
int trace_event_file_do_trigger(struct trace_event_file *file, char *text);
void trace_event_file_end_triggers(struct trace_event_file *file);

/* file_filter.c */
struct event_filter *trace_event_file_filter(const struct trace_event_file *file);
void trace_event_file_forget_refused(struct trace_event_file *file);
void trace_event_file_end_filter(struct trace_event_file *file);
void trace_event_file_set_filter(struct trace_event_file *file, struct event_filter *filter);

/* console.c */
void trace_event_console(const struct trace_event_buffer *record);

/* perf.c */
#ifdef CONFIG_PERF_EVENTS
void *trace_event_perf_reserve(struct trace_event_buffer *record);
void trace_event_perf_submit(struct trace_event_buffer *record);
#else
static inline void *trace_event_perf_reserve(struct trace_event_buffer *record)
{
	return NULL;
}

static inline void trace_event_perf_submit(struct trace_event_buffer *record) { }
#endif

/* formats.c */
int trace_entry_formats_create(struct eventfs_inode *events);

#endif /* _TRACE_EVENTS_H */
