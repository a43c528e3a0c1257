// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's interface to function tracing, for shell scripts. Writing a command to the parameter
 * "command" calls the function that the command names; reading "answer" gives what the function
 * returned. If that is -ENOMEM, the write fails, too. OPS is a, b or c, which are three ftrace_ops.
 *
 *	flags OPS NAME		ftrace_ops.flags: FTRACE_OPS_FL_NAME; without NAME: none
 *	func OPS NUMBER		ftrace_ops.func: 0: none, as a direct call needs; 1: ours;
 *				2: one for all functions, see "unwatched"; 3: one that calls
 *				ops_test_two(), at most NEST_MAX times within itself
 *	filter OPS WORD		ftrace_set_filter() of one more word
 *	notrace OPS WORD	ftrace_set_notrace() of one more word
 *	only OPS WORD		ftrace_set_filter() of this word alone; without WORD: of all
 *	global OPS		ftrace_ops_set_global_filter()
 *	site OPS FUNCTION	ftrace_set_filter_ip() of one of the functions below
 *	unsite OPS FUNCTION	remove the function again
 *	register OPS		register_ftrace_function()
 *	unregister OPS		unregister_ftrace_function()
 *	free OPS		ftrace_free_filter()
 *	share OPS NUMBER	what the ops answers when it is asked to share its sites
 *	exchange OPS TRAMPOLINE	the trampoline that it then gives its functions when another ops
 *				comes or goes: modify_ftrace_direct_nolock()
 *	meanwhile OPS FUNCTION	when an ops is asked because another one comes, another task
 *				does "site OPS FUNCTION", and has enough time for that
 *	late			what ftrace_set_filter_ip() returned to that task
 *	direct OPS TRAMPOLINE	register_ftrace_direct()
 *	modify OPS TRAMPOLINE	modify_ftrace_direct()
 *	undirect OPS TRAMPOLINE	unregister_ftrace_direct(), which frees the filter, too
 *	retract OPS TRAMPOLINE	unregister_ftrace_direct(), which does not free it
 *	vacate OPS TRAMPOLINE	the same, while a task works in the trampoline for half a
 *				second; -EBUSY if the task is still there afterwards, -ENOENT
 *				if it never was
 *	storm OPS NUMBER	NUMBER times modify_ftrace_direct(), while all CPUs call
 *				ops_test_one(); 0 if each call went to a trampoline
 *	call			call the functions
 *	call_unwatched		call them while RCU does not watch, as in the idle loop
 *
 * Reading "command" calls the functions, and gives what "called" has then. "unwatched" is the
 * function that was the last to call a "func OPS 2" while RCU did not watch. "called" shows what
 * ran during "call", in order: the letters of the ops whose callbacks were called, X and Y for the
 * trampolines, 1 and 2 for ops_test_one() and ops_test_two(), and 3 for ops_test_three(), to which
 * callbacks of ops with FTRACE_OPS_FL_IPMODIFY divert. "asked" shows the requests to share that the
 * ops got.
 */
#include <linux/atomic.h>
#include <linux/context_tracking.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/err.h>
#include <linux/ftrace.h>
#include <linux/irqflags.h>
#include <linux/kernel.h>
#include <linux/kstrtox.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/rcupdate.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/workqueue.h>

static int answer;
static char called[64];
static char asked[64];

/* Characters for which @where has no space are dropped: most of them in storms. */
static void notrace note(char *where, char what)
{
	size_t len = strnlen(where, sizeof(called) - 1);

	if (len < sizeof(called) - 1)
		where[len] = what;
}

int ops_test_one(int argument);
int ops_test_two(int argument);
int ops_test_three(int argument);

/* Each function returns its argument, which shows whether arguments arrive unchanged. */
noinline int ops_test_one(int argument)
{
	note(called, '1');
	return argument;
}

noinline int ops_test_two(int argument)
{
	note(called, '2');
	return argument;
}

noinline notrace int ops_test_three(int argument)
{
	note(called, '3');
	return argument;
}

static void notrace ops_call(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (!within_module(ip, THIS_MODULE))
		return;
	note(called, *(const char *)ops->private);
	if (ops->flags & FTRACE_OPS_FL_IPMODIFY)
		ftrace_regs_set_instruction_pointer(fregs, (unsigned long)ops_test_three);
}

