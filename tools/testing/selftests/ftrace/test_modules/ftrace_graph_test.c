// SPDX-License-Identifier: GPL-2.0
/*
 * Tests of function graph. The users of function graph and the traced functions are in this module:
 * a test makes calls of known shapes, and compares the calls that a user saw with those that it
 * must see. Reading "tests" gives the names of the tests. Writing a name to "run" runs that test;
 * the write fails if the test fails.
 *
 * A user notes a call as the letter of the function, and the return as the capital letter.
 */
#include <linux/array_size.h>
#include <linux/atomic.h>
#include <linux/bottom_half.h>
#include <linux/completion.h>
#include <linux/container_of.h>
#include <linux/cpumask.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/hrtimer.h>
#include <linux/irqflags.h>
#include <linux/kthread.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/preempt.h>
#include <linux/printk.h>
#include <linux/sched.h>
#include <linux/sched/task_stack.h>
#include <linux/slab.h>
#include <linux/smp.h>
#include <linux/stacktrace.h>
#include <linux/string.h>
#include <linux/sysfs.h>
#include <linux/vmalloc.h>

#include "ftrace_graph_test.h"

#define CHECK(cond)								\
	do {									\
		if (!(cond)) {							\
			pr_err("graph_test: line %d: %s\n", __LINE__, #cond);	\
			return -EINVAL;						\
		}								\
	} while (0)

/* The contexts of calls. An interrupt may interrupt a softirq, and both may interrupt a task. */
enum irq_level { IN_TASK = -1, IN_SOFTIRQ, IN_HARDIRQ, NR_IRQ_LEVELS };

/**
 * struct irq_log - calls that a user saw in one context that interrupts tasks
 * @calls: number of calls
 * @open: number of calls that have not returned
 * @text: calls and returns since @len was set to zero
 * @len: number of letters in @text
 */
struct irq_log {
	unsigned int		calls;
	int			open;
	char			text[16];
	unsigned int		len;
};

/**
 * struct test_user - a user of function graph, and the calls that it saw
 * @gops: its registration
 * @data: number of bytes that it keeps with a call
 * @letters: letters of the functions that it wants; NULL: all functions
 * @refuse: letters of the functions whose calls it does not accept
 * @calls: its callbacks call a traced function
 * @log: calls and returns in tasks
 * @len: number of letters in @log
 * @wrong: number of returns with wrong data, a wrong function or a wrong time
 * @irq: calls and returns in softirqs and interrupts
 * @value: return value of the latest call
 * @deepest: the greatest ftrace_graph_ent::depth
 */
struct test_user {
	struct fgraph_ops	gops;
	int			data;
	const char		*letters;
	const char		*refuse;
	bool			calls;
	char			log[4096];
	unsigned int		len;
	unsigned int		wrong;
	struct irq_log		irq[NR_IRQ_LEVELS];
	unsigned long		value;
	int			deepest;
};

static struct test_user user[17];

/* Call sites made with -pg come after the prologue, so @ip is not the start of the function. */
static notrace char letter_of(unsigned long ip)
{
	const struct graph_shape *shape, *nearest = NULL;

	for (shape = graph_shapes; shape->func; shape++)
		if ((unsigned long)shape->func <= ip && ip - (unsigned long)shape->func < 256 &&
		    (!nearest || nearest->func < shape->func))
			nearest = shape;
	return nearest ? nearest->letter : '?';
}

/* If sites cannot be chosen, the user is called for all functions. */
static notrace bool is_wanted(const struct test_user *u, char letter)
{
	return IS_ENABLED(CONFIG_DYNAMIC_FTRACE) ||
	       (letter != '?' && (!u->letters || strchr(u->letters, letter)));
}

static notrace enum irq_level irq_level(void)
{
	return in_hardirq() ? IN_HARDIRQ : in_serving_softirq() ? IN_SOFTIRQ : IN_TASK;
}

static notrace void note_irq(struct irq_log *log, char what, int calls)
{
	log->open += calls;
	log->calls += calls > 0;
	if (log->len < sizeof(log->text))
		log->text[log->len++] = what;
}

static notrace void note(struct test_user *u, char what)
{
	if (u->len < sizeof(u->log) - 1)
		u->log[u->len++] = what;
	if (u->calls)
		u->wrong += graph_leaf(1) != 2;
}

static notrace int test_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	struct test_user *u = gops->private;
	char letter = letter_of(trace->func);
	char *data;

	if (!is_wanted(u, letter))
		return 0;
	if (u->refuse && strchr(u->refuse, letter)) {
		/* The data are dropped with the call. */
		fgraph_reserve_data(gops->idx, 16);
		return 0;
	}
	if (u->data) {
		data = fgraph_reserve_data(gops->idx, u->data);
		if (!data)
			return 0;
		memset(data, letter ^ gops->idx, u->data);
	}
	if (irq_level() != IN_TASK) {
		note_irq(&u->irq[irq_level()], letter, 1);
	} else {
		note(u, letter);
		u->deepest = max(u->deepest, trace->depth);
	}
	return 1;
}

