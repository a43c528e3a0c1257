// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit test of wrong instructions at a site. It is a module, and loading it ends function
 * tracing until the next boot: its own functions are traced, and the site of one of them is
 * overwritten, and then patched.
 *
 * The report is on the console, where guest/check compares it with what is printed here. With
 * direct=1, the operation that fails is not registering an ops, but giving a direct call another
 * trampoline.
 */
#include <kunit/test.h>
#include <linux/ftrace.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/unaligned.h>
#include <linux/vmalloc.h>

/* No site has this instruction. */
#define SPOILT	0xdead0000

enum { FIRST, VICTIM, LAST, NR_TRACED };

static unsigned int runs[NR_TRACED];

static noinline void traced_first(void) { runs[FIRST]++; }
static noinline void traced_victim(void) { runs[VICTIM]++; }
static noinline void traced_last(void) { runs[LAST]++; }

/* The order is that of the addresses (see the Makefile): the first is patched before the victim. */
static void (* const traced[])(void) = {
	[FIRST] = traced_first, [VICTIM] = traced_victim, [LAST] = traced_last,
};

struct counter {
	struct ftrace_ops ops;
	unsigned long *calls;
};

static unsigned long early_calls;
static unsigned long ftrace_fault_late_calls __used;	/* by the trampolines */
static struct counter *early, *late;
static u32 victim_insn;

static bool direct;
module_param(direct, bool, 0);

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_DIRECT_CALLS

/* Trampolines that count calls, and go on in the function. */
void ftrace_fault_a(void);
void ftrace_fault_b(void);

#ifdef CONFIG_ARM64
/* In: x9 the function's return address, x30 the address to go on at. */
#define TRAMPOLINE(name)					\
	asm(".pushsection .text\n"				\
	    ".global " name "\n"				\
	    name ":\n"						\
	    "hint #34\n"		/* bti c */		\
	    "mov x10, x30\n"					\
	    "mov x30, x9\n"					\
	    "adrp x11, ftrace_fault_late_calls\n"		\
	    "add x11, x11, :lo12:ftrace_fault_late_calls\n"	\
	    "ldr x12, [x11]\n"					\
	    "add x12, x12, #1\n"				\
	    "str x12, [x11]\n"					\
	    "ret x10\n"						\
	    ".popsection")
#else
/* In: ra the function's return address, t0 the address to go on at. */
#define TRAMPOLINE(name)					\
	asm(".pushsection .text\n"				\
	    ".balign 4\n"					\
	    ".global " name "\n"				\
	    name ":\n"						\
	    "la t1, ftrace_fault_late_calls\n"			\
	    "ld t2, 0(t1)\n"					\
	    "addi t2, t2, 1\n"					\
	    "sd t2, 0(t1)\n"					\
	    "jr t0\n"						\
	    ".popsection")
#endif

TRAMPOLINE("ftrace_fault_a");
TRAMPOLINE("ftrace_fault_b");

#define TRAMPOLINE_A	((unsigned long)ftrace_fault_a)
#define TRAMPOLINE_B	((unsigned long)ftrace_fault_b)

#else

#define TRAMPOLINE_A	0
#define TRAMPOLINE_B	0

#endif

/* The operation that fails. */
static int late_comes(void)
{
	return direct ? modify_ftrace_direct(&late->ops, TRAMPOLINE_B) :
			register_ftrace_function(&late->ops);
}

static int late_goes(void)
{
	return direct ? unregister_ftrace_direct(&late->ops, TRAMPOLINE_B, false) :
			unregister_ftrace_function(&late->ops);
}

static void notrace count_call(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	++*container_of(ops, struct counter, ops)->calls;
}

/* Make an ops that counts calls of the functions in @mask. */
static struct counter *new_counter(struct kunit *test, unsigned long *calls, unsigned int mask)
{
	struct counter *c = kzalloc(sizeof(*c), GFP_KERNEL);
	unsigned int i;

	KUNIT_ASSERT_NOT_NULL(test, c);
	c->ops.func = count_call;
	c->calls = calls;
	for (i = 0; i < NR_TRACED; i++)
		if (mask & BIT(i))
			KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(&c->ops,
							(unsigned long)traced[i], 0, 0));
	return c;
}

/* Free it and overwrite it, so that a call of it would crash. */
static void free_counter(struct counter *c)
{
	ftrace_free_filter(&c->ops);
	memset(c, 0x6b, sizeof(*c));
	kfree(c);
}

/* Call all functions but the victim, which would not return. */
static void call_traced(void)
{
	early_calls = ftrace_fault_late_calls = 0;
	traced[FIRST]();
	traced[LAST]();
}

