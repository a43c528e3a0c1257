// SPDX-License-Identifier: GPL-2.0
/*
 * The file `trace_pipe`, of an instance or of one CPU: prints each entry once, as text. Reading
 * consumes entries, and waits if there are none.
 *
 * An entry goes to one reader. So a CPU may be read through one open file at a time, its own or
 * that of the whole instance; opening another one fails with -EBUSY. Tasks that share an open file
 * share its lines. At the same time a task may take whole sub-buffers through `trace_pipe_raw`:
 * merge.c makes sure that no entry is read twice or lost.
 */
#include <linux/cleanup.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/poll.h>
#include <linux/sched/signal.h>
#include <linux/slab.h>
#include <linux/uio.h>

#include "../core/instance.h"
#include "../core/tracer.h"
#include "internal.h"

/**
 * struct trace_pipe - an open `trace_pipe`
 * @iter: the iterator, and text that was not delivered yet
 * @begun: an entry was read
 * @lock: protects @iter and @begun; not held while waiting for entries
 * @list: entry in open_pipes
 */
struct trace_pipe {
	struct trace_iterator	iter;
	bool			begun;
	struct mutex		lock;	/* for iter and begun */
	struct list_head	list;
};

static LIST_HEAD(open_pipes);
static DEFINE_MUTEX(open_pipes_lock);

static bool same_cpu(int a, int b)
{
	return a == b || a == RING_BUFFER_ALL_CPUS || b == RING_BUFFER_ALL_CPUS;
}

/* Become the only reader of these CPUs, and keep the tracer from being changed. */
static int pipe_claim(struct trace_pipe *pipe)
{
	struct trace_array *tr = pipe->iter.tr;
	struct trace_pipe *other;

	guard(mutex)(&open_pipes_lock);
	list_for_each_entry(other, &open_pipes, list) {
		if (other->iter.tr == tr && same_cpu(other->iter.cpu_file, pipe->iter.cpu_file))
			return -EBUSY;
	}
	list_add(&pipe->list, &open_pipes);

	guard(mutex)(&tr->lock);
	tr->pipes++;
	pipe->iter.trace = trace_array_tracer(tr);
	return 0;
}

static void pipe_unclaim(struct trace_pipe *pipe)
{
	guard(mutex)(&open_pipes_lock);
	list_del(&pipe->list);
	guard(mutex)(&pipe->iter.tr->lock);
	pipe->iter.tr->pipes--;
}

static void pipe_free(struct trace_pipe *pipe)
{
	if (!pipe)
		return;
	trace_merge_free(&pipe->iter);
	kvfree(pipe);
}

DEFINE_FREE(pipe, struct trace_pipe *, pipe_free(_T))

static int pipe_setup(struct trace_scope *scope, struct file *file)
{
	struct trace_pipe *pipe __free(pipe) = kvzalloc(sizeof(*pipe), GFP_KERNEL);
	int ret;

	if (!pipe)
		return -ENOMEM;
	mutex_init(&pipe->lock);
	trace_iter_init(&pipe->iter, scope, &scope->tr->array_buffer);
	ret = trace_merge_alloc(&pipe->iter, true) ?: pipe_claim(pipe);
	if (ret)
		return ret;
	if (pipe->iter.trace->open)
		pipe->iter.trace->open(&pipe->iter);
	file->private_data = no_free_ptr(pipe);
	return 0;
}

static int pipe_open(struct inode *inode, struct file *file)
{
	struct trace_scope *scope = inode->i_private;
	int ret;

	ret = trace_scope_get(scope);
	if (ret)
		return ret;
	ret = pipe_setup(scope, file);
	if (ret) {
		trace_scope_put(scope);
		return ret;
	}
	return nonseekable_open(inode, file);
}

static int pipe_release(struct inode *inode, struct file *file)
{
	struct trace_pipe *pipe = file->private_data;

	if (pipe->iter.trace->close)
		pipe->iter.trace->close(&pipe->iter);
	pipe_unclaim(pipe);
	pipe_free(pipe);
	trace_scope_put(inode->i_private);
	return 0;
}

static bool wait_for_entries_only(void *data)
{
	return false;
}

/* Wait for entries. Return: 1 if there are some, 0 at the end of the file, or -errno. */
static int pipe_wait(struct trace_pipe *pipe, bool nonblock)
{
	struct trace_iterator *iter = &pipe->iter;
	int ret;

	while (trace_iter_empty(iter)) {
		if (nonblock)
			return -EAGAIN;
		/*
		 * After an entry was read, a read while tracing is off returns the end of the file.
		 * A task that waits already keeps waiting: tracing may be switched on again.
		 */
		if (pipe->begun && !trace_array_is_on(iter->tr))
			return 0;
		mutex_unlock(&pipe->lock);
		ret = ring_buffer_wait(iter->array_buffer->buffer, iter->cpu_file, 0,
				       wait_for_entries_only, NULL);
		mutex_lock(&pipe->lock);
		if (ret)
			return ret;
		trace_iter_reload(iter);
	}
	return 1;
}

