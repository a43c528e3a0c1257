// SPDX-License-Identifier: GPL-2.0
/*
 * Function commands: what a function is made to do besides being traced, as written
 * to set_ftrace_filter: FUNC:COMMAND[:COUNT].
 *
 * Which commands there are is not known here: they are registered. A word that is
 * written becomes a probe: an ftrace_ops with the functions that it names, and a
 * count for each of them if there is a limit. A function has at most one probe
 * for the same command with a count, and one without, so words that name it again
 * leave it alone.
 *
 * Nothing in a probe changes while it is registered, apart from the counts and, when
 * functions leave it, the filter of its ops: these keep their counts, which nobody
 * looks at any more.
 */
#include <linux/atomic.h>
#include <linux/ftrace.h>
#include <linux/kstrtox.h>
#include <linux/mm.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/workqueue.h>

#include "dispatch.h"
#include "filter.h"
#include "match.h"
#include "names.h"
#include "set.h"
#include "state.h"

/**
 * struct probe_count - how often a command is still to be carried out for a function
 * @ip: its site
 * @left: that; FTRACE_COMMAND_UNLIMITED: without end
 */
struct probe_count {
	unsigned long ip;
	atomic_long_t left;
};

/**
 * struct ftrace_probe - a command, for the functions that a word named
 * @ops: called by them; its filter says which are left
 * @list: in probes; those for the same command stay together
 * @command: what to do
 * @tr: the instance whose set_ftrace_filter it was
 * @counted: there are counts
 * @nr: how many
 * @count: they, ascending by address
 */
struct ftrace_probe {
	struct ftrace_ops ops;
	struct list_head list;
	const struct ftrace_command *command;
	struct trace_array *tr;
	bool counted;
	unsigned long nr;
	struct probe_count count[] __counted_by(nr);
};

/* Commands come at boot. Changes of what is in probes need both locks. */
static LIST_HEAD(commands);
static LIST_HEAD(probes);
static DEFINE_MUTEX(probes_lock);	/* outside of trace_array::lock */

/**
 * ftrace_register_command - offer a command
 * @command: stays for good
 *
 * Context: process context, may sleep.
 */
void ftrace_register_command(struct ftrace_command *command)
{
	guard(mutex)(&probes_lock);
	list_add_tail(&command->list, &commands);
}

static const struct ftrace_command *find_command(const char *name)
{
	const struct ftrace_command *command;

	list_for_each_entry(command, &commands, list)
		if (!strcmp(command->name, name))
			return command;
	return NULL;
}

/*
 * Carrying out: in whatever context the function is called.
 */

static struct probe_count *find_count(struct ftrace_probe *p, unsigned long ip)
{
	unsigned long low = 0, high = p->nr, mid;

	while (low < high) {
		mid = low + (high - low) / 2;
		if (p->count[mid].ip < ip)
			low = mid + 1;
		else
			high = mid;
	}
	return low < p->nr && p->count[low].ip == ip ? p->count + low : NULL;
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
	const struct ftrace_command *command = p->command;
	struct probe_count *count;
	int bit;

	bit = ftrace_test_recursion_trylock(ip, parent_ip);
	if (bit < 0)
		return;
	if (!command->useful || command->useful(p->tr)) {
		count = p->counted ? find_count(p, ip) : NULL;
		if (!count || count_down(count))
			command->run(p->tr, parent_ip);
	}
	ftrace_test_recursion_unlock(bit);
}

/*
 * Probes come and go.
 */

/**
 * struct probe_kind - what those have in common of which a function has but one
 * @command: as in struct ftrace_probe
 * @tr: as there
 * @counted: as there
 */
struct probe_kind {
	const struct ftrace_command *command;
	struct trace_array *tr;
	bool counted;
};

static bool is_kind(const struct ftrace_probe *p, const struct probe_kind *kind)
{
	return p->command == kind->command && p->tr == kind->tr &&
	       p->counted == kind->counted;
}

static const struct ftrace_set *probe_set(const struct ftrace_probe *p)
{
	return p->ops.filter->only;
}

/* One that nobody calls. */
static void free_probe(struct ftrace_probe *p)
{
	ftrace_free_filter(&p->ops);
	kvfree(p);
}

static void end_command(const struct ftrace_probe *p)
{
	if (p->command->end)
		p->command->end(p->tr);
}

/* Those in no list that others look at. */
static void free_probes(struct list_head *gone)
{
	struct ftrace_probe *p, *next;

	list_for_each_entry_safe(p, next, gone, list) {
		unregister_ftrace_function(&p->ops);
		end_command(p);
		free_probe(p);
	}
}

