// SPDX-License-Identifier: GPL-2.0
/*
 * The file `trace_pipe_raw` of a CPU: sub-buffers in binary, for tools that know their format.
 * splice() moves whole sub-buffers into a pipe, and gives the ring an empty page for each; read()
 * copies; mmap() maps the ring itself.
 *
 * A read() may be shorter than a sub-buffer. The file then copies as many events as fit into the
 * size of that read() into a sub-buffer of its own, and later calls deliver the rest of it.
 *
 * If a task closes the file, or a duplicate of it, all tasks that share the file stop waiting:
 * tools stop their readers in this way.
 *
 * `snapshot_raw` is the same for the snapshot, which may be allocated and freed while the file is
 * open. Nothing is recorded into a snapshot: its readers wait for the next snapshot.
 */
#include <linux/err.h>
#include <linux/fs.h>
#include <linux/mm.h>
#include <linux/pipe_fs_i.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/splice.h>
#include <linux/uaccess.h>
#include <linux/wait.h>

#include "../core/instance.h"
#include "../core/snapshot.h"
#include "../core/tracer.h"
#include "internal.h"

/**
 * struct trace_raw - an open file of sub-buffers
 * @scope: scope of the file: one CPU of an instance
 * @snapshot: the file reads the snapshot
 * @array_buffer: the buffer; of a snapshot the latest one that was found, or NULL
 * @lock: serializes readers; not held while waiting
 * @spare: copy of a sub-buffer, which reads deliver in parts
 * @size: size of @spare, with its header
 * @read: number of bytes of @spare that were delivered
 * @wakes: number of requests to stop waiting
 * @closed: the file was closed; no reader waits any more
 */
struct trace_raw {
	struct trace_scope		*scope;
	bool				snapshot;
	struct array_buffer		*array_buffer;
	struct mutex			lock;	/* for array_buffer to read */
	struct buffer_data_read_page	*spare;
	unsigned int			size;
	unsigned int			read;
	unsigned int			wakes;
	bool				closed;
};

static struct trace_buffer *raw_buffer(const struct trace_raw *raw)
{
	return raw->array_buffer->buffer;
}

/* While the count is not 0, the tracer cannot be changed. */
static void count_reader(struct trace_array *tr, int change)
{
	guard(mutex)(&tr->lock);
	tr->pipes += change;
}

static int open_scope(struct trace_scope *scope, struct file *file, bool snapshot)
{
	struct trace_raw *raw __free(kfree) = kzalloc(sizeof(*raw), GFP_KERNEL);
	int err;

	if (!raw)
		return -ENOMEM;
	err = trace_scope_get(scope);
	if (err)
		return err;
	mutex_init(&raw->lock);
	raw->scope = scope;
	raw->snapshot = snapshot;
	if (!snapshot)
		raw->array_buffer = &scope->tr->array_buffer;
	count_reader(scope->tr, 1);
	file->private_data = no_free_ptr(raw);
	return 0;
}

static int raw_open(struct inode *inode, struct file *file)
{
	struct trace_scope *scope = inode->i_private;
	int err = open_scope(scope, file, false);

	if (err)
		return err;
	/* A mapped buffer cannot be expanded, so do it now. If that fails, it keeps its size. */
	trace_array_use(scope->tr);
	return nonseekable_open(inode, file);
}

static void free_spare(struct trace_raw *raw)
{
	if (raw->spare)
		ring_buffer_free_read_page(raw_buffer(raw), raw->scope->cpu, raw->spare);
	raw->spare = NULL;
	raw->size = 0;
	raw->read = 0;
}

static int raw_release(struct inode *inode, struct file *file)
{
	struct trace_raw *raw = file->private_data;

	free_spare(raw);
	if (raw->snapshot)
		trace_snapshot_put(raw->array_buffer);
	count_reader(raw->scope->tr, -1);
	trace_scope_put(raw->scope);
	kfree(raw);
	return 0;
}

static int snapshot_raw_open(struct inode *inode, struct file *file)
{
	struct trace_scope *scope = inode->i_private;
	int err = open_scope(scope, file, true);

	if (err)
		return err;
	/* No latency tracer can begin while the file is open. */
	if (trace_latency_active(scope->tr)) {
		raw_release(inode, file);
		return -EBUSY;
	}
	return nonseekable_open(inode, file);
}