#define NEST_MAX	5

static unsigned int nested;

static void notrace ops_nest(unsigned long ip, unsigned long parent_ip,
			     struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (!within_module(ip, THIS_MODULE) || nested == NEST_MAX)
		return;
	nested++;
	note(called, *(const char *)ops->private);
	ops_test_two(0);
	nested--;
}

static unsigned long unwatched;

static void notrace ops_watch(unsigned long ip, unsigned long parent_ip,
			      struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	if (!rcu_is_watching())
		WRITE_ONCE(unwatched, ip);
}

static struct ftrace_ops test_ops[3];

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS

static int share_answer[3];
static unsigned long exchange_for[3];

/* Trampolines can be called from any function. They call these. */
void notrace ops_test_at_x(void);
void notrace ops_test_at_y(void);
void ops_test_x(void);
void ops_test_y(void);

static atomic_long_t made, passed;

/* Adding a site to a filter, or freeing one, takes less time, unless it has to wait. */
#define LATE_MS	500

/* The state of the task of "vacate". It never sleeps in a trampoline, so it is waited for. */
static enum { AWAY, COMING, INSIDE, OUTSIDE } visitor;
static bool visited;

static void notrace pass(char trampoline)
{
	atomic_long_inc(&passed);
	note(called, trampoline);
	if (likely(READ_ONCE(visitor) != COMING))
		return;
	visited = true;
	WRITE_ONCE(visitor, INSIDE);
	mdelay(LATE_MS);
	WRITE_ONCE(visitor, OUTSIDE);
}

void notrace ops_test_at_x(void)
{
	pass('X');
}

void notrace ops_test_at_y(void)
{
	pass('Y');
}

#define TRAMPOLINE(name, calls, body)			\
asm(".pushsection .text\n"				\
    ".balign 4\n"					\
    ".type " name ", %function\n"			\
    ".globl " name "\n"					\
    name ":\n"						\
    body("bl " calls, "call " calls)			\
    ".size " name ", . - " name "\n"			\
    ".popsection\n")

#ifdef CONFIG_ARM64
/* In: x9 is the return address of the traced function, x30 the address to go on at. */
#define BODY(bl, call)					\
    "hint #34\n"					\
    "stp x29, x30, [sp, #-112]!\n"			\
    "mov x29, sp\n"					\
    "stp x0, x1, [sp, #16]\n"				\
    "stp x2, x3, [sp, #32]\n"				\
    "stp x4, x5, [sp, #48]\n"				\
    "stp x6, x7, [sp, #64]\n"				\
    "stp x8, x9, [sp, #80]\n"				\
    bl "\n"						\
    "ldp x0, x1, [sp, #16]\n"				\
    "ldp x2, x3, [sp, #32]\n"				\
    "ldp x4, x5, [sp, #48]\n"				\
    "ldp x6, x7, [sp, #64]\n"				\
    "ldp x8, x9, [sp, #80]\n"				\
    "ldp x29, x10, [sp], #112\n"			\
    "mov x30, x9\n"					\
    "ret x10\n"
#else
/* In: ra is the return address of the traced function, t0 the address to go on at. */
#define BODY(bl, call)					\
    "addi sp, sp, -80\n"				\
    "sd ra, 0(sp)\n"					\
    "sd t0, 8(sp)\n"					\
    "sd a0, 16(sp)\n"					\
    "sd a1, 24(sp)\n"					\
    "sd a2, 32(sp)\n"					\
    "sd a3, 40(sp)\n"					\
    "sd a4, 48(sp)\n"					\
    "sd a5, 56(sp)\n"					\
    "sd a6, 64(sp)\n"					\
    "sd a7, 72(sp)\n"					\
    call "\n"						\
    "ld ra, 0(sp)\n"					\
    "ld t0, 8(sp)\n"					\
    "ld a0, 16(sp)\n"					\
    "ld a1, 24(sp)\n"					\
    "ld a2, 32(sp)\n"					\
    "ld a3, 40(sp)\n"					\
    "ld a4, 48(sp)\n"					\
    "ld a5, 56(sp)\n"					\
    "ld a6, 64(sp)\n"					\
    "ld a7, 72(sp)\n"					\
    "addi sp, sp, 80\n"					\
    "jr t0\n"
