// SPDX-License-Identifier: GPL-2.0
/*
 * Snapshots that the command line asks for. alloc_snapshot allocates memory, so that the kernel
 * can take a snapshot at any time. ftrace_boot_snapshot takes a snapshot when the kernel has
 * booted, before user space can overwrite what was recorded.
 *
 * Either word alone refers to the top instance; with "=" and names, separated by commas, to the
 * instances of these names.
 */
#include <linux/cache.h>
#include <linux/init.h>
#include <linux/instruction_pointer.h>
#include <linux/kernel.h>
#include <linux/string.h>

#include <asm/setup.h>

#include "instance.h"
#include "internal.h"

/**
 * struct boot_snapshot - one of the two parameters
 * @name: name of the parameter
 * @top: the parameter was given for the top instance
 * @instances: names of instances, each with a NUL, from all times the parameter was given
 * @len: length of @instances in bytes
 */
struct boot_snapshot {
	const char	*name;
	bool		top;
	char		instances[COMMAND_LINE_SIZE];
	size_t		len;
};

static struct boot_snapshot boot_alloc __initdata = { .name = "alloc_snapshot" };
static struct boot_snapshot boot_take __initdata = { .name = "ftrace_boot_snapshot" };

/* Return: 1; 0 if @text belongs to another parameter. */
static int __init boot_snapshot_parse(struct boot_snapshot *boot, const char *text)
{
	char *names = boot->instances + boot->len;

	if (*text && *text != '=')
		return 0;
	if (!*text) {
		boot->top = true;
	} else if (strscpy(names, text + 1, sizeof(boot->instances) - boot->len) < 0) {
		pr_warn("tracing: %s%s: no room for so many\n", boot->name, text);
	} else {
		strreplace(names, ',', '\0');
		boot->len += strlen(text);
	}
	return 1;
}

static int __init boot_alloc_setup(char *text)
{
	return boot_snapshot_parse(&boot_alloc, text);
}
__setup("alloc_snapshot", boot_alloc_setup);

static int __init boot_take_setup(char *text)
{
	return boot_snapshot_parse(&boot_take, text);
}
__setup("ftrace_boot_snapshot", boot_take_setup);

static int __init boot_snapshot_alloc(struct trace_array *tr)
{
	int err;

	guard(mutex)(&tr->lock);
	err = trace_array_expand(tr);
	return err ?: trace_snapshot_alloc(tr);
}

/* Readers of the trace see the name of this function before the text. */
static noinline int __init ftrace_boot_snapshot(struct trace_array *tr)
{
	int err;

	scoped_guard(mutex, &tr->lock)
		err = trace_snapshot_take(tr, RING_BUFFER_ALL_CPUS);
	if (err)
		return err;
	trace_array_say(tr, _THIS_IP_, "** Boot snapshot taken **\n");
	return 0;
}

static void __init boot_snapshot_apply(const struct boot_snapshot *boot,
				       int (*action)(struct trace_array *tr))
{
	const char *name = boot->instances, *end = name + boot->len;
	int err = boot->top ? action(trace_top) : 0;
	struct trace_array *tr;

	if (err)
		pr_warn("tracing: %s: error %d\n", boot->name, err);
	for (; name < end; name += strlen(name) + 1) {
		tr = trace_array_find(name);
		err = tr ? action(tr) : -ENODEV;
		if (*name && err)
			pr_warn("tracing: %s=%s: error %d\n", boot->name, name, err);
	}
}

/**
 * trace_snapshot_boot - allocate memory for the snapshots that the command line asks for
 *
 * Context: early boot, after the instances that the command line asks for were made.
 */
void __init trace_snapshot_boot(void)
{
	guard(mutex)(&trace_registry_lock);
	boot_snapshot_apply(&boot_alloc, boot_snapshot_alloc);
	boot_snapshot_apply(&boot_take, boot_snapshot_alloc);
}

static int __init boot_snapshot_take(void)
{
	if (!trace_top)
		return 0;
	guard(mutex)(&trace_registry_lock);
	boot_snapshot_apply(&boot_take, ftrace_boot_snapshot);
	return 0;
}
late_initcall_sync(boot_snapshot_take);
