// SPDX-License-Identifier: GPL-2.0
/*
 * Sections with interrupts or preemption off, of known length, for tests of the latency tracers.
 * They run once when the module is loaded, and again at each write to
 * /sys/kernel/preemptirq_delay_test/trigger.
 *
 * Each section of a burst is in a function of its own, so that the trace shows which section was
 * kept.
 */
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/irqflags.h>
#include <linux/kobject.h>
#include <linux/kthread.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/preempt.h>
#include <linux/string.h>
#include <linux/sysfs.h>

static unsigned long delay = 100;
module_param(delay, ulong, 0644);
MODULE_PARM_DESC(delay, "Length of a section, in microseconds");

static char test_mode[16] = "irq";
module_param_string(test_mode, test_mode, sizeof(test_mode), 0644);
MODULE_PARM_DESC(test_mode, "What is off: irq, preempt, alternate (each in turn), nested (both)");

static unsigned int burst_size = 1;
module_param(burst_size, uint, 0644);
MODULE_PARM_DESC(burst_size, "How many sections, 10 at most");

static int cpu_affinity = -1;
module_param(cpu_affinity, int, 0644);
MODULE_PARM_DESC(cpu_affinity, "CPU to run on, -1: any");

/* Uses a clock whose functions are traced, so that a section has functions in it. */
static void spin(void)
{
	ktime_t end = ktime_add_us(ktime_get(), READ_ONCE(delay));

	while (ktime_before(ktime_get(), end))
		cpu_relax();
}

static __always_inline void irq_section(void)
{
	local_irq_disable();
	spin();
	local_irq_enable();
}

static __always_inline void preempt_section(void)
{
	preempt_disable();
	spin();
	preempt_enable();
}

/* One section, from the first switch off to the last switch on. */
static __always_inline void nested_section(void)
{
	preempt_disable();
	spin();
	local_irq_disable();
	preempt_enable();
	spin();
	local_irq_enable();
}

#define BURST_MAX	10

#define SECTION(kind, n)				\
static noinline void kind##_section_##n(void)		\
{							\
	kind##_section();				\
}

#define SECTIONS(kind)							\
	SECTION(kind, 0) SECTION(kind, 1) SECTION(kind, 2) SECTION(kind, 3) SECTION(kind, 4) \
	SECTION(kind, 5) SECTION(kind, 6) SECTION(kind, 7) SECTION(kind, 8) SECTION(kind, 9) \
									\
static void (* const kind##_sections[BURST_MAX])(void) = {		\
	kind##_section_0, kind##_section_1, kind##_section_2, kind##_section_3,	\
	kind##_section_4, kind##_section_5, kind##_section_6, kind##_section_7,	\
	kind##_section_8, kind##_section_9,				\
};

SECTIONS(irq)
SECTIONS(preempt)
SECTIONS(nested)

/* The functions for sections with even and with odd numbers in a burst. */
static const struct test_mode {
	const char	*name;
	void		(* const *even)(void);
	void		(* const *odd)(void);
} modes[] = {
	{ "irq",	irq_sections,		irq_sections },
	{ "preempt",	preempt_sections,	preempt_sections },
	{ "alternate",	irq_sections,		preempt_sections },
	{ "nested",	nested_sections,	nested_sections },
};

static DEFINE_MUTEX(run_lock);
static DECLARE_COMPLETION(run_done);

static int run_sections(void *data)
{
	const struct test_mode *mode = data;
	unsigned int i, nr = min(READ_ONCE(burst_size), BURST_MAX);

	for (i = 0; i < nr; i++)
		(i & 1 ? mode->odd : mode->even)[i]();
	/* After this, the waiting task may unload the module. */
	kthread_complete_and_exit(&run_done, 0);
}

static const struct test_mode *find_mode(void)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(modes); i++) {
		if (sysfs_streq(test_mode, modes[i].name))
			return &modes[i];
	}
	return NULL;
}

/* Run the sections in a task that can be bound to a CPU, and wait until they are over. */
static int run(void)
{
	const struct test_mode *mode;
	struct task_struct *task;
	int cpu, err = 0;

	guard(mutex)(&run_lock);
	mode = find_mode();
	cpu = READ_ONCE(cpu_affinity);
	if (!mode || cpu >= (int)nr_cpu_ids)
		return -EINVAL;
	reinit_completion(&run_done);
	task = kthread_create(run_sections, (void *)mode, "%s_test", mode->name);
	if (IS_ERR(task))
		return PTR_ERR(task);
	if (cpu >= 0)
		err = set_cpus_allowed_ptr(task, cpumask_of(cpu));
	if (err) {
		kthread_stop(task);
		return err;
	}
	wake_up_process(task);
	wait_for_completion(&run_done);
	return 0;
}

static ssize_t trigger_store(struct kobject *kobj, struct kobj_attribute *attr,
			     const char *buf, size_t count)
{
	return run() ?: count;
}

static struct kobj_attribute trigger = __ATTR_WO(trigger);
static struct kobject *dir;

static int __init delay_test_init(void)
{
	int err = run();

	if (err)
		return err;
	dir = kobject_create_and_add("preemptirq_delay_test", kernel_kobj);
	if (!dir)
		return -ENOMEM;
	err = sysfs_create_file(dir, &trigger.attr);
	if (err)
		kobject_put(dir);
	return err;
}

static void __exit delay_test_exit(void)
{
	kobject_put(dir);
}

module_init(delay_test_init)
module_exit(delay_test_exit)
MODULE_DESCRIPTION("Sections with interrupts or preemption off, for tests of latency tracers");
MODULE_LICENSE("GPL");