static notrace void test_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	struct test_user *u = gops->private;
	char letter = letter_of(trace->func);
	int size = 0, i;
	char *data = fgraph_retrieve_data(gops->idx, &size);

	u->wrong += size != u->data || trace->rettime < trace->calltime;
	for (i = 0; i < size; i++)
		u->wrong += data[i] != (char)(letter ^ gops->idx);
	/* The data of the calling function must be this user's, too. */
	if (fgraph_retrieve_parent_data(gops->idx, &size, 1))
		u->wrong += size != u->data;
	u->value = trace->retval;
	if (irq_level() != IN_TASK)
		note_irq(&u->irq[irq_level()], letter - 'a' + 'A', -1);
	else
		note(u, letter - 'a' + 'A');
}

/* Starts a user for the functions with these letters; NULL: for all. */
static int start(struct test_user *u, const char *letters)
{
	const struct graph_shape *shape;
	int err;

	memset(u->log, 0, sizeof(u->log));
	memset(u->irq, 0, sizeof(u->irq));
	u->len = u->wrong = u->deepest = 0;
	u->gops.entryfunc = test_entry;
	u->gops.retfunc = test_return;
	u->gops.private = u;
	u->letters = letters;
	for (shape = graph_shapes; IS_ENABLED(CONFIG_DYNAMIC_FTRACE) && shape->func; shape++) {
		if (letters && !strchr(letters, shape->letter))
			continue;
		err = ftrace_set_filter_ip(&u->gops.ops, (unsigned long)shape->func, 0, 0);
		if (err)
			return err;
	}
	return register_ftrace_graph(&u->gops);
}

static void stop(struct test_user *u)
{
	unregister_ftrace_graph(&u->gops);
	ftrace_free_filter(&u->gops.ops);
	u->data = 0;
	u->refuse = NULL;
	u->calls = false;
}

static int saw(struct test_user *u, const char *want)
{
	if (!u->wrong && !strcmp(u->log, want))
		return 0;
	pr_err("graph_test: user %d noted %s, not %s; %u wrong\n", (int)(u - user), u->log, want,
	       u->wrong);
	return -EINVAL;
}

/* Makes calls while a user sees them, and compares what it noted. */
static int expect(long (*func)(long), long argument, const char *want)
{
	long result;
	int err = start(&user[0], NULL);

	if (err)
		return err;
	result = func(argument);
	stop(&user[0]);
	CHECK(result == argument + 1);
	return saw(&user[0], want);
}

static atomic_long_t entries, returns;

static notrace int count_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	unsigned long *kept = fgraph_reserve_data(gops->idx, sizeof(*kept));

	if (!kept)
		return 0;
	*kept = trace->func ^ gops->idx;
	atomic_long_inc(&entries);
	return 1;
}

static notrace void count_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	int size;
	unsigned long *kept = fgraph_retrieve_data(gops->idx, &size);

	if (!kept || *kept != (trace->func ^ gops->idx))
		atomic_long_set(&returns, LONG_MIN / 2);
	atomic_long_inc(&returns);
}

static int test_chain(void)
{
	return expect(graph_chain, 5, "cblLBC");
}

static int test_tail(void)
{
	return expect(graph_tail, 7, "tulLUT");
}

/* A call that is left by graph_longjmp() never returns. */
static int test_jump(void)
{
	user[0].data = 20;
	return expect(graph_jump, 9, "jelLJ") ?: expect(graph_chain, 5, "cblLBC");
}

#define DEEP	1000

