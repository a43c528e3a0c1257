// SPDX-License-Identifier: GPL-2.0
/*
 * What an arm64 call site is made of, and how it is switched on and off.
 *
 * With -fpatchable-function-entry=4,2 the compiler leaves two NOPs before and two
 * at the start of each function. Seen from the site, which is the last of them,
 *
 *	literal	(site - 12, 8-aligned)	pointer to the ftrace_ops to call, while
 *					off: ftrace_off
 *	site - 4			NOP; from boot on "mov x9, x30"
 *	site				NOP, or "bl ftrace_caller" while enabled
 *
 * where BTI may put the literal four bytes further away (ftrace_site_ops()).
 *
 * With kCFI, and with GCC's -Os, nothing of ours can be in front of a function: with
 * -fpatchable-function-entry=2 there is the same without the literal.
 *
 * With -pg it makes a call of _mcount behind the function's prologue. That is the
 * site: from boot on a NOP, or "bl ftrace_caller" while enabled.
 *
 * Why this needs no stopped machine
 *
 * The steps are those of kernel/trace/ftrace/patch.c.
 * The architecture (ARM ARM B2.2.5, concurrent modification and execution)
 * lets NOP and BL replace each other while others run them: they see the one
 * or the other. The MOV stays. A task may be preempted between the two for as
 * long as it likes: x9 belongs to it, and a function that is not traced does not
 * look at it. Veneers, for modules that a BL does not reach from, are there from
 * when the module is loaded and never change.
 *
 * What is left is that a CPU which sees the BL must also see the ops that belong
 * to it:
 *
 *	patching CPU				CPU that runs the site
 *	1. literal = ops			a. fetch the site: BL
 *	2. kick_all_cpus_sync()			b. ftrace_caller: load literal
 *	3. site = BL; to PoU; out of I-caches	c. load ops->func, call
 *	4. kick_all_cpus_sync(), ISB
 *
 * (a) can only see (3). Before (3) every other CPU took the interrupt of (2),
 * which orders (1) before whatever it runs later, a load that it guessed
 * included: taking an exception discards what was speculated. So (b) sees (1).
 * The patching CPU, whichever that is in the end, has the barrier of (2) between
 * (1) and (b) instead. cpus_read_lock() keeps others from coming online between
 * (1) and (4); who comes later starts from reset, with nothing fetched or loaded.
 *
 * That a BL calls ftrace_caller instead of somebody's trampoline is (3), too. The other
 * way round the order does not matter, as when it is switched off.
 *
 * Where the site is live and only changes hands (1) alone is needed; it is a
 * single-copy atomic store, so that (b) gets the old ops or the new, and patch.c
 * sees to it that (c) finds either of them filled in. Switching
 * off, the order does not matter: who still sees the BL gets the old ops or
 * ftrace_off. In both cases somebody may be on the way to the old ops, for whom
 * synchronize.c waits. (4) bounds the time in which a CPU may still see the old
 * instruction: it ends with the batch. (3) takes it out of the instruction caches
 * of all CPUs; the interrupt, and on the patching CPU the ISB, drop what was
 * fetched before.
 *
 * Without a literal, read ftrace_trace_ops for it: that was written before the batch.
 *
 * Why it may write the MOV
 *
 * NOP and MOV may not replace each other while others run them, and nobody does:
 *
 *	a module	has not begun to run; (4) comes before it does
 *	the kernel	at boot, there is one CPU with interrupts off. From the first
 *			store to (4) it calls nothing that has a site: this file,
 *			kernel/trace, mm/fixmap.c, mm/physaddr.c and lib/insn.c are
 *			built without, mm/cache.S is assembly
 *
 * With -pg there is no MOV, and a BL becomes a NOP.
 *
 * Text is never writable where it is run. The second mapping, which is not
 * executable, is gone from all TLBs before text_mutex is let go.
 */
#include <linux/ftrace_patch.h>
#include <linux/module.h>
#include <linux/smp.h>
#include <linux/uaccess.h>

#include <asm/cacheflush.h>
#include <asm/fixmap.h>
#include <asm/insn.h>
#include <asm/patching.h>

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

/* Does a BL reach? */
bool ftrace_arch_can_call(unsigned long ip, unsigned long to)
{
	long distance = to - ip;

	return distance >= -(long)SZ_128M && distance < (long)SZ_128M;
}

#ifdef CONFIG_MODULES
/*
 * Modules may lie further away than a BL reaches; their text then carries a veneer,
 * one for the core and one for the init part.
 */
static unsigned long call_target(struct module *mod, unsigned long ip, unsigned long to)
{
	struct plt_entry *plt;

	if (!mod || to != FTRACE_ADDR || ftrace_arch_can_call(ip, to))
		return to;
	plt = within_module_init(ip, mod) ? mod->arch.init_ftrace_trampolines :
					    mod->arch.ftrace_trampolines;
	return (unsigned long)&plt[FTRACE_PLT_IDX];
}
#else
static unsigned long call_target(struct module *mod, unsigned long ip, unsigned long to)
{
	return to;
}
#endif