/* The first instruction of a function's site, from the module's own, sorted table. */
static u32 *site_of(struct kunit *test, unsigned int which)
{
	unsigned long start = (unsigned long)traced[which];
	unsigned int i;

	for (i = 0; i < THIS_MODULE->num_ftrace_callsites; i++)
		if (THIS_MODULE->ftrace_callsites[i] >= start)
			return (u32 *)THIS_MODULE->ftrace_callsites[i];
	KUNIT_FAIL_AND_ABORT(test, "no site");
	return NULL;
}

/* No CPU runs the victim meanwhile, so no CPU has to be interrupted. */
static void write_text(struct kunit *test, u32 *at, u32 insn)
{
	struct page *page = vmalloc_to_page(at);
	void *alias;

	KUNIT_ASSERT_NOT_NULL(test, page);
	alias = vmap(&page, 1, VM_MAP, PAGE_KERNEL);
	KUNIT_ASSERT_NOT_NULL(test, alias);
	put_unaligned(insn, (u32 *)(alias + offset_in_page(at)));
	vunmap(alias);
}

static void patching_fails(struct kunit *test)
{
	u32 *site = site_of(test, VICTIM);

	KUNIT_ASSERT_TRUE(test, site_of(test, FIRST) < site && site < site_of(test, LAST));
	early = new_counter(test, &early_calls, BIT(FIRST) | (direct ? 0 : BIT(LAST)));
	late = new_counter(test, &ftrace_fault_late_calls, BIT(FIRST) | BIT(VICTIM) | BIT(LAST));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&early->ops));
	if (direct) {
		late->ops.func = NULL;
		KUNIT_ASSERT_EQ(test, 0, register_ftrace_direct(&late->ops, TRAMPOLINE_A));
	}
	call_traced();
	KUNIT_EXPECT_EQ(test, direct ? 1 : 2, early_calls);
	KUNIT_EXPECT_EQ(test, direct ? 2 : 0, ftrace_fault_late_calls);

	victim_insn = get_unaligned(site);
	pr_info("ftrace_fault: at %px %08x becomes %08x\n", site, victim_insn, SPOILT);
	write_text(test, site, SPOILT);
	KUNIT_EXPECT_EQ(test, -ENODEV, late_comes());
	KUNIT_EXPECT_EQ(test, direct, !!(late->ops.flags & FTRACE_OPS_FL_ENABLED));
}

static void nobody_is_called(struct kunit *test)
{
	unsigned int before = runs[FIRST] + runs[LAST];

	call_traced();
	KUNIT_EXPECT_EQ(test, runs[FIRST] + runs[LAST], before + 2);
	KUNIT_EXPECT_EQ(test, 0, early_calls);
	KUNIT_EXPECT_EQ(test, 0, ftrace_fault_late_calls);
}

static void nothing_is_patched(struct kunit *test)
{
	u32 first[2], last[2];

	memcpy(first, site_of(test, FIRST), sizeof(first));
	memcpy(last, site_of(test, LAST), sizeof(last));
	KUNIT_EXPECT_EQ(test, -ENODEV, late_comes());
	KUNIT_EXPECT_EQ(test, -ENODEV,
			ftrace_set_filter_ip(&early->ops, (unsigned long)traced[FIRST], 1, 0));
	KUNIT_EXPECT_MEMEQ(test, first, site_of(test, FIRST), sizeof(first));
	KUNIT_EXPECT_MEMEQ(test, last, site_of(test, LAST), sizeof(last));
	KUNIT_EXPECT_EQ(test, SPOILT, get_unaligned(site_of(test, VICTIM)));
}

static void owners_leave(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, -ENODEV, unregister_ftrace_function(&early->ops));
	KUNIT_EXPECT_EQ(test, -EBUSY, unregister_ftrace_function(&early->ops));
	KUNIT_EXPECT_EQ(test, direct ? -ENODEV : -EBUSY, late_goes());
	free_counter(early);
	free_counter(late);
	call_traced();
	KUNIT_EXPECT_EQ(test, 0, early_calls);
	KUNIT_EXPECT_EQ(test, 0, ftrace_fault_late_calls);
	write_text(test, site_of(test, VICTIM), victim_insn);
}

static struct kunit_case ftrace_fault_test_cases[] = {
	KUNIT_CASE(patching_fails),
	KUNIT_CASE(nobody_is_called),
	KUNIT_CASE(nothing_is_patched),
	KUNIT_CASE(owners_leave),
	{}
};

static struct kunit_suite ftrace_fault_test_suite = {
	.name = "ftrace_fault",
	.test_cases = ftrace_fault_test_cases,
};
kunit_test_suite(ftrace_fault_test_suite);

MODULE_DESCRIPTION("Test of the end of function tracing");
MODULE_LICENSE("GPL");