/*
 * The calls need more than the task's stack and its shadow stack hold. They run on a stack of their
 * own, with interrupts off, as interrupts expect a stack that the kernel knows.
 */
static int test_recurse(void)
{
	const size_t size = SZ_256K;
	char *memory = vzalloc(size);
	unsigned long flags;
	long result;

	if (!memory)
		return -ENOMEM;
	local_irq_save(flags);
	result = graph_on_stack(graph_recurse, DEEP, memory + size);
	local_irq_restore(flags);
	vfree(memory);
	CHECK(result == DEEP + 1);
	return 0;
}

static int test_deep(void)
{
	int seen, err, before = atomic_read(&current->trace_overrun);
	unsigned int i;

	err = start(&user[0], "r");
	if (err)
		return err;
	err = test_recurse();
	stop(&user[0]);

	CHECK(!err);
	seen = user[0].len / 2;
	CHECK(seen > 70 && seen < DEEP);
	CHECK(user[0].deepest == seen - 1);
	CHECK(atomic_read(&current->trace_overrun) - before == DEEP + 1 - seen);
	for (i = 0; i < user[0].len; i++)
		CHECK(user[0].log[i] == (i < seen ? 'r' : 'R'));
	CHECK(!user[0].wrong);
	return 0;
}

/*
 * A call in which a fault is fixed up: it reads past the end of a mapping. It is tested alone, and
 * with a user that traces all functions, and so those that are called for the fault.
 */
static int test_fault(void)
{
	static struct fgraph_ops all;
	char *memory = vzalloc(PAGE_SIZE);
	int err;

	if (!memory)
		return -ENOMEM;
	graph_unmapped = memory + PAGE_SIZE;
	err = expect(graph_fault, 5, "xlLglLGlLX");
	if (!err) {
		all.entryfunc = count_entry;
		all.retfunc = count_return;
		err = register_ftrace_graph(&all);
	}
	if (!err) {
		err = expect(graph_fault, 5, "xlLglLGlLX");
		unregister_ftrace_graph(&all);
	}
	vfree(memory);
	return err;
}

static int test_values(void)
{
	int err = start(&user[0], NULL);

	if (err)
		return err;
	err = graph_check_values();
	stop(&user[0]);
	if (err)
		pr_err("graph_test: value %d did not come through\n", err);
	CHECK(!err);
	err = saw(&user[0], "vVfFyYzZnN") ?: expect(graph_chain, 41, "cblLBC");
	CHECK(err || user[0].value == 42);
	return err;
}

static int test_by_value(void)
{
	int err = start(&user[0], NULL);
	long result;

	if (err)
		return err;
	result = graph_sum(1, (struct graph_two){ 20, 300 }, 4000);
	stop(&user[0]);
	CHECK(result == 4321);
	CHECK(user[0].value == 4321);
	return saw(&user[0], "mM");
}

/* Users of several kinds, and the calls of graph_chain() that they see. */
static const struct {
	const char *letters;
	const char *refuse;
	const char *want;
} kinds[] = {
	{ "cbl", NULL, "cblLBC" }, { "b", NULL, "bB" }, { "cl", "c", "lL" }, { NULL, "b", "clLC" },
};

static int start_kind(struct test_user *u, int kind, int data)
{
	u->data = data;
	u->refuse = kinds[kind].refuse;
	return start(u, kinds[kind].letters);
}

/* Each user sees its own functions, and has its own data. */
static int test_users(void)
{
	int i, err = 0;

	for (i = 0; i < ARRAY_SIZE(kinds); i++)
		err = err ?: start_kind(&user[i], i, i * 12);
	err = err ?: graph_chain(5) != 6;
	for (i = 0; i < ARRAY_SIZE(kinds); i++) {
		unregister_ftrace_graph(&user[i].gops);
		err = err ?: saw(&user[i], kinds[i].want);
		stop(&user[i]);
	}
	return err;
}

static int test_many(void)
{
	int i, err = 0;

	for (i = 0; i < 16; i++)
		err = err ?: start_kind(&user[i], i % ARRAY_SIZE(kinds), 16);
	CHECK(!err && start(&user[16], NULL) == -ENOSPC);
	CHECK(register_ftrace_graph(&user[0].gops) == -EBUSY);
	stop(&user[16]);
	graph_chain(5);
	for (i = 0; i < 16; i++) {
		stop(&user[i]);
		err = err ?: saw(&user[i], kinds[i % ARRAY_SIZE(kinds)].want);
	}
	return err;
}

