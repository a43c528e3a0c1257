/* SPDX-License-Identifier: GPL-2.0 */
/*
 * From a traced function to an ftrace_ops, for call sites made with -pg.
 *
 * A traced function looks like this:
 *
 *	func:	stp	x29, x30, [sp, ...]!
 *		mov	x29, sp
 *		...
 *		mov	x0, x30			the parent's return address
 *		bl	_mcount
 *		...
 *
 * The site is an ordinary call: no register that a callee may change is live, and the function's
 * frame record is complete. So no registers are saved, and callbacks get none. The parent's return
 * address is in the frame record, at x29 + 8.
 */
#include <linux/export.h>
#include <linux/linkage.h>
#include <asm/assembler.h>

	.text

#ifdef CONFIG_DYNAMIC_FTRACE
/*
 * Sites call this before they are made NOPs. Later, sites that are on call ftrace_caller.
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
 * In: x0 the traced function's return address, x30 the address after the site, to
 * which ftrace_call() returns.
 *
 * Without CONFIG_DYNAMIC_FTRACE this is _mcount.
 */
SYM_FUNC_START(TRACED_CALL)
	ldr_l	x2, ftrace_trace_ops
	cbz	x2, 1f
	mov	x2, x29				// frame
	mov	x1, x0				// parent_ip
	sub	x0, x30, #AARCH64_INSN_SIZE	// ip
	b	ftrace_call
1:	ret
SYM_FUNC_END(TRACED_CALL)
NOKPROBE(TRACED_CALL)
#ifndef CONFIG_DYNAMIC_FTRACE
EXPORT_SYMBOL(_mcount)
#endif
