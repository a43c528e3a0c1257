// SPDX-License-Identifier: GPL-2.0
/*
 * The instructions of an arm64 call site, and how the site is switched on and off.
 *
 * With -fpatchable-function-entry=4,2 the compiler leaves two NOPs before and two at the start of
 * each function. The site is the last of them:
 *
 *	literal	(site - 12, 8-aligned)	pointer to the ftrace_ops to call; ftrace_off
 *					while the site is off
 *	site - 4			NOP; from boot on "mov x9, x30"
 *	site				NOP; "bl ftrace_caller" while the site is on
 *
 * With BTI, the literal may be four bytes further away: ftrace_site_ops().
 *
 * With kCFI, and with GCC's -Os, there is no space for a literal in front of a function:
 * -fpatchable-function-entry=2 gives the same without the literal.
 *
 * With -pg the compiler calls _mcount after the function's prologue. This call is the site: from
 * boot on it is a NOP, or "bl ftrace_caller" while the site is on.
 *
 * Why no CPU has to be stopped
 *
 * The numbers are the steps of kernel/trace/ftrace/patch.c.
 * The architecture (ARM ARM B2.2.5, concurrent modification and execution) allows replacing NOP and
 * BL by each other while other CPUs execute them: a CPU executes one or the other. The MOV is never
 * changed. A task may be preempted between MOV and BL for any time: x9 belongs to the task, and a
 * function that is not traced does not read it. Modules that are too far away for a BL have
 * veneers, which exist when the module is loaded and never change.
 *
 * It remains to prove that a CPU that sees the BL also sees the ops that belong to it.
 *
 *	patching CPU				CPU that runs the site
 *
 *	1. literal = ops			a. fetch the site: BL
 *	2. kick_all_cpus_sync()			b. ftrace_caller: load literal
 *	3. site = BL; to PoU; out of I-caches	c. load ops->func, call
 *	4. kick_all_cpus_sync(), ISB
 *
 * (a) can only see (3). Before (3), every other CPU took the interrupt of (2), which orders (1)
 * before all that the CPU executes later. That includes speculative loads: taking an exception
 * discards them. So (b) sees (1). The patching task, on whatever CPU it ends, has the barrier of
 * (2) between (1) and (b) instead. cpus_read_lock() keeps other CPUs from coming online between (1)
 * and (4); a CPU that comes online later starts from reset, with nothing fetched or loaded.
 *
 * Replacing a BL to a direct trampoline by a BL to ftrace_caller is (3), too. For the opposite, the
 * order does not matter, as for switching off.
 *
 * If the site stays on and gets other ops, (1) alone is needed. It is a single-copy atomic store,
 * so (b) loads the old ops or the new ops, and patch.c makes sure that (c) finds both initialized.
 * For switching off, the order does not matter: a CPU that still sees the BL loads the old ops or
 * ftrace_off. In both cases a CPU may be on the way to the old ops; synchronize.c waits for it. (4)
 * limits the time in which a CPU may still see the old instruction: that ends with the batch. (3)
 * takes it out of the instruction caches of all CPUs; the interrupt, and on the patching CPU the
 * ISB, discard what was fetched before.
 *
 * Without a literal, read "ftrace_trace_ops" for "literal": it was written before the batch.
 *
 * Why the MOV may be written
 *
 * NOP and MOV must not replace each other while other CPUs execute them. None does:
 *
 *	a module	its code does not run yet; (4) comes before it does
 *	the kernel	at boot, one CPU is online, with interrupts off. From the first
 *			store to (4) it calls no function that has a site: this file,
 *			kernel/trace, mm/fixmap.c, mm/physaddr.c and lib/insn.c are
 *			built without sites, and mm/cache.S is assembly
 *
 * With -pg there is no MOV, and a BL is replaced by a NOP.
 *
 * The mapping through which code is executed is never writable. The second mapping, which is not
 * executable, is removed from all TLBs before text_mutex is released.
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
 * Compare the instruction at @ip with the expected one. Page faults are disabled. Inlined reads, as
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

/* Is @to near enough for a BL at @ip? */
bool ftrace_arch_can_call(unsigned long ip, unsigned long to)
{
	long distance = to - ip;

	return distance >= -(long)SZ_128M && distance < (long)SZ_128M;
}

#ifdef CONFIG_MODULES
/*
 * A module may be further away than a BL reaches. Its text then has veneers, one for its core part
 * and one for its init part.
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

/* The BL for a site; 0, which is no valid instruction here, if @to is out of reach. */
static u32 site_call(struct module *mod, unsigned long ip, unsigned long to)
{
	unsigned long target = call_target(mod, ip, to);

	if (!ftrace_arch_can_call(ip, target))
		return 0;
	return aarch64_insn_gen_branch_imm(ip, target, AARCH64_INSN_BRANCH_LINK);
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS

/* Skip a landing pad at @addr, if there is one. */
static unsigned long skip_bti(unsigned long addr)
{
	if (IS_ENABLED(CONFIG_ARM64_BTI_KERNEL) &&
	    aarch64_insn_is_bti(le32_to_cpu(*(__le32 *)addr)))
		addr += AARCH64_INSN_SIZE;
	return addr;
}

/*
 * A table entry is the address of the first of the compiler's NOPs: the literal. Without a literal,
 * it is the start of the function, or the end of its landing pad.
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

/* Write "mov x9, x30" before the site, so that the BL may overwrite x30. */
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

/* A table entry is the address of the call. */
unsigned long ftrace_call_adjust(unsigned long addr)
{
	return addr;
}

/*
 * Is it the call that -pg has made? In a module that is far away from the kernel, the call goes to
 * a veneer that the module loader has made.
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

/* If there are many lines, invalidating them one by one takes longer than refilling the caches. */
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
 * kick_all_cpus_sync() interrupts all other CPUs. In early boot only this CPU is online, and
 * interrupts are off and must stay off. The patching task may have moved to this CPU after it wrote
 * the text, so this CPU needs an ISB, too.
 */
void ftrace_arch_sync_text(void)
{
	guard(preempt)();
	if (num_online_cpus() > 1)
		kick_all_cpus_sync();
	isb();
}