/*
 * The data of many users leave no space for all calls. trace_overrun counts the calls that a user
 * does not see: a call without a frame once, a call with a frame once for each user whose data
 * found no space. A user without data sees all calls that have a frame.
 */
static int test_crowd(void)
{
	const int last = 15, calls = 17;
	int i, frames, left, err = 0, before;
	unsigned long flags;
	unsigned int at;
	long result = 0;

	for (i = 0; i <= last; i++) {
		user[i].data = i < last ? 16 : 0;
		err = err ?: start(&user[i], "r");
	}
	before = atomic_read(&current->trace_overrun);
	local_irq_save(flags);
	if (!err)
		result = graph_recurse(calls - 1);
	local_irq_restore(flags);
	left = atomic_read(&current->trace_overrun) - before;
	for (i = 0; i <= last; i++)
		stop(&user[i]);
	CHECK(!err);
	CHECK(result == calls);

	frames = user[last].len / 2;
	CHECK(frames > 3 && frames < calls);
	left -= calls - frames;
	for (i = 0; i <= last; i++) {
		left -= frames - (int)user[i].len / 2;
		CHECK(!user[i].wrong);
		for (at = 0; at < user[i].len; at++)
			CHECK(user[i].log[at] == (at < user[i].len / 2 ? 'r' : 'R'));
	}
	CHECK(!left);
	return 0;
}

/*
 * A user sees the functions that its callbacks call, but not those that its callbacks call for
 * these.
 */
static int test_callbacks(void)
{
	int err;

	user[0].calls = true;
	user[0].data = 20;
	err = expect(graph_chain, 5, "clLblLllLLlLBlLClL");
	if (err)
		return err;

	user[0].calls = true;
	user[1].data = 12;
	err = start(&user[0], NULL) ?: start(&user[1], "bl");
	err = err ?: graph_chain(5) != 6;
	stop(&user[1]);
	stop(&user[0]);
	CHECK(!err);
	/* The order of these letters depends on which user's callback is called first. */
	CHECK(user[1].len == strlen("lLlLblLllLLlLBlL") && !user[1].wrong);
	return saw(&user[0], "clLblLllLLlLBlLClL");
}

/* User 0 leaves while calls are under way, and user 1 gets its number. */
static int takes_over(void)
{
	stop(&user[0]);
	return start(&user[1], NULL);
}

static int test_under_way(void)
{
	int err;

	user[0].data = 20;
	err = start(&user[0], NULL);
	if (err)
		return err;
	graph_hook = takes_over;
	err = graph_hooked(3) != 4;
	graph_hook = NULL;
	graph_chain(5);
	stop(&user[1]);
	CHECK(!err);
	CHECK(user[0].gops.idx == user[1].gops.idx);
	return saw(&user[0], "hk") ?: saw(&user[1], "lLcblLBC");
}

static void notrace skip_function(unsigned long ip, unsigned long parent_ip,
				  struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	ftrace_regs_set_return_value(fregs, 6);
	ftrace_override_function_with_return(fregs);
}

/* A call that an ops skips has a return all the same. */
static int test_skipped(void)
{
	static struct ftrace_ops skip = { .func = skip_function, .flags = FTRACE_OPS_FL_IPMODIFY };
	int err;

	if (!IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_ARGS))
		return 0;
	err = ftrace_set_filter_ip(&skip, (unsigned long)graph_middle, 0, 0) ?:
	      register_ftrace_function(&skip);
	if (err)
		return err;
	err = expect(graph_chain, 5, "cbBC");
	unregister_ftrace_function(&skip);
	ftrace_free_filter(&skip);
	return err ?: expect(graph_chain, 5, "cblLBC");
}

#define PING_5	"pqpqpqQPQPQP"

/* Timers that interrupt the task, and each other. */
static struct ticker {
	struct hrtimer	timer;
	enum irq_level	level;
	unsigned int	ticks;
	unsigned int	wrong;
} ticker[NR_IRQ_LEVELS];

static enum hrtimer_restart tick(struct hrtimer *timer)
{
	struct ticker *t = container_of(timer, struct ticker, timer);
	struct irq_log *log = &user[0].irq[t->level];

