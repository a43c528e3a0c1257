/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What call sites of every kind need: the way from a traced function's return, and a
 * callback that does nothing.
 */
#include <linux/linkage.h>
#include <linux/cfi_types.h>
#include <asm/asm-offsets.h>
#include <asm/assembler.h>

/* Behind the ftrace_regs: our frame record. */
#define OUR_RECORD	FREGS_SIZE
#define OUR_SIZE	(FREGS_SIZE + 16)

	.text

#ifdef CONFIG_FUNCTION_GRAPH_TRACER
/*
 * return_to_handler - where a function returns to whose return somebody waits for
 *
 * In: x0-x7 what the function returns, x29 and sp as its caller had them. Nobody uses
 * vector registers from here to the end, so what is returned in them stays there.
 * Out: as in, at the function's caller.
 *
 * ftrace_caller made x30 point here before the function did anything with it. Where
 * return addresses are signed, or pushed to a shadow call stack, the function's prologue
 * behind the site has done that to this address, and its epilogue found it unchanged.
 * (A site made with -pg comes behind the prologue, and its function's frame record is
 * changed; so in such kernels there is neither, see arch/arm64/Kconfig.)
 * The RET that leads here needs no landing pad, nor does the one to the caller.
 *
 * The frame record names the caller, at first as the function's own did: by
 * return_to_handler, which the unwinder knows how to look up.
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
	mov	x0, sp				// fregs, of which this is all that counts
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
