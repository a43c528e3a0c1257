/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Types, attributes and macros of the kernel: part of shim.h.
 */
#ifndef _RB_SHIM_TYPES_H
#define _RB_SHIM_TYPES_H

#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* <linux/types.h>, <linux/compiler.h> and such. */
typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef int32_t s32;
typedef uint64_t u64;
typedef u32 __u32;
typedef u64 __u64;
typedef int64_t s64;
typedef unsigned int gfp_t;
typedef unsigned int __poll_t;

#define U16_MAX		UINT16_MAX
#define U64_MAX		UINT64_MAX

#define likely(x)	__builtin_expect(!!(x), 1)
#define unlikely(x)	__builtin_expect(!!(x), 0)
#undef __always_inline
#define __always_inline	inline __attribute__((always_inline))
#define noinline	__attribute__((noinline))
#define fallthrough	__attribute__((fallthrough))
#define static_assert(x) _Static_assert(x, #x)
#define struct_group(name, ...)	\
	union { struct { __VA_ARGS__ }; struct { __VA_ARGS__ } name; }
#define __aligned(x)	__attribute__((aligned(x)))
#define __percpu
#define __acquire(lock)	((void)0)
#define __release(lock)	((void)0)
#define ____cacheline_aligned_in_smp __aligned(64)
#define EXPORT_SYMBOL_GPL(x) extern typeof(x) x
#define ALLOW_ERROR_INJECTION(x, type) extern typeof(x) x

/* Only for the options that the ring buffer asks for. */
#define IS_ENABLED(option)		option
#define CONFIG_SMP			1
#ifndef CONFIG_HAVE_64BIT_ALIGNED_ACCESS
#define CONFIG_HAVE_64BIT_ALIGNED_ACCESS 0
#endif
#define CONFIG_CPU_BIG_ENDIAN		0

#define BIT(n)			(1UL << (n))
#define BIT_ULL(n)		(1ULL << (n))
#define GENMASK(h, l)		((~0UL >> (63 - (h))) & (~0UL << (l)))
#define GENMASK_ULL(h, l)	GENMASK(h, l)
#define ARRAY_SIZE(a)		(sizeof(a) / sizeof((a)[0]))
#define DIV_ROUND_UP(n, d)	(((n) + (d) - 1) / (d))
#define round_up(x, y)		((((x) - 1) | ((y) - 1)) + 1)
#define min(a, b)	({ typeof(a) __a = (a); typeof(b) __b = (b); __a < __b ? __a : __b; })
#define max(a, b)	({ typeof(a) __a = (a); typeof(b) __b = (b); __a > __b ? __a : __b; })
#define min_t(type, a, b)	min((type)(a), (type)(b))
#define ilog2(n)		(63 - __builtin_clzl(n))
#define ERR_PTR(n)		((void *)(long)(n))
#define IS_ERR(p)		((unsigned long)(p) >= -4095UL)
#define PTR_ERR(p)		((long)(p))
#define swap(a, b)		({ typeof(a) __t = (a); (a) = (b); (b) = __t; })
#define container_of(p, type, member) \
	((type *)((char *)(p) - offsetof(type, member)))
#define check_add_overflow(a, b, sum)	__builtin_add_overflow(a, b, sum)

#endif /* _RB_SHIM_TYPES_H */
