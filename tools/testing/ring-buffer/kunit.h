/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of KUnit that the ring buffer's cases use. A failed expectation ends the program.
 */
#ifndef _RB_KUNIT_H
#define _RB_KUNIT_H

#include "harness.h"

struct kunit {
	void		*priv;
	void		*memory[4];
	unsigned int	used;
};

struct kunit_case {
	const char	*name;
	void		(*run)(struct kunit *test);
};

struct kunit_suite {
	const char		*name;
	int			(*init)(struct kunit *test);
	void			(*exit)(struct kunit *test);
	struct kunit_case	*test_cases;
};

#define KUNIT_CASE(fn)		{ #fn, fn }
/* The linker makes an array of all suites. */
#define kunit_test_suite(suite)						\
	static const struct kunit_suite *const unit_suite_##suite	\
	__attribute__((section("unit_suites"), used)) = &(suite)
#define MODULE_DESCRIPTION(x)	_Static_assert(1, "")
#define MODULE_LICENSE(x)	_Static_assert(1, "")

static inline void *kunit_kzalloc(struct kunit *test, size_t size, gfp_t flags)
{
	CHECK(test->used < ARRAY_SIZE(test->memory));
	return test->memory[test->used++] = shim_alloc(size);
}

#define __KUNIT_EVAL(test, a, op, b)					\
({									\
	typeof(a) __a = (a);						\
	typeof(b) __b = (b);						\
									\
	(void)(test);							\
	CHECK((long)__a op (long)__b, "%s: %ld, %ld", #a, (long)__a, (long)__b); \
})

#define KUNIT_EXPECT_EQ(test, a, b)	__KUNIT_EVAL(test, a, ==, b)
#define KUNIT_EXPECT_LE(test, a, b)	__KUNIT_EVAL(test, a, <=, b)
#define KUNIT_EXPECT_PTR_EQ(test, a, b)	__KUNIT_EVAL(test, a, ==, b)
#define KUNIT_EXPECT_NE(test, a, b)	__KUNIT_EVAL(test, a, !=, b)
#define KUNIT_EXPECT_PTR_NE(test, a, b)	__KUNIT_EVAL(test, a, !=, b)
#define KUNIT_EXPECT_TRUE(test, a)	__KUNIT_EVAL(test, a, ==, true)
#define KUNIT_EXPECT_FALSE(test, a)	__KUNIT_EVAL(test, a, ==, false)
#define KUNIT_EXPECT_NULL(test, a)	__KUNIT_EVAL(test, a, ==, NULL)
#define KUNIT_EXPECT_NOT_NULL(test, a)	__KUNIT_EVAL(test, a, !=, NULL)
#define KUNIT_ASSERT_EQ(test, a, b)	__KUNIT_EVAL(test, a, ==, b)
#define KUNIT_ASSERT_GE(test, a, b)	__KUNIT_EVAL(test, a, >=, b)
#define KUNIT_ASSERT_LE(test, a, b)	__KUNIT_EVAL(test, a, <=, b)
#define KUNIT_ASSERT_FALSE(test, a)	__KUNIT_EVAL(test, a, ==, false)
#define KUNIT_ASSERT_NOT_NULL(test, a)	__KUNIT_EVAL(test, a, !=, NULL)

#define preempt_disable()	((void)0)
#define preempt_enable()	((void)0)
#define migrate_disable()	((void)0)
#define migrate_enable()	((void)0)

#endif /* _RB_KUNIT_H */
