// SPDX-License-Identifier: GPL-2.0
/*
 * Names of tasks by pid. A record holds only the pid, and the task may have exited when the trace
 * is read.
 *
 * While there are users that record, a task that has recorded is remembered when it leaves the CPU,
 * together with the next task. Recording only sets a flag of the task; all other work is done at
 * the context switch. The names are in a fixed number of slots, of which the oldest is replaced
 * first; a hash table finds them.
 *
 * The context switch has the run queue locked, so it tries only once to get comm_lock. If it does
 * not get the lock, the flag stays set for the next switch. A task that dies has no next switch, so
 * for this task the lock is tried for a bounded time. A reader that prints an entry does the same,
 * and prints no name if it fails: in an oops, the owner of the lock may be on this CPU.
 */
#include <linux/hash.h>
#include <linux/init.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/pid.h>
#include <linux/sched.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/threads.h>
#include <linux/workqueue.h>
#include <trace/events/sched.h>

#include "files.h"
#include "instance.h"
#include "internal.h"
#include "record.h"
#include "saved_cmdlines.h"

#define SLOTS_DEFAULT	4096
#define SPINS		100000	/* bound on attempts to get comm_lock */

static_assert(TRACE_COMM_LEN == TASK_COMM_LEN);

/**
 * struct comm_slot - a task's name
 * @pid: pid of the task; 0 if the slot is free
 * @next: 1 + index of the next slot with the same hash; 0: none
 * @comm: the name
 */
struct comm_slot {
	int	pid;
	u32	next;
	char	comm[TASK_COMM_LEN];
};

/**
 * struct comm_cache - all names
 * @nr: number of slots
 * @oldest: index of the slot to be used next
 * @bits: the hash table has 1 << bits heads
 * @head: for each hash, 1 + index of the first slot; 0: none
 * @slot: the slots
 */
struct comm_cache {
	unsigned int		nr;
	unsigned int		oldest;
	unsigned int		bits;
	u32			*head;
	struct comm_slot	slot[] __counted_by(nr);
};

/* Guards the cache and the pointer to it. Taken with interrupts off. */
static arch_spinlock_t comm_lock = __ARCH_SPIN_LOCK_UNLOCKED;
static struct comm_cache *comm_cache;

DEFINE_GUARD(comm_lock, arch_spinlock_t *, arch_spin_lock(_T), arch_spin_unlock(_T))

static void comm_cache_free(struct comm_cache *cache)
{
	if (cache)
		kvfree(cache->head);
	kvfree(cache);
}

static struct comm_cache *comm_cache_alloc(unsigned int nr)
{
	struct comm_cache *cache __free(kvfree) =
		kvzalloc(struct_size(cache, slot, nr), GFP_KERNEL);

	if (!cache)
		return NULL;
	cache->nr = nr;
	cache->bits = ilog2(nr) + 1;
	cache->head = kvcalloc(1 << cache->bits, sizeof(*cache->head), GFP_KERNEL);
	return cache->head ? no_free_ptr(cache) : NULL;
}

static u32 *comm_cache_head(struct comm_cache *cache, int pid)
{
	return &cache->head[hash_32(pid, cache->bits)];
}

static struct comm_slot *comm_cache_find(struct comm_cache *cache, int pid)
{
	u32 i = *comm_cache_head(cache, pid);

	while (i && cache->slot[i - 1].pid != pid)
		i = cache->slot[i - 1].next;
	return i ? &cache->slot[i - 1] : NULL;
}

static void comm_cache_unlink(struct comm_cache *cache, struct comm_slot *slot)
{
	u32 *link = comm_cache_head(cache, slot->pid);

	while (*link != slot - cache->slot + 1)
		link = &cache->slot[*link - 1].next;
	*link = slot->next;
}

static struct comm_slot *comm_cache_new(struct comm_cache *cache, int pid)
{
	struct comm_slot *slot = &cache->slot[cache->oldest];
	u32 *head = comm_cache_head(cache, pid);

	if (slot->pid)
		comm_cache_unlink(cache, slot);
	cache->oldest = cache->oldest + 1 == cache->nr ? 0 : cache->oldest + 1;
	slot->pid = pid;
	slot->next = *head;
	*head = slot - cache->slot + 1;
	return slot;
}

static void comm_remember(const struct task_struct *task)
{
	struct comm_slot *slot;

	/* All idle tasks have pid 0, and need no slot. */
	if (!task->pid)
		return;
	slot = comm_cache_find(comm_cache, task->pid) ?:
	       comm_cache_new(comm_cache, task->pid);
	memcpy(slot->comm, task->comm, TASK_COMM_LEN);
}

static bool comm_lock_patiently(void)
{
	int i;

	for (i = 0; i < SPINS; i++) {
		if (arch_spin_trylock(&comm_lock))
			return true;
		cpu_relax();
	}
	return false;
}

/**
 * trace_find_comm - get the name of a task that has recorded
 * @pid: pid of the task
 * @comm: set to the name; "<...>" if it is not known
 *
 * Context: any.
 */
