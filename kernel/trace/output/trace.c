// SPDX-License-Identifier: GPL-2.0
/*
 * The file `trace`, of an instance or of one CPU: prints the whole buffer as text, without
 * consuming it. Tracing may go on meanwhile. And the file `snapshot`, which prints the snapshot in
 * the same way.
 *
 * Position 0 of the seq_file is the header, position n is entry number n. Sequential reads go on at
 * the iterator's position; a seek back begins again with the first entry.
 */
#include <linux/fs.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>
#include <linux/slab.h>

#include "../core/files.h"
#include "../core/instance.h"
#include "../core/snapshot.h"
#include "../core/tracer.h"
#include "internal.h"

#define READER_BUFFER	SZ_64K

/**
 * struct trace_reader - an open `trace`
 * @iter: the iterator; first, as printers of headers find it in m->private
 * @scope: scope of the file
 * @pos: position in the file
 * @snapshot: the file reads a snapshot; the iterator's merge is NULL if none is allocated
 * @leftover: @iter.seq holds a line that did not fit into the seq_file's buffer
 * @paused: the instance does not record until the file is closed
 */
struct trace_reader {
	struct trace_iterator	iter;
	struct trace_scope	*scope;
	loff_t			pos;
	bool			snapshot;
	bool			leftover;
	bool			paused;
};

/* Step to the next position. Return: true if there is an entry. */
static bool reader_step(struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;

	if (iter->ent)
		trace_iter_advance(iter);
	reader->pos++;
	reader->leftover = false;
	return trace_iter_find(iter);
}

static struct tracer *shown_tracer(struct trace_array *tr)
{
	guard(mutex)(&tr->lock);
	return trace_array_tracer(tr);
}

/*
 * At the begin of a read, the current tracer gets to print. Latency tracers show another buffer: a
 * file that was opened before a latency tracer began, or while one ran, keeps its tracer.
 */
static void reader_follow_tracer(struct trace_iterator *iter)
{
	struct tracer *now = shown_tracer(iter->tr);

	if (now == iter->trace || now->latency || iter->trace->latency)
		return;
	if (iter->trace->close)
		iter->trace->close(iter);
	iter->trace = now;
	if (now->open)
		now->open(iter);
}

static void *reader_seek(struct trace_reader *reader, loff_t pos)
{
	struct trace_iterator *iter = &reader->iter;

	if (!iter->merge)
		return pos ? NULL : SEQ_START_TOKEN;
	if (pos < reader->pos || !pos) {
		trace_iter_rewind(iter);
		cpumask_clear(iter->merge->started);
		reader->pos = 0;
		reader->leftover = false;
	}
	if (!pos)
		return SEQ_START_TOKEN;
	while (reader->pos < pos) {
		if (!reader_step(reader))
			return NULL;
	}
	return trace_iter_find(iter) ? reader : NULL;
}

/* Keeps printers registered until trace_seq_stop(), which is called even if this returns NULL. */
static void *trace_seq_start(struct seq_file *m, loff_t *pos)
{
	struct trace_reader *reader = m->private;
	struct trace_iterator *iter = &reader->iter;
	bool busy = reader->snapshot && trace_latency_active(iter->tr);

	if (!busy && !*pos)
		reader_follow_tracer(iter);
	trace_event_read_lock();
	return busy ? ERR_PTR(-EBUSY) : reader_seek(reader, *pos);
}

static void *trace_seq_next(struct seq_file *m, void *v, loff_t *pos)
{
	struct trace_reader *reader = m->private;

	++*pos;
	if (!reader->iter.merge)
		return NULL;
	return reader_step(reader) ? reader : NULL;
}

static void trace_seq_stop(struct seq_file *m, void *v)
{
	trace_event_read_unlock();
}

/* Print the header; for a snapshot without entries, print how to take one. */
static void reader_print_header(struct seq_file *m, struct trace_reader *reader)
{
	struct trace_iterator *iter = &reader->iter;

	if (!reader->snapshot || (iter->merge && !trace_iter_empty(iter))) {
		trace_print_header(m);
		return;
	}
	trace_print_tracer(m);
	trace_snapshot_print_help(m, reader->scope);
}

static void reader_print_line(struct trace_iterator *iter)
{
	if (trace_print_line(iter) == TRACE_TYPE_PARTIAL_LINE)
		trace_cut_line(&iter->seq);
}

/* Print directly into the seq_file's buffer if the longest line fits: this saves a copy. */
static bool reader_print_in_place(struct seq_file *m, struct trace_iterator *iter)
{
	char *place;

	if (seq_get_buf(m, &place) < TRACE_SEQ_BUFFER_SIZE)
		return false;
	trace_seq_init(&iter->seq);
	seq_buf_init(&iter->seq.seq, place, TRACE_SEQ_BUFFER_SIZE);
	reader_print_line(iter);
	seq_commit(m, trace_seq_used(&iter->seq));
	return true;
}

static int trace_seq_show(struct seq_file *m, void *v)
{
	struct trace_reader *reader = m->private;
	struct trace_iterator *iter = &reader->iter;

	if (v == SEQ_START_TOKEN) {
		reader_print_header(m, reader);
		return 0;
	}
	if (!reader->leftover) {
		if (reader_print_in_place(m, iter))
			return 0;
		trace_seq_init(&iter->seq);
		reader_print_line(iter);
	}
	seq_write(m, iter->seq.buffer, trace_seq_used(&iter->seq));
	/* If it did not fit, seq_file requests this entry again, with a larger buffer. */
	reader->leftover = seq_has_overflowed(m);
	return 0;
}

