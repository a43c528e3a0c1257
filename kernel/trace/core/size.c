// SPDX-License-Identifier: GPL-2.0
/*
 * Sizes of buffers: buffer_size_kb, per CPU and for all, and buffer_total_size_kb; and free_buffer,
 * which gives the memory back when it is closed, also when the task that held it open was killed.
 *
 * An instance begins with a small buffer, so that a kernel that does not trace keeps its memory.
 * The buffer is expanded to its configured size when the instance is first used.
 */
#include <linux/fs.h>
#include <linux/init.h>
#include <linux/overflow.h>
#include <linux/seq_file.h>

#include "files.h"
#include "instance.h"
#include "internal.h"
#include "tracer.h"

#define SIZE_DEFAULT		1441792UL	/* 16384 records of 88 bytes */

unsigned long trace_buffer_size = SIZE_DEFAULT;

static unsigned long cpu_size(struct trace_array *tr, int cpu)
{
	return ring_buffer_size(tr->array_buffer.buffer, cpu);
}

/* If one of the two buffers cannot be changed, fail before the other one loses events. */
static int both_in_use(struct trace_array *tr, int cpu)
{
	struct trace_buffer *snapshot = trace_snapshot_buffer(tr);

	if (ring_buffer_in_use(tr->array_buffer.buffer, cpu) ||
	    (snapshot && ring_buffer_in_use(snapshot, cpu)))
		return -EBUSY;
	return 0;
}

/* Resize the buffer and the snapshot, if there is one. They always have the same size. */
static int resize_both(struct trace_array *tr, unsigned long size, int cpu)
{
	struct trace_buffer *snapshot = trace_snapshot_buffer(tr);
	int err;

	/* Buffers of different sizes cannot be exchanged: finish pending snapshots before. */
	trace_snapshot_settle(tr);
	err = both_in_use(tr, cpu);
	if (!err && snapshot)
		err = ring_buffer_resize(snapshot, size, cpu);
	if (!err)
		err = ring_buffer_resize(tr->array_buffer.buffer, size, cpu);
	if (err)
		trace_snapshot_fit(tr);
	return err;
}

/* Give all CPUs the same size. A buffer that is still to be changed must not be mapped. */
static int resize_all(struct trace_array *tr, unsigned long size)
{
	int err;

	if (!trace_exchange_begin(&tr->mapping))
		return -EBUSY;
	err = resize_both(tr, size, RING_BUFFER_ALL_CPUS);
	trace_exchange_end(&tr->mapping);
	return err;
}

/**
 * trace_array_expand - expand a buffer to its configured size
 * @tr: the instance
 *
 * Context: may sleep, tr->lock held.
 * Return: 0; -ENOMEM or -EBUSY, and then the size is as before; see ring_buffer_resize() for an
 * exception.
 */
int trace_array_expand(struct trace_array *tr)
{
	int err;

	lockdep_assert_held(&tr->lock);
	if (tr->array_buffer.expanded)
		return 0;
	err = resize_all(tr, tr->size);
	tr->array_buffer.expanded = !err;
	return err;
}

/**
 * trace_array_use - expand the buffer of an instance that is about to be used
 * @tr: the instance; the top one's buffer is not expanded here, as it is there for all
 *
 * Readers that do not consume, or that may map the buffer, call this, too: while they are there
 * the size cannot change, so a small buffer could not be expanded for recording.
 *
 * Context: may sleep.
 * Return: 0, or as trace_array_expand().
 */
int trace_array_use(struct trace_array *tr)
{
	guard(mutex)(&tr->lock);
	return tr->name ? trace_array_expand(tr) : 0;
}

static int trace_array_resize(struct trace_array *tr, unsigned long size, int cpu)
{
	bool all = cpu == RING_BUFFER_ALL_CPUS;
	int err;

	guard(mutex)(&tr->lock);
	/* A CPU that was never up gets the common size when it comes up. */
	if (!all && !cpu_size(tr, cpu))
		return 0;
	/*
	 * Expand the other CPUs of an instance first, or they stay at two sub-buffers. Those of the
	 * top instance do stay so, as in stock.
	 */
	err = !all && tr->name ? trace_array_expand(tr) : 0;
	if (!err)
		err = all ? resize_all(tr, size) : resize_both(tr, size, cpu);
	if (err)
		return err;
	if (all)
		tr->size = size;
	tr->array_buffer.expanded = true;
	return 0;
}

/* The size that all CPUs have, or 0 if they differ. A CPU that was never up does not count. */
static unsigned long common_size(struct trace_array *tr)
{
	unsigned long size, common = 0;
	int cpu;

	for_each_possible_cpu(cpu) {
		size = cpu_size(tr, cpu);
		if (size && common && size != common)
			return 0;
		common = size ?: common;
	}
	return common;
}

/* The size configured for all CPUs, or 0 if they were given sizes of their own since. */
static unsigned long asked_size(struct trace_array *tr)
{
	unsigned long slack = 2 * ring_buffer_subbuf_size_get(tr->array_buffer.buffer);
	unsigned long size = common_size(tr);

	if (!tr->array_buffer.expanded)
		return SIZE_BEFORE_USE;
	return size >= tr->size && size - tr->size < slack ? tr->size : 0;
}