void trace_find_comm(int pid, char comm[TRACE_COMM_LEN])
{
	struct comm_slot *slot;
	unsigned long flags;

	if (pid <= 0) {
		strscpy(comm, pid ? "<XXX>" : "<idle>", TRACE_COMM_LEN);
		return;
	}
	strscpy(comm, "<...>", TRACE_COMM_LEN);

	raw_local_irq_save(flags);
	if (comm_lock_patiently()) {
		slot = comm_cache ? comm_cache_find(comm_cache, pid) : NULL;
		if (slot)
			strscpy(comm, slot->comm, TRACE_COMM_LEN);
		arch_spin_unlock(&comm_lock);
	}
	raw_local_irq_restore(flags);
}

/*
 * Thread groups: one word for each pid, from when record-tgid is first switched on. If
 * kernel.pid_max is raised later, tasks with pids beyond the old limit have no thread group in
 * the trace.
 */
static int *tgids;
static int tgids_max;

static void tgid_remember(const struct task_struct *task)
{
	/* Pairs with the release in tgids_alloc(). */
	int *map = smp_load_acquire(&tgids);

	if (map && task->pid && task->pid < tgids_max)
		WRITE_ONCE(map[task->pid], task->tgid);
}

/**
 * trace_find_tgid - get the thread group of a task that has recorded
 * @pid: pid of the task
 *
 * Context: any.
 * Return: the tgid; 0 if it is not known.
 */
int trace_find_tgid(int pid)
{
	/* Pairs with the release in tgids_alloc(). */
	int *map = smp_load_acquire(&tgids);

	return map && pid > 0 && pid < tgids_max ? READ_ONCE(map[pid]) : 0;
}

static int tgids_alloc(void)
{
	int *map;

	if (tgids)
		return 0;
	tgids_max = pid_max; /* one more than the greatest pid */
	map = kvcalloc(tgids_max, sizeof(*map), GFP_KERNEL);
	if (!map)
		return -ENOMEM;
	/* Readers that see the map also see its size. */
	smp_store_release(&tgids, map);
	return 0;
}

/*
 * Recording
 */
static DEFINE_MUTEX(record_lock);
static unsigned int recorders;		/* users that want names */
static unsigned int tgid_recorders;	/* instances that want thread groups, too */
static bool record_cmd_is_on = true;
static bool probing;
static bool names_wanted;
static bool tgids_wanted;

/* The name of @prev is needed, so it is remembered last: @next must not take its slot. */
static bool comm_switch_names(struct task_struct *prev, struct task_struct *next, bool dies)
{
	if (!(dies ? comm_lock_patiently() : arch_spin_trylock(&comm_lock)))
		return false;
	comm_remember(next);
	comm_remember(prev);
	arch_spin_unlock(&comm_lock);
	return true;
}

static void comm_sched_switch(void *unused, bool preempt, struct task_struct *prev,
			      struct task_struct *next, unsigned int prev_state)
{
	if (!(prev->trace_recursion & TRACE_TASK_RECORDED))
		return;
	/* If comm_lock is taken, leave the flag for the next switch. */
	if (READ_ONCE(names_wanted) && !comm_switch_names(prev, next, prev_state & TASK_DEAD))
		return;
	prev->trace_recursion &= ~TRACE_TASK_RECORDED;
	if (READ_ONCE(tgids_wanted)) {
		tgid_remember(prev);
		tgid_remember(next);
	}
}

static void comm_probe_remove(struct work_struct *unused)
{
	guard(mutex)(&record_lock);
	if (!probing || names_wanted || tgids_wanted)
		return;
	unregister_trace_sched_switch(comm_sched_switch, NULL);
	probing = false;
}

static DECLARE_DELAYED_WORK(comm_probe_work, comm_probe_remove);

/*
 * Register the probe if names or thread groups are wanted. If not, remove it some time later: if a
 * probe is registered again right after it was removed, the tracepoint waits for a grace period.
 * Before timers work, boot parameters may switch an event on and off: the probe stays then, until
 * recording is stopped the next time.
 */
static int comm_record_update(void)
{
	bool wanted;
	int err;

	lockdep_assert_held(&record_lock);
	WRITE_ONCE(names_wanted, recorders && record_cmd_is_on && comm_cache);
	WRITE_ONCE(tgids_wanted, recorders && tgid_recorders);
	wanted = names_wanted || tgids_wanted;
	if (probing && !wanted && system_state >= SYSTEM_SCHEDULING)
		schedule_delayed_work(&comm_probe_work, HZ);
	if (probing || !wanted)
		return 0;
	err = register_trace_sched_switch(comm_sched_switch, NULL);
	probing = !err;
	return err;
}

/**
 * trace_comm_record_start - begin to remember the names of tasks that record
 *
 * Must be called before anything is recorded. Otherwise a task that records and ends before this
 * has no name. An error is only printed, since a trace without names is still good.
 *
 * Context: process context, may sleep; boot.
 */
void trace_comm_record_start(void)
{
	guard(mutex)(&record_lock);
	recorders++;
	if (comm_record_update())
		pr_warn("tracing: tasks will be shown without their names\n");
}

