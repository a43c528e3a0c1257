// SPDX-License-Identifier: GPL-2.0
/*
 * Switching riscv call sites on and off, a batch at a time.
 *
 * The compiler (-fpatchable-function-entry=8,4 with, =4,2 without compressed
 * instructions) leaves eight bytes of NOPs before and eight at the start of each
 * function, which is aligned to eight bytes. From boot on they are
 *
 *	site - 8	pointer to the ftrace_ops to call, while off: ftrace_off
 *	site		auipc t0, %hi(ftrace_caller)	for good
 *	site + 4	NOP, or "jalr t0, %lo(ftrace_caller)(t0)" while on
 *
 * Nothing else is written afterwards than the pointer and the second
 * instruction, each with a single aligned store.
 *
 * Why this needs no stopped machine, nor preemption to be off
 *
 * A hart fetches the naturally aligned four bytes at once (Ziccif, which riscv
 * profiles that run Linux ask for), so it sees the NOP or the jalr. A task may
 * be preempted, or a hart interrupted, between the two instructions for as long
 * as it likes: t0 belongs to it, its value is right for either second
 * instruction, and a function that was not traced does not look at t0.
 *
 * What is left is that a hart which fetches the jalr must load the ops that
 * belong to it. Fetches and loads are not ordered, so a store order is not
 * enough:
 *
 *	patching hart			hart that runs the site
 *	1. [site - 8] = ops		a. fetch site + 4: jalr
 *	2. kick_all_cpus_sync()		b. ftrace_caller: load [site - 8]
 *	3. [site + 4] = jalr		c. load ops->func, call
 *	4. flush_icache_all()
 *
 * (a) can only see (3). Before (3) every online hart took the interrupt of (2),
 * whose barriers order (1) before what it loads later. So (a) comes after the
 * interrupt, (b) after (a) in program order, and (b) sees (1) or something newer.
 * A hart that is coming online would miss the interrupt: cpus_read_lock() keeps
 * it from doing so.
 *
 * A live site that changes hands needs (1) alone: (b) gets the old ops or the
 * new one. Switching off, the order does not matter: with the jalr still seen,
 * (b) gets the old ops or ftrace_off. In both cases the old ops may be in use
 * until a grace period of tasks has passed, which the caller waits for. (4) ends
 * the time in which a hart may fetch the old instruction.
 */
#include <linux/cpu.h>
#include <linux/ftrace.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include <asm/cacheflush.h>
#include <asm/fixmap.h>

#define INSN_NOP		0x00000013	/* addi  x0, x0, 0 */
#define INSN_AUIPC_T0		0x00000297	/* auipc t0, 0     */
#define INSN_JALR_T0_T0		0x000282e7	/* jalr  t0, 0(t0) */

/* A site's two instructions as one number, the first one in the low half. */
#define SITE_INSNS(first, second)	((u64)(second) << 32 | (first))

/* As the compiler left it. */
#ifdef CONFIG_RISCV_ISA_C
#define SITE_COMPILED		0x0001000100010001ULL
#else
#define SITE_COMPILED		SITE_INSNS(INSN_NOP, INSN_NOP)
#endif

/* Whom a site calls that is off: harts that just missed the switch get here. */
static struct ftrace_ops ftrace_off __ro_after_init = {
	.func = ftrace_stub,
};

/**
 * struct text_window - a writable view of one page of text
 * @mod: the module whose text it is, NULL: the kernel's
 * @page: the page that is mapped, 0: none
 * @alias: where it is mapped
 *
 * That is at FIX_TEXT_POKE0, whose users hold text_mutex. Other harts do not see
 * it, so preemption is off while it is open.
 */
struct text_window {
	struct module *mod;
	unsigned long page;
	unsigned long alias;
};

static void window_close(struct text_window *w)
{
	if (!w->page)
		return;
	clear_fixmap(FIX_TEXT_POKE0);
	w->page = 0;
	preempt_enable();
}

static noinline void window_move(struct text_window *w, unsigned long page)
{
	phys_addr_t phys = w->mod ? PFN_PHYS(vmalloc_to_pfn((void *)page)) : __pa_symbol(page);

	window_close(w);
	preempt_disable();
	w->alias = set_fixmap_offset(FIX_TEXT_POKE0, phys);
	w->page = page;
}

/* Where @addr can be written, until the next call. */
static __always_inline void *window_addr(struct text_window *w, unsigned long addr)
{
	unsigned long page = addr & PAGE_MASK;

	if (unlikely(w->page != page))
		window_move(w, page);
	return (void *)(w->alias + offset_in_page(addr));
}

static void write_ops(struct text_window *w, unsigned long ip, struct ftrace_ops *ops)
{
	WRITE_ONCE(*(struct ftrace_ops **)window_addr(w, ip - FTRACE_SITE_OPS), ops);
}

static u64 site_insns(unsigned long ip, bool on)
{
	u32 offset = FTRACE_ADDR - ip;
	u32 auipc = INSN_AUIPC_T0 | ((offset + 0x800) & ~0xfffU);
	u32 jalr = INSN_JALR_T0_T0 | offset << 20;

	return SITE_INSNS(auipc, on ? jalr : INSN_NOP);
}

static bool site_in_reach(unsigned long ip)
{
	long offset = FTRACE_ADDR - ip + 0x800;

	return offset == (s32)offset;
}

static int site_fault(struct ftrace_fault *fault, unsigned long ip, int err,
		      u64 expected, u64 found)
{
	*fault = (struct ftrace_fault) {
		.ip = ip,
		.expected = { lower_32_bits(expected), upper_32_bits(expected) },
		.found = { lower_32_bits(found), upper_32_bits(found) },
		.err = err,
	};
	return err;
}

