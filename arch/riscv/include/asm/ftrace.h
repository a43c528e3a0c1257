/* SPDX-License-Identifier: GPL-2.0 */
/* The interface between riscv and the function tracer. */
#ifndef _ASM_RISCV_FTRACE_H
#define _ASM_RISCV_FTRACE_H

/* Callbacks get their ftrace_ops. */
#define ARCH_SUPPORTS_FTRACE_OPS	1

/* A site is two instructions. */
#define MCOUNT_INSN_SIZE		8

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
/* The site is at the function's symbol. */
#define FTRACE_SITE_MAX_OFFSET		0
#else
/* The site comes after the prologue, which KASAN makes long. */
#define FTRACE_SITE_MAX_OFFSET		4095
#endif

/* Distance from the site down to its pointer; 0: there is no pointer. */
#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS
#define FTRACE_SITE_OPS			8
#else
#define FTRACE_SITE_OPS			0
#endif

/* Mapping text is cheap: it concerns only one hart. */
#define FTRACE_TEXT_SLOTS		1

#ifndef __ASSEMBLY__
#include <linux/compat.h>
#include <linux/compiler_types.h>
#include <linux/string.h>

#include <asm/ptrace.h>

struct ftrace_ops;
struct ftrace_regs;

void *return_address(unsigned int level);
#define ftrace_return_address(n)	return_address(n)

#ifdef CONFIG_FRAME_POINTER
void return_to_handler(void);

/*
 * Return the address that the caller of the current function returns to, like return_address(1),
 * but without the walk. Both functions have their return address below their frame pointer, and the
 * older frame pointer below that.
 *
 * Nothing has to be checked: the proof is in arm64's <asm/ftrace.h>. entry.S has a program's
 * stack pointer in s0 when it calls C functions. These save it in their frames, where it would
 * be the third pointer. Both functions whose frames are read call others, so GCC saves ra in them:
 * the caller calls this function, and hooks call the code that they are for.
 */
static __always_inline unsigned long ftrace_parent_address(void)
{
	const unsigned long *frame = __builtin_frame_address(0);
	unsigned long address;

	frame = (const unsigned long *)frame[-2];
	address = frame[-1];
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) &&
	    unlikely(address == (unsigned long)return_to_handler))
		return (unsigned long)return_address(1);
	return address;
}
#define ftrace_parent_address ftrace_parent_address
#endif

/* A callback that does nothing. */
void ftrace_stub(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		 struct ftrace_regs *fregs);

/* The function that -pg calls. */
void _mcount(unsigned long parent_ip);

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS
/* The address of the pointer that a site has to its ops. */
static inline struct ftrace_ops **ftrace_site_ops(unsigned long ip)
{
	return (struct ftrace_ops **)(ip - FTRACE_SITE_OPS);
}
#endif

#define HAVE_ARCH_FTRACE_REGS
#define arch_ftrace_regs(fregs)		((struct __arch_ftrace_regs *)(fregs))

/**
 * struct __arch_ftrace_regs - registers at the entry of a traced function
 * @unused: makes the size a multiple of the stack's alignment
 * @t1: 0, or the address to go to instead of back to the function. The register is not saved, as no
 *	call leaves anything in it
 * @arg: a0 to a7
 * @sp: stack pointer
 * @epc: address to go on at, at first the instruction after the site
 * @s0: frame pointer of the function's caller
 * @ra: the function's return address
 *
 * It lies right below the function's stack. So the last four are two frame records, too:
 * the trampoline's, and the one that the function has not made yet.
 *
 * asm-offsets.c turns the members into FREGS_*.
 */
struct __arch_ftrace_regs {
	unsigned long unused, t1;
	union {
		unsigned long arg[8];
		/* private: the same by their names */
		struct { unsigned long a0, a1, a2, a3, a4, a5, a6, a7; };
		/* public: */
	};
	unsigned long sp, epc;
	unsigned long s0, ra;
};

#define ftrace_regs_get_stack_pointer(fregs)		(arch_ftrace_regs(fregs)->sp)
#define ftrace_regs_get_frame_pointer(fregs)		(arch_ftrace_regs(fregs)->s0)
#define ftrace_regs_get_return_address(fregs)		(arch_ftrace_regs(fregs)->ra)
#define ftrace_regs_get_return_value(fregs)		(arch_ftrace_regs(fregs)->a0)
#define ftrace_regs_get_instruction_pointer(fregs)	(arch_ftrace_regs(fregs)->epc)

