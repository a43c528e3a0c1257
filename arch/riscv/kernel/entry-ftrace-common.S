/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code that all kinds of call sites need: return_to_handler, and a callback that does nothing.
 */
#include <linux/linkage.h>
#include <linux/cfi_types.h>
#include <asm/asm.h>
#include <asm/asm-offsets.h>
#include <asm/ftrace.h>

/* The ftrace_regs end with the frame record of this function, which ends where s0 points to. */
#define OUR_FP		FREGS_SIZE_ON_STACK

	.text

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/*
 * return_to_handler - the diverted return address of functions, for users that wait for the return
 *
 * In: a0 and a1 the function's return values, sp and s0 as in its caller. No code from here to the
 * end uses floating-point or vector registers, so these are preserved.
 * Out: the same, at the function's caller.
 *
 * The frame record is at the address where the function's own was. It has return_to_handler as the
 * return address at first, like that record. The unwinder looks up the caller for that.
 */
SYM_CODE_START(return_to_handler)
	addi	sp, sp, -OUR_FP
	la	t0, return_to_handler
	REG_S	s0, FREGS_S0(sp)
	REG_S	t0, FREGS_RA(sp)
	REG_S	a0, FREGS_A0(sp)
	REG_S	a1, FREGS_A1(sp)
	addi	s0, sp, OUR_FP
	REG_S	s0, FREGS_SP(sp)

	mv	a0, sp				/* fregs, of which only these registers are valid */
	call	ftrace_return_to_handler
	mv	ra, a0

	REG_L	s0, FREGS_S0(sp)
	REG_L	a0, FREGS_A0(sp)
	REG_L	a1, FREGS_A1(sp)
	addi	sp, sp, OUR_FP
	ret
SYM_CODE_END(return_to_handler)
ASM_NOKPROBE(return_to_handler)
#endif

/* A callback that does nothing. */
SYM_TYPED_FUNC_START(ftrace_stub)
	ret
SYM_FUNC_END(ftrace_stub)
