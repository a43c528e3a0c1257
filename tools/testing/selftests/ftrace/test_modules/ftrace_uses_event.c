// SPDX-License-Identifier: GPL-2.0
/*
 * Example of trace events: writing a number to the parameter "job" does a job of so many steps.
 */
#include <linux/array_size.h>
#include <linux/errno.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/moduleparam.h>

#define CREATE_TRACE_POINTS
#include "ftrace_uses_event.h"

static int job_set(const char *text, const struct kernel_param *unused)
{
	static const char name[] = "job";
	unsigned int nr, i;
	u32 steps[8] = {};
	int err = kstrtouint(text, 0, &nr);

	if (err)
		return err;
	if (nr > ARRAY_SIZE(steps))
		return -EINVAL;
	trace_job_begin(name, nr > ARRAY_SIZE(steps) / 2 ? JOB_LARGE : JOB_SMALL);
	/* Do the work that only the event needs only while the event is on. */
	if (trace_job_end_enabled()) {
		for (i = 0; i < nr; i++)
			steps[i] = i * i;
		trace_job_end(name, steps, nr);
	}
	trace_job_idle(name, steps, nr);
	return 0;
}

static const struct kernel_param_ops job_ops = {
	.set = job_set,
};

module_param_cb(job, &job_ops, NULL, 0200);

MODULE_DESCRIPTION("Example of trace events of a module's own");
MODULE_LICENSE("GPL");
