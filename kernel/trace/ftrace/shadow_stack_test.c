// SPDX-License-Identifier: GPL-2.0
/*
 * KUnit tests of shadow stacks: frames, users' data, and searching. They need no concurrency: an
 * interrupt is a push and a pop, which the tests make at the point in question.
 */
#include <kunit/test.h>
#include <linux/string.h>

#include "shadow_stack.h"

#define HANDLER		((unsigned long)return_to_handler)

static struct shadow_stack *new_stack(struct kunit *test)
{
	struct shadow_stack *stack = kunit_kmalloc(test, SHADOW_STACK_SIZE, GFP_KERNEL);

	KUNIT_ASSERT_NOT_NULL(test, stack);
	memset(stack, 0xa5, SHADOW_STACK_SIZE);
	shadow_stack_init(stack);
	return stack;
}

static struct ftrace_ret_stack *push(struct kunit *test, struct shadow_stack *stack,
				     unsigned long ret, unsigned long fp)
{
	struct ftrace_ret_stack *frame = shadow_stack_push(stack, ret, ret + 1, fp);

	KUNIT_ASSERT_NOT_NULL(test, frame);
	KUNIT_EXPECT_EQ(test, frame->ret, ret);
	KUNIT_EXPECT_EQ(test, frame->func, ret + 1);
	KUNIT_EXPECT_EQ(test, frame->fp, fp);
	KUNIT_EXPECT_EQ(test, frame->users, 0);
	KUNIT_EXPECT_PTR_EQ(test, shadow_stack_newest(stack), frame);
	return frame;
}

static void shadow_stack_order(struct kunit *test)
{
	struct shadow_stack *stack = new_stack(test);
	struct ftrace_ret_stack *a, *b, *c;

	KUNIT_EXPECT_NULL(test, shadow_stack_newest(stack));
	a = push(test, stack, 10, 100);
	b = push(test, stack, 20, 200);
	KUNIT_EXPECT_EQ(test, a->depth, 0);
	KUNIT_EXPECT_EQ(test, b->depth, 1);
	KUNIT_EXPECT_PTR_EQ(test, shadow_stack_older(stack, b), a);
	KUNIT_EXPECT_NULL(test, shadow_stack_older(stack, a));
	shadow_stack_pop(stack, b);
	KUNIT_EXPECT_PTR_EQ(test, shadow_stack_newest(stack), a);
	c = push(test, stack, 30, 300);
	KUNIT_EXPECT_PTR_EQ(test, b, c);
	push(test, stack, 40, 400);
	/* Pop two frames at once. */
	shadow_stack_pop(stack, c);
	KUNIT_EXPECT_PTR_EQ(test, shadow_stack_newest(stack), a);
	shadow_stack_pop(stack, a);
	KUNIT_EXPECT_NULL(test, shadow_stack_newest(stack));
	KUNIT_EXPECT_EQ(test, stack->used, sizeof(*stack));
}

static void shadow_stack_full(struct kunit *test)
{
	struct shadow_stack *stack = new_stack(test);
	unsigned int n = 0, size;
	struct ftrace_ret_stack *frame;

	while (shadow_stack_push(stack, n, n, n))
		n++;
	KUNIT_EXPECT_EQ(test, n, (SHADOW_STACK_SIZE - sizeof(*stack)) / sizeof(*frame));
	KUNIT_EXPECT_LE(test, stack->used, SHADOW_STACK_SIZE);
	KUNIT_EXPECT_NULL(test, shadow_stack_push(stack, n, n, n));
	frame = shadow_stack_newest(stack);
	size = frame->size;
	KUNIT_EXPECT_NULL(test, shadow_stack_reserve(stack, 0, sizeof(*frame)));
	KUNIT_EXPECT_EQ(test, frame->size, size);
	for (; frame; frame = shadow_stack_newest(stack)) {
		n--;
		KUNIT_EXPECT_EQ(test, frame->fp, n);
		KUNIT_EXPECT_EQ(test, frame->depth, n);
		shadow_stack_pop(stack, frame);
	}
	KUNIT_EXPECT_EQ(test, n, 0);
	push(test, stack, 1, 1);
}

