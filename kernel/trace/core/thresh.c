// SPDX-License-Identifier: GPL-2.0
/*
 * tracing_thresh: tracers that measure times record only longer ones, in all instances.
 */
#include <linux/init.h>
#include <linux/kstrtox.h>
#include <linux/seq_file.h>
#include <linux/time64.h>

#include "internal.h"

/* In ns; 0: whatever the tracer thinks best. */
unsigned long tracing_thresh __read_mostly;

static int __init thresh_setup(char *text)
{
	unsigned long us;

	if (kstrtoul(text, 0, &us))
		return 0;
	tracing_thresh = us * NSEC_PER_USEC;
	return 1;
}
__setup("tracing_thresh=", thresh_setup);

/* Tell the current tracers. If one cannot do with it, it goes on as it can. */
static int thresh_changed(void)
{
	struct trace_array *tr;
	int err = 0;

	guard(mutex)(&trace_registry_lock);
	list_for_each_entry(tr, &trace_arrays, list) {
		guard(mutex)(&tr->lock);
		if (trace_array_tracer(tr)->thresh)
			err = trace_array_tracer(tr)->thresh(tr) ?: err;
	}
	return err;
}

static int thresh_show(struct seq_file *m, struct trace_scope *scope)
{
	seq_printf(m, "%lu\n", READ_ONCE(tracing_thresh) / NSEC_PER_USEC);
	return 0;
}

static int thresh_store(struct trace_scope *scope, char *text)
{
	unsigned long us;
	int err = kstrtoul(text, 10, &us);

	if (err)
		return err;
	WRITE_ONCE(tracing_thresh, us * NSEC_PER_USEC);
	return thresh_changed();
}

static struct trace_control thresh_control = {
	.fops	= TRACE_CONTROL_FOPS,
	.show	= thresh_show,
	.store	= thresh_store,
};

static const struct trace_file rows[] = {
	{ "tracing_thresh", TRACE_MODE_WRITE, TRACE_FILE_TOP, &thresh_control.fops },
};

TRACE_FILES(rows);