/* Modules take their functions with them, and so leave probes without any. */
static void collect_empty(struct list_head *gone)
{
	struct ftrace_probe *p, *next;

	guard(mutex)(&ftrace_lock);
	list_for_each_entry_safe(p, next, &probes, list)
		if (!probe_set(p)->nr)
			list_move(&p->list, gone);
}

static void end_empty(struct work_struct *work)
{
	LIST_HEAD(gone);

	guard(mutex)(&probes_lock);
	collect_empty(&gone);
	free_probes(&gone);
}

static DECLARE_WORK(end_empty_work, end_empty);

/**
 * ftrace_end_empty_commands - functions have gone: end commands that none is left of
 *
 * Context: process context, ftrace_lock held. That is done later, without the lock.
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

/* The functions that @func names and that have no such probe yet. */
static struct ftrace_set *match_new(const struct probe_kind *kind, const char *func)
{
	struct ftrace_set_builder b = {}, had = {};
	struct ftrace_set *set = NULL;
	struct ftrace_probe *p;
	int err;

	err = ftrace_match_word(&b, func);
	list_for_each_entry(p, &probes, list)
		if (!err && is_kind(p, kind))
			err = ftrace_set_builder_load(&had, probe_set(p));
	if (!err) {
		ftrace_set_builder_sort(&had);
		ftrace_set_builder_remove(&b, &had);
		err = b.nr ? 0 : -EINVAL;
	}
	if (!err) {
		set = ftrace_set_freeze(&b);
		err = set ? 0 : -ENOMEM;
	}
	ftrace_set_builder_free(&had);
	ftrace_set_builder_free(&b);
	return err ? ERR_PTR(err) : set;
}

static struct ftrace_probe *new_probe(const struct probe_kind *kind, const char *func, long times)
{
	struct ftrace_probe *p;
	struct ftrace_set *set;
	unsigned long i, nr;

	guard(mutex)(&ftrace_lock);
	set = match_new(kind, func);
	if (IS_ERR(set))
		return ERR_CAST(set);
	nr = kind->counted ? set->nr : 0;
	p = kvzalloc(struct_size(p, count, nr), GFP_KERNEL);
	if (!p || ftrace_ops_change_set(&p->ops, FTRACE_FILTER, set)) {
		ftrace_set_retire(set);
		kvfree(p);
		return ERR_PTR(-ENOMEM);
	}
	p->ops.func = probe_call;
	p->command = kind->command;
	p->tr = kind->tr;
	p->counted = kind->counted;
	p->nr = nr;
	for (i = 0; i < nr; i++) {
		p->count[i].ip = set->ip[i];
		atomic_long_set(&p->count[i].left, times);
	}
	return p;
}

/* Where it is listed: before the others of its kind, or of all. */
static struct list_head *probe_place(const struct probe_kind *kind)
{
	struct ftrace_probe *p;

	list_for_each_entry(p, &probes, list)
		if (is_kind(p, kind))
			return &p->list;
	return probes.next;
}

static void list_probe(struct ftrace_probe *new, const struct probe_kind *kind)
{
	guard(mutex)(&ftrace_lock);
	list_add_tail(&new->list, probe_place(kind));
	/* Its functions may have gone since it was made. */
	ftrace_end_empty_commands();
}

static int add_probe(const struct probe_kind *kind, const char *func, long times)
{
	struct ftrace_probe *p = new_probe(kind, func, times);
	int err = 0;

	if (IS_ERR(p))
		return PTR_ERR(p);
	if (kind->command->begin)
		err = kind->command->begin(kind->tr);
	if (err)
		goto free;
	err = register_ftrace_function(&p->ops);
	if (err)
		goto end;
	list_probe(p, kind);
	return 0;
end:
	end_command(p);
free:
	free_probe(p);
	return err;
}

/* Functions leave a probe. Returns whether any did, or -ENOMEM. */
static int leave_probe(struct ftrace_probe *p, const struct ftrace_set_builder *leave,
		       struct list_head *gone)
{
	struct ftrace_set_builder b = {};
	struct ftrace_set *set = NULL;
	int err = ftrace_set_builder_load(&b, probe_set(p));
	bool change;

	ftrace_set_builder_remove(&b, leave);
	change = !err && b.nr < probe_set(p)->nr;
	if (change && b.nr) {
		set = ftrace_set_freeze(&b);
		err = set ? ftrace_ops_change_set(&p->ops, FTRACE_FILTER, set) : -ENOMEM;
		if (err)
			ftrace_set_retire(set);
	} else if (change) {
		list_move(&p->list, gone);
	}
	ftrace_set_builder_free(&b);
	return err ?: change;
}

