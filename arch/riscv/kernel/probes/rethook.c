// SPDX-License-Identifier: GPL-2.0
/*
 * Return hooks on riscv: a function returns to what was in ra when it was entered.
 * Its stack pointer is the same at entry and return, and tells the call from those
 * that it was called by.
 */
#include <linux/kprobes.h>
#include <linux/rethook.h>

#include <asm/csr.h>
#include <asm/ptrace.h>

#include "rethook.h"

/**
 * arch_rethook_prepare - make a call return to the trampoline
 * @node: keeps where it would have returned to
 * @regs: at the function's entry
 * @mcount: how that was stopped at; does not matter here
 */
void __kprobes arch_rethook_prepare(struct rethook_node *node, struct pt_regs *regs, bool mcount)
{
	node->ret_addr = regs->ra;
	node->frame = regs->sp;
	regs->ra = (unsigned long)arch_rethook_trampoline;
}

/**
 * arch_rethook_trampoline_callback - for the trampoline
 * @regs: general registers at the return; the rest is filled in
 *
 * Return: where to go on.
 */
unsigned long __kprobes arch_rethook_trampoline_callback(struct pt_regs *regs)
{
	/* As if it had been stopped here, in the kernel: user_mode() looks at it. */
	regs->status = csr_read(CSR_STATUS) | SR_PP;
	regs->badaddr = 0;
	regs->cause = 0;
	regs->orig_a0 = regs->a0;
	return rethook_trampoline_handler(regs, regs->sp);
}
