// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of ops: look-up in the site table, dispatch if several ops want one site, batches of
 * patches, and registers.
 */
#include <kunit/test.h>
#include <linux/cpu.h>
#include <linux/memory.h>
#include <linux/module.h>
#include <linux/sort.h>

#include "dispatch.h"
#include "patch.h"
#include "set.h"
#include "sites.h"
#include "state.h"

/*
 * The site table
 */

static bool site_is_in_order(const struct ftrace_group *group, unsigned int i)
{
	const struct dyn_ftrace *site = group->site + i;
	unsigned long ip = ftrace_site_ip(group, site);

	if (ip < group->start || ip >= group->end || ftrace_find_site(group, ip, ip) != site)
		return false;
	if (ftrace_next_site(group, group->site, ip) != site ||
	    ftrace_next_site(group, site, ip) != site || ftrace_next_site(group, site, ip + 1))
		return false;
	return !i || site->offset > site[-1].offset;
}

static void table_is_sorted(struct kunit *test)
{
	struct ftrace_group *group;
	unsigned int i, bad = 0;

	guard(mutex)(&ftrace_lock);
	KUNIT_EXPECT_FALSE(test, list_empty(&ftrace_groups));
	list_for_each_entry(group, &ftrace_groups, list)
		for (i = 0; i < group->nr; i++)
			bad += !site_is_in_order(group, i);
	KUNIT_EXPECT_EQ(test, 0, bad);
}

static void location_finds_sites(struct kunit *test)
{
	unsigned long func = kallsyms_lookup_name("vfs_read");
	unsigned long ip = ftrace_location(func);

	KUNIT_ASSERT_NE(test, 0, func);
	KUNIT_ASSERT_NE(test, 0, ip);
	KUNIT_EXPECT_EQ(test, ip, ftrace_location(ip));
	KUNIT_EXPECT_EQ(test, ip, ftrace_location_range(func, func + FTRACE_SITE_MAX_OFFSET));
	KUNIT_EXPECT_EQ(test, 0, ftrace_location(ip + 1));
	KUNIT_EXPECT_EQ(test, 0, ftrace_location_range(ip + 1, ip + 3));
	KUNIT_EXPECT_EQ(test, 0, ftrace_location(0));
	KUNIT_EXPECT_EQ(test, 0, ftrace_location((unsigned long)&ftrace_groups));
}

static void symbols_are_looked_up(struct kunit *test)
{
	static const char *names[] = { "kfree_const", "vfs_read", "vfs_rmdir" };
	static const char *bad[] = { "vfs_read", "ftrace_groups", "vfs_rmdir" };
	unsigned long addrs[ARRAY_SIZE(names)];
	int i;

	KUNIT_ASSERT_EQ(test, 0, ftrace_lookup_symbols(names, ARRAY_SIZE(names), addrs));
	for (i = 0; i < ARRAY_SIZE(names); i++)
		KUNIT_EXPECT_EQ(test, addrs[i], kallsyms_lookup_name(names[i]));
	KUNIT_EXPECT_EQ(test, -ESRCH, ftrace_lookup_symbols(bad, ARRAY_SIZE(bad), addrs));
	KUNIT_EXPECT_EQ(test, 0, ftrace_lookup_symbols(bad, 0, addrs));
}

/*
 * Dispatch
 */

struct counter {
	struct ftrace_ops ops;
	unsigned long calls;
	unsigned long ip;
};

static void notrace count_call(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct counter *c = container_of(ops, struct counter, ops);

	c->ip = ip;
	c->calls++;
}

static void start_counter(struct kunit *test, struct counter *c, const char *function,
			  unsigned long flags)
{
	*c = (struct counter){ .ops = { .func = count_call, .flags = flags } };
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter(&c->ops, (unsigned char *)function,
						   strlen(function), 1));
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&c->ops));
}

static void stop_counter(struct kunit *test, struct counter *c)
{
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(&c->ops));
	ftrace_free_filter(&c->ops);
}

