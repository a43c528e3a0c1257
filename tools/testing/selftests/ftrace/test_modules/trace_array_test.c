// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's interface to instances, trace_printk() and exports, for shell scripts. Writing a
 * command to the parameter "command" calls the function that the command names; reading "answer"
 * gives what the function returned.
 *
 *	get NAME		trace_array_get_by_name()
 *	put NAME		trace_array_put() of the instance that was got by that name
 *	forget NAME		drop the pointer, for an instance that was destroyed elsewhere
 *	destroy NAME		trace_array_destroy()
 *	init_printk NAME	trace_array_init_printk()
 *	printk NAME		trace_array_printk() of a number and a text
 *	event NAME		trace_array_set_clr_event() of an event that does not exist
 *	say			trace_printk() and trace_puts() in all forms
 *	export FLAGS		register_ftrace_export(); "exported" shows the exported entries
 *	unexport		unregister_ftrace_export()
 *
 * NAME "null" stands for a NULL pointer, except in "get".
 */
#include <linux/errno.h>
#include <linux/instruction_pointer.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/string.h>
#include <linux/trace.h>
#include <linux/trace_events.h>

#define MAX_INSTANCES	8
#define MAX_TYPES	20

struct known_instance {
	char			name[32];
	struct trace_array	*tr;
};

static struct known_instance known[MAX_INSTANCES];
static int answer;

static struct known_instance *find(const char *name)
{
	int i;

	for (i = 0; i < MAX_INSTANCES; i++) {
		if (!strcmp(known[i].name, name))
			return &known[i];
	}
	return NULL;
}

static int do_get(const char *name)
{
	struct trace_array *tr = trace_array_get_by_name(name, NULL);
	struct known_instance *slot = find(name) ?: find("");

	if (!tr || !slot)
		return -ENOMEM;
	strscpy(slot->name, name);
	slot->tr = tr;
	return 0;
}

static int do_put(struct trace_array *tr)
{
	trace_array_put(tr);
	return 0;
}

static int do_destroy(struct trace_array *tr)
{
	return trace_array_destroy(tr);
}

static int do_init_printk(struct trace_array *tr)
{
	return trace_array_init_printk(tr);
}

static noinline int do_printk(struct trace_array *tr)
{
	return trace_array_printk(tr, _THIS_IP_, "number %d, text %s\n", 42, "forty-two");
}

static int do_event(struct trace_array *tr)
{
	return trace_array_set_clr_event(tr, "no-such-system", "no_such_event", true);
}

static const struct {
	const char	*name;
	int		(*call)(struct trace_array *tr);
} calls[] = {
	{ "put",	 do_put },
	{ "destroy",	 do_destroy },
	{ "init_printk", do_init_printk },
	{ "printk",	 do_printk },
	{ "event",	 do_event },
};

static __printf(1, 2) noinline void say_args(const char *fmt, ...)
{
	va_list args;

	va_start(args, fmt);
	ftrace_vprintk(fmt, args);
	va_end(args);
}

static noinline void say_all(const char *text, const char *fmt)
{
	static const char constant[] = "a named constant\n";

	trace_printk("a constant\n");
	trace_printk("no newline");
	trace_printk("%s", "a string");
	trace_printk("number %d of %lu, %c, %5.3s|\n", -1, 2UL, 'c', "string");
	trace_printk("pointer to function %ps, null %p\n", say_all, NULL);
	trace_printk("%*d %-*d| %% %#x %08llx\n", 5, 1, 5, 2, 0xabc, 0xdefULL);
	trace_printk("a \"quoted\"\ttab and a \\ backslash %d\n", 1);
	__trace_printk(_THIS_IP_, fmt, 7);
	trace_puts("puts of a constant\n");
	trace_puts("puts without a newline");
	trace_puts(constant);
	trace_puts(text);
	trace_puts("");
	say_args("by va_list: %s %d\n", text, 1);
}

/*
 * Exports. A function that exports entries must not be traced.
 */
static unsigned int exported_nr[MAX_TYPES];
static unsigned int exported_size[MAX_TYPES];
static unsigned int exported_wrong;

static void notrace export_write(struct trace_export *export, const void *entry,
				 unsigned int size)
{
	const struct trace_entry *ent = entry;

	if (preemptible() || size < sizeof(*ent) || ent->type >= MAX_TYPES) {
		exported_wrong++;
		return;
	}
	exported_nr[ent->type]++;
	exported_size[ent->type] = size;
}

static struct trace_export export = {
	.write	= export_write,
};

static int do_export(const char *flags)
{
	int err = kstrtoint(flags, 0, &export.flags);

	if (err)
		return err;
	memset(exported_nr, 0, sizeof(exported_nr));
	exported_wrong = 0;
	return register_ftrace_export(&export);
}

static int exported_get(char *text, const struct kernel_param *kp)
{
	int i, len = 0;

	for (i = 0; i < MAX_TYPES; i++) {
		if (exported_nr[i])
			len += sysfs_emit_at(text, len, "type %d: %u, last of %u bytes\n", i,
					     exported_nr[i], exported_size[i]);
	}
	return len + sysfs_emit_at(text, len, "wrong: %u\n", exported_wrong);
}

static int call(const char *word, const char *name)
{
	struct known_instance *slot = find(name);
	int i;

	if (!strcmp(word, "get"))
		return do_get(name);
	if (!strcmp(word, "export"))
		return do_export(name);
	if (strcmp(name, "null") && !slot)
		return -ENXIO;
	if (!strcmp(word, "forget")) {
		*slot->name = '\0';
		return 0;
	}
	for (i = 0; i < ARRAY_SIZE(calls); i++) {
		if (!strcmp(word, calls[i].name))
			return calls[i].call(slot ? slot->tr : NULL);
	}
	return -ENXIO;
}

static int command_set(const char *text, const struct kernel_param *kp)
{
	char buffer[64], *name = buffer, *word;

	if (strscpy(buffer, text) < 0)
		return -E2BIG;
	name = strim(name);
	word = strsep(&name, " ");
	if (name)
		answer = call(word, name);
	else if (!strcmp(word, "unexport"))
		answer = unregister_ftrace_export(&export);
	else if (!strcmp(word, "say"))
		say_all("a variable\n", "a variable format %d\n");
	else
		return -EINVAL;
	return 0;
}

static const struct kernel_param_ops command_ops = { .set = command_set };
static const struct kernel_param_ops exported_ops = { .get = exported_get };

module_param_cb(command, &command_ops, NULL, 0200);
module_param_cb(exported, &exported_ops, NULL, 0400);
module_param(answer, int, 0400);

static int __init trace_array_test_init(void)
{
	return 0;
}
module_init(trace_array_test_init);

static void __exit trace_array_test_exit(void)
{
}
module_exit(trace_array_test_exit);

MODULE_DESCRIPTION("The kernel interface to trace instances, for tests");
MODULE_LICENSE("GPL");
