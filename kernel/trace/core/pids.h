/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tasks that are recorded in an instance, as two control files select them: only these, or not
 * these. Each subsystem with such files (functions, events) has a struct trace_pids in the
 * instance.
 *
 * At a task switch, the CPU looks up whether the next task is wanted, and stores the task if it is.
 * Recording code compares the stored task with the current task.
 */
#ifndef _TRACE_CORE_PIDS_H
#define _TRACE_CORE_PIDS_H

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/types.h>

struct trace_array;
struct trace_pid_set;

/**
 * enum trace_pid_side - the two files of a struct trace_pids
 * @TRACE_PIDS_ONLY: record only these tasks
 * @TRACE_PIDS_EXCEPT: do not record these tasks
 * @TRACE_PID_SIDES: number of files
 */
enum trace_pid_side {
	TRACE_PIDS_ONLY,
	TRACE_PIDS_EXCEPT,
	TRACE_PID_SIDES
};

/* Stored instead of a task if the current task is not wanted. */
#define TRACE_PIDS_NOBODY	((struct task_struct *)ERR_PTR(-ESRCH))

/**
 * struct trace_pids - the tasks of which a subsystem records something in an instance
 * @set: contents of the files; NULL: nothing was written. Readers need RCU, writers
 *	trace_array::lock
 * @wanted: for each CPU, the task that is wanted there, TRACE_PIDS_NOBODY, or NULL if not
 *	@in_use. The owner allocates it before the files exist
 * @in_use: a file has contents, or @changed is still running for the last file that was cleared
 * @changed: callback of the owner, called with trace_array::lock held: after the first set was
 *	stored, when @wanted has become valid, and after the last set was removed, before @wanted
 *	becomes invalid
 * @follow: children of tasks in a set are added, tasks that exit are removed
 * @list: entry in the list of all struct trace_pids that have a set
 */
struct trace_pids {
	struct trace_pid_set __rcu	*set[TRACE_PID_SIDES];
	struct task_struct * __percpu	*wanted;
	void				(*changed)(struct trace_array *tr);
	bool				in_use;
	bool				follow;
	struct list_head		list;
};

struct trace_pid_set *trace_pids_set(struct trace_array *tr, struct trace_pids *pids,
				     enum trace_pid_side side);
int trace_pids_add(struct trace_array *tr, struct trace_pids *pids,
		   enum trace_pid_side side, struct trace_pid_set *more);
void trace_pids_clear(struct trace_array *tr, struct trace_pids *pids,
		      enum trace_pid_side side);
int trace_pids_follow(struct trace_array *tr, struct trace_pids *pids, bool on);
void trace_pids_end(struct trace_array *tr, struct trace_pids *pids);

/* Are some tasks not wanted? The result does not change while trace_array::lock is held. */
static inline bool trace_pids_active(const struct trace_pids *pids)
{
	return rcu_access_pointer(pids->set[TRACE_PIDS_ONLY]) ||
	       rcu_access_pointer(pids->set[TRACE_PIDS_EXCEPT]);
}

/*
 * Is the current task wanted? Valid while trace_pids_active(), and until @changed was called after
 * that. Any context, with preemption off.
 */
static __always_inline bool trace_pids_wanted(const struct trace_pids *pids)
{
	return raw_cpu_read(*pids->wanted) == current;
}

/*
 * Is the current task wanted? Like trace_pids_wanted(), and also valid for a caller that still
 * checks tasks when the last set has just been removed.
 */
static __always_inline bool trace_pids_still_wanted(const struct trace_pids *pids)
{
	struct task_struct *wanted = raw_cpu_read(*pids->wanted);

	return !wanted || wanted == current;
}

/* Is the current task wanted? Valid at any time. */
static inline bool trace_pids_allow(const struct trace_pids *pids)
{
	/* No task is stored if the first set was just written, or the last one just cleared. */
	return !trace_pids_active(pids) || trace_pids_still_wanted(pids);
}

bool trace_pids_want(const struct trace_pids *pids, int pid);

/* Called when option event-fork changes, with trace_array::lock held. Set by events/ at boot. */
extern int (*trace_event_fork)(struct trace_array *tr, bool on);

/**
 * struct trace_pid_file - a control file of pids
 * @fops: TRACE_PID_FOPS
 * @pids: finds the struct trace_pids of an instance; returns NULL if it has none
 * @side: the set that the file shows
 * @empty: the text of the file if the set is empty
 */
struct trace_pid_file {
	const struct file_operations	fops;
	struct trace_pids		*(*pids)(struct trace_array *tr);
	enum trace_pid_side		side;
	const char			*empty;
};

/* The file for set @which_side of what @find returns. */
#define TRACE_PID_FILE(find, which_side, empty_text) {			\
	.fops = {							\
		.open		= trace_pids_open,			\
		.read		= seq_read,				\
		.write		= trace_pids_write,			\
		.llseek		= trace_file_lseek,			\
		.release	= trace_pids_release,			\
	},								\
	.pids	= find,							\
	.side	= which_side,						\
	.empty	= empty_text,						\
}

int trace_pids_open(struct inode *inode, struct file *file);
ssize_t trace_pids_write(struct file *file, const char __user *ubuf, size_t count,
			 loff_t *ppos);
int trace_pids_release(struct inode *inode, struct file *file);

#endif /* _TRACE_CORE_PIDS_H */
