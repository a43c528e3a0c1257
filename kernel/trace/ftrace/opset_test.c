// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of the ops that a call site points to if several ops want it. guest/tests/nomem
 * tests how sets fail if memory is short.
 */
#include <kunit/test.h>
#include <linux/delay.h>
#include <linux/prandom.h>

#include "dispatch.h"
#include "sites.h"
#include "state.h"

/* Sites that no other user wants. All ops want the first one while they are registered. */
enum { HOME, ONE, TWO, NR_SITES };

static unsigned int runs[NR_SITES];

static noinline void traced_home(void) { runs[HOME]++; }
static noinline void traced_one(void) { runs[ONE]++; }
static noinline void traced_two(void) { runs[TWO]++; }

static void (* const traced[])(void) = {
	[HOME] = traced_home, [ONE] = traced_one, [TWO] = traced_two,
};

static unsigned long ip_of(unsigned int site)
{
	return ftrace_location((unsigned long)traced[site]);
}

/**
 * struct user - an ops, and its expected state
 * @ops: the user's registration
 * @here: @ops is registered
 * @wants: the sites that @ops has in its filter
 * @calls: number of calls by each site
 */
struct user {
	struct ftrace_ops ops;
	bool here;
	bool wants[NR_SITES];
	unsigned int calls[NR_SITES];
};

static struct user users[4];

static void notrace count_call(unsigned long ip, unsigned long parent_ip,
			       struct ftrace_ops *ops, struct ftrace_regs *fregs)
{
	struct user *u = container_of(ops, struct user, ops);
	unsigned int i;

	for (i = 0; i < NR_SITES; i++)
		if (ip - (unsigned long)traced[i] <= FTRACE_SITE_MAX_OFFSET)
			u->calls[i]++;
}

static void set_wanted(struct kunit *test, struct user *u, unsigned int site, bool wants)
{
	KUNIT_ASSERT_EQ(test, 0, ftrace_set_filter_ip(&u->ops, ip_of(site), !wants, 0));
	u->wants[site] = wants;
}

static void join(struct kunit *test, struct user *u)
{
	KUNIT_ASSERT_EQ(test, 0, register_ftrace_function(&u->ops));
	u->here = true;
}

static void leave(struct kunit *test, struct user *u)
{
	KUNIT_EXPECT_EQ(test, 0, unregister_ftrace_function(&u->ops));
	u->here = false;
}

/* The ops that a site points to; NULL if it is off. */
static struct ftrace_ops *caller_at(unsigned int site)
{
	unsigned long ip = ip_of(site);

	guard(mutex)(&ftrace_lock);
	return ftrace_site_caller(ip, ftrace_find_site(ftrace_group_of(ip), ip, ip));
}

/* Number of sets of other users. Some of them may be about to be freed. */
static unsigned int others_sets;

static void expect_sets(struct kunit *test, unsigned int nr)
{
	int i;

	for (i = 0; i < 500 && ftrace_nr_opsets() != others_sets + nr; i++) {
		ftrace_opset_drain();
		fsleep(2000);
	}
	KUNIT_ASSERT_EQ(test, ftrace_nr_opsets(), others_sets + nr);
}

static int opset_test_init(struct kunit *test)
{
	unsigned int i;

	/* A worker may have taken idle sets out of the list, and not have freed them yet. */
	for (i = 0; i < 5; i++) {
		ftrace_opset_drain();
		fsleep(2000);
	}
	others_sets = ftrace_nr_opsets();
	memset(users, 0, sizeof(users));
	for (i = 0; i < ARRAY_SIZE(users); i++) {
		users[i].ops.func = count_call;
		set_wanted(test, &users[i], HOME, true);
	}
	return 0;
}

/* Check that a case has left nothing behind. */
static void opset_test_exit(struct kunit *test)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(users); i++) {
		if (users[i].here)
			leave(test, &users[i]);
		ftrace_free_filter(&users[i].ops);
	}
	for (i = 0; i < NR_SITES; i++)
		KUNIT_EXPECT_NULL(test, caller_at(i));
	expect_sets(test, 0);
}