/* Call a traced function that is cheap, always built in, and rarely called by others. */
static void probe(void)
{
	char buf[4];

	strscpy(buf, "abc", sizeof(buf));
	kfree_const(kstrdup_const(buf, GFP_KERNEL));
}

static const char probed[] = "kstrdup_const", unprobed[] = "vfs_rmdir";

static void one_ops_is_called(struct kunit *test)
{
	static struct counter c;
	unsigned long calls;

	start_counter(test, &c, probed, 0);
	calls = c.calls;
	probe();
	KUNIT_EXPECT_GE(test, c.calls, calls + 1);
	KUNIT_EXPECT_EQ(test, c.ip, ftrace_location(kallsyms_lookup_name(probed)));
	stop_counter(test, &c);
	calls = c.calls;
	probe();
	KUNIT_EXPECT_EQ(test, c.calls, calls);
}

static void several_ops_are_called(struct kunit *test)
{
	static struct counter a, b, c, elsewhere;

	start_counter(test, &a, probed, 0);
	start_counter(test, &b, probed, FTRACE_OPS_FL_RECURSION);
	start_counter(test, &c, probed, FTRACE_OPS_FL_RCU);
	start_counter(test, &elsewhere, unprobed, 0);
	a.calls = b.calls = c.calls = elsewhere.calls = 0;
	probe();
	KUNIT_EXPECT_GE(test, a.calls, 1);
	KUNIT_EXPECT_GE(test, b.calls, 1);
	KUNIT_EXPECT_GE(test, c.calls, 1);
	KUNIT_EXPECT_EQ(test, elsewhere.calls, 0);

	/* The ops in the middle leaves; the others stay. */
	stop_counter(test, &b);
	a.calls = b.calls = c.calls = 0;
	probe();
	KUNIT_EXPECT_GE(test, a.calls, 1);
	KUNIT_EXPECT_EQ(test, b.calls, 0);
	KUNIT_EXPECT_GE(test, c.calls, 1);
	stop_counter(test, &a);
	stop_counter(test, &c);
	stop_counter(test, &elsewhere);
}

static void filter_changes_while_registered(struct kunit *test)
{
	static struct counter c;
	char notrace_word[] = "kstrdup_const";

	start_counter(test, &c, unprobed, 0);
	c.calls = 0;
	probe();
	KUNIT_EXPECT_EQ(test, c.calls, 0);
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_filter(&c.ops, (unsigned char *)probed,
						   strlen(probed), 0));
	probe();
	KUNIT_EXPECT_GE(test, c.calls, 1);
	KUNIT_EXPECT_EQ(test, 0, ftrace_set_notrace(&c.ops, (unsigned char *)notrace_word,
						    strlen(notrace_word), 0));
	c.calls = 0;
	probe();
	KUNIT_EXPECT_EQ(test, c.calls, 0);
	stop_counter(test, &c);
}

static void registration_says_no(struct kunit *test)
{
	static struct counter c;
	static struct ftrace_ops regs = { .func = count_call, .flags = FTRACE_OPS_FL_SAVE_REGS };
	unsigned long nowhere = (unsigned long)&ftrace_groups;
	char bad[] = "nosuch_function";

	start_counter(test, &c, probed, 0);
	KUNIT_EXPECT_EQ(test, -EBUSY, register_ftrace_function(&c.ops));
	KUNIT_EXPECT_EQ(test, -EINVAL, ftrace_set_filter(&c.ops, bad, strlen(bad), 1));
	KUNIT_EXPECT_EQ(test, -EINVAL, ftrace_set_filter_ip(&c.ops, nowhere, 0, 0));
	KUNIT_EXPECT_EQ(test, -ENOENT,
			ftrace_set_filter_ip(&c.ops, kallsyms_lookup_name(unprobed), 1, 0));
	/* None of these calls has changed the sites that it wants. */
	c.calls = 0;
	probe();
	KUNIT_EXPECT_GE(test, c.calls, 1);
	stop_counter(test, &c);
	KUNIT_EXPECT_EQ(test, -EBUSY, unregister_ftrace_function(&c.ops));
	KUNIT_EXPECT_EQ(test, -EINVAL, register_ftrace_function(&regs));
}