/* Find the snapshot's buffer. Return: false if none is allocated. */
static bool raw_find_buffer(struct trace_raw *raw)
{
	struct array_buffer *now;

	if (!raw->snapshot)
		return true;
	now = trace_snapshot_get(raw->scope->tr);
	if (now == raw->array_buffer) {
		trace_snapshot_put(now);
		return now;
	}
	free_spare(raw);
	trace_snapshot_put(raw->array_buffer);
	raw->array_buffer = now;
	return now;
}

/*
 * Waiting
 */

/* State of the counters before a reader waits. */
struct raw_wait {
	struct trace_raw	*raw;
	unsigned int		wakes;
	int			snapshots;
};

/* Call this before looking for something to read. */
static struct raw_wait raw_wait_begin(struct trace_raw *raw)
{
	struct raw_wait wait = { raw, READ_ONCE(raw->wakes) };

	if (raw->snapshot)
		wait.snapshots = atomic_read_acquire(&raw->scope->tr->snapshots->taken);
	return wait;
}

static bool asked_to_stop(void *data)
{
	struct raw_wait *wait = data;

	return READ_ONCE(wait->raw->closed) || READ_ONCE(wait->raw->wakes) != wait->wakes;
}

static int snapshot_wait(struct raw_wait *wait)
{
	struct trace_snapshots *snapshots = wait->raw->scope->tr->snapshots;
	int ret;

	ret = wait_event_interruptible(snapshots->queue, asked_to_stop(wait) ||
				       atomic_read_acquire(&snapshots->taken) != wait->snapshots);
	/* Snapshots without anything to read may follow each other: so look for signals, too. */
	return !ret && !asked_to_stop(wait) && signal_pending(current) ? -ERESTARTSYS : ret;
}

static int raw_wait(struct raw_wait *wait, int full)
{
	struct trace_raw *raw = wait->raw;

	if (raw->snapshot)
		return snapshot_wait(wait);
	return ring_buffer_wait(raw_buffer(raw), raw->scope->cpu, full, asked_to_stop, wait);
}

static void raw_wake(struct trace_raw *raw)
{
	if (raw->snapshot)
		wake_up_all(&raw->scope->tr->snapshots->queue);
	else
		ring_buffer_wake_waiters(raw_buffer(raw), raw->scope->cpu);
}

static int raw_flush(struct file *file, fl_owner_t id)
{
	struct trace_raw *raw = file->private_data;

	WRITE_ONCE(raw->closed, true);
	raw_wake(raw);
	return 0;
}

static bool all_handed_out(const struct trace_raw *raw)
{
	return raw->read >= raw->size;
}

/* Is there anything left that was taken out of the buffer? */
static bool raw_has_rest(struct trace_raw *raw)
{
	guard(mutex)(&raw->lock);
	return !all_handed_out(raw);
}

static __poll_t raw_poll(struct file *file, poll_table *table)
{
	struct trace_raw *raw = file->private_data;
	struct trace_array *tr = raw->scope->tr;

	/* The option "block" makes reads block, so the file counts as readable. */
	if (raw->snapshot || trace_option(tr, TRACE_OPT_BLOCK) || raw_has_rest(raw))
		return EPOLLIN | EPOLLRDNORM;
	return ring_buffer_poll_wait(raw_buffer(raw), raw->scope->cpu, file, table,
				     READ_ONCE(tr->buffer_percent));
}

/*
 * read()
 */

/* Allocate the spare. The instance's lock keeps the size of sub-buffers from being changed. */
static int get_spare(struct trace_raw *raw)
{
	struct trace_buffer *buffer = raw_buffer(raw);
	struct buffer_data_read_page *spare;
	unsigned int size = ring_buffer_subbuf_size_get(buffer);

	if (raw->size == size)
		return 0;
	guard(mutex)(&raw->scope->tr->lock);
	free_spare(raw);
	size = ring_buffer_subbuf_size_get(buffer);
	spare = ring_buffer_alloc_read_page(buffer, raw->scope->cpu);
	if (IS_ERR(spare))
		return PTR_ERR(spare);
	raw->spare = spare;
	raw->size = size;
	raw->read = size;
	return 0;
}

/* Fill the spare. Return: 1; -ENODATA if there is nothing to read; or -errno. */
static int raw_fill(struct trace_raw *raw, size_t count)
{
	int err;

	if (!raw_find_buffer(raw))
		return -ENODATA;
	err = get_spare(raw);
	if (err)
		return err;
	err = ring_buffer_read_page(raw_buffer(raw), raw->spare, count, raw->scope->cpu, 0);
	if (err)
		return err == -E2BIG ? err : -ENODATA;
	raw->read = 0;
	return 1;
}

