/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a traced function to an ftrace_ops, for call sites made with -pg.
 *
 * A traced function looks like this:
 *
 *	func:	addi	sp, sp, ...
 *		sd	s0, ...(sp)
 *		sd	ra, ...(sp)
 *		addi	s0, sp, ...
 *		...
 *		mv	a0, ra			the parent's return address
 *		call	_mcount
 *		...
 *
 * The site is an ordinary call: no register that a callee may change is live, and the function's
 * frame record is complete. So no registers are saved, and callbacks get none. The parent's return
 * address is in the frame record, at s0 - 8.
 */
#include <linux/export.h>
#include <linux/linkage.h>
#include <asm/asm.h>
#include <asm/ftrace.h>

	.text

#ifdef CONFIG_DYNAMIC_FTRACE
/*
 * Sites call this before they are switched off. Later, sites that are on call ftrace_caller.
 */
SYM_FUNC_START(_mcount)
	ret
SYM_FUNC_END(_mcount)
EXPORT_SYMBOL(_mcount)
#define TRACED_CALL	ftrace_caller
#else
#define TRACED_CALL	_mcount
#endif

/*
 * ftrace_caller - if there is an ops, call ftrace_call(ip, parent_ip, frame)
 *
 * In: a0 the traced function's return address, ra the address after the site, to
 * which ftrace_call() returns.
 *
 * Without CONFIG_DYNAMIC_FTRACE this is _mcount.
 */
SYM_FUNC_START(TRACED_CALL)
	REG_L	a2, ftrace_trace_ops
	beqz	a2, 1f
	mv	a2, s0				/* frame */
	mv	a1, a0				/* parent_ip */
	addi	a0, ra, -MCOUNT_INSN_SIZE	/* ip */
	tail	ftrace_call
1:	ret
SYM_FUNC_END(TRACED_CALL)
ASM_NOKPROBE(TRACED_CALL)
#ifndef CONFIG_DYNAMIC_FTRACE
EXPORT_SYMBOL(_mcount)
#endif