static int change_sites(struct counter *c, unsigned long a, unsigned long b, int remove)
{
	unsigned long ip[] = { a, b };

	return ftrace_set_filter_ips(&c->ops, ip, ARRAY_SIZE(ip), remove, 0);
}

/* Sites are named by their address, or by the function's first byte, in any order, and twice. */
static void filter_loses_several(struct kunit *test)
{
	unsigned long one = kallsyms_lookup_name(probed), two = kallsyms_lookup_name("vfs_mkdir");
	unsigned long three = kallsyms_lookup_name(unprobed);
	unsigned long nowhere = (unsigned long)&ftrace_groups;
	const struct ftrace_set *left;
	static struct counter c;

	start_counter(test, &c, probed, 0);
	KUNIT_EXPECT_EQ(test, 0, change_sites(&c, three, ftrace_location(two), 0));
	KUNIT_ASSERT_EQ(test, 3, c.ops.filter->only->nr);

	/* If one of them is no site, none is removed. */
	KUNIT_EXPECT_EQ(test, -EINVAL, change_sites(&c, one, nowhere, 1));
	KUNIT_EXPECT_EQ(test, 3, c.ops.filter->only->nr);
	KUNIT_EXPECT_EQ(test, 0, change_sites(&c, two, two, 1));
	KUNIT_EXPECT_EQ(test, 2, c.ops.filter->only->nr);
	KUNIT_EXPECT_EQ(test, -ENOENT, change_sites(&c, one, two, 1));
	KUNIT_EXPECT_EQ(test, -ENOENT, change_sites(&c, two, one, 1));
	KUNIT_EXPECT_EQ(test, 2, c.ops.filter->only->nr);

	KUNIT_EXPECT_EQ(test, 0, change_sites(&c, two, two, 0));
	KUNIT_EXPECT_EQ(test, 0, change_sites(&c, ftrace_location(one), two, 1));
	left = c.ops.filter->only;
	KUNIT_ASSERT_EQ(test, 1, left->nr);
	KUNIT_EXPECT_EQ(test, ftrace_location(three), left->ip[0]);
	c.calls = 0;
	probe();
	KUNIT_EXPECT_EQ(test, c.calls, 0);
	stop_counter(test, &c);
}

/*
 * Patching
 */

/* The instructions of a site as a fault reports them, and the site's pointer, if it has one. */
struct site_text {
	u32 insn[2];
	struct ftrace_ops *ops;
};

static struct site_text read_site(const struct ftrace_patch *p)
{
	struct site_text text = {};

	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS))
		text.ops = ftrace_site_points_to(p->ip);

	memcpy(text.insn, (void *)p->ip, sizeof(text.insn));
	return text;
}

static int patch_kernel(const struct ftrace_patch *patch, unsigned int nr,
			struct ftrace_fault *fault)
{
	guard(mutex)(&ftrace_lock);
	guard(cpus_read_lock)();
	guard(mutex)(&text_mutex);
	return ftrace_patch_sites(NULL, patch, nr, fault);
}

static int compare_patches(const void *a, const void *b)
{
	const struct ftrace_patch *x = a, *y = b;

	return x->ip < y->ip ? -1 : x->ip > y->ip;
}

