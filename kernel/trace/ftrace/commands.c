// SPDX-License-Identifier: GPL-2.0
/*
 * Function commands: a function does something besides being traced. User space writes
 * FUNC:COMMAND[:PARAMETERS][:COUNT] to set_ftrace_filter.
 *
 * Other files register commands here. Each FUNC:COMMAND that is written becomes a probe: an
 * ftrace_ops with the functions that match FUNC, the data that the command has made of PARAMETERS,
 * and, with COUNT, a count for each function. The kind of a probe is its command, instance and
 * parameters, and whether it has counts. Probes of the same kind have no function in common: if
 * FUNC matches a function that has a probe of the same kind, the function keeps the old probe.
 *
 * While a probe is registered, only its counts change, and the filter of its ops when functions
 * leave the probe. The counts of these functions stay unused.
 */
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/minmax.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "../lib/line.h"
#include "dispatch.h"
#include "filter.h"
#include "match.h"
#include "names.h"
#include "set.h"
#include "state.h"

/**
 * struct probe_count - remaining calls for which a function runs a command
 * @ip: address of the function's site
 * @left: number of calls; FTRACE_COMMAND_UNLIMITED: no limit
 */
struct probe_count {
	unsigned long ip;
	atomic_long_t left;
};

/**
 * struct probe_kind - the kind of a probe: a function has at most one probe of each kind
 * @command: the command
 * @tr: the instance to whose set_ftrace_filter it was written
 * @data: data that the command's parse() made of the parameters; each probe has its own
 * @counted: the probe has counts
 */
struct probe_kind {
	const struct ftrace_command *command;
	struct trace_array *tr;
	void *data;
	bool counted;
};

/**
 * struct ftrace_probe - a command for the functions that FUNC:COMMAND has named
 * @ops: its callback runs the command; its filter has the functions that were not removed
 * @list: entry in probes; probes of the same kind are neighbours
 * @kind: the command; the probe owns its data
 * @nr: number of counts; 0 if there is no limit
 * @count: the counts, ascending by address
 */
struct ftrace_probe {
	struct ftrace_ops ops;
	struct list_head list;
	struct probe_kind kind;
	unsigned long nr;
	struct probe_count count[] __counted_by(nr);
};

/* Commands are added at boot only. Changing the sites of probes takes both locks. */
static LIST_HEAD(command_list);
static LIST_HEAD(probes);
static DEFINE_MUTEX(probes_lock);	/* outside of trace_array::lock */

/**
 * ftrace_register_commands - register commands
 * @rows: table of commands, which is never freed
 * @nr: number of rows
 *
 * Context: process context, may sleep.
 */
void ftrace_register_commands(struct ftrace_command *rows, unsigned int nr)
{
	unsigned int i;

	guard(mutex)(&probes_lock);
	for (i = 0; i < nr; i++)
		list_add_tail(&rows[i].list, &command_list);
}

static const struct ftrace_command *find_command(struct trace_span name)
{
	const struct ftrace_command *command;

	list_for_each_entry(command, &command_list, list)
		if (trace_span_is(&name, command->name))
			return command;
	return NULL;
}

/*
 * Running commands: in the context in which the function is called
 */

static __always_inline bool count_below(const void *count, unsigned long i, unsigned long ip)
{
	return ((const struct probe_count *)count)[i].ip < ip;
}

static struct probe_count *find_count(struct ftrace_probe *p, unsigned long ip)
{
	unsigned long i = ftrace_search(p->count, 0, p->nr, ip, count_below);

	return i < p->nr && p->count[i].ip == ip ? p->count + i : NULL;
}

static bool count_down(struct probe_count *count)
{
	long left = atomic_long_read(&count->left);

	do {
		if (!left)
			return false;
		if (left == FTRACE_COMMAND_UNLIMITED)
			return true;
	} while (!atomic_long_try_cmpxchg(&count->left, &left, left - 1));
	return true;
}

static void probe_call(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		       struct ftrace_regs *fregs)
{
	struct ftrace_probe *p = container_of(ops, struct ftrace_probe, ops);
	const struct ftrace_command *command = p->kind.command;
	struct probe_count *count;
	int bit;

	bit = ftrace_test_recursion_trylock(ip, parent_ip);
	if (bit < 0)
		return;
	if (!command->useful || command->useful(p->kind.tr, p->kind.data)) {
		count = p->kind.counted ? find_count(p, ip) : NULL;
		if (!count || count_down(count))
			command->run(p->kind.tr, p->kind.data, parent_ip);
	}
	ftrace_test_recursion_unlock(bit);
}

/*
 * Adding and removing probes
 */

