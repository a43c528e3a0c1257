// SPDX-License-Identifier: GPL-2.0
/*
 * Function graph: which tasks have a shadow stack.
 *
 * While there is a user, all tasks have a shadow stack. Tasks that exist when the first user is
 * registered get a stack before the user sees an entry; later tasks get one when they are forked. A
 * task that is being forked at the time of registration may be missed by both, and memory may be
 * short. A task without a stack requests one when it comes to an entry, and its calls are seen as
 * soon as it has the stack. A stack stays until its task is freed, since there may be calls on it
 * that have not returned.
 */
#include <linux/cpuhotplug.h>
#include <linux/irq_work.h>
#include <linux/kernel.h>
#include <linux/mutex.h>
#include <linux/sched.h>
#include <linux/sched/signal.h>
#include <linux/sched/task.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include "../lib/irq_work.h"
#include "graph.h"
#include "shadow_stack.h"

/* Held to give stacks to tasks that exist. */
static DEFINE_MUTEX(stacks_mutex);

/* There are users, so a task that is forked needs a stack. */
static bool stacks_wanted;

/* Stacks that are not in use, linked by their first word. */
struct spare_stack {
	struct spare_stack *next;
};

static struct spare_stack *spare_alloc(unsigned int nr)
{
	struct spare_stack *spares = NULL, *spare;

	while (nr--) {
		spare = kmalloc(SHADOW_STACK_SIZE, GFP_KERNEL);
		if (!spare)
			break;
		spare->next = spares;
		spares = spare;
	}
	return spares;
}

static void spare_free(struct spare_stack *spares)
{
	struct spare_stack *next;

	for (; spares; spares = next) {
		next = spares->next;
		kfree(spares);
	}
}

/* Give a task a stack if it has none. Return false if there is no spare one. */
static bool give_stack(struct task_struct *task, struct spare_stack **spares)
{
	struct spare_stack *spare = *spares;

	if (task->ret_stack)
		return true;
	if (!spare)
		return false;
	*spares = spare->next;
	shadow_stack_init((struct shadow_stack *)spare);
	/* The task may be running, and use it at once. */
	smp_store_release(&task->ret_stack, (unsigned long *)spare);
	return true;
}

/**
 * ftrace_graph_each_task - call a function for all tasks, including idle tasks
 * @work: the function; it is called once or twice for a task
 * @data: passed to @work
 *
 * init_task gets a call of its own, since it is not the idle task of a CPU before the scheduler
 * works.
 *
 * Context: any but interrupts.
 */
void ftrace_graph_each_task(void (*work)(struct task_struct *task, void *data), void *data)
{
	struct task_struct *group, *task;
	int cpu;

	/* The lock keeps the tasks from being freed. */
	read_lock(&tasklist_lock);
	for_each_process_thread(group, task)
		work(task, data);
	read_unlock(&tasklist_lock);
	work(&init_task, data);
	for_each_possible_cpu(cpu)
		if (idle_task(cpu))
			work(idle_task(cpu), data);
}

/* Spare stacks, and the number of tasks for which there was none. */
struct supply {
	struct spare_stack *spares;
	unsigned int missing;
};

static void supply_task(struct task_struct *task, void *data)
{
	struct supply *supply = data;

	supply->missing += !give_stack(task, &supply->spares);
}

static int stacks_for_all(void)
{
	struct supply supply = {};

	guard(mutex)(&stacks_mutex);
	for (;;) {
		supply.missing = 0;
		ftrace_graph_each_task(supply_task, &supply);
		if (!supply.missing)
			break;
		supply.spares = spare_alloc(supply.missing);
		if (!supply.spares)
			return -ENOMEM;
	}
	spare_free(supply.spares);
	return 0;
}

/*
 * Give stacks to tasks that have come to an entry without a stack. A task that does so while this
 * runs may be missed, but requests a stack again at its next entry. If memory is short, this tries
 * again later.
 */
static void provide(struct work_struct *work);
static DECLARE_DELAYED_WORK(provide_work, provide);
static bool asked;

