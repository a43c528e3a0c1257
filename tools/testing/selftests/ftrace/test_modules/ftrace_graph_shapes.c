// SPDX-License-Identifier: GPL-2.0
/*
 * Functions that call each other in known ways, for ftrace_graph_test.c.
 */
#include <linux/compiler.h>
#include <linux/completion.h>
#include <linux/delay.h>
#include <linux/ftrace.h>
#include <linux/kernel.h>
#include <linux/kthread.h>
#include <linux/sched.h>
#include <linux/stdarg.h>
#include <linux/uaccess.h>

#include "ftrace_graph_test.h"

#ifdef CONFIG_ARM64
#include <asm/neon.h>
#else
#include <asm/fpu.h>
#endif

int (*graph_hook)(void);
void *graph_unmapped;
bool graph_waiting, graph_waits;
struct completion *graph_thread_done;

/* The compiler must neither copy nor drop a call. */
#define shape		noinline
#define opaque(x)	OPTIMIZER_HIDE_VAR(x)

shape long graph_leaf(long argument)
{
	opaque(argument);
	return argument + 1;
}

shape long graph_middle(long argument)
{
	opaque(argument);
	argument = graph_leaf(argument);
	opaque(argument);
	return argument;
}

shape long graph_chain(long argument)
{
	opaque(argument);
	argument = graph_middle(argument);
	opaque(argument);
	return argument;
}

#ifdef CONFIG_CC_IS_GCC
#define tail_shape	noinline __attribute__((optimize("optimize-sibling-calls")))
#define tail_return	return
#else
#define tail_shape	noinline
#define tail_return	__attribute__((musttail)) return
#endif

/* The kernel is built without tail calls. These functions make tail calls. */
static tail_shape long graph_tail_middle(long argument)
{
	opaque(argument);
	tail_return graph_leaf(argument);
}

tail_shape long graph_tail(long argument)
{
	opaque(argument);
	tail_return graph_tail_middle(argument);
}

/* Do not use the compilers' own functions: clang does not have them for all architectures. */
int graph_setjmp(unsigned long *buffer) __attribute__((returns_twice));
void graph_longjmp(unsigned long *buffer) __noreturn;

static unsigned long jump_buffer[14];

/*
 * For functions without a shadow call stack. With this option the compiler makes instructions that
 * sign return addresses; on a CPU that cannot sign, the kernel replaces them by instructions that
 * use a shadow call stack. So such a function must not have them, either.
 */
#ifdef CONFIG_UNWIND_PATCH_PAC_INTO_SCS
#define unshadowed	__noscs __attribute__((target("branch-protection=bti")))
#else
#define unshadowed	__noscs
#endif

/* graph_longjmp() leaves this function, so it must not be on the compiler's shadow call stack. */
static shape unshadowed long graph_escape(long argument)
{
	opaque(argument);
	if (argument)
		graph_longjmp(jump_buffer);
	return argument;
}

/* Leaves a call without a return, and calls another function instead. */
shape long graph_jump(long argument)
{
	volatile long kept = argument;

	if (!graph_setjmp(jump_buffer))
		graph_escape(argument);
	return graph_leaf(kept);
}

/* Calls itself more often than a shadow call stack has space for. */
shape unshadowed long graph_recurse(long depth)
{
	opaque(depth);
	if (!depth)
		return 1;
	depth = graph_recurse(depth - 1);
	opaque(depth);
	return depth + 1;
}

static shape long graph_pong(long argument)
{
	opaque(argument);
	return argument ? graph_ping(argument - 1) + 1 : 1;
}

shape long graph_ping(long argument)
{
	opaque(argument);
	return argument ? graph_pong(argument - 1) + 1 : 1;
}

static shape long graph_kernel(long argument)
{
	int err = graph_hook ? graph_hook() : 0;

	return err ?: graph_leaf(argument);
}

shape long graph_hooked(long argument)
{
	argument = graph_kernel(argument);
	opaque(argument);
	return argument;
}

/* The place of its frame record depends on the number of arguments that it can be given. */
shape long graph_variadic(long count, ...)
{
	long argument = 0;
	va_list list;

	va_start(list, count);
	while (count--)
		argument = va_arg(list, long);
	va_end(list);
	argument = graph_kernel(argument);
	opaque(argument);
	return argument;
}

