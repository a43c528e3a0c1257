// SPDX-License-Identifier: GPL-2.0
/*
 * Files about a buffer, except its size: buffer_subbuf_size_kb, buffer_percent, timestamp_mode.
 */
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/sizes.h>

#include "files.h"
#include "instance.h"
#include "internal.h"

/*
 * buffer_subbuf_size_kb
 */

static int subbuf_size_show(struct seq_file *m, struct trace_scope *scope)
{
	struct trace_buffer *buffer = scope->tr->array_buffer.buffer;

	seq_printf(m, "%d\n", ring_buffer_subbuf_size_get(buffer) / SZ_1K);
	return 0;
}

static int subbuf_size_store(struct trace_scope *scope, unsigned long kb)
{
	/* The ring buffer has the last word; this only has to fit into an int. */
	if (!kb || kb > SZ_1M)
		return -EINVAL;
	return trace_array_set_order(scope->tr, get_order(kb * SZ_1K));
}

TRACE_CONTROL(subbuf_size_control, .show = subbuf_size_show, .store_number = subbuf_size_store);

/*
 * buffer_percent
 */

static int percent_show(struct seq_file *m, struct trace_scope *scope)
{
	seq_printf(m, "%u\n", READ_ONCE(scope->tr->buffer_percent));
	return 0;
}

static int percent_store(struct trace_scope *scope, unsigned long percent)
{
	if (percent > 100)
		return -EINVAL;
	WRITE_ONCE(scope->tr->buffer_percent, percent);
	return 0;
}

TRACE_CONTROL(percent_control, .show = percent_show, .store_number = percent_store);

/*
 * timestamp_mode
 */

static int timestamp_mode_show(struct seq_file *m, struct trace_scope *scope)
{
	bool abs = ring_buffer_time_stamp_abs(scope->tr->array_buffer.buffer);

	seq_puts(m, abs ? "delta [absolute]\n" : "[delta] absolute\n");
	return 0;
}

TRACE_CONTROL(timestamp_mode_control, .show = timestamp_mode_show);

TRACE_FILES(buffer_files,
	{ "buffer_subbuf_size_kb", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE,
	  &subbuf_size_control.fops },
	{ "buffer_percent", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &percent_control.fops },
	{ "timestamp_mode", TRACE_MODE_READ, TRACE_FILE_INSTANCE,
	  &timestamp_mode_control.fops });
