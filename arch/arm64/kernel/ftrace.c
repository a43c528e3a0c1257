// SPDX-License-Identifier: GPL-2.0
/*
 * Switching arm64 call sites on and off, a batch at a time.
 *
 * The compiler (-fpatchable-function-entry=4,2) leaves two NOPs before and two
 * at the start of each function. Seen from the site, which is the last of them,
 *
 *	literal	(site - 12, 8-aligned)	pointer to the ftrace_ops to call, while
 *					off: ftrace_off
 *	site - 4			NOP; from boot on "mov x9, x30"
 *	site				NOP, or "bl ftrace_caller" while enabled
 *
 * where BTI may put the literal four bytes further away (site_literal()).
 *
 * Why this needs no stopped machine
 *
 * The architecture (ARM ARM B2.2.5, concurrent modification and execution)
 * lets NOP and BL replace each other while others run them: they see the one
 * or the other. What is left is that a CPU which sees the BL must also see
 * the ops that belong to it:
 *
 *	patching CPU				CPU that runs the site
 *	1. literal = ops			a. fetch the site: BL
 *	2. kick_all_cpus_sync()			b. ftrace_caller: load literal
 *	3. site = BL; clean to PoU		c. load ops->func, call
 *	4. kick_all_cpus_sync()
 *
 * (a) can only see (3). Before (3) every CPU took the interrupt of (2), which
 * orders (1) before whatever it runs later, a load that it guessed included:
 * taking an exception discards what was speculated. So (b) sees (1).
 * Where the site is live and only changes hands (1) alone is needed; it is a
 * single-copy atomic store, so that (b) gets the old ops or the new. Switching
 * off, the order does not matter: who still sees the BL gets the old ops or
 * ftrace_off. In both cases the old ops may be in use until a grace period has
 * passed, which the caller waits for. (4) bounds the time in which a CPU may
 * still see the old instruction: it ends with the batch.
 */
#include <linux/cpu.h>
#include <linux/ftrace.h>
#include <linux/memory.h>
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include <asm/cacheflush.h>
#include <asm/fixmap.h>
#include <asm/insn.h>
#include <asm/patching.h>

/* Whom a site calls that is off: CPUs that just missed the switch get here. */
static struct ftrace_ops ftrace_off __ro_after_init = {
	.func = ftrace_stub,
};

/**
 * struct text_window - a writable view of one page of text
 * @mod: the module whose text it is, NULL: the kernel's
 * @page: the page that is mapped, 0: none
 * @alias: where it is mapped
 * @first: lowest address in it with a new instruction
 * @last: highest such address; 0: no instruction changed
 *
 * It is at FIX_FTRACE_POKE, which text_mutex guards.
 */
struct text_window {
	struct module *mod;
	unsigned long page;
	unsigned long alias;
	unsigned long first;
	unsigned long last;
};

static unsigned long site_literal(unsigned long ip)
{
	return ALIGN_DOWN(ip - 3 * AARCH64_INSN_SIZE, sizeof(u64));
}

/* What changed can be fetched by every CPU afterwards. */
static void window_close(struct text_window *w)
{
	if (!w->page)
		return;
	if (w->last)
		caches_clean_inval_pou(w->first, w->last + AARCH64_INSN_SIZE);
	clear_fixmap(FIX_FTRACE_POKE);
	*w = (struct text_window){ .mod = w->mod };
}

static void window_open(struct text_window *w, unsigned long page)
{
	phys_addr_t phys = w->mod ? page_to_phys(vmalloc_to_page((void *)page)) :
				    __pa_symbol(page);

	w->alias = set_fixmap_offset(FIX_FTRACE_POKE, phys);
	w->page = page;
}

/* Where @addr can be written, until the next call. */
static void *window_addr(struct text_window *w, unsigned long addr)
{
	unsigned long page = addr & PAGE_MASK;

	if (w->page != page) {
		window_close(w);
		window_open(w, page);
	}
	return (void *)(w->alias + offset_in_page(addr));
}

static void write_ops(struct text_window *w, unsigned long ip, struct ftrace_ops *ops)
{
	WRITE_ONCE(*(struct ftrace_ops **)window_addr(w, site_literal(ip)), ops);
}

static void write_insn(struct text_window *w, unsigned long ip, u32 insn)
{
	WRITE_ONCE(*(__le32 *)window_addr(w, ip), cpu_to_le32(insn));
	if (!w->last)
		w->first = ip;
	w->last = ip;
}

static int site_fault(struct ftrace_fault *fault, unsigned long ip, int err,
		      u32 expected, u32 found)
{
	*fault = (struct ftrace_fault){
		.ip = ip, .expected = { expected }, .found = { found }, .err = err,
	};
	return err;
}

/*
 * Is there what there should be at @ip? Page faults are disabled. Inline, as
 * copy_from_kernel_nofault() has call sites of its own.
 */
static __always_inline int check_insn(unsigned long ip, u32 expected,
				      struct ftrace_fault *fault)
{
	__le32 found;

	__get_kernel_nofault(&found, (__le32 *)ip, __le32, unreadable);
	if (likely(le32_to_cpu(found) == expected))
		return 0;
	return site_fault(fault, ip, -EINVAL, expected, le32_to_cpu(found));

unreadable:
	return site_fault(fault, ip, -EFAULT, expected, 0);
}

