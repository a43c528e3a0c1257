// SPDX-License-Identifier: GPL-2.0
/*
 * tracing_thresh: tracers that measure times record only times that are longer, in all instances.
 */
#include <linux/init.h>
#include <linux/kstrtox.h>
#include <linux/seq_file.h>
#include <linux/time64.h>

#include "files.h"
#include "instance.h"
#include "internal.h"
#include "tracer.h"

unsigned long tracing_thresh __read_mostly;

/**
 * trace_parse_us - parse a number of microseconds
 * @text: the number
 * @base: its base, as for kstrtoul()
 * @ns: set to the number of nanoseconds, unless there is an error
 *
 * Context: any.
 * Return: 0; -EINVAL if @text is no number; -ERANGE if it is too large.
 */
int trace_parse_us(const char *text, unsigned int base, unsigned long *ns)
{
	unsigned long us;
	int err = kstrtoul(text, base, &us);

	if (err)
		return err;
	if (us > ULONG_MAX / NSEC_PER_USEC)
		return -ERANGE;
	*ns = us * NSEC_PER_USEC;
	return 0;
}

static int __init thresh_setup(char *text)
{
	return !trace_parse_us(text, 0, &tracing_thresh);
}
__setup("tracing_thresh=", thresh_setup);

/* Call thresh() of the current tracers. */
static void thresh_changed(void)
{
	struct trace_array *tr;

	guard(mutex)(&trace_registry_lock);
	list_for_each_entry(tr, &trace_arrays, list) {
		guard(mutex)(&tr->lock);
		if (trace_array_tracer(tr)->thresh)
			trace_array_tracer(tr)->thresh(tr);
	}
}

static int thresh_show(struct seq_file *m, struct trace_scope *scope)
{
	seq_printf(m, "%lu\n", READ_ONCE(tracing_thresh) / NSEC_PER_USEC);
	return 0;
}

static int thresh_store(struct trace_scope *scope, char *text)
{
	unsigned long ns;
	int err = trace_parse_us(text, 10, &ns);

	if (err)
		return err;
	WRITE_ONCE(tracing_thresh, ns);
	thresh_changed();
	return 0;
}

TRACE_CONTROL(thresh_control, .show = thresh_show, .store = thresh_store);

TRACE_FILES(thresh_files,
	{ "tracing_thresh", TRACE_MODE_WRITE, TRACE_FILE_TOP, &thresh_control.fops });