/* The functions that look up the fault may be traced as well. */
static shape long graph_guarded(long argument)
{
	long word, err = copy_from_kernel_nofault(&word, graph_unmapped, sizeof(word));

	return err == -EFAULT ? graph_leaf(argument) : 0;
}

shape long graph_fault(long argument)
{
	long word, err = graph_leaf(argument) != argument + 1;

	err = err ?: copy_from_kernel_nofault(&word, graph_unmapped, sizeof(word)) != -EFAULT;
	/* The word ends where the mapping ends. */
	err = err ?: copy_from_kernel_nofault(&word, graph_unmapped - sizeof(word), sizeof(word));
	err = err ?: graph_guarded(argument) != argument + 1;
	opaque(argument);
	return err ? 0 : graph_leaf(argument);
}

static unsigned long *frame_record(unsigned long *frame)
{
	return IS_ENABLED(CONFIG_ARM64) ? frame : frame - 2;
}

/* Returns with a frame pointer that belongs neither to its caller nor to any other function. */
shape long graph_spoil(long argument)
{
	unsigned long *fp = frame_record(__builtin_frame_address(0));

	WRITE_ONCE(*fp, *fp + 8);
	return graph_leaf(argument);
}

/* Calls nothing, not even a sanitizer. */
static shape __no_kcsan __no_sanitize_address long graph_wait(long argument)
{
	WRITE_ONCE(graph_waits, true);
	while (READ_ONCE(graph_waiting))
		cpu_relax();
	return argument + 1;
}

shape long graph_slow(long argument)
{
	argument = graph_wait(argument);
	opaque(argument);
	return argument;
}

/* Waits @ms milliseconds. */
shape long graph_delay(long ms)
{
	mdelay(ms);
	opaque(ms);
	return ms + 1;
}

const struct graph_shape graph_shapes[] = {
	{ 'l', graph_leaf },
	{ 'b', graph_middle },
	{ 'c', graph_chain },
	{ 'u', graph_tail_middle },
	{ 't', graph_tail },
	{ 'e', graph_escape },
	{ 'j', graph_jump },
	{ 'r', graph_recurse },
	{ 'q', graph_pong },
	{ 'p', graph_ping },
	{ 'k', graph_kernel },
	{ 'h', graph_hooked },
	{ 'a', graph_variadic },
	{ 'g', graph_guarded },
	{ 'x', graph_fault },
	{ 'o', graph_spoil },
	{ 'w', graph_wait },
	{ 's', graph_slow },
	{ 'd', graph_delay },
	{ 'v', graph_fill },
	{ 'f', graph_float },
	{ 'y', graph_pair },
	{ 'm', graph_sum },
	{ 'z', graph_block },
	{ 'n', graph_wide },
	{ }
};

/*
 * Return values in registers: assembly sets all registers that hold return values, and stores them
 * after the call. It does not rely on the compiler to keep them.
 */
#ifdef CONFIG_ARM64

#define FILLED		8
#define FLOATS		4

shape void graph_fill(void)
{
	asm volatile("mov x0, #100\n mov x1, #101\n mov x2, #102\n mov x3, #103\n"
		     "mov x4, #104\n mov x5, #105\n mov x6, #106\n mov x7, #107\n"
		     ::: "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7");
}

static notrace noinline void fill(unsigned long *value)
{
	register unsigned long *to asm("x19") = value;

	asm volatile("bl graph_fill\n"
		     "stp x0, x1, [%0]\n stp x2, x3, [%0, #16]\n"
		     "stp x4, x5, [%0, #32]\n stp x6, x7, [%0, #48]\n"
		     : : "r" (to)
		     : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
		       "x12", "x13", "x14", "x15", "x16", "x17", "x30", "cc", "memory");
}

shape void graph_float(void)
{
	asm volatile(".arch_extension fp\n .arch_extension simd\n"
		     "fmov d0, #2.0\n fmov d1, #3.0\n fmov d2, #4.0\n fmov d3, #5.0\n");
}

static notrace noinline void fill_floats(unsigned long *value)
{
	register unsigned long *to asm("x19") = value;

	kernel_neon_begin();
	asm volatile(".arch_extension fp\n .arch_extension simd\n"
		     "bl graph_float\n stp d0, d1, [%0]\n stp d2, d3, [%0, #16]\n"
		     : : "r" (to)
		     : "x0", "x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8", "x9", "x10", "x11",
		       "x12", "x13", "x14", "x15", "x16", "x17", "x30", "cc", "memory");
	kernel_neon_end();
}

