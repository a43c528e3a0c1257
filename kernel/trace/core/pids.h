/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tasks that an instance is about, as two control files say: these only, and
 * these not. Each part of tracing that has such files (functions, events) has a
 * struct trace_pids in the instance.
 *
 * Whether a task is wanted is worked out when it gets a CPU, which then knows the task
 * as the one that is wanted there; those who record compare.
 */
#ifndef _TRACE_CORE_PIDS_H
#define _TRACE_CORE_PIDS_H

#include <linux/err.h>
#include <linux/fs.h>
#include <linux/list.h>
#include <linux/percpu.h>
#include <linux/sched.h>
#include <linux/types.h>

struct trace_array;
struct trace_pid_set;

/**
 * enum trace_pid_side - the two files of a struct trace_pids
 * @TRACE_PIDS_ONLY: these tasks only
 * @TRACE_PIDS_EXCEPT: not these
 * @TRACE_PID_SIDES: how many files that are
 */
enum trace_pid_side {
	TRACE_PIDS_ONLY,
	TRACE_PIDS_EXCEPT,
	TRACE_PID_SIDES
};

/* In place of a task. */
#define TRACE_PIDS_NOBODY	((struct task_struct *)ERR_PTR(-ESRCH))

/**
 * struct trace_pids - tasks that something in an instance is about
 * @set: what the files hold; NULL: nothing was written. Readers need RCU, writers
 *	trace_array::lock
 * @wanted: for each CPU: the task that is wanted there, TRACE_PIDS_NOBODY, or NULL if
 *	not @in_use. The owner's, who has it there before the files
 * @in_use: something was written, or those who record are still being told that nothing is any more
 * @changed: the owner's, called when @set becomes, or ceases to be, NULL on both sides, with
 *	trace_array::lock held: @wanted is right from then on, or up to then
 * @follow: children of tasks in a set are added, tasks that are gone removed
 * @list: among those with a set
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

/* Are there tasks that are not wanted? Stays what it is while trace_array::lock is held. */
static inline bool trace_pids_active(const struct trace_pids *pids)
{
	return rcu_access_pointer(pids->set[TRACE_PIDS_ONLY]) ||
	       rcu_access_pointer(pids->set[TRACE_PIDS_EXCEPT]);
}

/*
 * Is the running task wanted? While trace_pids_active(), and until @changed has said that it is
 * not. Any context, with preemption off.
 */
static __always_inline bool trace_pids_wanted(const struct trace_pids *pids)
{
	return raw_cpu_read(*pids->wanted) == current;
}

/* The same, at any time. */
static inline bool trace_pids_allow(const struct trace_pids *pids)
{
	struct task_struct *wanted;

	if (!trace_pids_active(pids))
		return true;
	/* NULL: that has just begun, or ended. */
	wanted = raw_cpu_read(*pids->wanted);
	return !wanted || wanted == current;
}

/**
 * struct trace_pid_file - a control file of pids
 * @fops: TRACE_PID_FOPS
 * @pids: where in struct trace_array the struct trace_pids is
 * @side: which of its sets
 */
struct trace_pid_file {
	const struct file_operations	fops;
	size_t				pids;
	enum trace_pid_side		side;
};

/* The file that is @which_side of member @member of struct trace_array. */
#define TRACE_PID_FILE(member, which_side) {				\
	.fops = {							\
		.open		= trace_pids_open,			\
		.read		= seq_read,				\
		.write		= trace_pids_write,			\
		.llseek		= trace_file_lseek,			\
		.release	= trace_pids_release,			\
	},								\
	.pids	= offsetof(struct trace_array, member),			\
	.side	= which_side,						\
}

int trace_pids_open(struct inode *inode, struct file *file);
ssize_t trace_pids_write(struct file *file, const char __user *ubuf, size_t count,
			 loff_t *ppos);
int trace_pids_release(struct inode *inode, struct file *file);

#endif /* _TRACE_CORE_PIDS_H */
