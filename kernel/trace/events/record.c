// SPDX-License-Identifier: GPL-2.0
/*
 * Recording an event: the first user that takes it has the record made in its buffer. Others get
 * copies of it before it is published.
 *
 * An instance with a filter checks the complete record. If it is the only user, the record is made
 * in memory of its own, and copied to the buffer if the filter allows it.
 *
 * This is the hot path: it runs in any context, NMI and idle included, with preemption off, takes
 * no lock and allocates nothing. users.c says why the users that it finds are there.
 *
 * An event may occur while another one is being recorded, in what recording calls: the wake-up of
 * a reader sends an interrupt, for example. One such event is recorded, those inside of it are not:
 * TRACE_RECURSION_EVENT.
 */
#include <linux/export.h>
#include <linux/jump_label.h>
#include <linux/string.h>

#include "../core/record.h"
#include "../ring_buffer/reserve.h"
#include "events.h"
#include "filter/filter.h"
#include "trigger/trigger.h"

/* The bits of preempt_count() for interrupts. */
#define INTERRUPTS	(NMI_MASK | HARDIRQ_MASK | SOFTIRQ_MASK)

static __always_inline struct trace_buffer *event_file_buffer(const struct trace_event_file *file)
{
	return file->tr->array_buffer.buffer;
}

/* Flags that are checked when the record is complete */
#define EVENT_FILE_COMPLETE	(BIT(TRACE_EVENT_FILE_TWO_PIDS) |		\
				 BIT(TRACE_EVENT_FILE_FILTER))

/*
 * Would the instance's filter allow a record of this task on this CPU? Another filter may be there
 * when the record is complete; that one then decides alone.
 */
static bool event_file_may_allow(const struct trace_event_file *file)
{
	const struct event_filter *filter = rcu_dereference_raw(file->filter);

	return !filter || trace_filter_may_allow(filter);
}

static bool event_file_allows(const struct trace_event_file *file, const void *entry)
{
	const struct event_filter *filter = rcu_dereference_raw(file->filter);

	return !filter || trace_filter_allows(filter, entry);
}

/* Is the event on in an instance whose buffer records? */
static __always_inline bool event_file_is_recording(const struct trace_event_file *file)
{
	return file && ring_buffer_fast_is_on(event_file_buffer(file));
}

/* Is the current task wanted? TRACE_EVENT_FILE_PID_FILTER is set, or was set a moment ago. */
static __always_inline bool event_file_wants_current(const struct trace_event_file *file)
{
	return trace_pids_still_wanted(&file->tr->events->pids);
}

/* Does an instance that records take records of this event now? */
static bool event_file_takes_now(const struct trace_event_file *file)
{
	unsigned long flags = READ_ONCE(file->flags);

	if (flags & BIT(TRACE_EVENT_FILE_SOFT_DISABLED))
		return false;
	if (flags & BIT(TRACE_EVENT_FILE_PID_FILTER) && !event_file_wants_current(file))
		return false;
	return !(flags & BIT(TRACE_EVENT_FILE_EARLY_FILTER)) || event_file_may_allow(file);
}

/* Does an instance record, and take records of this event now? @file may be NULL. */
static __always_inline bool event_file_takes(const struct trace_event_file *file)
{
	return event_file_is_recording(file) &&
	       (likely(!READ_ONCE(file->flags)) || event_file_takes_now(file));
}

/* Does an instance take a complete record of an event that is about two tasks? */
static bool event_file_takes_tasks(const struct trace_event_file *file, const void *entry)
{
	const struct trace_pids *pids = &file->tr->events->pids;

	return trace_pids_want(pids, current->pid) ||
	       trace_pids_want(pids, *(const int *)(entry + file->call->other_pid));
}

static bool event_file_takes_entry(const struct trace_event_file *file, const void *entry)
{
	unsigned long flags = READ_ONCE(file->flags);

	if (flags & BIT(TRACE_EVENT_FILE_TWO_PIDS) && !event_file_takes_tasks(file, entry))
		return false;
	return !(flags & BIT(TRACE_EVENT_FILE_FILTER)) || event_file_allows(file, entry);
}

/* The next slot, from @slot on, whose instance takes records now; users->nr if there is none. */
static unsigned int event_users_next(const struct trace_event_users *users, unsigned int slot)
{
	const struct trace_event_file *file;

	for (; slot < users->nr; slot++) {
		file = READ_ONCE(users->file[slot]);
		if (event_file_takes(file))
			break;
	}
	return slot;
}