asm(".pushsection .text\n"
    ".balign 4\n"
    ".type graph_on_stack, %function\n"
    ".globl graph_on_stack\n"
    "graph_on_stack:\n"
    "hint #34\n"
    "stp x29, x30, [sp, #-16]!\n"
    "mov x29, sp\n"
    "mov sp, x2\n"
    "mov x9, x0\n"
    "mov x0, x1\n"
    "blr x9\n"
    "mov sp, x29\n"
    "ldp x29, x30, [sp], #16\n"
    "ret\n"
    ".size graph_on_stack, . - graph_on_stack\n"
    ".type graph_setjmp, %function\n"
    ".globl graph_setjmp\n"
    "graph_setjmp:\n"
    "hint #34\n"
    "stp x19, x20, [x0]\n"
    "stp x21, x22, [x0, #16]\n"
    "stp x23, x24, [x0, #32]\n"
    "stp x25, x26, [x0, #48]\n"
    "stp x27, x28, [x0, #64]\n"
    "stp x29, x30, [x0, #80]\n"
    "mov x1, sp\n"
    "str x1, [x0, #96]\n"
    "mov x0, #0\n"
    "ret\n"
    ".size graph_setjmp, . - graph_setjmp\n"
    ".type graph_longjmp, %function\n"
    ".globl graph_longjmp\n"
    "graph_longjmp:\n"
    "hint #34\n"
    "ldp x19, x20, [x0]\n"
    "ldp x21, x22, [x0, #16]\n"
    "ldp x23, x24, [x0, #32]\n"
    "ldp x25, x26, [x0, #48]\n"
    "ldp x27, x28, [x0, #64]\n"
    "ldp x29, x30, [x0, #80]\n"
    "ldr x1, [x0, #96]\n"
    "mov sp, x1\n"
    "mov x0, #1\n"
    "ret\n"
    ".size graph_longjmp, . - graph_longjmp\n"
    ".type graph_around_spoil, %function\n"
    ".globl graph_around_spoil\n"
    "graph_around_spoil:\n"
    "hint #34\n"
    "stp x29, x30, [sp, #-16]!\n"
    "bl graph_spoil\n"
    "ldp x29, x30, [sp], #16\n"
    "ret\n"
    ".size graph_around_spoil, . - graph_around_spoil\n"
    ".popsection\n");

#else /* CONFIG_RISCV */

#define FILLED		2
#define FLOATS		2

shape void graph_fill(void)
{
	asm volatile("li a0, 100\n li a1, 101\n" ::: "a0", "a1");
}

static notrace noinline void fill(unsigned long *value)
{
	register unsigned long *to asm("s1") = value;

	asm volatile("call graph_fill\n sd a0, 0(%0)\n sd a1, 8(%0)\n"
		     : : "r" (to)
		     : "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a0", "a1", "a2", "a3",
		       "a4", "a5", "a6", "a7", "memory");
}

#define DOUBLES(text)	".option push\n .option arch, +d\n" text ".option pop\n"

/* As doubles, 2.0 and 3.0. */
shape void graph_float(void)
{
	asm volatile(DOUBLES("li t0, 2\n fcvt.d.l fa0, t0\n li t0, 3\n fcvt.d.l fa1, t0\n")
		     ::: "t0");
}

static notrace noinline void fill_floats(unsigned long *value)
{
	register unsigned long *to asm("s1") = value;

	kernel_fpu_begin();
	asm volatile("call graph_float\n" DOUBLES("fsd fa0, 0(%0)\n fsd fa1, 8(%0)\n")
		     : : "r" (to)
		     : "ra", "t0", "t1", "t2", "t3", "t4", "t5", "t6", "a0", "a1", "a2", "a3",
		       "a4", "a5", "a6", "a7", "memory");
	kernel_fpu_end();
}