static __always_inline void
ftrace_regs_set_instruction_pointer(struct ftrace_regs *fregs, unsigned long pc)
{
	arch_ftrace_regs(fregs)->epc = pc;
}

static __always_inline void
ftrace_regs_set_return_value(struct ftrace_regs *fregs, unsigned long value)
{
	arch_ftrace_regs(fregs)->a0 = value;
}

static __always_inline unsigned long
ftrace_regs_get_argument(struct ftrace_regs *fregs, unsigned int n)
{
	return n < 8 ? arch_ftrace_regs(fregs)->arg[n] : 0;
}

/* See <linux/ftrace_regs.h>. */
static __always_inline struct pt_regs *
ftrace_partial_regs(const struct ftrace_regs *fregs, struct pt_regs *regs)
{
	const struct __arch_ftrace_regs *saved = arch_ftrace_regs(fregs);

	regs->epc = saved->epc;
	regs->ra = saved->ra;
	regs->sp = saved->sp;
	regs->s0 = saved->s0;
	regs->a0 = saved->a0;
	regs->a1 = saved->a1;
	regs->a2 = saved->a2;
	regs->a3 = saved->a3;
	regs->a4 = saved->a4;
	regs->a5 = saved->a5;
	regs->a6 = saved->a6;
	regs->a7 = saved->a7;
	regs->status = SR_PP;
	return regs;
}

/* Make the traced function return to its caller at once, without running its body. */
static __always_inline void ftrace_override_function_with_return(struct ftrace_regs *fregs)
{
	arch_ftrace_regs(fregs)->epc = arch_ftrace_regs(fregs)->ra;
}

/* Run a trampoline between the callback and the traced function. The last callback calls this. */
static __always_inline void
arch_ftrace_set_direct_caller(struct ftrace_regs *fregs, unsigned long addr)
{
	arch_ftrace_regs(fregs)->t1 = addr;
}

/*
 * A key that tells a call from the task's other calls: the frame pointer of the caller. It is the
 * same at the return, and an unwinder knows it when it finds return_to_handler. (The stack pointer
 * will not do: functions with variable arguments have their frame record further down.)
 */
static __always_inline unsigned long arch_graph_key(struct ftrace_regs *fregs)
{
	return arch_ftrace_regs(fregs)->s0;
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
static __always_inline unsigned long arch_graph_entry_key(struct ftrace_regs *fregs)
{
	return arch_graph_key(fregs);
}

static __always_inline void arch_graph_divert(struct ftrace_regs *fregs, unsigned long to)
{
	arch_ftrace_regs(fregs)->ra = to;
}
#else
/* At the entry, @fregs is the function's frame pointer; its frame record is below that address. */
static __always_inline unsigned long arch_graph_entry_key(struct ftrace_regs *fregs)
{
	return ((unsigned long *)fregs)[-2];
}

static __always_inline void arch_graph_divert(struct ftrace_regs *fregs, unsigned long to)
{
	WRITE_ONCE(((unsigned long *)fregs)[-1], to);
}
#endif

/* At the return: set the return address in the frame record of return_to_handler. */
static __always_inline void arch_graph_set_caller(struct ftrace_regs *fregs, unsigned long ret)
{
	WRITE_ONCE(*((unsigned long *)arch_ftrace_regs(fregs)->sp - 1), ret);
}

/*
 * For events of system calls: tasks of the other ABI have other numbers; and the symbols of system
 * calls have a prefix.
 */
#define ARCH_TRACE_IGNORE_COMPAT_SYSCALLS
#define arch_trace_is_compat_syscall(regs) is_compat_task()

#define ARCH_HAS_SYSCALL_MATCH_SYM_NAME
static inline bool arch_syscall_match_sym_name(const char *sym, const char *name)
{
	return !strcmp(sym + sizeof("__riscv_") - 1, name);
}

#endif /* __ASSEMBLY__ */
#endif /* _ASM_RISCV_FTRACE_H */
