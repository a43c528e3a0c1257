/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Code that all kinds of call sites need: return_to_handler, and a callback that does nothing.
 */
#include <linux/linkage.h>
#include <linux/cfi_types.h>
#include <asm/asm-offsets.h>
#include <asm/assembler.h>

/* After the ftrace_regs: the frame record of this function. */
#define OUR_RECORD	FREGS_SIZE
#define OUR_SIZE	(FREGS_SIZE + 16)

	.text

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/*
 * return_to_handler - the diverted return address of functions, for users that wait for the return
 *
 * In: x0-x7 the function's return values, x29 and sp as in its caller. No code from here to the end
 * uses vector registers, so return values in them are preserved.
 * Out: the same, at the function's caller.
 *
 * ftrace_caller has set x30 to this address at the function's entry. If return addresses are
 * signed, or pushed to a shadow call stack, the function's prologue comes after the site, so it has
 * signed or pushed this address, and the epilogue has checked or popped the same address.
 * (A site made with -pg is after the prologue, and the function's frame record is changed. So
 * kernels with such sites use neither, see arch/arm64/Kconfig.)
 * The RET to this address needs no landing pad, nor does the RET to the caller.
 *
 * The frame record has return_to_handler as the return address at first, like the function's own
 * record. The unwinder looks up the caller for that.
 */
SYM_CODE_START(return_to_handler)
	stp	x0, x1, [sp, #-OUR_SIZE]!	// FREGS_X0
	stp	x2, x3, [sp, #FREGS_X2]
	stp	x4, x5, [sp, #FREGS_X4]
	stp	x6, x7, [sp, #FREGS_X6]
	str	x29, [sp, #FREGS_FP]
	adr	x9, return_to_handler
	stp	x29, x9, [sp, #OUR_RECORD]
	add	x29, sp, #OUR_RECORD
	mov	x0, sp				// fregs, of which only these registers are valid
	bl	ftrace_return_to_handler
	ldp	x6, x7, [sp, #FREGS_X6]
	ldp	x4, x5, [sp, #FREGS_X4]
	ldp	x2, x3, [sp, #FREGS_X2]
	ldr	x29, [sp, #FREGS_FP]
	mov	x30, x0
	ldp	x0, x1, [sp], #OUR_SIZE
	ret
SYM_CODE_END(return_to_handler)
NOKPROBE(return_to_handler)
#endif

/* A callback that does nothing. */
SYM_TYPED_FUNC_START(ftrace_stub)
	ret
SYM_FUNC_END(ftrace_stub)