/* Is there what there should be? Page faults are disabled. */
static __always_inline int site_check(unsigned long ip, u64 expected,
				      struct ftrace_fault *fault)
{
	u64 found;

	__get_kernel_nofault(&found, (u64 *)ip, u64, unreadable);
	if (likely(found == expected))
		return 0;
	return site_fault(fault, ip, -EINVAL, expected, found);

unreadable:
	return site_fault(fault, ip, -EFAULT, expected, 0);
}

/**
 * ftrace_call_adjust - find the site that an entry of the build's table means
 * @addr: where the NOPs before the function begin
 *
 * GCC forgets the alignment of functions that it takes for cold. They cannot be
 * switched by single stores, so they are none of ours.
 *
 * Context: any.
 * Return: the address of the site, 0 if there is none.
 */
unsigned long ftrace_call_adjust(unsigned long addr)
{
	return IS_ALIGNED(addr, FTRACE_SITE_OPS) ? addr + FTRACE_SITE_OPS : 0;
}

/**
 * ftrace_arch_init_sites - prepare sites for the first time
 * @mod: the module they belong to, NULL: the kernel
 * @ip: the sites, ascending
 * @nr: how many
 * @fault: filled in on error
 *
 * At boot this hart itself goes through the text that changes here. That is in
 * order since between the first store and the fence it calls no function with a
 * site: the Makefiles build this file, mm/init.c (the fixmap) and
 * mm/cacheflush.c without, and what switches preemption is notrace.
 *
 * Context: text_mutex held; early boot with interrupts off, or process context.
 * Return: 0, -EINVAL if there is something else than NOPs, -ERANGE if a site
 * cannot reach ftrace_caller, -EFAULT if it cannot be read.
 */
int ftrace_arch_init_sites(struct module *mod, const unsigned long *ip, unsigned int nr,
			   struct ftrace_fault *fault)
{
	struct text_window window = { .mod = mod };
	unsigned int i;
	int err = 0;

	pagefault_disable();
	for (i = 0; i < nr; i++) {
		if (site_in_reach(ip[i]))
			err = site_check(ip[i], SITE_COMPILED, fault);
		else
			err = site_fault(fault, ip[i], -ERANGE, 0, 0);
		if (err)
			break;
		write_ops(&window, ip[i], &ftrace_off);
		*(u64 *)window_addr(&window, ip[i]) = site_insns(ip[i], false);
	}
	window_close(&window);
	pagefault_enable();
	flush_icache_all();
	return err;
}

/*
 * Checks all sites and writes their ops, up to the first that is not as it should
 * be. Returns how many are good; *@waking tells if some of them are off.
 */
static unsigned int patch_ops(struct text_window *w, const struct ftrace_patch *patch,
			      unsigned int nr, bool *waking, struct ftrace_fault *fault)
{
	unsigned int i;

	pagefault_disable();
	for (i = 0; i < nr; i++) {
		const struct ftrace_patch *p = &patch[i];

		if (site_check(p->ip, site_insns(p->ip, p->from), fault))
			break;
		write_ops(w, p->ip, p->to ?: &ftrace_off);
		*waking |= !p->from && p->to;
	}
	window_close(w);
	pagefault_enable();
	return i;
}

/* Returns whether there was anything to flip. */
static bool patch_insns(struct text_window *w, const struct ftrace_patch *patch,
			unsigned int nr)
{
	bool any = false;
	unsigned int i;

	for (i = 0; i < nr; i++) {
		const struct ftrace_patch *p = &patch[i];
		u32 *insn;

		if (!p->from == !p->to)
			continue;
		insn = window_addr(w, p->ip + sizeof(*insn));
		WRITE_ONCE(*insn, upper_32_bits(site_insns(p->ip, p->to)));
		any = true;
	}
	window_close(w);
	return any;
}

/**
 * ftrace_arch_patch_sites - make a batch of sites call somebody else, or nobody
 * @mod: the module they belong to, NULL: the kernel
 * @patch: the sites, ascending, with whom they call now and shall call
 * @nr: how many
 * @fault: filled in on error
 *
 * When it returns, all harts fetch the new instructions. Who was already under
 * way may still be about to call the ops that a site had before.
 *
 * Context: process context with cpus_read_lock() and text_mutex held, interrupts
 * on; or early boot.
 * Return: 0; -EINVAL or -EFAULT if a site did not hold what it should: sites
 * before @fault->ip are switched, the others are not.
 */
int ftrace_arch_patch_sites(struct module *mod, const struct ftrace_patch *patch,
			    unsigned int nr, struct ftrace_fault *fault)
{
	struct text_window window = { .mod = mod };
	bool waking = false;
	unsigned int good;

	lockdep_assert_cpus_held();
	lockdep_assert_held(&text_mutex);

	good = patch_ops(&window, patch, nr, &waking, fault);
	if (waking)
		kick_all_cpus_sync();
	if (patch_insns(&window, patch, good))
		flush_icache_all();
	return good < nr ? fault->err : 0;
}

/**
 * ftrace_arch_site_ops - whom a site calls while it is enabled
 * @ip: the site
 *
 * Context: any.
 * Return: the ops; means nothing if the site is off.
 */
struct ftrace_ops *ftrace_arch_site_ops(unsigned long ip)
{
	return READ_ONCE(*(struct ftrace_ops **)(ip - FTRACE_SITE_OPS));
}