	t->ticks++;
	log->len = 0;
	t->wrong += graph_ping(5) != 6 || log->len != strlen(PING_5) ||
		    memcmp(log->text, PING_5, log->len);
	hrtimer_forward_now(timer, 100 * NSEC_PER_USEC);
	return HRTIMER_RESTART;
}

static void start_ticker(enum irq_level level, enum hrtimer_mode mode)
{
	struct ticker *t = &ticker[level];

	t->level = level;
	t->ticks = t->wrong = 0;
	hrtimer_init(&t->timer, CLOCK_MONOTONIC, mode);
	t->timer.function = tick;
	hrtimer_start(&t->timer, 100 * NSEC_PER_USEC, mode);
}

/* Calls and returns come in order, even if softirqs and interrupts come in between. */
static int test_interrupted(void)
{
	unsigned int rounds, i;
	int err = start(&user[0], "pq");

	if (err)
		return err;
	start_ticker(IN_SOFTIRQ, HRTIMER_MODE_REL_PINNED_SOFT);
	start_ticker(IN_HARDIRQ, HRTIMER_MODE_REL_PINNED_HARD);
	for (rounds = 0; rounds < 20000 && !err; rounds++) {
		user[0].len = 0;
		memset(user[0].log, 0, 16);
		err = graph_ping(5) != 6;
		err = err ?: saw(&user[0], PING_5);
		cond_resched();
	}
	for (i = 0; i < ARRAY_SIZE(ticker); i++)
		hrtimer_cancel(&ticker[i].timer);
	stop(&user[0]);
	for (i = 0; i < ARRAY_SIZE(ticker); i++) {
		CHECK(ticker[i].ticks > 10);
		CHECK(!ticker[i].wrong);
		CHECK(user[0].irq[i].calls == 6 * ticker[i].ticks);
		CHECK(!user[0].irq[i].open);
	}
	return err;
}

/* Does the stack show these functions in this order? */
static noinline int stack_shows(const char * const *names)
{
	unsigned long entries[32];
	unsigned int nr = stack_trace_save(entries, ARRAY_SIZE(entries), 0), i;
	char symbol[KSYM_SYMBOL_LEN];
	const char * const *next = names;

	for (i = 0; i < nr; i++) {
		snprintf(symbol, sizeof(symbol), "%ps", (void *)entries[i]);
		CHECK(!strstarts(symbol, "return_to_handler"));
		if (*next && strstarts(symbol, *next))
			next++;
	}
	if (*next) {
		pr_err("graph_test: %s is not on the stack\n", *next);
		stack_trace_print(entries, nr, 1);
	}
	return *next ? -EINVAL : 0;
}

static const char *caller_of_kernel;

static noinline int look_at_stack(void)
{
	const char * const names[] = {
		"stack_shows", "look_at_stack", "graph_kernel", caller_of_kernel, "test_unwind",
		NULL,
	};

	return stack_shows(names);
}

static int test_unwind(void)
{
	int err = start(&user[0], NULL);

	if (err)
		return err;
	graph_hook = look_at_stack;
	caller_of_kernel = "graph_hooked";
	err = graph_hooked(3) != 4;
	caller_of_kernel = "graph_variadic";
	err = err ?: graph_variadic(2, 0L, 3L) != 4;
	graph_hook = NULL;
	stop(&user[0]);
	CHECK(!err);
	return saw(&user[0], "hklLKHaklLKA");
}

static int dump_here(void)
{
	dump_stack();
	return 0;
}

/* Print the stack as WARN() and an oops do. */
static int test_dump(void)
{
	int err = start(&user[0], NULL);

	if (err)
		return err;
	graph_hook = dump_here;
	err = graph_hooked(3) != 4;
	graph_hook = NULL;
	stop(&user[0]);
	CHECK(!err);
	return saw(&user[0], "hklLKH");
}

static enum hrtimer_restart stop_waiting(struct hrtimer *timer)
{
	WRITE_ONCE(graph_waiting, false);
	return HRTIMER_NORESTART;
}

static struct task_struct *busy_task;

/*
 * While softirqs are disabled, only interrupts can run on this CPU before graph_wait() is over, and
 * no softirq runs after them. So each interrupts graph_wait(). A timer ends graph_wait() after ten
 * seconds if nothing else does.
 */