/*
 * Runs on each CPU, before names are no longer remembered. If the running task has recorded, it may
 * leave the CPU too late for the probe.
 */
static void comm_remember_running(void *unused)
{
	if (!(current->trace_recursion & TRACE_TASK_RECORDED) || !comm_lock_patiently())
		return;
	comm_remember(current);
	arch_spin_unlock(&comm_lock);
}

/**
 * trace_comm_record_stop - undo one trace_comm_record_start()
 *
 * The caller does not record any more. Names that are remembered are kept.
 *
 * Context: process context, may sleep.
 */
void trace_comm_record_stop(void)
{
	guard(mutex)(&record_lock);
	if (recorders == 1 && names_wanted)
		on_each_cpu(comm_remember_running, NULL, true);
	recorders--;
	comm_record_update();
}

/**
 * option_record_cmd - the change() of the option record-cmd
 * @tr: the instance; only the top one's option has an effect
 * @on: true: remember names of tasks
 *
 * Context: may sleep, tr->lock held.
 * Return: 0, or negative errno if the probe at task switches cannot be registered.
 */
int option_record_cmd(struct trace_array *tr, bool on)
{
	int err;

	/* All instances share the names, and the top one's option is for all of them. */
	if (tr != trace_top)
		return 0;
	guard(mutex)(&record_lock);
	record_cmd_is_on = on;
	err = comm_record_update();
	if (err)
		record_cmd_is_on = !on;
	return err;
}

/**
 * option_record_tgid - the change() of the option record-tgid
 * @tr: the instance
 * @on: true: remember thread groups of tasks; false: remember no more, and keep the remembered ones
 *
 * Context: may sleep, tr->lock held.
 * Return: 0; -ENOMEM; or negative errno if the probe at task switches cannot be registered.
 */
int option_record_tgid(struct trace_array *tr, bool on)
{
	int err;

	guard(mutex)(&record_lock);
	err = on ? tgids_alloc() : 0;
	if (err)
		return err;
	tgid_recorders += on ? 1 : -1;
	err = comm_record_update();
	if (err)
		tgid_recorders -= on ? 1 : -1;
	return err;
}

/*
 * Control files
 */

/* Copy slot @i, since functions of seq_file must not be called with the lock held. */
static bool comm_slot_copy(unsigned int i, struct comm_slot *copy)
{
	guard(irq)();
	guard(comm_lock)(&comm_lock);
	if (!comm_cache || i >= comm_cache->nr)
		return false;
	*copy = comm_cache->slot[i];
	return true;
}

static int comms_show(struct seq_file *m, struct trace_scope *scope)
{
	struct comm_slot slot;
	unsigned int i;

	for (i = 0; comm_slot_copy(i, &slot); i++) {
		if (slot.pid)
			seq_printf(m, "%d %s\n", slot.pid, slot.comm);
	}
	return 0;
}

TRACE_CONTROL(comms_control, .show = comms_show);

static int comms_size_show(struct seq_file *m, struct trace_scope *scope)
{
	guard(mutex)(&record_lock);
	seq_printf(m, "%u\n", comm_cache ? comm_cache->nr : 0);
	return 0;
}

static int comms_size_store(struct trace_scope *scope, unsigned long nr)
{
	struct comm_cache *cache;

	if (!nr || nr > PID_MAX_DEFAULT)
		return -EINVAL;
	cache = comm_cache_alloc(nr);
	if (!cache)
		return -ENOMEM;
	guard(mutex)(&record_lock);
	scoped_guard(irq) {
		guard(comm_lock)(&comm_lock);
		swap(cache, comm_cache);
	}
	comm_cache_free(cache);
	return comm_record_update();
}

TRACE_CONTROL(comms_size_control, .show = comms_size_show, .store_number = comms_size_store);

static int tgids_show(struct seq_file *m, struct trace_scope *scope)
{
	/* Pairs with the release in tgids_alloc(). */
	int pid, tgid, max = smp_load_acquire(&tgids) ? tgids_max : 0;

	for (pid = 1; pid < max; pid++) {
		tgid = trace_find_tgid(pid);
		if (tgid)
			seq_printf(m, "%d %d\n", pid, tgid);
	}
	return 0;
}

TRACE_CONTROL(tgids_control, .show = tgids_show);

TRACE_FILES(saved_cmdlines_files,
	{ "saved_cmdlines", TRACE_MODE_READ, TRACE_FILE_TOP, &comms_control.fops },
	{ "saved_cmdlines_size", TRACE_MODE_WRITE, TRACE_FILE_TOP, &comms_size_control.fops },
	{ "saved_tgids", TRACE_MODE_READ, TRACE_FILE_TOP, &tgids_control.fops });

/**
 * trace_comms_init - allocate the memory for names
 *
 * If memory allocation fails, tasks have no names.
 *
 * Context: early boot, before the first tracer.
 */
void __init trace_comms_init(void)
{
	comm_cache = comm_cache_alloc(SLOTS_DEFAULT);
}
