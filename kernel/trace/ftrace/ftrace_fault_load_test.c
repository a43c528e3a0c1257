// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit test of a module that lists a call site where there is none. Loading it ends function
 * tracing until the next boot. But it is loaded, and its functions run: those whose sites were
 * prepared before that, and those whose sites were not.
 *
 * The report is on the console, where guest/check compares it with what is printed here.
 */
#include <kunit/test.h>
#include <linux/array_size.h>
#include <linux/ftrace.h>
#include <linux/module.h>
#include <linux/printk.h>
#include <linux/stringify.h>
#include <linux/unaligned.h>

/* The instruction that the compiler leaves at a site, and another one to be found instead. */
#ifdef CONFIG_ARM64
#define SITE_INSN	0xd503201f
#define AFTER_POINTER	"4"
#else
#define SITE_INSN	(IS_ENABLED(CONFIG_RISCV_ISA_C) ? 0x00010001 : 0x00000013)
#define AFTER_POINTER	"0"
#endif
#define SPOILT		0xdead0000

static unsigned int runs;

static noinline void runs_before(void) { runs++; }

/* A function as the compiler makes it, with space for a pointer before it. */
extern char ftrace_fault_site[];
asm(".pushsection .text\n"
	".balign 8\n"
	".Lpointer:\n"
	".quad 0\n"
	".skip " AFTER_POINTER "\n"
	".globl ftrace_fault_site\n"
	"ftrace_fault_site:\n"
	".4byte " __stringify(SPOILT) ", " __stringify(SPOILT) "\n"
	".popsection\n"
	".pushsection __patchable_function_entries, \"awo\", @progbits, .Lpointer\n"
	".balign 8\n"
	".quad .Lpointer\n"
	".popsection");

static noinline void runs_after(void) { runs++; }

/* The functions are in the order of their addresses: see the Makefile. */
static void (* const traced[])(void) = { runs_before, runs_after };

static void functions_run(struct kunit *test)
{
	pr_info("ftrace_fault: at %px %08x becomes %08x\n", ftrace_fault_site, SITE_INSN,
		get_unaligned((u32 *)ftrace_fault_site));
	KUNIT_ASSERT_LT(test, (unsigned long)traced[0], (unsigned long)ftrace_fault_site);
	KUNIT_ASSERT_GT(test, (unsigned long)traced[1], (unsigned long)ftrace_fault_site);
	runs = 0;
	traced[0]();
	traced[1]();
	KUNIT_EXPECT_EQ(test, 2, runs);
	/* The module has call sites of its own; without, its functions would not be tried. */
	KUNIT_EXPECT_GE(test, THIS_MODULE->num_ftrace_callsites, 3);
}

static void notrace never_called(unsigned long ip, unsigned long parent_ip,
				 struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	runs = 0;
}

static void nobody_can_be_called(struct kunit *test)
{
	struct ftrace_ops ops = { .func = never_called };

	/* No site of the module can be found. */
	for (unsigned int i = 0; i < ARRAY_SIZE(traced); i++)
		KUNIT_EXPECT_EQ(test, -EINVAL,
				ftrace_set_filter_ip(&ops, (unsigned long)traced[i], 0, 0));
	KUNIT_EXPECT_EQ(test, -ENODEV, register_ftrace_function(&ops));
	ftrace_free_filter(&ops);
}

static struct kunit_case ftrace_fault_load_test_cases[] = {
	KUNIT_CASE(functions_run),
	KUNIT_CASE(nobody_can_be_called),
	{}
};

static struct kunit_suite ftrace_fault_load_test_suite = {
	.name = "ftrace_fault_load",
	.test_cases = ftrace_fault_load_test_cases,
};
kunit_test_suite(ftrace_fault_load_test_suite);

MODULE_DESCRIPTION("Test of a module that names a call site where there is none");
MODULE_LICENSE("GPL");