#endif

TRAMPOLINE("ops_test_x", "ops_test_at_x", BODY);
TRAMPOLINE("ops_test_y", "ops_test_at_y", BODY);

static struct ftrace_ops *late_ops;
static unsigned long late_ip;
static int late_answer;

static void late_site(struct work_struct *work)
{
	late_answer = ftrace_set_filter_ip(late_ops, late_ip, 0, 0);
}

static DECLARE_WORK(late_work, late_site);

static int do_late(struct ftrace_ops *ops, const char *arg)
{
	flush_work(&late_work);
	late_ops = NULL;
	return late_answer;
}

static int share(struct ftrace_ops *ops, enum ftrace_ops_cmd cmd)
{
	note(asked, *(const char *)ops->private);
	note(asked, '0' + cmd);
	if (late_ops && cmd == FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_PEER) {
		schedule_work(&late_work);
		msleep(LATE_MS);
	}
	if (exchange_for[ops - test_ops] && cmd != FTRACE_OPS_CMD_ENABLE_SHARE_IPMODIFY_SELF)
		return modify_ftrace_direct_nolock(ops, exchange_for[ops - test_ops]);
	return share_answer[ops - test_ops];
}

static int do_share(struct ftrace_ops *ops, const char *arg)
{
	ops->ops_func = share;
	return kstrtoint(arg, 10, &share_answer[ops - test_ops]);
}

static unsigned long trampoline(const char *arg)
{
	return *arg == 'X' ? (unsigned long)ops_test_x :
	       *arg == 'Y' ? (unsigned long)ops_test_y : 0;
}

static int do_exchange(struct ftrace_ops *ops, const char *arg)
{
	exchange_for[ops - test_ops] = trampoline(arg);
	return 0;
}

static int do_direct(struct ftrace_ops *ops, const char *arg)
{
	return register_ftrace_direct(ops, trampoline(arg));
}

static int do_modify(struct ftrace_ops *ops, const char *arg)
{
	return modify_ftrace_direct(ops, trampoline(arg));
}

static int do_undirect(struct ftrace_ops *ops, const char *arg)
{
	return unregister_ftrace_direct(ops, trampoline(arg), true);
}

static int do_retract(struct ftrace_ops *ops, const char *arg)
{
	return unregister_ftrace_direct(ops, trampoline(arg), false);
}

static int visit(void *unused)
{
	ops_test_one(1);
	WRITE_ONCE(visitor, OUTSIDE);	/* there may have been no trampoline */
	while (!kthread_should_stop())
		msleep(1);
	return 0;
}

static int do_vacate(struct ftrace_ops *ops, const char *arg)
{
	struct task_struct *task;
	int err;

	visited = false;
	WRITE_ONCE(visitor, COMING);
	task = kthread_run(visit, NULL, "ops_test_visit");
	if (IS_ERR(task))
		return PTR_ERR(task);
	while (READ_ONCE(visitor) == COMING)
		msleep(1);
	err = do_retract(ops, arg);
	if (!err && READ_ONCE(visitor) == INSIDE)
		err = -EBUSY;
	kthread_stop(task);
	WRITE_ONCE(visitor, AWAY);
	return err ?: visited ? 0 : -ENOENT;
}

static int make_calls(void *unused)
{
	while (!kthread_should_stop()) {
		ops_test_one(1);
		atomic_long_inc(&made);
		cond_resched_tasks_rcu_qs();
	}
	return 0;
}

static struct task_struct *caller[NR_CPUS];

static int start_callers(void)
{
	int cpu, err = 0;

	for_each_online_cpu(cpu) {
		caller[cpu] = kthread_run_on_cpu(make_calls, NULL, cpu, "ops_test/%u");
		if (IS_ERR(caller[cpu]))
			err = PTR_ERR(caller[cpu]);
	}
	return err;
}

static void stop_callers(void)
{
	int cpu;

	for_each_possible_cpu(cpu) {
		if (!IS_ERR_OR_NULL(caller[cpu]))
			kthread_stop(caller[cpu]);
		caller[cpu] = NULL;
	}
}