static const struct seq_operations trace_seq_ops = {
	.start	= trace_seq_start,
	.next	= trace_seq_next,
	.stop	= trace_seq_stop,
	.show	= trace_seq_show,
};

/**
 * trace_iter_init - initialize an iterator for reading an instance
 * @iter: the iterator, all zero
 * @scope: scope of the file
 * @array_buffer: the buffer of the instance that is read
 *
 * Context: may sleep; takes the lock of the instance.
 */
void trace_iter_init(struct trace_iterator *iter, struct trace_scope *scope,
		     struct array_buffer *array_buffer)
{
	struct trace_array *tr = scope->tr;

	iter->tr = tr;
	iter->array_buffer = array_buffer;
	iter->cpu_file = scope->cpu;
	if (trace_option(tr, TRACE_OPT_LATENCY_FORMAT))
		iter->iter_flags |= TRACE_FILE_LAT_FMT;
	trace_seq_init(&iter->seq);
	iter->trace = shown_tracer(tr);
}

static int reader_init(struct trace_reader *reader, struct trace_scope *scope,
		       struct array_buffer *array_buffer, bool snapshot)
{
	struct trace_iterator *iter = &reader->iter;
	struct trace_array *tr = scope->tr;
	int err;

	reader->scope = scope;
	reader->snapshot = snapshot;
	trace_iter_init(iter, scope, array_buffer);
	if (array_buffer) {
		if (ring_buffer_overruns(array_buffer->buffer))
			iter->iter_flags |= TRACE_FILE_ANNOTATE;
		err = trace_merge_alloc(iter, false);
		if (err)
			return err;
	}
	if (iter->trace->open)
		iter->trace->open(iter);
	if (!reader->snapshot && trace_option(tr, TRACE_OPT_PAUSE_ON_TRACE)) {
		trace_array_stop(tr);
		reader->paused = true;
	}
	return 0;
}

static void reader_put(struct array_buffer *array_buffer, bool snapshot)
{
	if (snapshot)
		trace_snapshot_put(array_buffer);
	else
		trace_read_buffer_put(array_buffer);
}

/* Takes over the references to the file's scope and to @array_buffer, also if it fails. */
static int reader_open(struct inode *inode, struct file *file,
		       struct array_buffer *array_buffer, bool snapshot)
{
	struct trace_reader *reader = __seq_open_private(file, &trace_seq_ops, sizeof(*reader));
	struct seq_file *m = file->private_data;
	int ret = -ENOMEM;

	if (reader) {
		/* With a large buffer, one read() prints many lines: fewer calls, less work. */
		m->buf = kvmalloc(READER_BUFFER, GFP_KERNEL_ACCOUNT);
		m->size = m->buf ? READER_BUFFER : 0;
		ret = reader_init(reader, inode->i_private, array_buffer, snapshot);
		if (ret)
			seq_release_private(inode, file);
	}
	if (ret) {
		reader_put(array_buffer, snapshot);
		trace_scope_put(inode->i_private);
	}
	return ret;
}

static void reader_close(struct inode *inode, struct file *file)
{
	struct seq_file *m = file->private_data;
	struct trace_reader *reader = m->private;
	struct trace_iterator *iter = &reader->iter;

	if (reader->paused)
		trace_array_start(iter->tr);
	if (iter->trace->close)
		iter->trace->close(iter);
	trace_merge_free(iter);
	reader_put(iter->array_buffer, reader->snapshot);
	seq_release_private(inode, file);
}

/* Opening with O_TRUNC clears the buffer. */
static int trace_open(struct inode *inode, struct file *file)
{
	struct trace_scope *scope = inode->i_private;
	int err = trace_scope_get(scope);

	if (err)
		return err;
	if ((file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC))
		trace_read_buffer_reset(scope->tr, scope->cpu);
	if (!(file->f_mode & FMODE_READ))
		return 0;
	/* If the buffer cannot be expanded, it is read in its present size. */
	trace_array_use(scope->tr);
	return reader_open(inode, file, trace_read_buffer_get(scope->tr), false);
}

static int snapshot_open(struct inode *inode, struct file *file)
{
	struct trace_scope *scope = inode->i_private;
	int err = trace_scope_get(scope);

	if (err || !(file->f_mode & FMODE_READ))
		return err;
	return reader_open(inode, file, trace_snapshot_get(scope->tr), true);
}

static int trace_release(struct inode *inode, struct file *file)
{
	if (file->f_mode & FMODE_READ)
		reader_close(inode, file);
	trace_scope_put(inode->i_private);
	return 0;
}

#define READER_FOPS(open_fn, write_fn) {	\
	.open		= open_fn,		\
	.read		= seq_read,		\
	.read_iter	= seq_read_iter,	\
	.splice_read	= copy_splice_read,	\
	.write		= write_fn,		\
	.llseek		= trace_file_lseek,	\
	.release	= trace_release,	\
}

const struct file_operations trace_fops = READER_FOPS(trace_open, trace_write_ignored);
const struct file_operations snapshot_fops = READER_FOPS(snapshot_open, trace_snapshot_write);