/* Is the event of a task that the instance wants? @entry: the record; NULL if there is none yet */
static bool event_file_wants_task(const struct trace_event_file *file, const void *entry)
{
	unsigned long flags = READ_ONCE(file->flags);

	if (flags & BIT(TRACE_EVENT_FILE_PID_FILTER))
		return event_file_wants_current(file);
	return !entry || !(flags & BIT(TRACE_EVENT_FILE_TWO_PIDS)) ||
	       event_file_takes_tasks(file, entry);
}

/* Run triggers that do without the record. Return true if others want to see it. */
static bool event_users_triggers(const struct trace_event_users *users)
{
	struct trace_event_file *file;
	bool wanted = false;
	unsigned long flags;
	unsigned int slot;

	for (slot = 0; slot < users->nr; slot++) {
		file = READ_ONCE(users->file[slot]);
		flags = file ? READ_ONCE(file->flags) : 0;
		if (flags & BIT(TRACE_EVENT_FILE_RECORD_TRIGGERS))
			wanted |= event_file_wants_task(file, NULL);
		else if (flags & BIT(TRACE_EVENT_FILE_TRIGGERS))
			trace_triggers_before(file);
	}
	return wanted;
}

static noinline bool event_users_take(const struct trace_event_users *users)
{
	return event_users_next(users, 0) < users->nr || READ_ONCE(users->perf) ||
	       READ_ONCE(users->triggers);
}

/**
 * trace_event_buffer_wanted - does a user take records of an event now?
 * @call: the event
 *
 * Probes that have to work out the size of a record call this first.
 *
 * Context: any, NMI and idle included; preemption off.
 * Return: false if a record would not be taken.
 */
notrace bool trace_event_buffer_wanted(const struct trace_event_call *call)
{
	struct trace_event_users *users = rcu_dereference_raw(call->users);
	struct trace_event_file *file;

	if (unlikely(!users))
		return false;
	if (unlikely(READ_ONCE(users->many)))
		return event_users_take(users);
	file = READ_ONCE(users->file[0]);
	return event_file_takes(file);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_wanted);

/* Enter TRACE_RECURSION_EVENT. @count: preempt_count(). Return: the bit; negative: not allowed. */
static __always_inline int record_enter(unsigned int count)
{
	unsigned long held = READ_ONCE(current->trace_recursion);

	if (unlikely(held & BIT(TRACE_RECURSION_EVENT) || count & INTERRUPTS))
		return trace_recursion_enter(TRACE_RECURSION_EVENT);
	/* The same as trace_recursion_enter() in a task. */
	WRITE_ONCE(current->trace_recursion, held | BIT(TRACE_RECURSION_EVENT));
	barrier();
	return TRACE_RECURSION_EVENT;
}

/* Leave the group, and have the task's name saved when it leaves the CPU: it has recorded. */
static __always_inline void record_leave(const struct trace_event_buffer *record)
{
	unsigned long held;

	barrier();
	held = READ_ONCE(current->trace_recursion);
	WRITE_ONCE(current->trace_recursion,
		   (held & ~BIT(record->recursion)) | TRACE_TASK_RECORDED);
}

/* Begin the record in the buffer of an instance that takes it. */
static __always_inline void *record_begin(struct trace_event_buffer *record,
					  struct trace_event_file *file, unsigned int count)
{
	struct trace_entry *entry;

	entry = ring_buffer_fast_reserve(event_file_buffer(file), record->size, &record->claim);
	if (unlikely(!entry))
		return NULL;
	/* Do not count the preempt_disable() of the tracepoint. */
	record->context = trace_context(count - PREEMPT_DISABLE_OFFSET);
	trace_entry_init(entry, record->call->event.type, record->context);
	record->file = file;
	record->entry = entry;
	return entry;
}

/* Begin a record that one instance takes, whatever is in it. */
static noinline void *record_begin_one(struct trace_event_buffer *record, unsigned int size,
				       struct trace_event_file *file)
{
	unsigned int count = preempt_count();

	/* The places of data in a record are words of 16 bits. */
	if (unlikely(size > U16_MAX))
		return NULL;
	record->recursion = record_enter(count);
	if (unlikely(record->recursion < 0))
		return NULL;
	record->size = size;
	record->users = NULL;
	if (likely(record_begin(record, file, count)))
		return record->entry;
	trace_recursion_leave(record->recursion);
	return NULL;
}

