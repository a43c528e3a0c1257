/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The registers that a traced function was entered with, as callbacks of
 * struct ftrace_ops see them.
 *
 * struct ftrace_regs has no members: only the architecture knows what it
 * saved, mostly the argument registers and no more. <asm/ftrace.h> of such an
 * architecture has the layout as struct __arch_ftrace_regs, a macro
 * arch_ftrace_regs(fregs) to get at it, and these accessors, all usable in any
 * context:
 *
 *	ftrace_regs_get_instruction_pointer(fregs)	where the function goes on
 *	ftrace_regs_set_instruction_pointer(fregs, ip)
 *	ftrace_regs_get_argument(fregs, n)		n-th word of the arguments
 *	ftrace_regs_get_stack_pointer(fregs)		at the function's entry
 *	ftrace_regs_get_frame_pointer(fregs)
 *	ftrace_regs_get_return_value(fregs)		at the function's return
 *	ftrace_regs_set_return_value(fregs, value)
 *	ftrace_override_function_with_return(fregs)	skip the function's body
 *	ftrace_partial_regs(fregs, regs)		a struct pt_regs of it
 *
 * ftrace_partial_regs() fills @regs with the saved registers (arguments, instruction, stack and
 * frame pointer, return address), and marks it as registers of the kernel. The other members of
 * @regs stay as they are. It returns @regs. ftrace_partial_regs_update() copies changes of these
 * registers back.
 *
 * Without it the trampoline saves a whole struct pt_regs, or hands over NULL.
 */
#ifndef _LINUX_FTRACE_REGS_H
#define _LINUX_FTRACE_REGS_H

#include <linux/ptrace.h>
#include <linux/stddef.h>

#include <asm/ftrace.h>

struct ftrace_regs;

#ifdef arch_ftrace_regs

/**
 * ftrace_get_regs - the full register set of a traced function
 * @fregs: registers that the callback got
 *
 * Context: any.
 * Return: the registers; NULL if the architecture saves less than a struct pt_regs.
 */
static __always_inline struct pt_regs *ftrace_get_regs(struct ftrace_regs *fregs)
{
	return NULL;
}

/**
 * ftrace_partial_regs_update - take over changes of a struct pt_regs
 * @fregs: registers that the callback got
 * @regs: return value of ftrace_partial_regs()
 *
 * Takes over the address where the function goes on, and the function's return value.
 * Context: any.
 */
static __always_inline void
ftrace_partial_regs_update(struct ftrace_regs *fregs, struct pt_regs *regs)
{
	ftrace_regs_set_instruction_pointer(fregs, instruction_pointer(regs));
	ftrace_regs_set_return_value(fregs, regs_return_value(regs));
}

#else

struct __arch_ftrace_regs {
	struct pt_regs regs;
};

#define arch_ftrace_regs(fregs)	((struct __arch_ftrace_regs *)(fregs))

static __always_inline struct pt_regs *ftrace_get_regs(struct ftrace_regs *fregs)
{
	return fregs ? &arch_ftrace_regs(fregs)->regs : NULL;
}

#define ftrace_regs_query_register_offset(name) regs_query_register_offset(name)

#define ftrace_regs_get_argument(fregs, n) \
	regs_get_kernel_argument(ftrace_get_regs(fregs), n)
#define ftrace_regs_get_instruction_pointer(fregs) \
	instruction_pointer(ftrace_get_regs(fregs))
#define ftrace_regs_set_instruction_pointer(fregs, ip) \
	instruction_pointer_set(ftrace_get_regs(fregs), ip)
#define ftrace_regs_get_stack_pointer(fregs) \
	kernel_stack_pointer(ftrace_get_regs(fregs))
#define ftrace_regs_get_frame_pointer(fregs) \
	frame_pointer(ftrace_get_regs(fregs))
#define ftrace_regs_get_return_value(fregs) \
	regs_return_value(ftrace_get_regs(fregs))
#define ftrace_regs_set_return_value(fregs, value) \
	regs_set_return_value(ftrace_get_regs(fregs), value)
#define ftrace_override_function_with_return(fregs) \
	override_function_with_return(ftrace_get_regs(fregs))

/* All registers were saved: @regs is not needed. */
static __always_inline struct pt_regs *
ftrace_partial_regs(struct ftrace_regs *fregs, struct pt_regs *regs)
{
	return ftrace_get_regs(fregs);
}

static __always_inline void
ftrace_partial_regs_update(struct ftrace_regs *fregs, struct pt_regs *regs) { }

#endif /* arch_ftrace_regs */
#endif /* _LINUX_FTRACE_REGS_H */