static void provide(struct work_struct *work)
{
	if (READ_ONCE(stacks_wanted) && stacks_for_all()) {
		schedule_delayed_work(&provide_work, HZ);
		return;
	}
	WRITE_ONCE(asked, false);
}

static void start_providing(struct irq_work *work)
{
	schedule_delayed_work(&provide_work, 0);
}

static DEFINE_IRQ_WORK(provide_irq_work, start_providing);

/**
 * ftrace_graph_ask_for_stack - ask for a stack for the current task, which comes to an entry
 *
 * Context: the entry of a traced function: any, NMI included.
 */
void ftrace_graph_ask_for_stack(void)
{
	/* The work could not run yet. */
	if (unlikely(system_state < SYSTEM_SCHEDULING))
		return;
	if (READ_ONCE(asked) || !READ_ONCE(stacks_wanted))
		return;
	WRITE_ONCE(asked, true);
	trace_irq_work_queue(&provide_irq_work);
}

/*
 * The idle task of a CPU that went down has never returned from the calls that led there. When the
 * CPU comes up again, it begins with an empty stack.
 */
static int graph_prepare_cpu(unsigned int cpu)
{
	struct shadow_stack *stack = task_shadow_stack(idle_task(cpu));

	if (stack)
		shadow_stack_init(stack);
	return 0;
}

static int __init graph_watch_cpus(void)
{
	int state = cpuhp_setup_state_nocalls(CPUHP_BP_PREPARE_DYN, "trace/graph:prepare",
					      graph_prepare_cpu, NULL);

	return min(state, 0);
}
core_initcall(graph_watch_cpus);

static void clear_var(struct task_struct *task, void *idx)
{
	if (task->ret_stack)
		WRITE_ONCE(task_shadow_stack(task)->var[*(int *)idx], 0);
}

/**
 * ftrace_graph_clear_vars - set a user's words for all tasks to 0
 * @idx: number of the user
 *
 * Context: process context; the user's functions do not use the words meanwhile.
 */
void ftrace_graph_clear_vars(int idx)
{
	ftrace_graph_each_task(clear_var, &idx);
}

/**
 * ftrace_graph_want_stacks - give all tasks a stack, since there is a user
 * @idx: number of the user
 *
 * Context: process context, may sleep; nobody else registers or unregisters users.
 * Return: 0 if all tasks have a stack; -ENOMEM.
 */
int ftrace_graph_want_stacks(int idx)
{
	int err;

	WRITE_ONCE(stacks_wanted, true);
	err = stacks_for_all();
	if (!err)
		ftrace_graph_clear_vars(idx);
	return err;
}

/**
 * ftrace_graph_no_stacks - give no more stacks, since there is no user any more
 *
 * Tasks keep the stacks that they have.
 *
 * Context: process context, may sleep; nobody else registers or unregisters users.
 */
void ftrace_graph_no_stacks(void)
{
	WRITE_ONCE(stacks_wanted, false);
	cancel_delayed_work_sync(&provide_work);
	WRITE_ONCE(asked, false);
}

/**
 * ftrace_graph_init_task - prepare a task that is being forked
 * @t: the task, which is a copy of its parent so far
 *
 * If memory is short, the task has no stack.
 *
 * Context: process context, may sleep.
 */
void ftrace_graph_init_task(struct task_struct *t)
{
	struct shadow_stack *stack = NULL;

	atomic_set(&t->tracing_graph_pause, 0);
	atomic_set(&t->trace_overrun, 0);
	t->ftrace_timestamp = 0;
	t->ret_stack = NULL;
	if (!READ_ONCE(stacks_wanted))
		return;
	stack = kmalloc(SHADOW_STACK_SIZE, GFP_KERNEL);
	if (!stack)
		return;
	shadow_stack_init(stack);
	t->ret_stack = (unsigned long *)stack;
}

/**
 * ftrace_graph_exit_task - free the stack of a task that is freed, or could not be forked
 * @t: the task, which no other code uses any more
 *
 * Context: any but NMI.
 */
void ftrace_graph_exit_task(struct task_struct *t)
{
	kfree(t->ret_stack);
	t->ret_stack = NULL;
}
