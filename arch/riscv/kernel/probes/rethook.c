// SPDX-License-Identifier: GPL-2.0
/*
 * Return hooks on riscv: they change ra, the return address, at a function's entry. The stack
 * pointer is the same at entry and return, and tells the call from its callers' calls.
 */
#include <linux/kprobes.h>
#include <linux/rethook.h>

#include <asm/csr.h>
#include <asm/ptrace.h>

#include "rethook.h"

/**
 * arch_rethook_prepare - make a call return to the trampoline
 * @node: stores the original return address
 * @regs: registers at the function's entry
 * @mcount: unused: tells how the function was stopped
 */
void __kprobes arch_rethook_prepare(struct rethook_node *node, struct pt_regs *regs, bool mcount)
{
	node->ret_addr = regs->ra;
	node->frame = regs->sp;
	regs->ra = (unsigned long)arch_rethook_trampoline;
}

/**
 * arch_rethook_trampoline_callback - handle a return to the trampoline
 * @regs: general registers at the return; the other registers are filled in
 *
 * Return: the address to go on at.
 */
unsigned long __kprobes arch_rethook_trampoline_callback(struct pt_regs *regs)
{
	/* As an exception in the kernel fills it in: user_mode() looks at this register. */
	regs->status = csr_read(CSR_STATUS) | SR_PP;
	regs->badaddr = 0;
	regs->cause = 0;
	regs->orig_a0 = regs->a0;
	return rethook_trampoline_handler(regs, regs->sp);
}