static int do_storm(struct ftrace_ops *ops, const char *arg)
{
	unsigned int nr, i;
	int err = kstrtouint(arg, 10, &nr);

	if (err)
		return err;
	atomic_long_set(&made, 0);
	atomic_long_set(&passed, 0);
	err = start_callers();
	for (i = 0; i < nr && !err; i++) {
		err = modify_ftrace_direct(ops, trampoline(i & 1 ? "X" : "Y"));
		cond_resched();
	}
	stop_callers();
	if (!err && atomic_long_read(&made) != atomic_long_read(&passed))
		err = -EIO;
	return err;
}

static void leave(struct ftrace_ops *ops)
{
	if (unregister_ftrace_direct(ops, trampoline("X"), false))
		unregister_ftrace_function(ops);
}

#define DIRECT_COMMANDS			\
	{ "share", do_share },		\
	{ "exchange", do_exchange },	\
	{ "meanwhile", do_meanwhile },	\
	{ "late", do_late },		\
	{ "direct", do_direct },	\
	{ "modify", do_modify },	\
	{ "undirect", do_undirect },	\
	{ "retract", do_retract },	\
	{ "vacate", do_vacate },	\
	{ "storm", do_storm },
#else
#define DIRECT_COMMANDS

static void leave(struct ftrace_ops *ops)
{
	unregister_ftrace_function(ops);
}
#endif

#define FLAG(name)	{ #name, FTRACE_OPS_FL_##name }

static const struct flag {
	const char	*name;
	unsigned long	flag;
} flags[] = {
	FLAG(IPMODIFY),
	FLAG(PERMANENT),
	FLAG(RCU),
	FLAG(RECURSION),
	FLAG(SAVE_REGS),
	FLAG(SAVE_REGS_IF_SUPPORTED),
};

static int do_flags(struct ftrace_ops *ops, const char *arg)
{
	int i;

	ops->flags = 0;
	for (i = 0; i < ARRAY_SIZE(flags); i++)
		if (!strcmp(arg, flags[i].name))
			ops->flags = flags[i].flag;
	return 0;
}

static int do_func(struct ftrace_ops *ops, const char *arg)
{
	static const ftrace_func_t funcs[] = { NULL, ops_call, ops_watch, ops_nest };
	unsigned int number;
	int err = kstrtouint(arg, 10, &number);

	if (err || number >= ARRAY_SIZE(funcs))
		return -EINVAL;
	ops->func = funcs[number];
	return 0;
}

static int set_words(struct ftrace_ops *ops, const char *arg, int reset,
		     int (*set)(struct ftrace_ops *ops, unsigned char *buf, int len, int reset))
{
	unsigned char *word __free(kfree) = kstrdup(arg, GFP_KERNEL);

	return word ? set(ops, *word ? word : NULL, strlen(word), reset) : -ENOMEM;
}

static int do_filter(struct ftrace_ops *ops, const char *arg)
{
	return set_words(ops, arg, 0, ftrace_set_filter);
}

static int do_notrace(struct ftrace_ops *ops, const char *arg)
{
	return set_words(ops, arg, 0, ftrace_set_notrace);
}

static int do_only(struct ftrace_ops *ops, const char *arg)
{
	return set_words(ops, arg, 1, ftrace_set_filter);
}

static unsigned long function(const char *arg)
{
	static const struct {
		const char *name;
		int (*function)(int argument);
	} functions[] = {
		{ "ops_test_one", ops_test_one },
		{ "ops_test_two", ops_test_two },
		{ "ops_test_three", ops_test_three },
	};
	int i;

	for (i = 0; i < ARRAY_SIZE(functions); i++)
		if (!strcmp(arg, functions[i].name))
			return (unsigned long)functions[i].function;
	return (unsigned long)&answer;
}

static int do_global(struct ftrace_ops *ops, const char *arg)
{
	ftrace_ops_set_global_filter(ops);
	return 0;
}

static int do_site(struct ftrace_ops *ops, const char *arg)
{
	return ftrace_set_filter_ip(ops, function(arg), 0, 0);
}