static void fault_ends_a_batch(struct kunit *test)
{
	static const char * const names[] = { "kstrdup_const", "vfs_rmdir", "vfs_mkdir" };
	static struct counter c = { .ops = { .func = count_call } };
	struct ftrace_patch patch[ARRAY_SIZE(names)];
	struct site_text before[ARRAY_SIZE(names)], after[ARRAY_SIZE(names)];
	struct ftrace_fault fault = {}, none;
	size_t told;
	int i;

	for (i = 0; i < ARRAY_SIZE(names); i++)
		patch[i] = (struct ftrace_patch){
			.ip = ftrace_location(kallsyms_lookup_name(names[i])), .to = &c.ops,
		};
	sort(patch, ARRAY_SIZE(patch), sizeof(*patch), compare_patches, NULL);
	for (i = 0; i < ARRAY_SIZE(names); i++)
		before[i] = read_site(&patch[i]);

	/* The site in the middle is expected to be on, and is off. */
	patch[1].from = &c.ops;
	KUNIT_EXPECT_EQ(test, -EINVAL, patch_kernel(patch, ARRAY_SIZE(patch), &fault));
	for (i = 0; i < ARRAY_SIZE(names); i++)
		after[i] = read_site(&patch[i]);
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS))
		KUNIT_EXPECT_PTR_EQ(test, after[0].ops, &c.ops);
	KUNIT_EXPECT_MEMNEQ(test, after[0].insn, before[0].insn, sizeof(before[0].insn));
	KUNIT_EXPECT_MEMEQ(test, &after[1], &before[1], sizeof(before[1]));
	KUNIT_EXPECT_MEMEQ(test, &after[2], &before[2], sizeof(before[2]));

	/* Once it is on, the site has the expected instructions. A fault may have only one. */
	patch[1].from = NULL;
	KUNIT_EXPECT_EQ(test, 0, patch_kernel(patch + 1, 1, &none));
	after[1] = read_site(&patch[1]);
	told = fault.found[1] ? sizeof(fault.found) : sizeof(fault.found[0]);
	KUNIT_EXPECT_EQ(test, fault.ip, patch[1].ip);
	KUNIT_EXPECT_EQ(test, fault.err, -EINVAL);
	KUNIT_EXPECT_MEMEQ(test, fault.found, before[1].insn, told);
	KUNIT_EXPECT_MEMEQ(test, fault.expected, after[1].insn, told);

	for (i = 0; i < 2; i++) {
		swap(patch[i].from, patch[i].to);
		KUNIT_EXPECT_EQ(test, 0, patch_kernel(patch + i, 1, &none));
		after[i] = read_site(&patch[i]);
		KUNIT_EXPECT_MEMEQ(test, &after[i], &before[i], sizeof(before[i]));
	}
}

/*
 * Registers
 */

static void registers_make_a_pt_regs(struct kunit *test)
{
	struct __arch_ftrace_regs saved;
	struct ftrace_regs *fregs = (struct ftrace_regs *)&saved;
	unsigned long *word = (unsigned long *)&saved;
	struct pt_regs regs = {}, *full;
	unsigned int i;

	for (i = 0; i < sizeof(saved) / sizeof(*word); i++)
		word[i] = 0x1230 + i;
	full = ftrace_partial_regs(fregs, &regs);
	for (i = 0; i < 8; i++)
		KUNIT_EXPECT_EQ(test, regs_get_kernel_argument(full, i),
				ftrace_regs_get_argument(fregs, i));
	KUNIT_EXPECT_EQ(test, instruction_pointer(full),
			ftrace_regs_get_instruction_pointer(fregs));
	KUNIT_EXPECT_EQ(test, kernel_stack_pointer(full), ftrace_regs_get_stack_pointer(fregs));
	KUNIT_EXPECT_FALSE(test, user_mode(full));

	instruction_pointer_set(full, 0x4560);
	regs_set_return_value(full, 6);
	ftrace_partial_regs_update(fregs, full);
	KUNIT_EXPECT_EQ(test, ftrace_regs_get_instruction_pointer(fregs), 0x4560UL);
	KUNIT_EXPECT_EQ(test, ftrace_regs_get_return_value(fregs), 6UL);
}

static struct kunit_case ftrace_test_cases[] = {
	KUNIT_CASE(table_is_sorted),
	KUNIT_CASE(location_finds_sites),
	KUNIT_CASE(symbols_are_looked_up),
	KUNIT_CASE(one_ops_is_called),
	KUNIT_CASE(several_ops_are_called),
	KUNIT_CASE(filter_changes_while_registered),
	KUNIT_CASE(filter_loses_several),
	KUNIT_CASE(registration_says_no),
	KUNIT_CASE(fault_ends_a_batch),
	KUNIT_CASE(registers_make_a_pt_regs),
	{}
};

static struct kunit_suite ftrace_test_suite = {
	.name = "ftrace",
	.test_cases = ftrace_test_cases,
};
kunit_test_suite(ftrace_test_suite);
