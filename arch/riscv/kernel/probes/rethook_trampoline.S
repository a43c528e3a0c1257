/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The address to which a hooked function returns. Its caller must find all registers, except ra, as
 * the function, or a handler of the hook, left them.
 */
#include <linux/linkage.h>

#include <asm/asm.h>
#include <asm/asm-offsets.h>

SYM_CODE_START(arch_rethook_trampoline)
	addi	sp, sp, -PT_SIZE_ON_STACK
	REG_S	ra, PT_RA(sp)
	REG_S	gp, PT_GP(sp)
	REG_S	tp, PT_TP(sp)
	REG_S	t0, PT_T0(sp)
	save_from_x6_to_x31
	addi	t0, sp, PT_SIZE_ON_STACK
	REG_S	t0, PT_SP(sp)

	mv	a0, sp
	call	arch_rethook_trampoline_callback
	mv	ra, a0

	restore_from_x6_to_x31
	REG_L	t0, PT_T0(sp)
	addi	sp, sp, PT_SIZE_ON_STACK
	ret
SYM_CODE_END(arch_rethook_trampoline)