static int busy_inside(void *unused)
{
	struct hrtimer timer;
	long result;

	hrtimer_init_on_stack(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_PINNED_HARD);
	timer.function = stop_waiting;
	hrtimer_start(&timer, 10 * NSEC_PER_SEC, HRTIMER_MODE_REL_PINNED_HARD);
	local_bh_disable();
	result = graph_slow(1);
	local_bh_enable();
	hrtimer_cancel(&timer);
	destroy_hrtimer_on_stack(&timer);
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ);
	return result != 2;
}

/*
 * From the end of this test until test_busy_end(), another CPU runs graph_wait(), called by
 * graph_slow(). graph_wait() calls nothing. The task that writes to "run" must not run on that CPU.
 */
static int test_busy(void)
{
	unsigned int cpu = cpumask_any_but(cpu_online_mask, raw_smp_processor_id());
	int err;

	CHECK(!busy_task && cpu < nr_cpu_ids);
	err = start(&user[0], NULL);
	if (err)
		return err;
	graph_waiting = true;
	graph_waits = false;
	busy_task = kthread_create(busy_inside, NULL, "graph_busy");
	err = PTR_ERR_OR_ZERO(busy_task);
	if (err) {
		busy_task = NULL;
		stop(&user[0]);
		return err;
	}
	kthread_bind(busy_task, cpu);
	wake_up_process(busy_task);
	/* Do not sleep: waking up might need a softirq of the other CPU. */
	while (!READ_ONCE(graph_waits))
		cond_resched();
	return 0;
}

static int test_busy_end(void)
{
	int err;

	CHECK(busy_task);
	WRITE_ONCE(graph_waiting, false);
	err = kthread_stop(busy_task);
	busy_task = NULL;
	stop(&user[0]);
	CHECK(!err);
	return saw(&user[0], "swWS");
}

/*
 * A user whose callback makes a long call when graph_middle(), which is short, is about to return,
 * as an interrupt might at this place.
 */
static notrace int late_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	return letter_of(trace->func) == 'b';
}

static notrace void late_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	graph_delay(20);
}

static struct fgraph_ops late = {
	.entryfunc	= late_entry,
	.retfunc	= late_return,
};

static bool late_waits;

static int late_start(void)
{
	int err = 0;

	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE))
		err = ftrace_set_filter_ip(&late.ops, (unsigned long)graph_middle, 0, 0);
	err = err ?: register_ftrace_graph(&late);
	late_waits = !err;
	return err;
}

static void late_stop(void)
{
	unregister_ftrace_graph(&late);
	ftrace_free_filter(&late.ops);
	late_waits = false;
}

/* Return callbacks of users that register between this test and late_call are called later. */
static int test_late_first(void)
{
	CHECK(!late_waits);
	return late_start();
}

static int test_late_call(void)
{
	int err = late_waits ? 0 : late_start();
	long result;

	if (err)
		return err;
	result = graph_chain(5);
	late_stop();
	CHECK(result == 6);
	return 0;
}

/* A thread that exits inside of calls. For /proc there is a thread that sleeps inside of calls. */
static int ends_here(void)
{
	kthread_complete_and_exit(graph_thread_done, 0);
	return 0;
}

static int end_inside(void *unused)
{
	return graph_hooked(1);
}

static int test_exit(void)
{
	DECLARE_COMPLETION_ONSTACK(done);
	struct task_struct *task;
	int i, err = start(&user[0], NULL);

	graph_hook = ends_here;
	graph_thread_done = &done;
	for (i = 0; i < 20 && !err; i++) {
		reinit_completion(&done);
		task = kthread_run(end_inside, NULL, "graph_exit");
		err = PTR_ERR_OR_ZERO(task);
		if (!err)
			wait_for_completion(&done);
	}
	graph_hook = NULL;
	stop(&user[0]);
	CHECK(!err);
	CHECK(user[0].len == 2 * i && user[0].log[0] == 'h' && user[0].log[1] == 'k');
	return 0;
}

static struct task_struct *sleeper;

static int sleep_here(void)
{
	while (!kthread_should_stop())
		schedule_timeout_interruptible(HZ);
	return 0;
}

static int sleep_inside(void *unused)
{
	return graph_hooked(1) != 2;
}

/*
 * From here until test_wake_up(), thread "graph_sleeper" sleeps in graph_kernel(), in
 * graph_hooked().
 */