/* An interrupt comes before the space is taken, and after it, and leaves nothing. */
static void shadow_stack_interrupted(struct kunit *test)
{
	struct shadow_stack *stack = new_stack(test);
	struct ftrace_ret_stack *a = push(test, stack, 10, 100), *b, was;
	unsigned long used = stack->used, top = stack->top;

	was = *a;
	b = push(test, stack, 20, 200);
	KUNIT_EXPECT_NOT_NULL(test, shadow_stack_reserve(stack, 1, 8));
	shadow_stack_pop(stack, b);
	KUNIT_EXPECT_EQ(test, stack->used, used);
	KUNIT_EXPECT_EQ(test, stack->top, top);

	/* Between two stores of push: the space is taken, the frame is not complete. */
	stack->used += sizeof(*a);
	b = push(test, stack, 30, 300);
	KUNIT_EXPECT_EQ(test, (void *)b - (void *)stack, used + sizeof(*a));
	KUNIT_EXPECT_PTR_EQ(test, shadow_stack_older(stack, b), a);
	KUNIT_EXPECT_EQ(test, b->depth, 1);
	shadow_stack_pop(stack, b);
	KUNIT_EXPECT_EQ(test, stack->used, used + sizeof(*a));
	KUNIT_EXPECT_EQ(test, stack->top, top);
	KUNIT_EXPECT_MEMEQ(test, a, &was, sizeof(was));
}

static void shadow_stack_user_data(struct kunit *test)
{
	struct shadow_stack *stack = new_stack(test);
	struct ftrace_ret_stack *a = push(test, stack, 10, 100), *b;
	int size = -1, before;
	char *one, *two;

	KUNIT_EXPECT_NULL(test, shadow_stack_data(a, 0, &size));
	one = shadow_stack_reserve(stack, 3, 1);
	two = shadow_stack_reserve(stack, 15, SHADOW_DATA_MAX);
	KUNIT_ASSERT_NOT_NULL(test, one);
	KUNIT_ASSERT_NOT_NULL(test, two);
	KUNIT_EXPECT_TRUE(test, IS_ALIGNED((unsigned long)one, sizeof(long)));
	KUNIT_EXPECT_TRUE(test, IS_ALIGNED((unsigned long)two, sizeof(long)));
	*one = 1;
	memset(two, 2, SHADOW_DATA_MAX);
	KUNIT_EXPECT_NULL(test, shadow_stack_reserve(stack, 2, SHADOW_DATA_MAX + 1));
	KUNIT_EXPECT_NULL(test, shadow_stack_reserve(stack, 2, -1));

	b = push(test, stack, 20, 200);
	KUNIT_EXPECT_TRUE(test, (void *)b >= (void *)two + SHADOW_DATA_MAX);
	KUNIT_EXPECT_NULL(test, shadow_stack_data(b, 3, &size));
	KUNIT_EXPECT_PTR_EQ(test, shadow_stack_data(a, 3, &size), (void *)one);
	KUNIT_EXPECT_EQ(test, size, 1);
	KUNIT_EXPECT_PTR_EQ(test, shadow_stack_data(a, 15, &size), (void *)two);
	KUNIT_EXPECT_EQ(test, size, SHADOW_DATA_MAX);
	KUNIT_EXPECT_NULL(test, shadow_stack_data(a, 2, &size));

	/* A user that does not accept the call loses the data that it has reserved. */
	KUNIT_EXPECT_NOT_NULL(test, shadow_stack_reserve(stack, 1, 8));
	before = b->size;
	KUNIT_EXPECT_NOT_NULL(test, shadow_stack_reserve(stack, 2, 24));
	shadow_stack_trim(stack, b, before);
	KUNIT_EXPECT_NOT_NULL(test, shadow_stack_data(b, 1, &size));
	KUNIT_EXPECT_NULL(test, shadow_stack_data(b, 2, &size));
	KUNIT_EXPECT_EQ(test, stack->used, (void *)b - (void *)stack + before);

	shadow_stack_pop(stack, b);
	shadow_stack_pop(stack, a);
	KUNIT_EXPECT_EQ(test, stack->used, sizeof(*stack));
}