/* Value of trace_event_buffer::taker: the record is in memory of its own. */
#define TAKER_ASIDE	UINT_MAX

/* Begin a record in memory of its own, without flags. Return NULL if there is no such memory. */
static __always_inline void *record_begin_aside(struct trace_event_buffer *record)
{
	struct trace_entry *entry = record->size <= TRACE_SCRATCH_SIZE ? trace_scratch_get() : NULL;

	if (unlikely(!entry))
		return NULL;
	record->taker = TAKER_ASIDE;
	record->file = NULL;
	entry->type = record->call->event.type;
	entry->pid = current->pid;
	return entry;
}

/* Complete a record that record_begin_aside() began. @count: preempt_count() */
static __always_inline void record_set_context(struct trace_event_buffer *record,
					       struct trace_entry *entry, unsigned int count)
{
	record->context = trace_context(count - PREEMPT_DISABLE_OFFSET);
	trace_entry_set_context(entry, record->context);
}

/* Begin a record in memory of its own, of which all users that take it get copies. */
static void *record_begin_copied(struct trace_event_buffer *record, unsigned int count)
{
	struct trace_entry *entry = record_begin_aside(record);

	if (entry)
		record_set_context(record, entry, count);
	return entry;
}

/* Begin the record for the first user that takes it. */
static void *record_begin_first(struct trace_event_buffer *record, unsigned int count)
{
	struct trace_event_users *users = record->users;
	unsigned int slot = event_users_next(users, 0);
	struct trace_event_file *file;
	void *entry;

	for (; slot < users->nr; slot = event_users_next(users, slot + 1)) {
		file = READ_ONCE(users->file[slot]);
		record->taker = slot;
		entry = file ? record_begin(record, file, count) : NULL;
		if (entry)
			return entry;
	}
	record->taker = users->nr;
	record->file = NULL;
	record->context = trace_context(count - PREEMPT_DISABLE_OFFSET);
	return READ_ONCE(users->perf) ? trace_event_perf_reserve(record) : NULL;
}

/* Begin a record that several users may take. */
static noinline void *record_begin_many(struct trace_event_buffer *record, unsigned int size,
					struct trace_event_users *users)
{
	unsigned int count = preempt_count();

	if (size > U16_MAX)
		return NULL;
	record->recursion = record_enter(count);
	if (record->recursion < 0)
		return NULL;
	record->size = size;
	record->users = users;
	record->regs = NULL;
	record->entry = NULL;
	if (READ_ONCE(users->triggers) && event_users_triggers(users))
		record->entry = record_begin_copied(record, count);
	if (!record->entry)
		record->entry = record_begin_first(record, count);
	if (record->entry)
		return record->entry;
	trace_recursion_leave(record->recursion);
	return NULL;
}

/*
 * Begin a record for an instance that looks at complete records: to take an event back from the
 * buffer costs more than to copy one there. record_commit_filtered() sets the flags.
 */
static noinline void *record_begin_filtered(struct trace_event_buffer *record, unsigned int size,
					    struct trace_event_users *users,
					    struct trace_event_file *file)
{
	record->recursion = record_enter(preempt_count());
	if (unlikely(record->recursion < 0))
		return NULL;
	record->size = size;
	record->users = users;
	record->entry = record_begin_aside(record);
	if (likely(record->entry)) {
		record->file = file;
		return record->entry;
	}
	trace_recursion_leave(record->recursion);
	return record_begin_many(record, size, users);
}

/* Begin a record of an event that one instance takes, which does not want all records. */
static noinline void *record_begin_asking(struct trace_event_buffer *record, unsigned int size,
					  struct trace_event_users *users,
					  struct trace_event_file *file)
{
	if (!event_file_takes_now(file))
		return NULL;
	if (READ_ONCE(file->flags) & EVENT_FILE_COMPLETE)
		return record_begin_filtered(record, size, users, file);
	return record_begin_one(record, size, file);
}

/**
 * trace_event_buffer_reserve - begin a record
 * @record: with its first members set
 * @size: bytes of the whole record
 *
 * A record of more than 65535 bytes is dropped, and so is one that TRACE_RECURSION_EVENT refuses.
 * Neither is counted.
 *
 * Context: any, NMI and idle included; preemption off.
 * Return: the record with its header filled in, to be completed and passed to
 * trace_event_buffer_commit(); NULL if no user takes it.
 */
