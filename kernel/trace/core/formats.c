// SPDX-License-Identifier: GPL-2.0
/*
 * The strings that trace_printk() records by their address, and printk_formats, which lists them
 * for tools that read the buffer in binary.
 *
 * Strings of the kernel image are never freed. Strings of a module are freed with the module, and
 * without copies the trace could not be read any more. So they are copied when the module is
 * loaded, and its pointers are set to the copies. A module that is loaded again finds its copies.
 */
#include <linux/init.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string_helpers.h>

#include "files.h"
#include "instance.h"
#include "internal.h"
#include "saved_cmdlines.h"

/*
 * The kernel, or a module that is being loaded, uses trace_printk(). Remember the names of tasks,
 * and expand the buffer. As trace_printk() is only for debugging, tell the user about it.
 */
static void formats_are_used(void)
{
	static bool told;
	int err;

	if (!told) {
		told = true;
		pr_notice("tracing: trace_printk() is in use: this kernel is for debugging\n");
		trace_comm_record_start();
	}
	if (!trace_top)
		return;
	guard(mutex)(&trace_top->lock);
	err = trace_array_expand(trace_top);
	if (err)
		pr_warn("tracing: trace_printk() has no more room than before: error %d\n", err);
}

static void format_show(struct seq_file *m, const char *format)
{
	seq_printf(m, "0x%lx : \"", (unsigned long)format);
	seq_escape_str(m, format, ESCAPE_SPACE | ESCAPE_SPECIAL, "\n\t\"");
	seq_puts(m, "\"\n");
}

static void formats_show_range(struct seq_file *m, const char **first, const char **end)
{
	/* A format that is not constant has a NULL here. */
	for (; first < end; first++) {
		if (*first)
			format_show(m, *first);
	}
}

#ifdef CONFIG_MODULES

struct kept_format {
	struct list_head	list;
	char			text[];
};

static DEFINE_MUTEX(kept_lock);
static LIST_HEAD(kept_formats);

static const char *format_keep(const char *text)
{
	struct kept_format *kept;
	size_t size = strlen(text) + 1;

	list_for_each_entry(kept, &kept_formats, list) {
		if (!strcmp(kept->text, text))
			return kept->text;
	}
	kept = kmalloc(struct_size(kept, text, size), GFP_KERNEL);
	if (!kept)
		return NULL;
	memcpy(kept->text, text, size);
	list_add_tail(&kept->list, &kept_formats);
	return kept->text;
}

/*
 * Replace formats by copies. If memory allocation for a copy fails, the pointer becomes NULL, and
 * trace_printk() does not record this format.
 */
static void formats_keep(const char **first, const char **end)
{
	formats_are_used();
	guard(mutex)(&kept_lock);
	for (; first < end; first++) {
		if (*first)
			*first = format_keep(*first);
	}
}

static int formats_module_notify(struct notifier_block *self, unsigned long event,
				 void *data)
{
	struct module *mod = data;
	const char **first = mod->trace_bprintk_fmt_start;

	if (event == MODULE_STATE_COMING && mod->num_trace_bprintk_fmt)
		formats_keep(first, first + mod->num_trace_bprintk_fmt);
	return NOTIFY_OK;
}

static struct notifier_block formats_module_block = {
	.notifier_call	= formats_module_notify,
};

static void formats_watch_modules(void)
{
	register_module_notifier(&formats_module_block);
}

static void formats_show_kept(struct seq_file *m)
{
	struct kept_format *kept;

	guard(mutex)(&kept_lock);
	list_for_each_entry(kept, &kept_formats, list)
		format_show(m, kept->text);
}

#else

static void formats_watch_modules(void) { }
static void formats_show_kept(struct seq_file *m) { }

#endif /* CONFIG_MODULES */

static int formats_show(struct seq_file *m, struct trace_scope *scope)
{
	formats_show_range(m, __start___trace_bprintk_fmt, __stop___trace_bprintk_fmt);
	formats_show_range(m, __start___tracepoint_str, __stop___tracepoint_str);
	formats_show_kept(m);
	return 0;
}

TRACE_CONTROL(formats_control, .show = formats_show);

TRACE_FILES(formats_files,
	{ "printk_formats", TRACE_MODE_READ, TRACE_FILE_TOP, &formats_control.fops });

static int __init formats_init(void)
{
	if (&__start___trace_bprintk_fmt[0] != &__stop___trace_bprintk_fmt[0])
		formats_are_used();
	formats_watch_modules();
	return 0;
}
core_initcall(formats_init);
