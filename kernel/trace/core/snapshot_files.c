// SPDX-License-Identifier: GPL-2.0
/*
 * Writing to the files "snapshot" and per_cpu/cpuN/snapshot. output/ makes them readable.
 */
#include <linux/cleanup.h>
#include <linux/fs.h>
#include <linux/kstrtox.h>
#include <linux/mutex.h>
#include <linux/ring_buffer.h>
#include <linux/seq_file.h>
#include <linux/trace.h>

#include "instance.h"
#include "internal.h"
#include "snapshot.h"

static const char help_all[] =
	"# echo 0 > snapshot : Clears and frees snapshot buffer\n"
	"# echo 1 > snapshot : Allocates snapshot buffer, if not already allocated.\n"
	"#                      Takes a snapshot of the main buffer.\n"
	"# echo 2 > snapshot : Clears snapshot buffer (but does not allocate or free)\n";

static const char help_cpu[] =
	"# echo 0 > snapshot : Invalid for per_cpu snapshot file.\n"
	"# echo 1 > snapshot : Allocates snapshot buffer, if not already allocated.\n"
	"#                      Takes a snapshot of the main buffer for this cpu.\n"
	"# echo 2 > snapshot : Clears this cpu's snapshot buffer (but does not allocate)\n";

/**
 * trace_snapshot_print_help - print the text that an empty snapshot shows
 * @m: output
 * @scope: scope of the file
 *
 * Context: any, one user of @m at a time.
 */
void trace_snapshot_print_help(struct seq_file *m, const struct trace_scope *scope)
{
	bool allocated = READ_ONCE(scope->tr->snapshots->memory);

	seq_printf(m, "#\n# * Snapshot is %s *\n#\n# Snapshot commands:\n",
		   allocated ? "allocated" : "freed");
	seq_puts(m, scope->cpu == RING_BUFFER_ALL_CPUS ? help_all : help_cpu);
	seq_puts(m, "#                      (Doesn't have to be '2' works with any number that\n"
		    "#                       is not a '0' or '1')\n");
}

static int snapshot_clear(struct trace_array *tr, int cpu)
{
	struct trace_buffer *buffer = trace_snapshot_buffer(tr);

	if (!buffer)
		return 0;
	/* Make pending exchanges now: later they would put entries into the cleared snapshot. */
	trace_snapshot_settle(tr);
	if (cpu == RING_BUFFER_ALL_CPUS)
		ring_buffer_reset(buffer);
	else
		ring_buffer_reset_cpu(buffer, cpu);
	return 0;
}

static int snapshot_command(struct trace_scope *scope, unsigned long command)
{
	struct trace_array *tr = scope->tr;
	int err;

	guard(mutex)(&tr->lock);
	if (trace_latency_active(tr) || trace_snapshot_has_cond(tr))
		return -EBUSY;
	err = trace_array_expand(tr);
	if (err)
		return err;
	if (command > 1)
		return snapshot_clear(tr, scope->cpu);
	if (command == 1)
		return trace_snapshot_take(tr, scope->cpu);
	if (scope->cpu != RING_BUFFER_ALL_CPUS)
		return -EINVAL;
	trace_snapshot_free(tr);
	return 0;
}

/**
 * trace_snapshot_write - write() of snapshot
 * @file: the file, whose i_private is a struct trace_scope
 * @ubuf: a number: 0 frees the memory, 1 takes a snapshot, any other number clears the snapshot
 * @count: length of the text
 * @ppos: file position
 *
 * Context: process context, may sleep.
 * Return: @count; -EFAULT; -EINVAL or -ERANGE if the text is no number; -EINVAL for 0 in the file
 * of one CPU; -EBUSY while a latency tracer runs or snapshots have a condition; or an error of
 * trace_snapshot_take().
 */
ssize_t trace_snapshot_write(struct file *file, const char __user *ubuf, size_t count,
			     loff_t *ppos)
{
	unsigned long command;
	int err;

	err = kstrtoul_from_user(ubuf, count, 10, &command);
	if (err)
		return err;
	err = snapshot_command(trace_file_scope(file), command);
	if (err)
		return err;
	*ppos += count;
	return count;
}