static int remove_probes(const struct probe_kind *kind, const char *func, struct list_head *gone)
{
	struct ftrace_set_builder leave = {};
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
	ftrace_set_builder_free(&leave);
	return ret < 0 ? ret : left ? 0 : -EINVAL;
}

/* COUNT; none of that is a limit, and empty one that does not limit. */
static int parse_times(const struct ftrace_command *command, char *params, long *times)
{
	char *number = strsep(&params, ":");

	*times = command->times ?: FTRACE_COMMAND_UNLIMITED;
	if (command->times || !number || !*number)
		return 0;
	return kstrtoul(number, 0, (unsigned long *)times);
}

/**
 * ftrace_do_command - FUNC:COMMAND[:COUNT] was written
 * @tr: the instance, to whose set_ftrace_filter
 * @func: as ftrace_match_word() takes it; empty, all functions leave
 * @name: the command
 * @params: NULL, or what is behind it; written to. Nothing behind a colon is no count
 * @remove: there was a "!" before it
 *
 * Context: process context, may sleep; ftrace_lock not held.
 * Return: 0; -EINVAL if there is no such command or function, or nothing changes,
 * -ENODEV if there is nothing to remove, -EINVAL or -ERANGE for the count, -ENOMEM, when
 * some of the functions that were to leave may have left, or what
 * register_ftrace_function() or the command's begin() said.
 */
int ftrace_do_command(struct trace_array *tr, const char *func, const char *name, char *params,
		      bool remove)
{
	struct probe_kind kind = { .tr = tr };
	LIST_HEAD(gone);
	long times;
	int err;

	if (params && !*params)
		params = NULL;
	guard(mutex)(&probes_lock);
	kind.command = find_command(name);
	if (!kind.command)
		return -EINVAL;
	kind.counted = kind.command->times ? kind.command->times > 0 : !!params;
	collect_empty(&gone);
	if (remove)
		err = remove_probes(&kind, func, &gone);
	else
		err = parse_times(kind.command, params, &times) ?: add_probe(&kind, func, times);
	free_probes(&gone);
	return err;
}

/**
 * ftrace_end_commands - an instance goes: end what was asked for in it
 * @tr: the instance, whose set_ftrace_filter nobody has open
 *
 * Context: process context, may sleep. Nothing runs for it any more afterwards.
 */
void ftrace_end_commands(struct trace_array *tr)
{
	struct ftrace_probe *p, *next;
	LIST_HEAD(gone);

	guard(mutex)(&probes_lock);
	scoped_guard(mutex, &ftrace_lock)
		list_for_each_entry_safe(p, next, &probes, list)
			if (p->tr == tr)
				list_move(&p->list, &gone);
	free_probes(&gone);
}

/*
 * Listing
 */

/**
 * ftrace_command_lines - how many lines there are for an instance
 * @tr: the instance
 *
 * Context: process context, ftrace_lock held.
 * Return: that: one for each function of each command.
 */
unsigned long ftrace_command_lines(const struct trace_array *tr)
{
	const struct ftrace_probe *p;
	unsigned long nr = 0;

	list_for_each_entry(p, &probes, list)
		if (p->tr == tr)
			nr += probe_set(p)->nr;
	return nr;
}

/* The probe that line @nr is about; @nr is the number of its function then. */
static struct ftrace_probe *find_line(const struct trace_array *tr, unsigned long *nr)
{
	struct ftrace_probe *p;

	list_for_each_entry(p, &probes, list) {
		if (p->tr != tr)
			continue;
		if (*nr < probe_set(p)->nr)
			return p;
		*nr -= probe_set(p)->nr;
	}
	return NULL;
}

/**
 * ftrace_show_command - print one of them
 * @m: where to
 * @names: as for ftrace_name()
 * @tr: the instance whose commands are listed
 * @nr: number of the line, from 0; there is one
 *
 * Context: process context, ftrace_lock held.
 */
void ftrace_show_command(struct seq_file *m, struct ftrace_names *names,
			 const struct trace_array *tr, unsigned long nr)
{
	struct ftrace_probe *p = find_line(tr, &nr);
	unsigned long ip = probe_set(p)->ip[nr];
	struct probe_count *count;

	ftrace_show_site(m, names, ip);
	seq_printf(m, ":%s:", p->command->name);
	count = p->counted ? find_count(p, ip) : NULL;
	if (count)
		seq_printf(m, "count=%ld\n", atomic_long_read(&count->left));
	else
		seq_puts(m, "unlimited\n");
}