static int do_unsite(struct ftrace_ops *ops, const char *arg)
{
	return ftrace_set_filter_ip(ops, function(arg), 1, 0);
}

static int do_register(struct ftrace_ops *ops, const char *arg)
{
	return register_ftrace_function(ops);
}

static int do_unregister(struct ftrace_ops *ops, const char *arg)
{
	return unregister_ftrace_function(ops);
}

static int do_free(struct ftrace_ops *ops, const char *arg)
{
	ftrace_free_filter(ops);
	return 0;
}

/* Returns 0 if the arguments arrived unchanged. */
static int do_call(struct ftrace_ops *ops, const char *arg)
{
	memset(called, 0, sizeof(called));
	return !(ops_test_one(1) == 1 && ops_test_two(2) == 2);
}

static int do_call_unwatched(struct ftrace_ops *ops, const char *arg)
{
	int err;

	guard(irqsave)();
	ct_idle_enter();
	err = do_call(ops, arg);
	ct_idle_exit();
	return err;
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS
static int do_meanwhile(struct ftrace_ops *ops, const char *arg)
{
	late_ip = function(arg);
	late_ops = ops;
	return 0;
}
#endif

static const struct command {
	const char	*name;
	int		(*call)(struct ftrace_ops *ops, const char *arg);
} commands[] = {
	{ "flags", do_flags },
	{ "func", do_func },
	{ "filter", do_filter },
	{ "notrace", do_notrace },
	{ "only", do_only },
	{ "global", do_global },
	{ "site", do_site },
	{ "unsite", do_unsite },
	{ "register", do_register },
	{ "unregister", do_unregister },
	{ "free", do_free },
	{ "call", do_call },
	{ "call_unwatched", do_call_unwatched },
	DIRECT_COMMANDS
};

static int command_set(const char *text, const struct kernel_param *unused)
{
	char *line __free(kfree) = kstrdup(text, GFP_KERNEL);
	char *arg = line ? strim(line) : NULL;
	char *name = strsep(&arg, " "), *ops = strsep(&arg, " ");
	unsigned int i, letter = ops ? *ops - 'a' : 0;

	if (!line)
		return -ENOMEM;
	if (letter >= ARRAY_SIZE(test_ops))
		return -EINVAL;
	memset(asked, 0, sizeof(asked));
	for (i = 0; i < ARRAY_SIZE(commands); i++) {
		if (!strcmp(name, commands[i].name)) {
			answer = commands[i].call(&test_ops[letter], arg ?: "");
			return answer == -ENOMEM ? answer : 0;
		}
	}
	return -EINVAL;
}

static int command_get(char *text, const struct kernel_param *unused)
{
	do_call(NULL, NULL);
	return sysfs_emit(text, "%s\n", called);
}

static int unwatched_get(char *text, const struct kernel_param *unused)
{
	return unwatched ? sysfs_emit(text, "%ps\n", (void *)unwatched) : 0;
}

static const struct kernel_param_ops unwatched_ops = {
	.get = unwatched_get,
};

static const struct kernel_param_ops command_ops = {
	.set = command_set,
	.get = command_get,
};

module_param_cb(command, &command_ops, NULL, 0600);
module_param(answer, int, 0400);
module_param_string(called, called, sizeof(called), 0400);
module_param_cb(unwatched, &unwatched_ops, NULL, 0400);
module_param_string(asked, asked, sizeof(asked), 0400);

static int __init init_ops(void)
{
	static const char letters[] = "abc";
	int i;

	for (i = 0; i < ARRAY_SIZE(test_ops); i++) {
		test_ops[i].func = ops_call;
		test_ops[i].private = (void *)&letters[i];
	}
	return 0;
}
module_init(init_ops);

/* The module must not leave ops registered that a script has left. */
static void __exit exit_ops(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(test_ops); i++) {
		if (test_ops[i].flags & FTRACE_OPS_FL_ENABLED)
			leave(&test_ops[i]);
		ftrace_free_filter(&test_ops[i]);
	}
}
module_exit(exit_ops);

MODULE_DESCRIPTION("the kernel's interface to function tracing, for shell scripts");
MODULE_LICENSE("GPL");
