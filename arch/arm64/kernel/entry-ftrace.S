/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a traced function to the callback of the ftrace_ops of its site.
 *
 * A traced function looks like this (see arch/arm64/kernel/ftrace.c):
 *
 *	func - 8:	.quad	ops		the ops to call
 *	func:		mov	x9, x30		the parent's return address
 *	func + 4:	bl	ftrace_caller	or NOP
 *	func + 8:	...
 *
 * With BTI, a landing pad moves the two instructions, but not the pointer, up by four bytes.
 * Functions are 8-byte aligned, so rounding the address down finds the pointer. Calls from modules
 * may come through a veneer, which branches here, so there is a landing pad here, too.
 *
 * Preemption is off from before the pointer is loaded until the callback has returned;
 * kernel/trace/ftrace/synchronize.c relies on that.
 *
 * If there is no space for a pointer in front of functions (kCFI, -Os), all sites share one, and
 * ftrace_call() of kernel/trace/ftrace/oplist.c loads it and handles preemption.
 */
#include <linux/linkage.h>
#include <linux/cfi_types.h>
#include <asm/asm-offsets.h>
#include <asm/assembler.h>

/* After the ftrace_regs: the frame record of this function, and that of the traced function. */
#define OUR_RECORD	FREGS_SIZE
#define SITE_RECORD	(FREGS_SIZE + 16)
#define FRAME_SIZE	(FREGS_SIZE + 32)

/* The low half of thread_info's preempt_count. The high half has the inverted need-resched flag. */
#ifdef CONFIG_CPU_BIG_ENDIAN
#define PREEMPT_DEPTH	(TSK_TI_PREEMPT + 4)
#else
#define PREEMPT_DEPTH	TSK_TI_PREEMPT
#endif

#ifdef CONFIG_ARM64_BTI_KERNEL
	.macro	landing_pad
	bti	c
	.endm
#else
	.macro	landing_pad
	.endm
#endif

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS
	.macro	load_ops, ops
#ifdef CONFIG_ARM64_BTI_KERNEL
	bic	\ops, x30, #7
	ldr	\ops, [\ops, #-16]
#else
	ldr	\ops, [x30, #-16]
#endif
	.endm

	.macro	preemption_off
#ifdef CONFIG_PREEMPT_COUNT
	get_current_task x10
	ldr	w11, [x10, #PREEMPT_DEPTH]
	add	w11, w11, #PREEMPT_DISABLE_OFFSET
	str	w11, [x10, #PREEMPT_DEPTH]
#endif
	.endm

	/* All 64 bits are 0 if the task has to be preempted and can be. */
	.macro	preemption_on, preempt
#ifdef CONFIG_PREEMPT_COUNT
	get_current_task x10
	ldr	w11, [x10, #PREEMPT_DEPTH]
	sub	w11, w11, #PREEMPT_DISABLE_OFFSET
	str	w11, [x10, #PREEMPT_DEPTH]
#endif
#ifdef CONFIG_PREEMPTION
	ldr	x11, [x10, #TSK_TI_PREEMPT]
	cbz	x11, \preempt
#endif
	.endm

	/* x0 and x1 are the first arguments; sp points to the ftrace_regs. */
	.macro	call_ops, preempt
	preemption_off
	load_ops x2
	mov	x3, sp
	ldr	x10, [x2, #FTRACE_OPS_FUNC]
	blr	x10
	preemption_on \preempt
	.endm
#else
	.macro	call_ops, preempt
	mov	x2, sp
	bl	ftrace_call
	.endm
#endif

	.text

/*
 * ftrace_caller - call ops->func(ip, parent_ip, ops, fregs) for a site
 *
 * In: x0-x8 the function's arguments, x9 its return address, x30 the address after the site. x10 to
 * x17 are free: they pass no arguments.
 * Out: the same, with the changes that ops->func made to the ftrace_regs, at their pc. The
 * trampoline of a direct call finds the registers as if the site had called it: x9 is the
 * function's return address, x30 the address where the function goes on.
 *
 * Two frame records make the traced function, which has not made its own yet, and the caller of the
 * callback visible to the unwinder.
 */
SYM_CODE_START(ftrace_caller)
	landing_pad
	mov	x10, sp
	stp	x0, x1, [sp, #-FRAME_SIZE]!	// FREGS_X0
	stp	x2, x3, [sp, #FREGS_X2]
	stp	x4, x5, [sp, #FREGS_X4]
	stp	x6, x7, [sp, #FREGS_X6]
	stp	x8, x9, [sp, #FREGS_X8]
	stp	x29, x9, [sp, #FREGS_FP]
	stp	x10, x30, [sp, #FREGS_SP]

	stp	x29, x9, [sp, #SITE_RECORD]
	add	x29, sp, #SITE_RECORD
	stp	x29, x30, [sp, #OUR_RECORD]
	add	x29, sp, #OUR_RECORD

	sub	x0, x30, #AARCH64_INSN_SIZE	// ip
	mov	x1, x9				// parent_ip
	call_ops 2f
1:
	ldp	x2, x3, [sp, #FREGS_X2]
	ldp	x4, x5, [sp, #FREGS_X4]
	ldp	x6, x7, [sp, #FREGS_X6]
	ldp	x8, x9, [sp, #FREGS_X8]
	ldp	x29, x30, [sp, #FREGS_FP]
	ldr	x10, [sp, #FREGS_PC]
	ldp	x0, x1, [sp], #FRAME_SIZE
	ret	x10

#if defined(CONFIG_PREEMPTION) && defined(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS)
2:	bl	ftrace_caller_preempt
	b	1b
#endif
SYM_CODE_END(ftrace_caller)
NOKPROBE(ftrace_caller)