notrace void *trace_event_buffer_reserve(struct trace_event_buffer *record, unsigned int size)
{
	struct trace_event_users *users = rcu_dereference_raw(record->call->users);
	struct trace_event_file *file;
	unsigned long flags;

	if (unlikely(!users))
		return NULL;
	if (unlikely(READ_ONCE(users->many)))
		return record_begin_many(record, size, users);
	file = READ_ONCE(users->file[0]);
	if (!event_file_is_recording(file))
		return NULL;
	flags = READ_ONCE(file->flags);
	if (likely(!flags))
		return record_begin_one(record, size, file);
	/* With set_event_pid, most calls return here. */
	if (flags == BIT(TRACE_EVENT_FILE_PID_FILTER) && !event_file_wants_current(file))
		return NULL;
	/* A filter that needs the record decides when it is complete. */
	if (flags == BIT(TRACE_EVENT_FILE_FILTER))
		return record_begin_filtered(record, size, users, file);
	return record_begin_asking(record, size, users, file);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_reserve);

static noinline void record_stacks(struct trace_array *tr,
				   const struct trace_event_buffer *record)
{
	if (trace_option(tr, TRACE_OPT_STACKTRACE))
		trace_record_stack_from(tr, record->context, record->ip, 0);
	if (trace_option(tr, TRACE_OPT_USERSTACKTRACE))
		trace_record_user_stack(tr, record->context);
}

/* Export and publish a complete record, and record the stacks that options request. */
static __always_inline void record_publish(const struct trace_event_buffer *record,
					   struct trace_array *tr, const void *entry,
					   const struct ring_buffer_claim *claim)
{
	trace_export(entry, record->size, TRACE_EXPORT_KIND_EVENT);
	ring_buffer_fast_commit(claim);
	if (unlikely(READ_ONCE(tr->options) & (BIT_ULL(TRACE_OPT_STACKTRACE) |
					       BIT_ULL(TRACE_OPT_USERSTACKTRACE))))
		record_stacks(tr, record);
}

/* Return false if the buffer has no space. */
static bool record_copy(const struct trace_event_buffer *record, struct trace_event_file *file)
{
	struct ring_buffer_claim claim;
	void *entry;

	entry = ring_buffer_fast_reserve(event_file_buffer(file), record->size, &claim);
	if (!entry)
		return false;
	memcpy(entry, record->entry, record->size);
	current->trace_recursion |= TRACE_TASK_RECORDED;
	record_publish(record, file->tr, entry, &claim);
	return true;
}

/* Run the triggers of an instance. Return those that have to act after the record is recorded. */
static unsigned long record_triggers(const struct trace_event_buffer *record,
				     struct trace_event_file *file)
{
	if (!(READ_ONCE(file->flags) & BIT(TRACE_EVENT_FILE_RECORD_TRIGGERS)) ||
	    !event_file_wants_task(file, record->entry))
		return 0;
	return trace_triggers_record(file, record);
}

/* Give a record to an instance that may not want it, and run its triggers. Is it taken? */
static noinline bool record_offer(const struct trace_event_buffer *record,
				  struct trace_event_file *file)
{
	unsigned long later = record_triggers(record, file);
	bool taken = event_file_is_recording(file) && event_file_takes_now(file) &&
		     event_file_takes_entry(file, record->entry) && record_copy(record, file);

	if (later)
		trace_triggers_after(file, record, later);
	return taken;
}

/* Give a record to an instance that has not made it. Is it taken? */
static bool record_give(const struct trace_event_buffer *record, struct trace_event_file *file)
{
	if (unlikely(READ_ONCE(file->flags)))
		return record_offer(record, file);
	return event_file_is_recording(file) && record_copy(record, file);
}

/*
 * Has an instance in a slot before the taker's counted the record as lost? record_begin_first() has
 * tried to reserve space in its buffer, and there was none. A second try would count it twice.
 */
static bool record_was_refused(const struct trace_event_buffer *record, unsigned int slot,
			       const struct trace_event_file *file)
{
	/* With TAKER_ASIDE, which is no slot, no buffer was tried. */
	if (slot >= record->taker || record->taker > record->users->nr)
		return false;
	return event_file_takes(file);
}

static void record_only_triggers(const struct trace_event_buffer *record,
				 struct trace_event_file *file)
{
	unsigned long later = record_triggers(record, file);

	if (later)
		trace_triggers_after(file, record, later);
}