static bool is_kind(const struct ftrace_probe *p, const struct probe_kind *kind)
{
	const struct ftrace_command *command = kind->command;

	if (p->kind.command != command || p->kind.tr != kind->tr ||
	    p->kind.counted != kind->counted)
		return false;
	return command->same ? command->same(p->kind.data, kind->data) :
			       p->kind.data == kind->data;
}

static void free_data(const struct probe_kind *kind)
{
	if (kind->command->free)
		kind->command->free(kind->data);
}

static const struct ftrace_set *probe_set(const struct ftrace_probe *p)
{
	return p->ops.filter->only;
}

/* Free a probe that no function calls, but not its data. */
static void free_probe(struct ftrace_probe *p)
{
	ftrace_free_filter(&p->ops);
	kvfree(p);
}

static void end_command(const struct probe_kind *kind)
{
	if (kind->command->end)
		kind->command->end(kind->tr, kind->data);
}

/* Unregister and free probes that were taken out of the list. */
static void end_probes(struct list_head *gone)
{
	struct ftrace_probe *p, *next;

	list_for_each_entry_safe(p, next, gone, list) {
		unregister_ftrace_function(&p->ops);
		end_command(&p->kind);
		free_data(&p->kind);
		free_probe(p);
	}
}

/*
 * End the probes of an instance, and all that have no functions left, since modules were unloaded.
 * @tr may be NULL: no instance.
 */
static void end_probes_of(const struct trace_array *tr)
{
	struct ftrace_probe *p, *next;
	LIST_HEAD(gone);

	scoped_guard(mutex, &ftrace_lock)
		list_for_each_entry_safe(p, next, &probes, list)
			if (p->kind.tr == tr || !probe_set(p)->nr)
				list_move(&p->list, &gone);
	end_probes(&gone);
}

static void end_empty_later(struct work_struct *work)
{
	guard(mutex)(&probes_lock);
	end_probes_of(NULL);
}

static DECLARE_WORK(end_empty_work, end_empty_later);

/**
 * ftrace_end_empty_commands - end commands whose last function was unloaded with its module
 *
 * Context: process context, ftrace_lock held. A work ends the commands later, without the lock.
 */
void ftrace_end_empty_commands(void)
{
	struct ftrace_probe *p;

	list_for_each_entry(p, &probes, list) {
		if (!probe_set(p)->nr) {
			schedule_work(&end_empty_work);
			return;
		}
	}
}

/* Note an error about FUNC, with which the line begins. Return: @err */
static int fail_func(struct trace_line *line, int err, const char *what)
{
	return trace_line_fail(line, err, what, line->text + (*line->text == '!'));
}

/* Add the functions that @func names and that have no probe of this kind, sorted. */
static int match_new(struct ftrace_set_builder *b, const struct probe_kind *kind,
		     const char *func, struct trace_line *line)
{
	struct ftrace_set_builder had __free(ftrace_set_builder) = {};
	int err = ftrace_match_word(b, func);
	struct ftrace_probe *p;

	if (err == -EINVAL)
		fail_func(line, err, "Function not found");
	list_for_each_entry(p, &probes, list)
		if (!err && is_kind(p, kind))
			err = ftrace_set_builder_load(&had, probe_set(p));
	if (err)
		return err;
	ftrace_set_builder_sort(&had);
	ftrace_set_builder_remove(b, &had);
	return b->nr ? 0 : fail_func(line, -EINVAL, "Command already exists");
}

static struct ftrace_probe *new_probe(const struct probe_kind *kind, const char *func, long times,
				      struct trace_line *line)
{
	struct ftrace_set_builder b __free(ftrace_set_builder) = {};
	struct ftrace_probe *p;
	unsigned long i, nr;
	int err;

	guard(mutex)(&ftrace_lock);
	err = match_new(&b, kind, func, line);
	if (err)
		return ERR_PTR(err);
	nr = kind->counted ? b.nr : 0;
	p = kvzalloc(struct_size(p, count, nr), GFP_KERNEL);
	if (!p || ftrace_ops_change_set(&p->ops, FTRACE_FILTER, &b)) {
		kvfree(p);
		return ERR_PTR(-ENOMEM);
	}
	p->ops.func = probe_call;
	p->kind = *kind;
	p->nr = nr;
	for (i = 0; i < nr; i++) {
		p->count[i].ip = b.ip[i];
		atomic_long_set(&p->count[i].left, times);
	}
	return p;
}

/*
 * Where to insert a probe: before the other probes of its kind, or if there are none, before all.
 */
static struct list_head *probe_place(const struct probe_kind *kind)
{
	struct ftrace_probe *p;

	list_for_each_entry(p, &probes, list)
		if (is_kind(p, kind))
			return &p->list;
	return probes.next;
}

static void list_probe(struct ftrace_probe *new)
{
	guard(mutex)(&ftrace_lock);
	list_add_tail(&new->list, probe_place(&new->kind));
	/* The module of the probe's last function may have been unloaded since match_new(). */
	ftrace_end_empty_commands();
}