static void one_needs_no_set(struct kunit *test)
{
	struct user *a = &users[0], *b = &users[1];

	join(test, a);
	KUNIT_EXPECT_PTR_EQ(test, caller_at(HOME), &a->ops);
	expect_sets(test, 0);
	join(test, b);
	KUNIT_EXPECT_TRUE(test, ftrace_is_opset(caller_at(HOME)));
	expect_sets(test, 1);
	leave(test, a);
	KUNIT_EXPECT_PTR_EQ(test, caller_at(HOME), &b->ops);
	expect_sets(test, 0);
	leave(test, b);
	KUNIT_EXPECT_NULL(test, caller_at(HOME));
}

/* An ops that needs checks by the dispatcher has a set of its own. */
static void one_that_needs_a_set(struct kunit *test)
{
	static const unsigned long flags[] = { FTRACE_OPS_FL_RECURSION, FTRACE_OPS_FL_RCU };
	struct user *a = &users[0];
	int i;

	for (i = 0; i < ARRAY_SIZE(flags); i++) {
		a->ops.flags |= flags[i];
		set_wanted(test, a, ONE, true);
		join(test, a);
		KUNIT_EXPECT_TRUE(test, ftrace_is_opset(caller_at(HOME)));
		KUNIT_EXPECT_PTR_EQ(test, caller_at(HOME), caller_at(ONE));
		expect_sets(test, 1);
		leave(test, a);
		expect_sets(test, 0);
		a->ops.flags &= ~flags[i];
	}
}

static void same_members_same_set(struct kunit *test)
{
	struct user *a = &users[0], *b = &users[1], *c = &users[2];
	struct ftrace_ops *both;

	set_wanted(test, a, ONE, true);
	set_wanted(test, b, ONE, true);
	join(test, a);
	join(test, b);
	both = caller_at(HOME);
	KUNIT_EXPECT_PTR_EQ(test, caller_at(ONE), both);
	expect_sets(test, 1);

	/* One more ops joins one of the sites, which gets another set until the ops leaves. */
	join(test, c);
	KUNIT_EXPECT_PTR_EQ(test, caller_at(ONE), both);
	KUNIT_EXPECT_PTR_NE(test, caller_at(HOME), both);
	expect_sets(test, 2);
	leave(test, c);
	KUNIT_EXPECT_PTR_EQ(test, caller_at(HOME), both);
	expect_sets(test, 1);

	/* Sites that get the same ops in another order share the set. */
	set_wanted(test, a, TWO, true);
	set_wanted(test, b, TWO, true);
	KUNIT_EXPECT_PTR_EQ(test, caller_at(TWO), both);
	expect_sets(test, 1);
}

/* A set is in use as long as one site points to it. */
static void set_goes_with_its_last_site(struct kunit *test)
{
	struct user *a = &users[0], *b = &users[1];

	set_wanted(test, a, ONE, true);
	set_wanted(test, b, ONE, true);
	join(test, a);
	join(test, b);
	set_wanted(test, a, HOME, false);
	expect_sets(test, 1);
	KUNIT_EXPECT_PTR_EQ(test, caller_at(HOME), &b->ops);
	traced_one();
	KUNIT_EXPECT_EQ(test, a->calls[ONE], 1);
	KUNIT_EXPECT_EQ(test, b->calls[ONE], 1);
	leave(test, a);
	expect_sets(test, 0);
	KUNIT_EXPECT_PTR_EQ(test, caller_at(ONE), &b->ops);
}

/*
 * A model: the ops of each site, the latest first, while ops join and leave sites in any order.
 */
struct model {
	unsigned int nr[NR_SITES];
	struct user *at[NR_SITES][ARRAY_SIZE(users)];
};

static void model_joins(struct model *m, unsigned int site, struct user *u)
{
	memmove(m->at[site] + 1, m->at[site], m->nr[site]++ * sizeof(u));
	m->at[site][0] = u;
}