/* Fill the spare, and wait for entries if needed. Return: 1; 0 at the end, or if no event fits. */
static int raw_fill_wait(struct trace_raw *raw, size_t count, bool nonblock)
{
	struct raw_wait wait;
	int ret;

	while (all_handed_out(raw)) {
		wait = raw_wait_begin(raw);
		ret = raw_fill(raw, count);
		if (ret != -ENODATA)
			return ret == -E2BIG ? 0 : ret;
		if (READ_ONCE(raw->closed))
			return 0;
		if (nonblock)
			return -EAGAIN;
		mutex_unlock(&raw->lock);
		ret = raw_wait(&wait, 0);
		mutex_lock(&raw->lock);
		if (ret)
			return ret;
		cond_resched();
	}
	return 1;
}

static ssize_t raw_deliver(struct trace_raw *raw, char __user *ubuf, size_t count)
{
	size_t left;

	count = min_t(size_t, count, raw->size - raw->read);
	left = copy_to_user(ubuf, ring_buffer_read_page_data(raw->spare) + raw->read, count);
	if (left == count)
		return -EFAULT;
	raw->read += count - left;
	return count - left;
}

static ssize_t raw_read(struct file *file, char __user *ubuf, size_t count, loff_t *ppos)
{
	struct trace_raw *raw = file->private_data;
	ssize_t ret;

	if (!count)
		return 0;
	guard(mutex)(&raw->lock);
	ret = raw_fill_wait(raw, count, file->f_flags & O_NONBLOCK);
	if (ret <= 0)
		return ret;
	ret = raw_deliver(raw, ubuf, count);
	if (ret > 0)
		*ppos += ret;
	return ret;
}

/*
 * splice()
 */

/*
 * Take a sub-buffer that writers have left, if it has at most @len bytes. The size of sub-buffers
 * may have changed while the caller waited, so the size of its pages counts. Return: its pages,
 * with a reference for the caller; NULL if there is none; ERR_PTR(-ENOMEM).
 */
static struct page *take_subbuf(struct trace_raw *raw, size_t len)
{
	struct trace_buffer *buffer = raw_buffer(raw);
	int cpu = raw->scope->cpu;
	struct buffer_data_read_page *read = ring_buffer_alloc_read_page(buffer, cpu);
	struct page *page = NULL;
	size_t size;

	if (IS_ERR(read))
		return ERR_CAST(read);
	size = page_size(virt_to_page(ring_buffer_read_page_data(read)));
	if (size <= len && !ring_buffer_read_page(buffer, read, size, cpu, 1)) {
		page = virt_to_page(ring_buffer_read_page_data(read));
		/* ring_buffer_free_read_page() drops the other reference. */
		get_page(page);
	}
	ring_buffer_free_read_page(buffer, cpu, read);
	return page;
}

static void put_unused_page(struct splice_pipe_desc *spd, unsigned int i)
{
	put_page(spd->pages[i]);
}

/* Move sub-buffers into a pipe, @len bytes at most. Return: number of bytes, or -errno. */
static ssize_t splice_subbufs(struct trace_raw *raw, struct pipe_inode_info *pipe,
			      size_t len)
{
	struct page *pages[PIPE_DEF_BUFFERS], *page = NULL;
	struct partial_page parts[PIPE_DEF_BUFFERS];
	struct splice_pipe_desc spd = {
		.pages		= pages,
		.partial	= parts,
		.nr_pages_max	= PIPE_DEF_BUFFERS,
		.ops		= &nosteal_pipe_buf_ops,
		.spd_release	= put_unused_page,
	};
	ssize_t ret;

	if (splice_grow_spd(pipe, &spd))
		return -ENOMEM;
	for (; spd.nr_pages < spd.nr_pages_max && len; len -= page_size(page)) {
		page = take_subbuf(raw, len);
		if (IS_ERR_OR_NULL(page))
			break;
		spd.pages[spd.nr_pages] = page;
		spd.partial[spd.nr_pages++] = (struct partial_page) { .len = page_size(page) };
	}
	if (spd.nr_pages)
		ret = splice_to_pipe(pipe, &spd);
	else
		ret = PTR_ERR_OR_ZERO(page);
	splice_shrink_spd(&spd);
	return ret;
}

/* The same, but 0 for a snapshot that is not allocated. */
static ssize_t raw_splice(struct trace_raw *raw, struct pipe_inode_info *pipe, size_t len)
{
	guard(mutex)(&raw->lock);
	return raw_find_buffer(raw) ? splice_subbufs(raw, pipe, len) : 0;
}

