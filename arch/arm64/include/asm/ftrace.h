/* SPDX-License-Identifier: GPL-2.0 */
/* The interface between arm64 and the function tracer. */
#ifndef __ASM_FTRACE_H
#define __ASM_FTRACE_H

#include <asm/insn.h>

/* One PLT slot per module text section, for modules far from the kernel. */
#define FTRACE_PLT_IDX		0
#define NR_FTRACE_PLTS		1

#define ARCH_SUPPORTS_FTRACE_OPS	1

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
/* The largest distance from a function's symbol to its site: BTI and "mov x9, x30" come before. */
#define FTRACE_SITE_MAX_OFFSET	(2 * AARCH64_INSN_SIZE)
#else
/* The site comes after the prologue, which KASAN makes long. */
#define FTRACE_SITE_MAX_OFFSET	4095
#endif

/* Unmapping text concerns the TLBs of all CPUs, so it is done for many pages at once. */
#define FTRACE_TEXT_SLOTS	NR_FIX_FTRACE_POKE

#ifndef __ASSEMBLY__
#include <linux/compat.h>
#include <linux/string.h>

#include <asm/compiler.h>
#include <asm/ptrace.h>

void *return_address(unsigned int level);
#define ftrace_return_address(n) return_address(n)

void return_to_handler(void);

/*
 * The address that the caller of the function that uses this returns to: return_address(1) without
 * the walk. Both functions have pushed a record of frame pointer and return address.
 *
 * Proof that nothing has to be checked: this reads the function's own record, and the record
 * to which that points. The function is C, and so is its caller: only the hooks where
 * interrupts and preemption are switched use CALLER_ADDR1, and no assembly calls them. So the
 * caller pushed its record before the call, on the stack in use. It has not popped the record
 * to jump here, as the kernel is built with -fno-optimize-sibling-calls if it has frame pointers.
 * If assembly called the caller, x29 may have been anything then, even a program's. The caller's
 * record points there, and nothing here follows that.
 */
static __always_inline unsigned long ftrace_parent_address(void)
{
	const unsigned long *record = __builtin_frame_address(0);
	unsigned long address;

	record = (const unsigned long *)record[0];
	address = ptrauth_strip_kernel_insn_pac(record[1]);
	if (IS_ENABLED(CONFIG_FUNCTION_GRAPH_TRACER) &&
	    unlikely(address == (unsigned long)return_to_handler))
		return (unsigned long)return_address(1);
	return address;
}
#define ftrace_parent_address ftrace_parent_address

struct ftrace_ops;
struct ftrace_regs;

void ftrace_stub(unsigned long ip, unsigned long parent_ip, struct ftrace_ops *ops,
		 struct ftrace_regs *fregs);

/* The function that -pg calls. */
void _mcount(unsigned long parent_ip);

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS
/* The address of the pointer that a site has to its ops, with or without BTI. */
static inline struct ftrace_ops **ftrace_site_ops(unsigned long ip)
{
	return (struct ftrace_ops **)((ip - 3 * AARCH64_INSN_SIZE) & ~7UL);
}
#endif

#define HAVE_ARCH_FTRACE_REGS
#define arch_ftrace_regs(fregs) ((struct __arch_ftrace_regs *)(fregs))

/**
 * struct __arch_ftrace_regs - registers at the entry of a traced function
 * @regs: x0 to x8: arguments and the indirect result pointer
 * @direct_tramp: x9: for the trampoline of a direct call, the traced function's return
 *	address; otherwise it does not matter
 * @fp: x29
 * @lr: the traced function's return address
 * @sp: stack pointer at entry
 * @pc: address to go on at, at first the instruction after the site
 *
 * asm-offsets.c turns the members into FREGS_*. Only registers are kept that have a meaning at a
 * function's entry by the calling convention.
 */
struct __arch_ftrace_regs {
	unsigned long regs[9];
	unsigned long direct_tramp;
	unsigned long fp;
	unsigned long lr;
	unsigned long sp;
	unsigned long pc;
};

