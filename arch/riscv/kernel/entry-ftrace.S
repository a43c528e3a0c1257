/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a traced function to the callback of the ftrace_ops of its site.
 *
 * A traced function looks like this (see arch/riscv/kernel/ftrace.c):
 *
 *	func - 8:	.dword	ops			the ops to call
 *	func:		auipc	t0, %hi(ftrace_caller)
 *	func + 4:	jalr	t0, %lo(ftrace_caller)(t0)	or addi x0
 *	func + 8:	...
 *
 * No call passes arguments in t0 to t6. Predictors of return addresses treat t0 as a link register:
 * the jalr of the site pushes, the "jr t0" here pops.
 *
 * Preemption is off from before the pointer is loaded until the callback has returned;
 * kernel/trace/ftrace/synchronize.c relies on that.
 *
 * If there is no space for a pointer in front of functions (kCFI, -Os), all sites share one
 * pointer, and ftrace_call() of kernel/trace/ftrace/oplist.c loads it and handles preemption. A
 * site that is off may then have a jump instead of the addi: see arch/riscv/kernel/ftrace.c.
 */
#include <linux/linkage.h>
#include <linux/cfi_types.h>
#include <asm/asm.h>
#include <asm/asm-offsets.h>
#include <asm/ftrace.h>
#include <asm/thread_info.h>

/*
 * The ftrace_regs end with two frame records: of this function, and of the traced function, which
 * has not made its own yet. A record ends where its frame pointer points to.
 */
#define OUR_FP		FREGS_S0
#define SITE_FP		FREGS_SIZE_ON_STACK

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS
	.macro	preemption_off
#ifdef CONFIG_PREEMPT_COUNT
	lw	t1, TASK_TI_PREEMPT_COUNT(tp)
	addi	t1, t1, 1
	sw	t1, TASK_TI_PREEMPT_COUNT(tp)
#endif
	.endm

	/* Load the flag after the count is stored: code that sets the flag later sees the count. */
	.macro	preemption_on, preempt, end
#ifdef CONFIG_PREEMPT_COUNT
	lw	t1, TASK_TI_PREEMPT_COUNT(tp)
	addi	t1, t1, -1
	sw	t1, TASK_TI_PREEMPT_COUNT(tp)
#endif
#ifdef CONFIG_PREEMPTION
	bnez	t1, \end
	REG_L	t1, TASK_TI_FLAGS(tp)
	andi	t1, t1, _TIF_NEED_RESCHED
	bnez	t1, \preempt
#endif
	.endm

	/* a0 and a1 are the first arguments; sp points to the ftrace_regs. */
	.macro	call_ops, preempt, end
	preemption_off
	REG_L	a2, -(MCOUNT_INSN_SIZE + FTRACE_SITE_OPS)(t0)
	mv	a3, sp
	REG_L	t1, FTRACE_OPS_FUNC(a2)
	jalr	t1
	preemption_on \preempt, \end
	.endm
#else
	.macro	call_ops, preempt, end
	mv	a2, sp
	call	ftrace_call
	.endm
#endif

	.text

/*
 * ftrace_caller - call ops->func(ip, parent_ip, ops, fregs) for a site
 *
 * In: a0 to a7, ra, sp and s0 as at the function's entry; t0 the address after the site.
 * Out: the same, with the changes that ops->func made to the ftrace_regs, at their epc; or in the
 * trampoline of a direct call, which goes there itself.
 *
 * The unwinder sees the callback, this function, the traced function and its caller.
 */
SYM_CODE_START(ftrace_caller)
	addi	sp, sp, -SITE_FP
	REG_S	t0, FREGS_EPC(sp)
	REG_S	ra, FREGS_RA(sp)
	REG_S	s0, FREGS_S0(sp)
	REG_S	a0, FREGS_A0(sp)
	REG_S	a1, FREGS_A1(sp)
	REG_S	a2, FREGS_A2(sp)
	REG_S	a3, FREGS_A3(sp)
	REG_S	a4, FREGS_A4(sp)
	REG_S	a5, FREGS_A5(sp)
	REG_S	a6, FREGS_A6(sp)
	REG_S	a7, FREGS_A7(sp)
	REG_S	zero, FREGS_T1(sp)		/* no direct call */

	addi	t1, sp, SITE_FP			/* sp as it was */
	REG_S	t1, FREGS_SP(sp)
	addi	s0, sp, OUR_FP

	addi	a0, t0, -MCOUNT_INSN_SIZE	/* ip */
	mv	a1, ra				/* parent_ip */
	call_ops 2f, 1f
1:
	REG_L	t0, FREGS_EPC(sp)
	REG_L	ra, FREGS_RA(sp)
	REG_L	s0, FREGS_S0(sp)
	REG_L	a0, FREGS_A0(sp)
	REG_L	a1, FREGS_A1(sp)
	REG_L	a2, FREGS_A2(sp)
	REG_L	a3, FREGS_A3(sp)
	REG_L	a4, FREGS_A4(sp)
	REG_L	a5, FREGS_A5(sp)
	REG_L	a6, FREGS_A6(sp)
	REG_L	a7, FREGS_A7(sp)
	REG_L	t1, FREGS_T1(sp)
	addi	sp, sp, SITE_FP
	bnez	t1, 3f
	jr	t0

#if defined(CONFIG_PREEMPTION) && defined(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS)
2:	call	ftrace_caller_preempt
	j	1b
#endif

	/* Go to the trampoline as if the site had called it, with t0 and ra unchanged. */
3:	jr	t1
SYM_CODE_END(ftrace_caller)
ASM_NOKPROBE(ftrace_caller)