/* After an error, the data still belong to the caller. */
static int add_probe(const struct probe_kind *kind, const char *func, long times,
		     struct trace_line *line)
{
	struct ftrace_probe *p = new_probe(kind, func, times, line);
	int err = 0;

	if (IS_ERR(p))
		return PTR_ERR(p);
	if (kind->command->begin)
		err = kind->command->begin(kind->tr, kind->data);
	if (err)
		goto free;
	err = register_ftrace_function(&p->ops);
	if (err)
		goto end;
	list_probe(p);
	return 0;
end:
	end_command(kind);
free:
	free_probe(p);
	return err;
}

/* Remove functions from a probe. Return: 1 if the probe had any of them; 0 if not; -ENOMEM. */
static int leave_probe(struct ftrace_probe *p, const struct ftrace_set_builder *leave,
		       struct list_head *gone)
{
	struct ftrace_set_builder b __free(ftrace_set_builder) = {};
	int err = ftrace_set_builder_load(&b, probe_set(p));

	if (err)
		return err;
	ftrace_set_builder_remove(&b, leave);
	if (b.nr == probe_set(p)->nr)
		return 0;
	if (!b.nr)
		list_move(&p->list, gone);
	else
		err = ftrace_ops_change_set(&p->ops, FTRACE_FILTER, &b);
	return err ?: 1;
}

static int leave_probes(const struct probe_kind *kind, const char *func, struct list_head *gone)
{
	struct ftrace_set_builder leave __free(ftrace_set_builder) = {};
	struct ftrace_probe *p, *next;
	bool there = false, left = false;
	int ret = 0;

	guard(mutex)(&ftrace_lock);
	list_for_each_entry(p, &probes, list)
		there |= is_kind(p, kind);
	if (!there)
		return -ENODEV;
	ret = ftrace_match_word(&leave, *func ? func : "*");
	ftrace_set_builder_sort(&leave);
	list_for_each_entry_safe(p, next, &probes, list) {
		if (ret >= 0 && is_kind(p, kind)) {
			ret = leave_probe(p, &leave, gone);
			left |= ret > 0;
		}
	}
	return ret < 0 ? ret : left ? 0 : -EINVAL;
}

static void *parse_data(const struct probe_kind *kind, struct trace_line *line)
{
	void *data = kind->command->parse(kind->tr, line);

	if (IS_ERR(data) || !trace_line_take(line, ":") || !trace_line_ends(line))
		return data;
	if (kind->command->free)
		kind->command->free(data);
	return ERR_PTR(trace_line_fail(line, -EINVAL, "Missing count", line->rest));
}

/* COMMAND[:PARAMETERS]: find the command, and make its data. A count is left in the line. */
static int parse_kind(struct probe_kind *kind, struct trace_line *line)
{
	struct trace_span name = trace_line_until(line, ":");
	const struct ftrace_command *command = find_command(name);

	if (!command)
		return trace_line_fail(line, -EINVAL, "Unknown command", name.text);
	trace_line_take(line, ":");
	kind->command = command;
	kind->data = command->parse ? parse_data(kind, line) : NULL;
	if (IS_ERR(kind->data))
		return PTR_ERR(kind->data);
	kind->counted = command->times ? command->times > 0 : !trace_line_ends(line);
	return 0;
}

/* Parse COUNT[:ANYTHING]. Without a number, there is no limit. */
static int parse_times(const struct probe_kind *kind, struct trace_line *line, long *times)
{
	const char *at = line->rest;
	u64 value;
	int err;

	*times = kind->command->times ?: FTRACE_COMMAND_UNLIMITED;
	if (kind->command->times || *at == ':' || !*at)
		return 0;
	err = trace_line_number(line, &value);
	if (!err && *line->rest && *line->rest != ':')
		err = -EINVAL;
	if (err)
		return trace_line_fail(line, err == -ENOENT ? -EINVAL : err, "Invalid count", at);
	*times = value == U64_MAX ? FTRACE_COMMAND_UNLIMITED : min_t(u64, value, LONG_MAX);
	return 0;
}

/**
 * ftrace_add_command - add a command: FUNC:COMMAND[:PARAMETERS][:COUNT] was written
 * @tr: the instance to whose set_ftrace_filter it was written
 * @func: FUNC, as for ftrace_match_word()
 * @line: the rest is the text after "FUNC:". Empty text after the colon that follows a command
 *	without parameters is no count
 *
 * Context: process context, may sleep; ftrace_lock not held.
 * Return: 0; -EINVAL if there is no such command or function, or if each function has it already;
 * -EINVAL or -ERANGE for a bad count; -ENOMEM; or an error of register_ftrace_function(), or of the
 * command's parse() or begin(). If the text is at fault, @line has an error.
 */