/* Cut back a line that did not fit. If seq was empty before, deliver its beginning. */
static void pipe_cut_line(struct trace_iterator *iter, size_t len)
{
	if (len) {
		iter->seq.full = 0;
		iter->seq.seq.len = len;
		return;
	}
	trace_cut_line(&iter->seq);
	trace_iter_advance(iter);
}

/* Print entries until there are @want bytes, no more lines fit, or no entries are left. */
static void pipe_fill(struct trace_iterator *iter, size_t want)
{
	trace_seq_init(&iter->seq);
	trace_event_read_lock();
	while (trace_seq_used(&iter->seq) < want && trace_iter_find(iter)) {
		size_t len = trace_seq_used(&iter->seq);

		if (trace_print_line(iter) == TRACE_TYPE_PARTIAL_LINE) {
			pipe_cut_line(iter, len);
			break;
		}
		trace_iter_advance(iter);
	}
	trace_event_read_unlock();
}

static bool pipe_all_delivered(struct trace_iterator *iter)
{
	return iter->seq.readpos >= trace_seq_used(&iter->seq);
}

static ssize_t pipe_deliver(struct trace_pipe *pipe, struct iov_iter *to)
{
	struct trace_seq *s = &pipe->iter.seq;
	size_t left = trace_seq_used(s) - s->readpos;
	size_t copied = copy_to_iter(s->buffer + s->readpos, left, to);

	s->readpos += copied;
	if (!copied)
		return -EFAULT;
	pipe->begun = true;
	return copied;
}

/* Deliver more lines while there are entries and the reader's buffer is not full. */
static ssize_t pipe_deliver_more(struct trace_pipe *pipe, struct iov_iter *to, ssize_t done)
{
	struct trace_iterator *iter = &pipe->iter;
	ssize_t ret;

	while (done > 0 && iov_iter_count(to) && !signal_pending(current)) {
		if (pipe_all_delivered(iter))
			pipe_fill(iter, iov_iter_count(to));
		if (pipe_all_delivered(iter))
			break;
		ret = pipe_deliver(pipe, to);
		if (ret < 0)
			break;
		done += ret;
		cond_resched();
	}
	return done;
}

static ssize_t pipe_read(struct kiocb *iocb, struct iov_iter *to)
{
	struct file *file = iocb->ki_filp;
	struct trace_pipe *pipe = file->private_data;
	struct trace_iterator *iter = &pipe->iter;
	bool nonblock = (file->f_flags & O_NONBLOCK) || (iocb->ki_flags & IOCB_NOWAIT);
	int ret;

	if (!iov_iter_count(to))
		return 0;

	guard(mutex)(&pipe->lock);
	/* The entry that was found last time may have been cleared or consumed. */
	trace_iter_reload(iter);
	while (pipe_all_delivered(iter)) {
		ret = pipe_wait(pipe, nonblock);
		if (ret <= 0)
			return ret;
		/* Another task that shares the file may have read, and left undelivered text. */
		if (pipe_all_delivered(iter))
			pipe_fill(iter, iov_iter_count(to));
	}
	return pipe_deliver_more(pipe, to, pipe_deliver(pipe, to));
}

/* Is there anything left that was taken out of the buffer? */
static bool pipe_has_rest(struct trace_pipe *pipe)
{
	guard(mutex)(&pipe->lock);
	return !pipe_all_delivered(&pipe->iter) || pipe->iter.merge->loaded;
}

static __poll_t pipe_poll(struct file *file, poll_table *table)
{
	struct trace_pipe *pipe = file->private_data;
	struct trace_iterator *iter = &pipe->iter;

	/* The option "block" makes reads block, so the file counts as readable. */
	if (trace_option(iter->tr, TRACE_OPT_BLOCK) || pipe_has_rest(pipe))
		return EPOLLIN | EPOLLRDNORM;
	return ring_buffer_poll_wait(iter->array_buffer->buffer, iter->cpu_file,
				     file, table, READ_ONCE(iter->tr->buffer_percent));
}

const struct file_operations trace_pipe_fops = {
	.open		= pipe_open,
	.read_iter	= pipe_read,
	.splice_read	= copy_splice_read,
	.poll		= pipe_poll,
	.release	= pipe_release,
};
