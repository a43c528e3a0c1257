// SPDX-License-Identifier: GPL-2.0
/*
 * Descriptions of sub-buffers and events, for the files events/header_page and
 * events/header_event. Tools parse them to read raw sub-buffers, so neither the text nor the
 * layout may change.
 */
#include <linux/trace_seq.h>

#include "internal.h"

static void rb_print_field(struct trace_seq *s, const char *field, size_t offset,
			   size_t size, bool is_signed)
{
	trace_seq_printf(s, "\tfield: %s;\toffset:%zu;\tsize:%zu;\tsigned:%d;\n",
			 field, offset, size, is_signed);
}

/**
 * ring_buffer_print_page_header - describe the sub-buffers of a buffer
 * @buffer: the buffer
 * @s: where to print
 *
 * Context: any, one user of @s at a time.
 * Return: 1, or 0 if the text did not fit.
 */
int ring_buffer_print_page_header(struct trace_buffer *buffer, struct trace_seq *s)
{
	size_t commit = offsetof(struct rb_page, commit);

	rb_print_field(s, "u64 timestamp", offsetof(struct rb_page, time_stamp),
		       sizeof(u64), is_signed_type(u64));
	rb_print_field(s, "local_t commit", commit, sizeof(local_t), is_signed_type(long));
	/* Tools expect this field. The flags that it had are now the high bits of commit. */
	rb_print_field(s, "int overwrite", commit, 1, is_signed_type(long));
	rb_print_field(s, "char data", offsetof(struct rb_page, data),
		       rb_data_size(buffer->order), is_signed_type(char));
	return !trace_seq_has_overflowed(s);
}

/**
 * ring_buffer_print_entry_header - describe the headers of events
 * @s: where to print
 *
 * Context: any, one user of @s at a time.
 * Return: 1, or 0 if the text did not fit.
 */
int ring_buffer_print_entry_header(struct trace_seq *s)
{
	trace_seq_puts(s, "# compressed entry header\n");
	trace_seq_puts(s, "\ttype_len    :    5 bits\n");
	trace_seq_puts(s, "\ttime_delta  :   27 bits\n");
	trace_seq_puts(s, "\tarray       :   32 bits\n\n");
	trace_seq_printf(s, "\tpadding     : type == %d\n", RINGBUF_TYPE_PADDING);
	trace_seq_printf(s, "\ttime_extend : type == %d\n", RINGBUF_TYPE_TIME_EXTEND);
	trace_seq_printf(s, "\ttime_stamp : type == %d\n", RINGBUF_TYPE_TIME_STAMP);
	trace_seq_printf(s, "\tdata max type_len  == %d\n", RINGBUF_TYPE_DATA_TYPE_LEN_MAX);
	return !trace_seq_has_overflowed(s);
}
