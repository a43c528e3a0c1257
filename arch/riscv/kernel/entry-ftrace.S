/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The way from a traced function into the ftrace_ops of its site.
 *
 * A traced function looks like this (see arch/riscv/kernel/ftrace.c):
 *
 *	func - 8:	.dword	ops			whom to call
 *	func:		auipc	t0, %hi(ftrace_caller)
 *	func + 4:	jalr	t0, %lo(ftrace_caller)(t0)	or addi x0
 *	func + 8:	...
 *
 * No call passes anything in t0 to t6, and t0 is a link register to the return
 * address predictors: the jalr of the site pushes, the "jr t0" here pops.
 *
 * From before the pointer is loaded until the callback has returned, preemption
 * is off; kernel/trace/ftrace/synchronize.c relies on that.
 *
 * Where no pointer can be in front of a function (kCFI, -Os) all sites share one, and
 * ftrace_call() of kernel/trace/ftrace/oplist.c does all that is about it. Off is then
 * another instruction.
 */
#include <linux/linkage.h>
#include <linux/cfi_types.h>
#include <asm/asm.h>
#include <asm/asm-offsets.h>
#include <asm/ftrace.h>
#include <asm/thread_info.h>

/*
 * The ftrace_regs end with two frame records, ours and the one that the traced function has
 * not made yet. A record ends where its frame pointer points to.
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

	/* The flag is read behind the count: who sets it sees that or is seen. */
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

	/* a0 and a1 are what they shall be; sp is at the ftrace_regs. */
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
 * ftrace_caller - have ops->func(ip, parent_ip, ops, fregs) called for a site
 *
 * In: a0 to a7, ra, sp and s0 as the function was called; t0 behind its site.
 * Out: as in, with the changes that ops->func made to the ftrace_regs, and on
 * at their epc, or in the trampoline of a direct call, which goes there in the end.
 *
 * The unwinder sees the callback, us, the traced function and its caller.
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

	/* As if the site had called it, with t0 and ra as they are. */
3:	jr	t1
SYM_CODE_END(ftrace_caller)
ASM_NOKPROBE(ftrace_caller)