static int test_sleep(void)
{
	int err;

	CHECK(!sleeper);
	err = start(&user[0], "hk");
	graph_hook = sleep_here;
	sleeper = err ? NULL : kthread_run(sleep_inside, NULL, "graph_sleeper");
	return err ?: PTR_ERR_OR_ZERO(sleeper);
}

static int test_wake_up(void)
{
	int err;

	CHECK(sleeper);
	err = kthread_stop(sleeper);
	sleeper = NULL;
	graph_hook = NULL;
	stop(&user[0]);
	CHECK(!err);
	return saw(&user[0], "hkKH");
}

/* Counts of all calls of a thread, and of interrupts of this thread. */
static struct watched {
	struct task_struct	*task;
	long			open;		/* have not returned */
	unsigned long		calls;
	unsigned long		rounds;
	unsigned long		wrong;		/* rounds with calls that did not return */
} watched[4];

static notrace struct watched *watched_current(void)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(watched); i++)
		if (READ_ONCE(watched[i].task) == current)
			return &watched[i];
	return NULL;
}

static notrace int watch_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	struct watched *w = watched_current();

	if (!count_entry(trace, gops))
		return 0;
	if (w) {
		w->open++;
		w->calls++;
	}
	return 1;
}

static notrace void watch_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	struct watched *w = watched_current();

	count_return(trace, gops);
	if (w)
		w->open--;
}

/* Calls, sleeps and waits. After each round, as many calls are under way as before it. */
static int watched_thread(void *data)
{
	struct watched *w = data;
	long open;

	WRITE_ONCE(w->task, current);
	while (!kthread_should_stop()) {
		open = READ_ONCE(w->open);
		kfree(kmalloc(100, GFP_KERNEL));
		w->wrong += graph_chain(w->rounds) != w->rounds + 1;
		usleep_range(10, 1000);
		schedule_timeout_interruptible(1);
		w->wrong += READ_ONCE(w->open) != open;
		w->rounds++;
	}
	WRITE_ONCE(w->task, NULL);
	return 0;
}

static int watch_threads(unsigned int ms)
{
	struct task_struct *task[ARRAY_SIZE(watched)];
	int i, nr, try, err = 0;

	memset(watched, 0, sizeof(watched));
	for (nr = 0; nr < ARRAY_SIZE(watched); nr++) {
		task[nr] = kthread_run(watched_thread, &watched[nr], "graph_watched");
		err = PTR_ERR_OR_ZERO(task[nr]);
		if (err)
			break;
	}
	msleep(ms);
	for (i = 0; i < nr; i++) {
		/* The thread may not have made its first round yet. */
		for (try = 0; try < 600 && !READ_ONCE(watched[i].rounds); try++)
			msleep(100);
		kthread_stop(task[i]);
	}
	CHECK(!err);
	for (i = 0; i < nr; i++) {
		CHECK(watched[i].rounds);
		CHECK(watched[i].calls > 10 * watched[i].rounds);
		CHECK(!watched[i].wrong);
	}
	return 0;
}

/* All functions of the kernel are traced for a while. */
static int test_everything(void)
{
	static struct fgraph_ops all[4];
	int i, err = 0;

	atomic_long_set(&entries, 0);
	atomic_long_set(&returns, 0);
	for (i = 0; i < ARRAY_SIZE(all) && !err; i++) {
		all[i].entryfunc = watch_entry;
		all[i].retfunc = watch_return;
		err = register_ftrace_graph(&all[i]);
	}
	err = err ?: watch_threads(500);
	while (i--)
		unregister_ftrace_graph(&all[i]);
	CHECK(!err);
	CHECK(atomic_long_read(&entries) > 1000);
	CHECK(atomic_long_read(&returns) > 1000);
	/* Each call has a return, except for calls that are under way. */
	CHECK(atomic_long_read(&returns) <= atomic_long_read(&entries));
	CHECK(atomic_long_read(&returns) > atomic_long_read(&entries) / 2);
	return 0;
}

/* A thread whose calls nothing interrupts. */
static struct task_struct *leaf_task;
static unsigned long leaf_calls, leaf_returns;

static notrace int leaf_entry(struct ftrace_graph_ent *trace, struct fgraph_ops *gops)
{
	if (current != READ_ONCE(leaf_task) || letter_of(trace->func) != 'l')
		return 0;
	leaf_calls++;
	return 1;
}