/* Early boot patches with interrupts off and nobody to tell. */
static void sync_other_cpus(void)
{
	if (num_online_cpus() > 1)
		kick_all_cpus_sync();
}

/*
 * The BL for a site. Modules may lie further away than a BL reaches; their text
 * then carries a veneer, one for the core and one for the init part.
 * Returns 0, which is no valid instruction here, if even that is out of reach.
 */
static u32 site_call(struct module *mod, unsigned long ip)
{
	unsigned long target = FTRACE_ADDR;
	long distance = target - ip;
	u32 insn;

#ifdef CONFIG_MODULES
	if (mod && (distance < -(long)SZ_128M || distance >= (long)SZ_128M)) {
		struct plt_entry *plt = within_module_init(ip, mod) ?
			mod->arch.init_ftrace_trampolines : mod->arch.ftrace_trampolines;

		target = (unsigned long)&plt[FTRACE_PLT_IDX];
	}
#endif
	insn = aarch64_insn_gen_branch_imm(ip, target, AARCH64_INSN_BRANCH_LINK);
	return insn == AARCH64_BREAK_FAULT ? 0 : insn;
}

/**
 * ftrace_call_adjust - find the site of a function from its table entry
 * @addr: where the compiler's NOPs begin: the literal
 *
 * Context: any.
 * Return: the address of the site, 0 if there is none.
 */
unsigned long ftrace_call_adjust(unsigned long addr)
{
	unsigned long func = addr + sizeof(u64);
	u32 insn;

	if (!IS_ALIGNED(addr, sizeof(u64)))
		return 0;
	if (IS_ENABLED(CONFIG_ARM64_BTI_KERNEL)) {
		insn = le32_to_cpu(*(__le32 *)func);
		if (aarch64_insn_is_bti(insn))
			func += AARCH64_INSN_SIZE;
	}
	return func + AARCH64_INSN_SIZE;
}

/**
 * ftrace_arch_init_sites - prepare sites for the first time
 * @mod: the module they belong to, NULL: the kernel
 * @ip: the sites, ascending
 * @nr: how many
 * @fault: filled in on error
 *
 * Puts "mov x9, x30" before each site, so that the BL may use x30. The kernel's
 * own text runs while it changes here, but at this point only NOP becomes MOV,
 * by a store of one instruction.
 * Context: text_mutex held; early boot with interrupts off, or process context.
 * Return: 0, -EINVAL if there is something else than NOPs, -ERANGE if a site
 * cannot reach ftrace_caller, -EFAULT.
 */
int ftrace_arch_init_sites(struct module *mod, const unsigned long *ip, unsigned int nr,
			   struct ftrace_fault *fault)
{
	const u32 nop = aarch64_insn_gen_nop();
	const u32 mov = aarch64_insn_gen_move_reg(AARCH64_INSN_REG_9, AARCH64_INSN_REG_LR,
						  AARCH64_INSN_VARIANT_64BIT);
	struct text_window window = { .mod = mod };
	unsigned int i;
	int err = 0;

	pagefault_disable();
	for (i = 0; i < nr; i++) {
		if (!site_call(mod, ip[i]))
			err = site_fault(fault, ip[i], -ERANGE, 0, 0);
		err = err ?: check_insn(ip[i], nop, fault);
		err = err ?: check_insn(ip[i] - AARCH64_INSN_SIZE, nop, fault);
		if (err)
			break;
		write_ops(&window, ip[i], &ftrace_off);
		write_insn(&window, ip[i] - AARCH64_INSN_SIZE, mov);
	}
	window_close(&window);
	pagefault_enable();
	return err;
}

static u32 site_insn(struct module *mod, unsigned long ip, struct ftrace_ops *ops)
{
	return ops ? site_call(mod, ip) : aarch64_insn_gen_nop();
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

		if (check_insn(p->ip, site_insn(w->mod, p->ip, p->from), fault))
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

		if (!p->from == !p->to)
			continue;
		write_insn(w, p->ip, site_insn(w->mod, p->ip, p->to));
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
 * When it returns, all CPUs run the new instructions. The ops that a site called
 * before may still be about to be called by who was already under way.
 * Context: process context with text_mutex held, interrupts on; or early boot.
 * Return: 0; -EINVAL or -EFAULT if a site did not hold what it should: sites
 * before @fault->ip are switched, the others are not.
 */
int ftrace_arch_patch_sites(struct module *mod, const struct ftrace_patch *patch,
			    unsigned int nr, struct ftrace_fault *fault)
{
	struct text_window window = { .mod = mod };
	bool waking = false;
	unsigned int good;

	lockdep_assert_held(&text_mutex);
	lockdep_assert_cpus_held();

	good = patch_ops(&window, patch, nr, &waking, fault);
	if (waking)
		sync_other_cpus();
	if (patch_insns(&window, patch, good))
		sync_other_cpus();
	return good < nr ? fault->err : 0;
}

/**
 * ftrace_arch_site_ops - whom a site calls while it is enabled
 * @ip: the site
 *
 * Context: any. Return: the ops; means nothing if the site is off.
 */
struct ftrace_ops *ftrace_arch_site_ops(unsigned long ip)
{
	return READ_ONCE(*(struct ftrace_ops **)site_literal(ip));
}
