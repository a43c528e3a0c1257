// SPDX-License-Identifier: GPL-2.0
/*
 * A ring buffer of the module's own: which tasks have called a function, and when. Reading removes
 * the events.
 */
#include <linux/cpumask.h>
#include <linux/errno.h>
#include <linux/ftrace.h>
#include <linux/kallsyms.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/ring_buffer.h>
#include <linux/sched.h>
#include <linux/string.h>
#include <linux/sysfs.h>

static char function[KSYM_NAME_LEN] = "vfs_mkdir";
module_param_string(function, function, sizeof(function), 0400);

static struct trace_buffer *buffer;

/* The ring buffer is not traced. If it is full, new events replace the oldest. */
static void notrace note_call(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	int pid = current->pid;

	ring_buffer_write(buffer, sizeof(pid), &pid);
}

static struct ftrace_ops ops = {
	.func = note_call,
};

/* One CPU after the other: the reader has to sort events of several CPUs by time. */
static int calls_get(char *text, const struct kernel_param *unused)
{
	struct ring_buffer_event *event;
	unsigned long lost;
	int cpu, len = 0;
	u64 ns;

	for_each_possible_cpu(cpu) {
		while (len < PAGE_SIZE - 100 &&
		       (event = ring_buffer_consume(buffer, cpu, &ns, &lost)))
			len += sysfs_emit_at(text, len, "%d at %llu ns, %lu lost before\n",
					     *(int *)ring_buffer_event_data(event), ns, lost);
	}
	return len;
}

static const struct kernel_param_ops calls_ops = {
	.get = calls_get,
};
module_param_cb(calls, &calls_ops, NULL, 0400);

static int __init uses_buffer_init(void)
{
	int err;

	buffer = ring_buffer_alloc(16 * PAGE_SIZE, RB_FL_OVERWRITE);
	if (!buffer)
		return -ENOMEM;
	err = ftrace_set_filter(&ops, function, strlen(function), 1);
	err = err ?: register_ftrace_function(&ops);
	if (err) {
		ftrace_free_filter(&ops);
		ring_buffer_free(buffer);
	}
	return err;
}
module_init(uses_buffer_init);

static void __exit uses_buffer_exit(void)
{
	unregister_ftrace_function(&ops);
	ftrace_free_filter(&ops);
	ring_buffer_free(buffer);
}
module_exit(uses_buffer_exit);

MODULE_DESCRIPTION("Example of a ring buffer of a module's own");
MODULE_LICENSE("GPL");