asm(".pushsection .text\n"
    ".balign 4\n"
    ".type graph_on_stack, %function\n"
    ".globl graph_on_stack\n"
    "graph_on_stack:\n"
    "addi sp, sp, -16\n"
    "sd s0, 0(sp)\n"
    "sd ra, 8(sp)\n"
    "addi s0, sp, 16\n"
    "mv sp, a2\n"
    "mv t0, a0\n"
    "mv a0, a1\n"
    "jalr t0\n"
    "addi sp, s0, -16\n"
    "ld s0, 0(sp)\n"
    "ld ra, 8(sp)\n"
    "addi sp, sp, 16\n"
    "ret\n"
    ".size graph_on_stack, . - graph_on_stack\n"
    ".type graph_setjmp, %function\n"
    ".globl graph_setjmp\n"
    "graph_setjmp:\n"
    "sd s0, 0(a0)\n"
    "sd s1, 8(a0)\n"
    "sd s2, 16(a0)\n"
    "sd s3, 24(a0)\n"
    "sd s4, 32(a0)\n"
    "sd s5, 40(a0)\n"
    "sd s6, 48(a0)\n"
    "sd s7, 56(a0)\n"
    "sd s8, 64(a0)\n"
    "sd s9, 72(a0)\n"
    "sd s10, 80(a0)\n"
    "sd s11, 88(a0)\n"
    "sd ra, 96(a0)\n"
    "sd sp, 104(a0)\n"
    "li a0, 0\n"
    "ret\n"
    ".size graph_setjmp, . - graph_setjmp\n"
    ".type graph_longjmp, %function\n"
    ".globl graph_longjmp\n"
    "graph_longjmp:\n"
    "ld s0, 0(a0)\n"
    "ld s1, 8(a0)\n"
    "ld s2, 16(a0)\n"
    "ld s3, 24(a0)\n"
    "ld s4, 32(a0)\n"
    "ld s5, 40(a0)\n"
    "ld s6, 48(a0)\n"
    "ld s7, 56(a0)\n"
    "ld s8, 64(a0)\n"
    "ld s9, 72(a0)\n"
    "ld s10, 80(a0)\n"
    "ld s11, 88(a0)\n"
    "ld ra, 96(a0)\n"
    "ld sp, 104(a0)\n"
    "li a0, 1\n"
    "ret\n"
    ".size graph_longjmp, . - graph_longjmp\n"
    ".type graph_around_spoil, %function\n"
    ".globl graph_around_spoil\n"
    "graph_around_spoil:\n"
    "addi sp, sp, -16\n"
    "sd s0, 0(sp)\n"
    "sd ra, 8(sp)\n"
    "call graph_spoil\n"
    "ld s0, 0(sp)\n"
    "ld ra, 8(sp)\n"
    "addi sp, sp, 16\n"
    "ret\n"
    ".size graph_around_spoil, . - graph_around_spoil\n"
    ".popsection\n");

#endif

shape struct graph_two graph_pair(long argument)
{
	opaque(argument);
	return (struct graph_two){ argument, argument + 1 };
}

/* Two words are passed between other arguments. */
shape long graph_sum(long argument, struct graph_two two, long last)
{
	opaque(argument);
	return argument + two.a + two.b + last;
}

shape struct graph_five graph_block(long argument)
{
	opaque(argument);
	return (struct graph_five){ { argument, argument + 1, argument + 2, argument + 3,
				      argument + 4 } };
}

shape __int128 graph_wide(long argument)
{
	opaque(argument);
	return ((__int128)argument << 64) + argument + 1;
}

/* The functions that check the values are not traced, even where all sites are on. */
notrace int graph_check_values(void)
{
	/* 2.0, 3.0, 4.0, 5.0 */
	static const unsigned long doubles[] = {
		0x4000000000000000, 0x4008000000000000, 0x4010000000000000, 0x4014000000000000,
	};
	unsigned long value[FILLED], real[FLOATS];
	struct graph_five five;
	struct graph_two two;
	int i;

	fill(value);
	for (i = 0; i < FILLED; i++)
		if (value[i] != 100 + i)
			return 1 + i;
	fill_floats(real);
	for (i = 0; i < FLOATS; i++)
		if (real[i] != doubles[i])
			return 11 + i;
	two = graph_pair(7);
	if (two.a != 7 || two.b != 8)
		return 21;
	five = graph_block(7);
	for (i = 0; i < 5; i++)
		if (five.word[i] != 7 + i)
			return 31 + i;
	return graph_wide(7) == ((__int128)7 << 64) + 8 ? 0 : 41;
}
