/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The part of the kernel that filters and their KUnit cases use, in user space. All <linux/...>
 * headers that they include are generated files that include this one. shim.c has the functions.
 */
#ifndef _EVENT_FILTER_SHIM_H
#define _EVENT_FILTER_SHIM_H

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Types, attributes and macros */
typedef uint8_t u8;
typedef int8_t s8;
typedef uint16_t u16;
typedef int16_t s16;
typedef uint32_t u32;
typedef int32_t s32;
typedef unsigned long long u64;
typedef long long s64;
typedef unsigned int gfp_t;
typedef ssize_t loff_t;

#define U16_MAX			UINT16_MAX
#define U32_MAX			UINT32_MAX
#define U64_MAX			ULLONG_MAX
#define S64_MIN			LLONG_MIN

#define likely(x)		__builtin_expect(!!(x), 1)
#define unlikely(x)		__builtin_expect(!!(x), 0)
#define noinline		__attribute__((noinline))
#define fallthrough		__attribute__((fallthrough))
#define __pure			__attribute__((pure))
#define __aligned(n)		__attribute__((aligned(n)))
#define __printf(text, first)	__attribute__((format(printf, text, first)))
#define static_assert(x, ...)	_Static_assert(x, #x)
#define __rcu
#define __user
#define EXPORT_SYMBOL(x)	extern typeof(x) x
#define EXPORT_SYMBOL_GPL(x)	EXPORT_SYMBOL(x)
#define MODULE_DESCRIPTION(x)	_Static_assert(1, "")
#define MODULE_LICENSE(x)	_Static_assert(1, "")

#define IS_ENABLED(option)	option
#define CONFIG_UML		0