static notrace void leaf_return(struct ftrace_graph_ret *trace, struct fgraph_ops *gops)
{
	leaf_returns++;
}

static int leaf_thread(void *unused)
{
	unsigned long flags;

	WRITE_ONCE(leaf_task, current);
	while (!kthread_should_stop()) {
		local_irq_save(flags);
		graph_leaf(1);
		local_irq_restore(flags);
		cond_resched();
	}
	WRITE_ONCE(leaf_task, NULL);
	return 0;
}

/*
 * While a user's sites are switched off, it sees the return of each call that it saw, except maybe
 * of the last one.
 */
static int test_leaving(void)
{
	static struct fgraph_ops all = { .entryfunc = leaf_entry, .retfunc = leaf_return };
	struct task_struct *task = kthread_run(leaf_thread, NULL, "graph_leaf");
	unsigned long calls = 0, lost = 0;
	int i, try, err = PTR_ERR_OR_ZERO(task);

	if (err)
		return err;
	for (i = 0; i < 5 && !err; i++) {
		leaf_calls = leaf_returns = 0;
		err = register_ftrace_graph(&all);
		if (err)
			break;
		for (try = 0; try < 1000 && READ_ONCE(leaf_calls) < 100; try++)
			msleep(10);
		unregister_ftrace_graph(&all);
		calls += READ_ONCE(leaf_calls);
		lost += READ_ONCE(leaf_calls) - READ_ONCE(leaf_returns) > 1;
	}
	kthread_stop(task);
	CHECK(!err);
	CHECK(calls);
	CHECK(!lost);
	return 0;
}

/* Calls are not seen while their task has paused function graph. */
static int test_pause(void)
{
	int err = start(&user[0], NULL);

	if (err)
		return err;
	pause_graph_tracing();
	graph_chain(1);
	unpause_graph_tracing();
	graph_leaf(1);
	stop(&user[0]);
	return saw(&user[0], "lL");
}

/*
 * A function loses its caller's frame pointer: it still returns, but function graph stops for good.
 */
static int test_spoil(void)
{
	int err = start(&user[0], NULL);
	long result;

	if (err)
		return err;
	result = graph_around_spoil(1);
	graph_leaf(1);
	stop(&user[0]);
	CHECK(result == 2);
	err = saw(&user[0], "olLO");
	if (err)
		return err;
	CHECK(start(&user[0], NULL) == -ENODEV);
	ftrace_free_filter(&user[0].gops.ops);
	return 0;
}

#define TEST(name)	{ #name, test_##name }

static const struct {
	const char *name;
	int (*run)(void);
} tests[] = {
	TEST(chain), TEST(tail), TEST(jump), TEST(recurse), TEST(deep), TEST(fault), TEST(values),
	TEST(by_value), TEST(users), TEST(many), TEST(crowd), TEST(callbacks),
	TEST(under_way), TEST(skipped), TEST(interrupted), TEST(unwind), TEST(exit), TEST(pause),
	TEST(everything), TEST(leaving),
	TEST(busy), TEST(busy_end), TEST(dump), TEST(sleep), TEST(wake_up), TEST(spoil),
	TEST(late_first), TEST(late_call),
};

static int run_test(const char *text, const struct kernel_param *kp)
{
	int i;

	for (i = 0; i < ARRAY_SIZE(tests); i++)
		if (sysfs_streq(text, tests[i].name))
			return tests[i].run();
	return -ENOENT;
}
module_param_call(run, run_test, NULL, NULL, 0200);

static int list_tests(char *buffer, const struct kernel_param *kp)
{
	int i, at = 0;

	for (i = 0; i < ARRAY_SIZE(tests); i++)
		at += sysfs_emit_at(buffer, at, "%s\n", tests[i].name);
	return at;
}
module_param_call(tests, NULL, list_tests, NULL, 0400);

static int __init graph_test_init(void)
{
	return 0;
}
module_init(graph_test_init);

static void __exit graph_test_exit(void)
{
	if (busy_task)
		test_busy_end();
	if (sleeper)
		test_wake_up();
	if (late_waits)
		late_stop();
}
module_exit(graph_test_exit);

MODULE_DESCRIPTION("Test of function graph");
MODULE_LICENSE("GPL");