int ftrace_add_command(struct trace_array *tr, const char *func, struct trace_line *line)
{
	struct probe_kind kind = { .tr = tr };
	long times;
	int err;

	guard(mutex)(&probes_lock);
	err = parse_kind(&kind, line);
	if (err)
		return err;
	end_probes_of(NULL);
	err = parse_times(&kind, line, &times) ?: add_probe(&kind, func, times, line);
	if (err)
		free_data(&kind);
	return err;
}

/**
 * ftrace_remove_command - remove a command: !FUNC:COMMAND[:PARAMETERS][:COUNT] was written
 * @tr: the instance to whose set_ftrace_filter it was written
 * @func: FUNC, as for ftrace_match_word(); empty: all functions
 * @line: the rest is the text after "FUNC:". With a count, remove commands that have any count;
 *	without a count, remove commands that have none
 *
 * Context: process context, may sleep; ftrace_lock not held.
 * Return: 0; -ENODEV if no function has this command; -EINVAL if only functions that do not match
 * @func have it, or if there is no such command; -ENOMEM, after which some of the functions may
 * have lost the command; or an error of the command's parse(). If the text is at fault, @line has
 * an error.
 */
int ftrace_remove_command(struct trace_array *tr, const char *func, struct trace_line *line)
{
	struct probe_kind kind = { .tr = tr };
	LIST_HEAD(gone);
	int err;

	guard(mutex)(&probes_lock);
	err = parse_kind(&kind, line);
	if (err)
		return err;
	end_probes_of(NULL);
	err = leave_probes(&kind, func, &gone);
	if (err == -EINVAL || err == -ENODEV)
		fail_func(line, err, "No such command of such a function");
	end_probes(&gone);
	free_data(&kind);
	return err;
}

/**
 * ftrace_end_commands - remove all commands of an instance
 * @tr: the instance, which is being removed; its set_ftrace_filter is not open
 *
 * Context: process context, may sleep. No command runs for the instance when this returns.
 */
void ftrace_end_commands(struct trace_array *tr)
{
	guard(mutex)(&probes_lock);
	end_probes_of(tr);
}

/*
 * Listing
 */

/**
 * ftrace_command_lines - count the lines of an instance's commands in set_ftrace_filter
 * @tr: the instance
 *
 * Context: process context, ftrace_lock held.
 * Return: number of lines: one for each function of each command.
 */
unsigned long ftrace_command_lines(const struct trace_array *tr)
{
	const struct ftrace_probe *p;
	unsigned long nr = 0;

	list_for_each_entry(p, &probes, list)
		if (p->kind.tr == tr)
			nr += probe_set(p)->nr;
	return nr;
}

/* The probe of line @nr; @nr becomes the number of the function in it. */
static struct ftrace_probe *find_line(const struct trace_array *tr, unsigned long *nr)
{
	struct ftrace_probe *p;

	list_for_each_entry(p, &probes, list) {
		if (p->kind.tr != tr)
			continue;
		if (*nr < probe_set(p)->nr)
			return p;
		*nr -= probe_set(p)->nr;
	}
	return NULL;
}

/**
 * ftrace_show_command - print one line of an instance's commands
 * @m: output
 * @names: as for ftrace_name()
 * @tr: the instance
 * @nr: number of the line, from 0, less than ftrace_command_lines()
 *
 * Context: process context, ftrace_lock held.
 */
void ftrace_show_command(struct seq_file *m, struct ftrace_names *names,
			 const struct trace_array *tr, unsigned long nr)
{
	struct ftrace_probe *p = find_line(tr, &nr);
	const struct ftrace_command *command = p->kind.command;
	unsigned long ip = probe_set(p)->ip[nr];
	const struct probe_count *count;

	ftrace_show_site(m, names, ip);
	seq_printf(m, ":%s:", command->name);
	if (command->show) {
		command->show(m, p->kind.data);
		seq_putc(m, ':');
	}
	count = p->kind.counted ? find_count(p, ip) : NULL;
	if (count)
		seq_printf(m, "count=%ld\n", atomic_long_read(&count->left));
	else
		seq_puts(m, "unlimited\n");
}

/**
 * ftrace_show_command_names - print the names of all commands
 * @m: output: "NAME, NAME:PARAMETERS", in the order in which they were registered
 *
 * Context: process context, may sleep.
 */
void ftrace_show_command_names(struct seq_file *m)
{
	const struct ftrace_command *command;
	const char *between = "";

	guard(mutex)(&probes_lock);
	list_for_each_entry(command, &command_list, list) {
		seq_printf(m, "%s%s", between, command->name);
		if (command->parameters)
			seq_printf(m, ":%s", command->parameters);
		between = ", ";
	}
}
