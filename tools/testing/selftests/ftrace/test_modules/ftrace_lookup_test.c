// SPDX-License-Identifier: GPL-2.0
/*
 * ftrace_lookup_symbols() for shell scripts. Names that are written to the parameter "names",
 * separated by spaces, are looked up; the write fails if the function fails. Reading "names" gives
 * the symbols at the addresses that were found, one per line. "inside" says whether a call site is
 * at the start of its function, and has the error numbers of kprobes on the site and on the
 * instruction after it; "in_front" has those of kprobes on the two halves of the pointer in front
 * of the site.
 *
 * Functions that are not exported are looked up by name, too.
 */
#include <linux/array_size.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/kprobes.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>

/* Functions to be looked up: one that can be traced, and one that cannot. */
static __used int lookup_test_traced(int argument)
{
	return argument + 1;
}

static notrace __used int lookup_test_untraced(int argument)
{
	return argument + 2;
}

static typeof(ftrace_lookup_symbols) *lookup_symbols;
static unsigned long address[16];
static size_t found;

static int names_set(const char *text, const struct kernel_param *param)
{
	char *line __free(kfree) = kstrdup(text, GFP_KERNEL);
	const char *names[ARRAY_SIZE(address)];
	char *rest, *name;
	size_t nr = 0;
	int err;

	if (!line)
		return -ENOMEM;
	rest = strim(line);
	while (nr < ARRAY_SIZE(names) && (name = strsep(&rest, " ")))
		names[nr++] = name;
	err = lookup_symbols(names, nr, address);
	found = err ? 0 : nr;
	return err;
}

static int names_get(char *text, const struct kernel_param *param)
{
	int len = 0;
	size_t i;

	for (i = 0; i < found; i++)
		len += sysfs_emit_at(text, len, "%pS\n", (void *)address[i]);
	return len;
}

static const struct kernel_param_ops names_ops = {
	.set = names_set,
	.get = names_get,
};
module_param_cb(names, &names_ops, NULL, 0600);

static typeof(ftrace_location) *site_of;

static int probe_at(unsigned long addr)
{
	struct kprobe probe = {
		.addr = (kprobe_opcode_t *)addr,
		.flags = KPROBE_FLAG_DISABLED,
	};
	int err = register_kprobe(&probe);

	if (!err)
		unregister_kprobe(&probe);
	return err;
}

static int probed_function(unsigned long *function)
{
	const char *name = "vfs_rmdir";

	return lookup_symbols(&name, 1, function);
}

static int inside_get(char *text, const struct kernel_param *param)
{
	unsigned long function, site;
	int err = probed_function(&function);

	if (err)
		return err;
	site = site_of(function);
	return sysfs_emit(text, "%s %d %d\n", site == function ? "start" : "behind",
			  probe_at(site), probe_at(site + 4));
}

static const struct kernel_param_ops inside_ops = {
	.get = inside_get,
};
module_param_cb(inside, &inside_ops, NULL, 0400);

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS
static int in_front_get(char *text, const struct kernel_param *param)
{
	unsigned long function;
	int err = probed_function(&function);

	if (err)
		return err;
	return sysfs_emit(text, "%d %d\n", probe_at(function - 8), probe_at(function - 4));
}

static const struct kernel_param_ops in_front_ops = {
	.get = in_front_get,
};
module_param_cb(in_front, &in_front_ops, NULL, 0400);
#endif

/* The function is at the address of a kprobe on it, which is never hit. */
static void *lookup_function(const char *name)
{
	struct kprobe probe = {
		.symbol_name = name,
		.flags = KPROBE_FLAG_DISABLED,
	};
	int err = register_kprobe(&probe);

	if (err)
		return ERR_PTR(err);
	unregister_kprobe(&probe);
	return probe.addr;
}

static int __init ftrace_lookup_test_init(void)
{
	lookup_symbols = lookup_function("ftrace_lookup_symbols");
	if (IS_ERR(lookup_symbols))
		return PTR_ERR(lookup_symbols);
	site_of = lookup_function("ftrace_location");
	return PTR_ERR_OR_ZERO(site_of);
}
module_init(ftrace_lookup_test_init);

static void __exit ftrace_lookup_test_exit(void)
{
}
module_exit(ftrace_lookup_test_exit);

MODULE_DESCRIPTION("looking up functions by name, for shell scripts");
MODULE_LICENSE("GPL");
