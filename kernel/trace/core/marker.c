// SPDX-License-Identifier: GPL-2.0
/*
 * Writing into the trace from user space: trace_marker takes text, trace_marker_raw takes a number
 * and bytes that belong to it.
 *
 * The user's memory is copied straight into the record. A page fault would delay the end of the
 * record. So if the copy needs a page fault, the memory is first copied to a kernel buffer. While
 * markers have triggers, a marker is also made in a kernel buffer, as triggers look at its record:
 * struct trace_marker_ops.
 */
#include <linux/fs.h>
#include <linux/instruction_pointer.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include "files.h"
#include "instance.h"
#include "internal.h"
#include "marker.h"
#include "record.h"
#include "tracer.h"

/* The text that is recorded if the user's memory cannot be read. */
#define FAULTED		"<faulted>"
#define FAULTED_RAW	"\xff\xff\xff\xff" FAULTED	/* with the id */

/**
 * struct marker - a record to be made
 * @tr: the instance to record in
 * @context: from trace_context()
 * @type: enum trace_entry_number
 * @head: bytes of the record before the user's data
 * @room: bytes to reserve after the user's data
 * @ip: for text: the function that it is shown with
 * @faulted: the text to record if the user's memory cannot be read
 */
struct marker {
	struct trace_array	*tr;
	unsigned int		context;
	unsigned short		type;
	unsigned short		head;
	unsigned short		room;
	unsigned long		ip;
	const char		*faulted;
};

/* Make text end with a newline and a NUL. */
static void marker_finish(const struct marker *marker, void *record, size_t count)
{
	struct print_entry *entry = record;

	if (marker->type != TRACE_PRINT)
		return;
	entry->ip = marker->ip;
	if (!count || entry->buf[count - 1] != '\n')
		entry->buf[count++] = '\n';
	entry->buf[count] = '\0';
}

/*
 * Make the record from user memory, if it can be read without a fault; or from @copy, if that is
 * not NULL. Return 0; -EBADF if nothing is being recorded; -EFAULT.
 */
static int marker_record(const struct marker *marker, const char __user *ubuf,
			 const void *copy, size_t count)
{
	struct trace_array *tr = marker->tr;
	struct ring_buffer_event *event;
	size_t end;
	void *record;

	event = trace_reserve_event(tr, marker->type, marker->head + count + marker->room,
				    marker->context);
	if (!event)
		return -EBADF;
	record = ring_buffer_event_data(event);
	if (copy) {
		memcpy(record + marker->head, copy, count);
	} else if (copy_from_user_nofault(record + marker->head, ubuf, count)) {
		ring_buffer_discard_commit(tr->array_buffer.buffer, event);
		return -EFAULT;
	}
	/* Events are whole words, and readers see all of the last one: clear the rest of it. */
	end = marker->head + count;
	memset(record + end, 0, ring_buffer_event_length(event) - end);
	marker_finish(marker, record, count);
	if (marker->type == TRACE_PRINT)
		trace_export(record, ring_buffer_event_length(event), TRACE_EXPORT_KIND_MARKER);
	trace_commit(tr);
	return 0;
}

static struct marker marker_of_text(struct trace_array *tr, unsigned int context, unsigned long ip)
{
	return (struct marker){
		.tr		= tr,
		.context	= context,
		.type		= TRACE_PRINT,
		.head		= offsetof(struct print_entry, buf),
		.room		= sizeof("\n"),
		.ip		= ip,
		.faulted	= FAULTED,
	};
}

/**
 * trace_marker_record - record text as a marker
 * @tr: the instance to record in
 * @entry: its header, ip and text; a newline is added
 * @count: characters of the text
 *
 * Context: any.
 * Return: 0; -EBADF if nothing is being recorded.
 */
int trace_marker_record(struct trace_array *tr, const struct print_entry *entry, size_t count)
{
	unsigned int context = entry->ent.flags | entry->ent.preempt_count << 8;
	const struct marker marker = marker_of_text(tr, context, entry->ip);

	return marker_record(&marker, NULL, entry->buf, count);
}

/* NULL until the first trigger of markers was set. */
static const struct trace_marker_ops *marker_taker;

/**
 * trace_marker_set_ops - call the callbacks of a subsystem for each marker from now on
 * @ops: its callbacks; must never be freed
 *
 * Context: any.
 */
