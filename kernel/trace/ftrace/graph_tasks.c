// SPDX-License-Identifier: GPL-2.0
/*
 * Function graph: which tasks have a shadow stack.
 *
 * All have, from when there is a user: those that exist get theirs before the first entry,
 * those that are forked later get one then. Who was being forked meanwhile belonged to
 * neither. Such a task, or one for which there was no memory, asks for its stack when
 * it comes to an entry, and is seen as soon as it has it. A stack stays until its task is
 * freed, as there may be calls on it that have not returned.
 */
#include <linux/cpuhotplug.h>
#include <linux/ftrace.h>
#include <linux/init_task.h>
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

/* Who gives stacks to tasks that exist. */
static DEFINE_MUTEX(stacks_mutex);

/* There are users, so that a task that is forked needs a stack. */
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

/* Gives the task a stack if it has none; false: there is no spare one. */
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
 * ftrace_graph_each_task - call a function for all tasks, also those that are idle
 * @work: the function; it is called once or twice for a task
 * @data: what it is told besides
 *
 * The first task is no CPU's before the scheduler is there.
 * Context: any but interrupts.
 */
void ftrace_graph_each_task(void (*work)(struct task_struct *task, void *data), void *data)
{
	struct task_struct *group, *task;
	int cpu;

	/* They are not freed meanwhile. */
	read_lock(&tasklist_lock);
	for_each_process_thread(group, task)
		work(task, data);
	read_unlock(&tasklist_lock);
	work(&init_task, data);
	for_each_possible_cpu(cpu)
		if (idle_task(cpu))
			work(idle_task(cpu), data);
}

/* Stacks that are there, and tasks that there was none for. */
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
 * A task without a stack has come to an entry. Some of these are not noticed because
 * others are being provided for, but come to the next entry. If there is no memory,
 * there may be some later.
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
 * ftrace_graph_ask_for_stack - the current task has no stack, and comes to an entry
 *
 * Context: the entry of a traced function: any, NMI included.
 */
void ftrace_graph_ask_for_stack(void)
{
	/* Nobody could answer. */
	if (unlikely(system_state < SYSTEM_SCHEDULING))
		return;
	if (READ_ONCE(asked) || !READ_ONCE(stacks_wanted))
		return;
	WRITE_ONCE(asked, true);
	trace_irq_work_queue(&provide_irq_work);
}

/*
 * The idle task of a CPU that went down never returned from the calls that led there. When
 * the CPU comes up again it begins anew.
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
 * ftrace_graph_clear_vars - all tasks' words of a user become 0
 * @idx: its number
 *
 * Context: process context; the user's functions do not use them meanwhile.
 */
void ftrace_graph_clear_vars(int idx)
{
	ftrace_graph_each_task(clear_var, &idx);
}

/**
 * ftrace_graph_want_stacks - there is a user
 * @idx: its number
 *
 * Context: process context, may sleep; who registers and unregisters users is locked out.
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
 * ftrace_graph_no_stacks - there is no user any more
 *
 * Those that tasks have stay theirs.
 * Context: process context, may sleep; who registers and unregisters users is locked out.
 */
void ftrace_graph_no_stacks(void)
{
	WRITE_ONCE(stacks_wanted, false);
	cancel_delayed_work_sync(&provide_work);
	WRITE_ONCE(asked, false);
}

/**
 * ftrace_graph_init_task - a task is being forked
 * @t: it, a copy of its parent so far
 *
 * Context: process context, may sleep. Without memory the task has no stack.
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
 * ftrace_graph_exit_task - a task is freed, or could not be forked
 * @t: it; nobody looks at it any more
 *
 * Context: any but NMI.
 */
void ftrace_graph_exit_task(struct task_struct *t)
{
	kfree(t->ret_stack);
	t->ret_stack = NULL;
}