/* Give the record to the other instances. Return true if one of them took it. */
static bool record_copies(struct trace_event_buffer *record)
{
	struct trace_event_users *users = record->users;
	struct trace_event_file *file;
	bool taken = false;
	unsigned int slot;

	for (slot = 0; slot < users->nr; slot++) {
		file = READ_ONCE(users->file[slot]);
		if (slot == record->taker || !file)
			continue;
		if (unlikely(record_was_refused(record, slot, file)))
			record_only_triggers(record, file);
		else
			taken |= record_give(record, file);
	}
	return taken;
}

static __always_inline void record_print(const struct trace_event_buffer *record)
{
	if (static_branch_unlikely(&trace_console_wanted))
		trace_event_console(record);
}

/* Publish a record in the buffer of the instance that had it made there. */
static __always_inline void record_commit(const struct trace_event_buffer *record)
{
	record_publish(record, record->file->tr, record->entry, &record->claim);
}

/*
 * Does the instance that a record was made for take it? If so, set its flags. This loads the filter
 * once, and so does not call event_file_takes_entry(): another filter might test flags that are not
 * set.
 */
static __always_inline bool record_passes(struct trace_event_buffer *record, unsigned int count)
{
	const struct trace_event_file *file = record->file;
	const struct event_filter *filter = rcu_dereference_raw(file->filter);
	unsigned long flags = READ_ONCE(file->flags);
	bool flagged = false;

	if (flags & BIT(TRACE_EVENT_FILE_TWO_PIDS) && !event_file_takes_tasks(file, record->entry))
		return false;
	if (flags & BIT(TRACE_EVENT_FILE_FILTER) && filter) {
		flagged = filter->reads_context;
		if (unlikely(flagged))
			record_set_context(record, record->entry, count);
		if (!trace_filter_allows(filter, record->entry))
			return false;
	}
	if (likely(!flagged))
		record_set_context(record, record->entry, count);
	return true;
}

/*
 * Give a record to the instance that it was made for, if that takes it. Most records are refused,
 * and few filters test the flags, so these are set late.
 */
static noinline void record_commit_filtered(struct trace_event_buffer *record)
{
	if (record_passes(record, preempt_count()) && record_copy(record, record->file))
		record_print(record);
	trace_scratch_put();
	trace_recursion_leave(record->recursion);
}

/* Publish a record, or take it back, in the buffer of an instance that may not want it. */
static noinline void record_commit_asking(struct trace_event_buffer *record, bool taken)
{
	struct trace_event_file *file = record->file;
	unsigned long later = record_triggers(record, file);

	/* A trigger may have switched it off just now. */
	if (!(READ_ONCE(file->flags) & BIT(TRACE_EVENT_FILE_SOFT_DISABLED)) &&
	    event_file_takes_entry(file, record->entry)) {
		record_print(record);
		record_commit(record);
	} else {
		if (taken)
			record_print(record);
		ring_buffer_fast_discard(event_file_buffer(file), record->entry, record->size);
	}
	if (later)
		trace_triggers_after(file, record, later);
}

/*
 * Publish a record that several users may take. If it is in perf's memory, the next event may use
 * that memory once the record is submitted, so it is printed before.
 */
static void record_give_all(struct trace_event_buffer *record)
{
	struct trace_event_file *file = record->file;
	bool taken = record_copies(record);

	if (!file && taken)
		record_print(record);
	if (record->regs || READ_ONCE(record->users->perf))
		trace_event_perf_submit(record);
	if (!file)
		return;
	current->trace_recursion |= TRACE_TASK_RECORDED;
	if (unlikely(READ_ONCE(file->flags))) {
		record_commit_asking(record, taken);
		return;
	}
	record_print(record);
	record_commit(record);
}

static noinline void record_commit_many(struct trace_event_buffer *record)
{
	record_give_all(record);
	if (record->taker == TAKER_ASIDE)
		trace_scratch_put();
	trace_recursion_leave(record->recursion);
}

/**
 * trace_event_buffer_commit - give a record to all that take it
 * @record: from trace_event_buffer_reserve(), complete
 *
 * Context: any, NMI and idle included; preemption off since trace_event_buffer_reserve().
 */
notrace void trace_event_buffer_commit(struct trace_event_buffer *record)
{
	if (unlikely(record->users)) {
		if (record->taker == TAKER_ASIDE && record->file)
			record_commit_filtered(record);
		else
			record_commit_many(record);
		return;
	}
	record_print(record);
	record_commit(record);
	record_leave(record);
}
EXPORT_SYMBOL_GPL(trace_event_buffer_commit);
