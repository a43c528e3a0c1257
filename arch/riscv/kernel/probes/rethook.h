/* SPDX-License-Identifier: GPL-2.0 */
/* The function that the riscv trampoline of return hooks calls. */
#ifndef _RISCV_PROBES_RETHOOK_H
#define _RISCV_PROBES_RETHOOK_H

struct pt_regs;

unsigned long arch_rethook_trampoline_callback(struct pt_regs *regs);

#endif /* _RISCV_PROBES_RETHOOK_H */
