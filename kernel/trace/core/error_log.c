// SPDX-License-Identifier: GPL-2.0
/*
 * The file error_log: errors in text that user space wrote to control files that take more than
 * one word. An errno cannot tell which part of the text is wrong.
 *
 *	[   14.488229] trace_kprobe: error: Invalid probed address or symbol
 *	  Command: p:x/y no_such_function
 *	                 ^
 *
 * An instance keeps the latest errors, oldest first. Writing to the file clears it.
 */
#include <linux/cleanup.h>
#include <linux/fs.h>
#include <linux/math64.h>
#include <linux/mutex.h>
#include <linux/sched/clock.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>

#include "error_log.h"
#include "files.h"
#include "instance.h"
#include "internal.h"

#define COMMAND	"  Command: "

/* Protects the logs of all instances. Only locks of the memory allocator are taken inside of it. */
static DEFINE_MUTEX(errors_lock);

static char *error_text(const char *where, const char *text, const char *what,
			unsigned int pos)
{
	u32 nsec;
	u64 sec = div_u64_rem(local_clock(), NSEC_PER_SEC, &nsec);

	return kasprintf(GFP_KERNEL, "[%5llu.%06u] %s: error: %s\n" COMMAND "%s\n%*s\n",
			 sec, (u32)(nsec / NSEC_PER_USEC), where, what, text,
			 (int)strlen(COMMAND) + 1 + pos, "^");
}

/**
 * trace_log_error - add an error to error_log
 * @tr: the instance of the control file; NULL: the top instance
 * @where: one word: the parser that found the error
 * @text: the text that was written, without a newline
 * @what: the error
 * @pos: its position in @text, in bytes; after the end of @text if something is missing there
 *
 * If memory allocation fails, the error is lost.
 *
 * Context: may sleep; any lock of tracing may be held.
 */
void trace_log_error(struct trace_array *tr, const char *where, const char *text,
		     const char *what, unsigned int pos)
{
	struct trace_error_log *log;

	tr = tr ?: trace_top;
	/* There is no top instance in a kernel that is locked down. */
	if (!tr)
		return;

	char *error __free(kfree) = error_text(where, text, what, pos);

	guard(mutex)(&errors_lock);
	log = tr->error_log ?: kzalloc(sizeof(*log), GFP_KERNEL);
	tr->error_log = log;
	if (!error || !log)
		return;
	if (log->nr == TRACE_ERRORS_MAX) {
		kfree(log->errors[0]);
		log->nr--;
		memmove(log->errors, log->errors + 1, log->nr * sizeof(*log->errors));
	}
	log->errors[log->nr++] = no_free_ptr(error);
}

/**
 * trace_errors_free - free all errors of an instance
 * @tr: the instance
 *
 * Context: may sleep.
 */
void trace_errors_free(struct trace_array *tr)
{
	struct trace_error_log *log;
	unsigned int i;

	guard(mutex)(&errors_lock);
	log = tr->error_log;
	tr->error_log = NULL;
	for (i = 0; log && i < log->nr; i++)
		kfree(log->errors[i]);
	kfree(log);
}

static int errors_show(struct seq_file *m, struct trace_scope *scope)
{
	const struct trace_error_log *log;
	unsigned int i;

	guard(mutex)(&errors_lock);
	log = scope->tr->error_log;
	for (i = 0; log && i < log->nr; i++)
		seq_puts(m, log->errors[i]);
	return 0;
}

/* Opening with O_TRUNC clears the log. Text that is written afterwards is ignored. */
static int errors_open(struct inode *inode, struct file *file)
{
	int err = trace_control_open(inode, file);

	if (!err && (file->f_mode & FMODE_WRITE) && (file->f_flags & O_TRUNC))
		trace_errors_free(trace_file_scope(file)->tr);
	return err;
}

static struct trace_control errors_control = {
	.fops = {
		.open		= errors_open,
		.read		= seq_read,
		.write		= trace_write_ignored,
		.llseek		= trace_file_lseek,
		.release	= trace_control_release,
	},
	.show	= errors_show,
};

TRACE_FILES(error_log_files,
	{ "error_log", TRACE_MODE_WRITE, TRACE_FILE_INSTANCE, &errors_control.fops });