/* The BL for a site; 0, which is no valid instruction here, if it is out of reach. */
static u32 site_call(struct module *mod, unsigned long ip, unsigned long to)
{
	unsigned long target = call_target(mod, ip, to);

	if (!ftrace_arch_can_call(ip, target))
		return 0;
	return aarch64_insn_gen_branch_imm(ip, target, AARCH64_INSN_BRANCH_LINK);
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS

/* Past the landing pad that may be at @addr. */
static unsigned long skip_bti(unsigned long addr)
{
	if (IS_ENABLED(CONFIG_ARM64_BTI_KERNEL) &&
	    aarch64_insn_is_bti(le32_to_cpu(*(__le32 *)addr)))
		addr += AARCH64_INSN_SIZE;
	return addr;
}

/*
 * A table entry is where the compiler's NOPs begin: the literal. Without one, that is the
 * function's start, or behind its landing pad.
 */
unsigned long ftrace_call_adjust(unsigned long addr)
{
	if (IS_ENABLED(CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS)) {
		if (!IS_ALIGNED(addr, sizeof(u64)))
			return 0;
		addr += sizeof(u64);
	}
	return skip_bti(addr) + AARCH64_INSN_SIZE;
}

/* Puts "mov x9, x30" before the site, so that the BL may use x30. */
int ftrace_arch_prepare_site(struct ftrace_text *text, unsigned long ip,
			     struct ftrace_fault *fault)
{
	const u32 nop = aarch64_insn_gen_nop();
	const u32 mov = aarch64_insn_gen_move_reg(AARCH64_INSN_REG_9, AARCH64_INSN_REG_LR,
						  AARCH64_INSN_VARIANT_64BIT);
	int err = 0;

	if (!site_call(text->mod, ip, FTRACE_ADDR))
		err = site_fault(fault, ip, -ERANGE, 0, 0);
	err = err ?: check_insn(ip, nop, fault);
	err = err ?: check_insn(ip - AARCH64_INSN_SIZE, nop, fault);
	if (!err)
		ftrace_text_write_insn(text, ip - AARCH64_INSN_SIZE, mov);
	return err;
}

#else

/* A table entry is the call. */
unsigned long ftrace_call_adjust(unsigned long addr)
{
	return addr;
}

/*
 * Is it the call that -pg made? That of a module which is far from the kernel goes
 * to a veneer that the module loader made, somewhere.
 */
static __always_inline int check_compiled(unsigned long ip, struct ftrace_fault *fault)
{
	unsigned long target = (unsigned long)_mcount;
	__le32 found;

	if (ftrace_arch_can_call(ip, target))
		return check_insn(ip, aarch64_insn_gen_branch_imm(ip, target,
								  AARCH64_INSN_BRANCH_LINK),
				  fault);
	__get_kernel_nofault(&found, (__le32 *)ip, __le32, unreadable);
	if (aarch64_insn_is_bl(le32_to_cpu(found)))
		return 0;
	return site_fault(fault, ip, -EINVAL, aarch64_insn_get_bl_value(), le32_to_cpu(found));

unreadable:
	return site_fault(fault, ip, -EFAULT, aarch64_insn_get_bl_value(), 0);
}

int ftrace_arch_prepare_site(struct ftrace_text *text, unsigned long ip,
			     struct ftrace_fault *fault)
{
	int err = 0;

	if (!site_call(text->mod, ip, FTRACE_ADDR))
		err = site_fault(fault, ip, -ERANGE, 0, 0);
	err = err ?: check_compiled(ip, fault);
	if (!err)
		ftrace_text_write_insn(text, ip, aarch64_insn_gen_nop());
	return err;
}

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_ARGS */

static u32 site_insn(struct module *mod, unsigned long ip, unsigned long to)
{
	return to ? site_call(mod, ip, to) : aarch64_insn_gen_nop();
}

int ftrace_arch_check_site(struct module *mod, unsigned long ip, unsigned long to,
			   struct ftrace_fault *fault)
{
	return check_insn(ip, site_insn(mod, ip, to), fault);
}

struct ftrace_insn ftrace_arch_site_insn(struct module *mod, unsigned long ip,
					 unsigned long to)
{
	return (struct ftrace_insn){ ip, site_insn(mod, ip, to) };
}

unsigned long ftrace_arch_map_text(unsigned int slot, phys_addr_t phys)
{
	enum fixed_addresses idx = FIX_FTRACE_POKE + slot;

	set_fixmap(idx, phys);
	return __fix_to_virt(idx);
}

void ftrace_arch_clean_text(unsigned long first, unsigned long last)
{
	dcache_clean_pou(first, last + AARCH64_INSN_SIZE);
}

/*
 * To take many lines out of the instruction caches of all CPUs, one by one, is more
 * than to fill these again.
 */
void ftrace_arch_unmap_text(unsigned int nr, unsigned long first, unsigned long last)
{
	if (first && last - first < PAGE_SIZE)
		icache_inval_pou(first, last + AARCH64_INSN_SIZE);
	else if (first)
		icache_inval_all_pou();
	isb();
	clear_fixmap_slots(FIX_FTRACE_POKE, nr);
}

/*
 * Who patched may have moved to a CPU that took no interrupt since. Early boot
 * patches with interrupts off and nobody to tell.
 */
void ftrace_arch_sync_text(void)
{
	guard(preempt)();
	if (num_online_cpus() > 1)
		kick_all_cpus_sync();
	isb();
}