static void shadow_stack_unwinding(struct kunit *test)
{
	struct shadow_stack *stack = new_stack(test);
	struct ftrace_ret_stack *a, *b, *c, *d, *found;

	a = push(test, stack, 10, 100);
	b = push(test, stack, 20, 200);
	/* c was reached by a jump of b, and d by a jump of c. */
	c = push(test, stack, HANDLER, 200);
	d = push(test, stack, HANDLER, 200);
	KUNIT_EXPECT_PTR_EQ(test, shadow_stack_newest(stack), d);
	KUNIT_EXPECT_PTR_EQ(test, shadow_stack_older(stack, d), c);

	found = shadow_stack_find(stack, 0, 200);
	KUNIT_ASSERT_PTR_EQ(test, found, b);
	found = shadow_stack_find(stack, (void *)found - (void *)stack, 100);
	KUNIT_ASSERT_PTR_EQ(test, found, a);
	KUNIT_EXPECT_NULL(test, shadow_stack_find(stack, (void *)found - (void *)stack, 100));
	KUNIT_EXPECT_NULL(test, shadow_stack_find(stack, 0, 300));
	KUNIT_EXPECT_EQ(test, shadow_stack_caller(stack, a), 10);
	KUNIT_EXPECT_EQ(test, shadow_stack_caller(stack, b), 20);
	KUNIT_EXPECT_EQ(test, shadow_stack_caller(stack, d), 20);
	/* Offsets that an unwinder cannot get from here. */
	KUNIT_EXPECT_PTR_EQ(test, shadow_stack_find(stack, -8, 100), a);
	KUNIT_EXPECT_PTR_EQ(test, shadow_stack_find(stack, 1, 100), a);
}

/* Frames of calls that were left in another way do not change the result. */
static void shadow_stack_callers(struct kunit *test)
{
	struct shadow_stack *stack = new_stack(test);
	struct ftrace_ret_stack *left, *jumped, *lost;

	push(test, stack, 10, 100);
	left = push(test, stack, 20, 200);
	jumped = push(test, stack, HANDLER, 100);
	lost = push(test, stack, HANDLER, 300);
	KUNIT_EXPECT_EQ(test, shadow_stack_caller(stack, left), 20);
	KUNIT_EXPECT_EQ(test, shadow_stack_caller(stack, jumped), 10);
	KUNIT_EXPECT_EQ(test, shadow_stack_caller(stack, lost), 0);
}

/* The task runs on another CPU, and its frames change during a walk. */
static void shadow_stack_spoiled(struct kunit *test)
{
	static const u32 places[] = { 1, 8, SHADOW_STACK_SIZE, SHADOW_STACK_SIZE - 8, -8, ~0 };
	struct shadow_stack *stack = new_stack(test);
	struct ftrace_ret_stack *a = push(test, stack, 10, 100), *b;
	int i;

	b = push(test, stack, 20, 200);
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		stack->top = places[i];
		KUNIT_EXPECT_NULL(test, shadow_stack_newest(stack));
		KUNIT_EXPECT_NULL(test, shadow_stack_find(stack, 0, 100));
	}
	stack->top = (void *)b - (void *)stack;
	/* Links that lead upwards, or in a circle. */
	a->below = stack->top;
	KUNIT_EXPECT_NULL(test, shadow_stack_older(stack, a));
	b->below = stack->top;
	KUNIT_EXPECT_NULL(test, shadow_stack_older(stack, b));
	KUNIT_EXPECT_NULL(test, shadow_stack_find(stack, 0, 300));
}

static struct kunit_case shadow_stack_cases[] = {
	KUNIT_CASE(shadow_stack_order),
	KUNIT_CASE(shadow_stack_full),
	KUNIT_CASE(shadow_stack_interrupted),
	KUNIT_CASE(shadow_stack_user_data),
	KUNIT_CASE(shadow_stack_unwinding),
	KUNIT_CASE(shadow_stack_callers),
	KUNIT_CASE(shadow_stack_spoiled),
	{}
};

static struct kunit_suite shadow_stack_suite = {
	.name = "ftrace_shadow_stack",
	.test_cases = shadow_stack_cases,
};
kunit_test_suite(shadow_stack_suite);

MODULE_DESCRIPTION("Tests of shadow stacks of function graph");
MODULE_LICENSE("GPL");