static ssize_t raw_splice_read(struct file *file, loff_t *ppos, struct pipe_inode_info *pipe,
			       size_t len, unsigned int flags)
{
	struct trace_raw *raw = file->private_data;
	struct trace_array *tr = raw->scope->tr;
	size_t size = ring_buffer_subbuf_size_get(tr->array_buffer.buffer);
	bool nonblock = (file->f_flags & O_NONBLOCK) || (flags & SPLICE_F_NONBLOCK);
	struct raw_wait wait = raw_wait_begin(raw);
	ssize_t ret;

	/* Only whole sub-buffers can be moved. */
	if (*ppos & (size - 1) || len < size)
		return -EINVAL;

	ret = raw_splice(raw, pipe, len);
	if (!ret && !READ_ONCE(raw->closed)) {
		if (nonblock)
			return -EAGAIN;
		ret = raw_wait(&wait, READ_ONCE(tr->buffer_percent));
		if (!ret)
			ret = raw_splice(raw, pipe, len);
	}
	if (ret > 0)
		*ppos += ret;
	return ret;
}

/*
 * mmap() and ioctl()
 */

static int raw_map(struct trace_raw *raw, struct vm_area_struct *vma)
{
	struct trace_array *tr = raw->scope->tr;
	int err;

	/* For a mapping that is moved this cannot fail: it keeps exchangers out already. */
	if (!trace_mapping_begin(&tr->mapping))
		return -EBUSY;
	err = ring_buffer_map(raw_buffer(raw), raw->scope->cpu, vma);
	if (err)
		trace_mapping_end(&tr->mapping);
	return err;
}

/*
 * When a mapping is moved, there are two for a short time. Counting them fails only after an oops
 * inside of a reader: then the instance stays mapped.
 */
static void raw_map_open(struct vm_area_struct *vma)
{
	WARN_ON_ONCE(raw_map(vma->vm_file->private_data, NULL));
}

static void raw_map_close(struct vm_area_struct *vma)
{
	struct trace_raw *raw = vma->vm_file->private_data;

	if (!WARN_ON_ONCE(ring_buffer_unmap(raw_buffer(raw), raw->scope->cpu)))
		trace_mapping_end(&raw->scope->tr->mapping);
}

static int raw_map_may_split(struct vm_area_struct *vma, unsigned long addr)
{
	return -EINVAL;
}

static const struct vm_operations_struct raw_map_ops = {
	.open		= raw_map_open,
	.close		= raw_map_close,
	.may_split	= raw_map_may_split,
};

static int raw_mmap(struct file *file, struct vm_area_struct *vma)
{
	struct trace_raw *raw = file->private_data;
	int err;

	if (raw->snapshot)
		return -ENODEV;
	err = raw_map(raw, vma);
	if (!err)
		vma->vm_ops = &raw_map_ops;
	return err;
}

static long raw_get_reader(struct file *file, struct trace_raw *raw)
{
	int err;

	if (raw->snapshot)
		return -ENODEV;
	if (!(file->f_flags & O_NONBLOCK)) {
		err = ring_buffer_wait(raw_buffer(raw), raw->scope->cpu,
				       READ_ONCE(raw->scope->tr->buffer_percent), NULL, NULL);
		if (err)
			return err;
	}
	return ring_buffer_map_get_reader(raw_buffer(raw), raw->scope->cpu);
}

/* Command 0: all tasks that wait on this file stop waiting. */
static long raw_ioctl(struct file *file, unsigned int cmd, unsigned long arg)
{
	struct trace_raw *raw = file->private_data;

	if (cmd == TRACE_MMAP_IOCTL_GET_READER)
		return raw_get_reader(file, raw);
	if (cmd)
		return -ENOTTY;
	scoped_guard(mutex, &raw->lock)
		WRITE_ONCE(raw->wakes, raw->wakes + 1);
	raw_wake(raw);
	return 0;
}

#define RAW_FOPS(open_fn) {			\
	.open		= open_fn,		\
	.read		= raw_read,		\
	.splice_read	= raw_splice_read,	\
	.poll		= raw_poll,		\
	.flush		= raw_flush,		\
	.unlocked_ioctl	= raw_ioctl,		\
	.mmap		= raw_mmap,		\
	.release	= raw_release,		\
}

const struct file_operations trace_raw_fops = RAW_FOPS(raw_open);
const struct file_operations snapshot_raw_fops = RAW_FOPS(snapshot_raw_open);