#define ftrace_regs_get_instruction_pointer(fregs) (arch_ftrace_regs(fregs)->pc)
#define ftrace_regs_get_stack_pointer(fregs) (arch_ftrace_regs(fregs)->sp)
#define ftrace_regs_get_return_value(fregs) (arch_ftrace_regs(fregs)->regs[0])
#define ftrace_regs_get_frame_pointer(fregs) (arch_ftrace_regs(fregs)->fp)
#define ftrace_regs_get_return_address(fregs) (arch_ftrace_regs(fregs)->lr)

static __always_inline void
ftrace_regs_set_instruction_pointer(struct ftrace_regs *fregs, unsigned long pc)
{
	arch_ftrace_regs(fregs)->pc = pc;
}

static __always_inline void
ftrace_regs_set_return_value(struct ftrace_regs *fregs, unsigned long value)
{
	arch_ftrace_regs(fregs)->regs[0] = value;
}

static __always_inline unsigned long
ftrace_regs_get_argument(struct ftrace_regs *fregs, unsigned int n)
{
	return n < 8 ? arch_ftrace_regs(fregs)->regs[n] : 0;
}

/* See <linux/ftrace_regs.h>. */
static __always_inline struct pt_regs *
ftrace_partial_regs(const struct ftrace_regs *fregs, struct pt_regs *regs)
{
	const struct __arch_ftrace_regs *saved = arch_ftrace_regs(fregs);

	memcpy(regs->regs, saved->regs, sizeof(saved->regs));
	regs->regs[29] = saved->fp;
	regs->regs[30] = saved->lr;
	regs->sp = saved->sp;
	regs->pc = saved->pc;
	regs->pstate = PSR_MODE_EL1h;
	return regs;
}

/* Make the traced function return to its caller at once, without running its body. */
static __always_inline void ftrace_override_function_with_return(struct ftrace_regs *fregs)
{
	arch_ftrace_regs(fregs)->pc = arch_ftrace_regs(fregs)->lr;
}

/*
 * Run a trampoline between the callback and the traced function. The last callback calls this: the
 * others see the function's registers.
 */
static __always_inline void
arch_ftrace_set_direct_caller(struct ftrace_regs *fregs, unsigned long addr)
{
	struct __arch_ftrace_regs *regs = arch_ftrace_regs(fregs);

	regs->direct_tramp = regs->lr;
	regs->lr = regs->pc;
	regs->pc = addr;
}

/*
 * A key that tells a call from the task's other calls: the frame pointer of the caller. It is the
 * same at the return, and an unwinder knows it when it finds return_to_handler.
 */
static __always_inline unsigned long arch_graph_key(struct ftrace_regs *fregs)
{
	return arch_ftrace_regs(fregs)->fp;
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
static __always_inline unsigned long arch_graph_entry_key(struct ftrace_regs *fregs)
{
	return arch_graph_key(fregs);
}

static __always_inline void arch_graph_divert(struct ftrace_regs *fregs, unsigned long to)
{
	arch_ftrace_regs(fregs)->lr = to;
}
#else
/* At the entry, @fregs is the function's frame pointer, which points to its frame record. */
static __always_inline unsigned long arch_graph_entry_key(struct ftrace_regs *fregs)
{
	return ((unsigned long *)fregs)[0];
}

static __always_inline void arch_graph_divert(struct ftrace_regs *fregs, unsigned long to)
{
	WRITE_ONCE(((unsigned long *)fregs)[1], to);
}
#endif

/* At the return: set the return address in the frame record of return_to_handler. */
static __always_inline void arch_graph_set_caller(struct ftrace_regs *fregs, unsigned long ret)
{
	unsigned long *record = (unsigned long *)(arch_ftrace_regs(fregs) + 1);

	WRITE_ONCE(record[1], ret);
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
	return !strcmp(sym + sizeof("__arm64_") - 1, name);
}

#endif /* __ASSEMBLY__ */
#endif /* __ASM_FTRACE_H */