#define BITS_PER_LONG		64
#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define BITS_TO_LONGS(bits)	(((bits) + BITS_PER_LONG - 1) / BITS_PER_LONG)
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define ALIGN(x, a)		(((x) + (a) - 1) / (a) * (a))
#define sizeof_field(type, member)	sizeof(((type *)NULL)->member)
#define offsetofend(type, member)	(offsetof(type, member) + sizeof_field(type, member))
#define is_signed_type(type)	((type)-1 < (type)1)
#define min(a, b)	({ typeof(a) __a = (a); typeof(b) __b = (b); __a < __b ? __a : __b; })
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define swap(a, b)	({ typeof(a) __t = (a); (a) = (b); (b) = __t; })
#define div_u64(a, b)	((a) / (b))
#define ERR_PTR(n)		((void *)(long)(n))
#define IS_ERR(p)		((unsigned long)(p) >= -4095UL)
#define IS_ERR_OR_NULL(p)	(!(p) || IS_ERR(p))
#define PTR_ERR(p)		((long)(p))
#define PTR_ERR_OR_ZERO(p)	(IS_ERR(p) ? PTR_ERR(p) : 0)
#define WARN_ON_ONCE(cond)	\
	({ if (cond) shim_fail(__FILE__, __LINE__, #cond, " "); false; })

void shim_fail(const char *file, int line, const char *what, const char *fmt, ...) __printf(4, 5)
	__attribute__((noreturn));

/* Strings */
#define strstarts(text, prefix)	(!strncmp(text, prefix, strlen(prefix)))
#define str_has_prefix(text, prefix)	(strstarts(text, prefix) ? strlen(prefix) : 0)
#define strscpy(to, from, size)	((void)snprintf(to, size, "%s", from))
#undef _tolower
#define _tolower(c)		((char)((c) | 0x20))
#define kstrtou64(text, base, value)	kstrtoull(text, base, value)
#define kstrtos64(text, base, value)	kstrtoll(text, base, value)

char *skip_spaces(const char *text);
int vscnprintf(char *buffer, size_t size, const char *fmt, va_list args);
int kstrtoull(const char *text, unsigned int base, unsigned long long *value);
int kstrtoll(const char *text, unsigned int base, long long *value);
int kstrtoul(const char *text, unsigned int base, unsigned long *value);
bool glob_match(const char *pattern, const char *text);
bool glob_match_len(const char *pattern, const char *text, size_t len);

/* Memory */
#define PAGE_SIZE		4096
#define GFP_KERNEL		0
#define kzalloc(size, flags)	calloc(1, size)
#define kvzalloc(size, flags)	calloc(1, size)
#define kvcalloc(n, size, flags)	calloc(n, size)
#define kmemdup(from, size, flags)	memcpy(malloc(size), from, size)
#define kmemdup_nul(text, len, flags)	strndup(text, len)
#define kfree(p)		free((void *)(p))
#define kvfree(p)		free((void *)(p))

long strncpy_from_kernel_nofault(char *to, const void *from, long count);
long strncpy_from_user_nofault(char *to, const void *from, long count);

/* CPUs. The task moves to another one before its migration is disabled. */
#define NR_CPUS			512
#define nr_cpumask_bits		nr_cpu_ids
#define smp_processor_id()	shim_cpu

extern unsigned int nr_cpu_ids;
extern unsigned int shim_cpu;

struct cpumask { unsigned long bits[BITS_TO_LONGS(NR_CPUS)]; };

bool test_bit(unsigned int bit, const unsigned long *bits);
void __assign_bit(unsigned int bit, unsigned long *bits, bool set);
void __change_bit(unsigned int bit, unsigned long *bits);
size_t cpumask_size(void);
bool cpumask_test_cpu(unsigned int cpu, const struct cpumask *mask);
void cpumask_set_cpu(unsigned int cpu, struct cpumask *mask);
bool cpumask_equal(const struct cpumask *a, const struct cpumask *b);
bool cpumask_intersects(const struct cpumask *a, const struct cpumask *b);
unsigned int cpumask_weight(const struct cpumask *mask);
unsigned int cpumask_first(const struct cpumask *mask);
int cpulist_parse(const char *text, struct cpumask *mask);

/* For lib/bitmap-str.c */
void bitmap_zero(unsigned long *bits, unsigned int nr);
void bitmap_set(unsigned long *bits, unsigned int from, unsigned int nr);
int bitmap_parselist(const char *text, unsigned long *bits, int nr);

/* Only functions of lib/ that nothing here calls use these: the linker drops them. */
#define BITS_TO_U32(bits)	(((bits) + 31) / 32)
void bitmap_clear(unsigned long *bits, unsigned int from, unsigned int nr);
int bitmap_parse(const char *text, unsigned int len, unsigned long *bits, int nr);
size_t find_next_bit(const unsigned long *bits, size_t nr, size_t from);
int hex_to_bin(unsigned char digit);
size_t offset_in_page(const void *address);
char *strnchrnul(const char *text, size_t len, int c);
int scnprintf(char *buffer, size_t size, const char *fmt, ...);
char *kasprintf(gfp_t flags, const char *fmt, ...);
ssize_t memory_read_from_buffer(void *to, size_t count, loff_t *at, const void *from, size_t size);
void *memdup_user_nul(const void *from, size_t size);
unsigned long copy_from_user(void *to, const void *from, unsigned long size);
int kstrtol(const char *text, unsigned int base, long *value);

/* Functions, as kallsyms knows them */
#define KSYM_NAME_LEN		512

unsigned long kallsyms_lookup_name(const char *name);
int kallsyms_lookup_size_offset(unsigned long address, unsigned long *size, unsigned long *offset);
int lookup_symbol_name(unsigned long address, char *name);

/* The task */
#define TASK_COMM_LEN		16

struct task_struct {
	int	pid;
	void	*mm;
	char	comm[TASK_COMM_LEN];
};

extern struct task_struct shim_task;
#define current			(&shim_task)

void set_task_comm(struct task_struct *task, const char *name);

/* Nothing preempts it. */
struct shim_guard { bool done; };
struct shim_guard shim_preempt_guard(void);
struct shim_guard shim_migrate_guard(void);
#define guard(name)		struct shim_guard __guard __attribute__((unused)) = \
				shim_##name##_guard
#define scoped_guard(name)	\
	for (struct shim_guard __guard = shim_##name##_guard(); !__guard.done; __guard.done = true)

/* Random numbers: the seed of a test, and that of the command line */
struct rnd_state { u64 state; };

void prandom_seed_state(struct rnd_state *state, u64 seed);
u32 prandom_u32_state(struct rnd_state *state);

/* Types of members that nothing here uses. predicate.c and fields.c do not need events.h. */
#define _TRACE_EVENTS_H

struct list_head { struct list_head *next, *prev; };
struct rcu_head { void *next; };
struct trace_seq { char buffer[16]; };
struct tracepoint { const char *name; };
struct ring_buffer_claim { int unused; };
struct task_struct;
#define trace_seq_has_overflowed(s)	false

/* KUnit. A failed expectation ends the program. */
struct kunit { void *priv; };

struct kunit_case {
	const char	*name;
	void		(*run)(struct kunit *test);
};

struct kunit_suite {
	const char		*name;
	struct kunit_case	*test_cases;
};

#define KUNIT_CASE(fn)		{ #fn, fn }
#define KUNIT_CASE_SLOW(fn)	KUNIT_CASE(fn)
/* The linker makes an array of all suites. */
#define kunit_test_suites(suite)					\
	static const struct kunit_suite *const shim_suite		\
	__attribute__((section("shim_suites"), used)) = suite
#define kunit_skip(test, ...)	return
#define kunit_kzalloc(test, size, flags)	shim_test_memory(size)
#define kunit_kmalloc(test, size, flags)	shim_test_memory(size)

void *shim_test_memory(size_t size);

#define __KUNIT(cond, ...)	\
	do { if (!(cond)) shim_fail(__FILE__, __LINE__, #cond, __VA_ARGS__); } while (0)
#define __KUNIT_OP(a, op, b, ...)					\
do {									\
	long __a = (long)(a), __b = (long)(b);				\
									\
	if (!(__a op __b)) {						\
		fprintf(stderr, "%ld, %ld: ", __a, __b);		\
		shim_fail(__FILE__, __LINE__, #a " " #op " " #b, __VA_ARGS__); \
	}								\
} while (0)

#define KUNIT_ASSERT_NOT_NULL(test, p)		__KUNIT(p, " ")
#define KUNIT_ASSERT_NOT_ERR_OR_NULL(test, p)	__KUNIT(!IS_ERR_OR_NULL(p), " ")
#define KUNIT_ASSERT_FALSE_MSG(test, a, ...)	__KUNIT(!(a), __VA_ARGS__)
#define KUNIT_ASSERT_EQ_MSG(test, a, b, ...)	__KUNIT_OP(a, ==, b, __VA_ARGS__)
#define KUNIT_ASSERT_LE_MSG(test, a, b, ...)	__KUNIT_OP(a, <=, b, __VA_ARGS__)
#define KUNIT_EXPECT_TRUE(test, a)		__KUNIT(a, " ")
#define KUNIT_EXPECT_FALSE_MSG(test, a, ...)	__KUNIT(!(a), __VA_ARGS__)
#define KUNIT_EXPECT_EQ_MSG(test, a, b, ...)	__KUNIT_OP(a, ==, b, __VA_ARGS__)
#define KUNIT_EXPECT_GT(test, a, b)		__KUNIT_OP(a, >, b, " ")
#define KUNIT_EXPECT_GT_MSG(test, a, b, ...)	__KUNIT_OP(a, >, b, __VA_ARGS__)
#define KUNIT_EXPECT_LT(test, a, b)		__KUNIT_OP(a, <, b, " ")
#define KUNIT_EXPECT_STREQ(test, a, b)		__KUNIT(!strcmp(a, b), " ")
#define KUNIT_EXPECT_STREQ_MSG(test, a, b, ...)	__KUNIT(!strcmp(a, b), __VA_ARGS__)

extern unsigned int shim_trees;
#define FILTER_TREES		((int)shim_trees)

#endif /* _EVENT_FILTER_SHIM_H */