void trace_marker_set_ops(const struct trace_marker_ops *ops)
{
	WRITE_ONCE(marker_taker, ops);
}

/* Make the record in memory of its own, for triggers to look at. */
static int marker_give(const struct trace_marker_ops *ops, const struct marker *marker,
		       const char __user *ubuf, size_t count, unsigned long caller)
{
	/* All of it: filters may read as many characters as their pattern has. */
	struct print_entry *entry __free(kfree) = kmalloc(TRACE_MARKER_MAX, GFP_KERNEL);
	int fault = 0;

	if (!entry)
		return -ENOMEM;
	if (copy_from_user(entry->buf, ubuf, count)) {
		fault = -EFAULT;
		count = strlen(FAULTED);
		memcpy(entry->buf, FAULTED, count);
	}
	entry->buf[count] = '\0';
	trace_entry_init(&entry->ent, TRACE_PRINT, marker->context);
	entry->ip = marker->ip;
	return ops->take(marker->tr, entry, count, caller) ?: fault;
}

static int marker_write(const struct marker *marker, const char __user *ubuf, size_t count)
{
	int err = marker_record(marker, ubuf, NULL, count);

	if (err != -EFAULT)
		return err;

	void *copy __free(kvfree) = kvmalloc(count, GFP_KERNEL);

	if (!copy)
		return -ENOMEM;
	if (!copy_from_user(copy, ubuf, count))
		return marker_record(marker, NULL, copy, count);
	/* Show readers of the trace that something is missing here. */
	marker_record(marker, NULL, marker->faulted, strlen(marker->faulted));
	return -EFAULT;
}

/*
 * The write() of trace_marker. Readers of the trace see the name of this function before the text.
 */
static noinline ssize_t tracing_mark_write(struct file *file, const char __user *ubuf,
					   size_t count, loff_t *ppos)
{
	struct trace_array *tr = trace_file_scope(file)->tr;
	const struct marker marker = marker_of_text(tr, trace_context(preempt_count()), _THIS_IP_);
	const size_t max = TRACE_MARKER_MAX - marker.head - marker.room;
	const struct trace_marker_ops *ops = READ_ONCE(marker_taker);
	int err;

	if (!trace_option(tr, TRACE_OPT_MARKERS))
		return -EINVAL;
	/* If only a part fits into one record, the caller writes the rest again. */
	count = min(count, max);
	if (unlikely(ops) && ops->wants(tr))
		err = marker_give(ops, &marker, ubuf, count, _RET_IP_);
	else
		err = marker_write(&marker, ubuf, count);
	return err ?: count;
}

/* The write() of trace_marker_raw: an id, and any number of bytes. */
static ssize_t marker_raw_write(struct file *file, const char __user *ubuf, size_t count,
				loff_t *ppos)
{
	struct trace_array *tr = trace_file_scope(file)->tr;
	struct marker marker = {
		.tr		= tr,
		.context	= trace_context(preempt_count()),
		.type		= TRACE_RAW_DATA,
		.head		= offsetof(struct raw_data_entry, id),
		.faulted	= FAULTED_RAW,
	};
	const size_t max = TRACE_MARKER_MAX - sizeof(struct raw_data_entry);
	int err;

	if (!trace_option(tr, TRACE_OPT_MARKERS))
		return -EINVAL;
	/* A write in parts is not possible: only the first part would have the id. */
	if (count < sizeof_field(struct raw_data_entry, id) || count > max)
		return -EINVAL;
	err = marker_write(&marker, ubuf, count);
	return err ?: count;
}

static int marker_open(struct inode *inode, struct file *file)
{
	int err;

	stream_open(inode, file);
	err = trace_scope_open(inode, file);
	if (err || !(file->f_mode & FMODE_WRITE))
		return err;
	err = trace_array_use(trace_file_scope(file)->tr);
	if (err)
		trace_scope_release(inode, file);
	return err;
}

static const struct file_operations marker_fops = {
	.open		= marker_open,
	.write		= tracing_mark_write,
	.release	= trace_scope_release,
};

static const struct file_operations marker_raw_fops = {
	.open		= marker_open,
	.write		= marker_raw_write,
	.release	= trace_scope_release,
};

TRACE_FILES(marker_files,
	{ "trace_marker", 0220, TRACE_FILE_INSTANCE, &marker_fops },
	{ "trace_marker_raw", 0220, TRACE_FILE_INSTANCE, &marker_raw_fops });