static int set_order_of_both(struct trace_array *tr, int order)
{
	struct trace_buffer *snapshot = trace_snapshot_buffer(tr);
	unsigned long size = asked_size(tr);
	int err = 0;

	trace_snapshot_settle(tr);
	if (snapshot)
		err = ring_buffer_set_shape(snapshot, order, size);
	if (!err)
		err = ring_buffer_set_shape(tr->array_buffer.buffer, order, size);
	if (err)
		trace_snapshot_fit(tr);
	return err;
}

/**
 * trace_array_set_order - change the size of sub-buffers
 * @tr: the instance, whose buffer and snapshot are cleared
 * @order: binary logarithm of the size in pages
 *
 * The configured size is rounded up to whole sub-buffers again.
 *
 * Context: may sleep.
 * Return: 0; -EINVAL if sub-buffers would be too large; -EBUSY while there are readers; -ENOMEM.
 * After an error the buffer is as before, but the snapshot may be cleared; see
 * ring_buffer_set_shape() for an exception.
 */
int trace_array_set_order(struct trace_array *tr, int order)
{
	int err;

	guard(mutex)(&tr->lock);
	if (order == ring_buffer_subbuf_order_get(tr->array_buffer.buffer))
		return 0;
	if (!trace_exchange_begin(&tr->mapping))
		return -EBUSY;
	err = both_in_use(tr, RING_BUFFER_ALL_CPUS) ?: set_order_of_both(tr, order);
	trace_exchange_end(&tr->mapping);
	return err;
}

static void all_sizes_show(struct seq_file *m, struct trace_array *tr)
{
	unsigned long size = common_size(tr);

	if (!size)
		seq_puts(m, "X\n");
	else if (tr->array_buffer.expanded)
		seq_printf(m, "%lu\n", size >> 10);
	else
		seq_printf(m, "%lu (expanded: %lu)\n", size >> 10, tr->size >> 10);
}

static int size_show(struct seq_file *m, struct trace_scope *scope)
{
	guard(mutex)(&scope->tr->lock);
	if (scope->cpu == RING_BUFFER_ALL_CPUS)
		all_sizes_show(m, scope->tr);
	else
		seq_printf(m, "%lu\n", cpu_size(scope->tr, scope->cpu) >> 10);
	return 0;
}

static int size_store(struct trace_scope *scope, unsigned long kb)
{
	unsigned long size;

	if (!kb)
		return -EINVAL;
	if (check_mul_overflow(kb, 1024UL, &size))
		return -ENOMEM;
	return trace_array_resize(scope->tr, size, scope->cpu);
}

TRACE_CONTROL(size_control, .show = size_show, .store_number = size_store);

static int total_size_show(struct seq_file *m, struct trace_scope *scope)
{
	struct trace_array *tr = scope->tr;
	unsigned long size, total = 0, expanded = 0;
	int cpu;

	guard(mutex)(&tr->lock);
	for_each_possible_cpu(cpu) {
		size = cpu_size(tr, cpu) >> 10;
		total += size;
		expanded += size ? tr->size >> 10 : 0;
	}
	if (tr->array_buffer.expanded)
		seq_printf(m, "%lu\n", total);
	else
		seq_printf(m, "%lu (expanded: %lu)\n", total, expanded);
	return 0;
}

TRACE_CONTROL(total_size_control, .show = total_size_show);

/*
 * free_buffer: closing the file reduces the buffer to its initial size. The newest entries are
 * kept. If readers prevent a change of the size, all entries are kept. Text that is written to the
 * file is ignored.
 */
static ssize_t free_buffer_write(struct file *file, const char __user *ubuf, size_t count,
				 loff_t *ppos)
{
	*ppos += count;
	return count;
}

static int free_buffer_release(struct inode *inode, struct file *file)
{
	struct trace_array *tr = trace_file_scope(file)->tr;

	if (trace_option(tr, TRACE_OPT_DISABLE_ON_FREE)) {
		guard(mutex)(&tr->lock);
		trace_array_set_on(tr, false);
	}
	trace_array_resize(tr, SIZE_BEFORE_USE, RING_BUFFER_ALL_CPUS);
	return trace_scope_release(inode, file);
}

static const struct file_operations free_buffer_fops = {
	.open		= trace_scope_open,
	.write		= free_buffer_write,
	.release	= free_buffer_release,
};

static int __init buffer_size_setup(char *text)
{
	unsigned long size = memparse(text, NULL);

	/* A size of 0 is ignored; less than a page is of no use. */
	if (size)
		trace_buffer_size = max(size, PAGE_SIZE);
	return 1;
}
__setup("trace_buf_size=", buffer_size_setup);

TRACE_FILES(size_files,
	{ "buffer_size_kb", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &size_control.fops },
	{ "buffer_size_kb", TRACE_MODE_WRITE, TRACE_FILE_CPU, &size_control.fops },
	{ "buffer_total_size_kb", TRACE_MODE_READ, TRACE_FILE_INSTANCE,
	  &total_size_control.fops },
	{ "free_buffer", 0200, TRACE_FILE_INSTANCE, &free_buffer_fops });