static void model_leaves(struct model *m, unsigned int site, struct user *u)
{
	unsigned int i = 0;

	while (m->at[site][i] != u)
		i++;
	memmove(m->at[site] + i, m->at[site] + i + 1, (--m->nr[site] - i) * sizeof(u));
}

static bool model_same(const struct model *m, unsigned int a, unsigned int b)
{
	return m->nr[a] == m->nr[b] && !memcmp(m->at[a], m->at[b], m->nr[a] * sizeof(*m->at[a]));
}

static bool model_has_set(const struct model *m, unsigned int site)
{
	return m->nr[site] > 1 || (m->nr[site] && ftrace_ops_needs_list(&m->at[site][0]->ops));
}

/* Is this the first site with these members? */
static bool model_is_first(const struct model *m, unsigned int site)
{
	unsigned int i;

	for (i = 0; i < site; i++)
		if (model_same(m, i, site))
			return false;
	return true;
}

static void expect_callers(struct kunit *test, const struct model *m)
{
	unsigned int i, j, sets = 0;

	for (i = 0; i < NR_SITES; i++) {
		struct ftrace_ops *one = m->nr[i] ? &m->at[i][0]->ops : NULL;

		if (model_has_set(m, i)) {
			KUNIT_ASSERT_TRUE(test, ftrace_is_opset(caller_at(i)));
			sets += model_is_first(m, i);
		} else {
			KUNIT_ASSERT_PTR_EQ(test, caller_at(i), one);
		}
		for (j = 0; j < i; j++)
			KUNIT_ASSERT_EQ(test, caller_at(i) == caller_at(j), model_same(m, i, j));
	}
	expect_sets(test, sets);
}

static void expect_calls(struct kunit *test)
{
	unsigned int i, j;

	for (j = 0; j < ARRAY_SIZE(users); j++)
		memset(users[j].calls, 0, sizeof(users[j].calls));
	for (i = 0; i < NR_SITES; i++) {
		traced[i]();
		for (j = 0; j < ARRAY_SIZE(users); j++)
			KUNIT_EXPECT_EQ(test, users[j].calls[i],
					users[j].here && users[j].wants[i]);
	}
}

/* Register or unregister @u, or add or remove a site that it wants. */
static void change(struct kunit *test, struct model *m, struct user *u, unsigned int site)
{
	void (*move)(struct model *m, unsigned int site, struct user *u);
	unsigned int i;

	if (site != HOME) {
		set_wanted(test, u, site, !u->wants[site]);
		move = u->wants[site] ? model_joins : model_leaves;
		if (u->here)
			move(m, site, u);
		return;
	}
	move = u->here ? model_leaves : model_joins;
	for (i = 0; i < NR_SITES; i++)
		if (u->wants[i])
			move(m, i, u);
	if (u->here)
		leave(test, u);
	else
		join(test, u);
}

static void any_order(struct kunit *test)
{
	struct model m = {};
	u32 random = 1;
	int step;

	users[3].ops.flags |= FTRACE_OPS_FL_RECURSION;
	for (step = 0; step < 300; step++) {
		random = next_pseudo_random32(random);
		change(test, &m, &users[(random >> 8) % ARRAY_SIZE(users)],
		       (random >> 16) % NR_SITES);
		expect_callers(test, &m);
		expect_calls(test);
	}
}

static struct kunit_case opset_test_cases[] = {
	KUNIT_CASE(one_needs_no_set),
	KUNIT_CASE(one_that_needs_a_set),
	KUNIT_CASE(same_members_same_set),
	KUNIT_CASE(set_goes_with_its_last_site),
	KUNIT_CASE(any_order),
	{}
};

static struct kunit_suite opset_test_suite = {
	.name = "ftrace_opset",
	.init = opset_test_init,
	.exit = opset_test_exit,
	.test_cases = opset_test_cases,
};
kunit_test_suite(opset_test_suite);
