// SPDX-License-Identifier: GPL-2.0
/*
 * The instructions of a riscv call site, and how the site is switched on and off.
 *
 * With -fpatchable-function-entry (=8,4 with compressed instructions, =4,2 without) the compiler
 * leaves eight bytes of NOPs before and eight at the start of each function, which is aligned to
 * eight bytes. From boot on they are
 *
 *	site - 8	pointer to the ftrace_ops to call; ftrace_off while off
 *	site		auipc t0, %hi(ftrace_caller)	never changed
 *	site + 4	"addi x0, t0, %lo(ftrace_caller)", which does nothing, or
 *			"jalr t0, %lo(ftrace_caller)(t0)" while on
 *
 * An ADDI with the destination x0 is a HINT: it changes no state but the pc and performance
 * counters, and a hart may always ignore it (RISC-V unprivileged ISA, chapter RV32I, "HINT
 * Instructions"). The tables of HINTs there and in chapter RV64I keep ADDI with a source or an
 * immediate for future standard use. HINTs that have got a meaning are ADD (Zihintntl), FENCE
 * (Zihintpause), ORI (Zicbop) and AUIPC (Zicfilp). If ADDI gets one, a site that is off can
 * become slower; it cannot do anything else. A jump cannot get another meaning, but it costs more
 * in each function, and "jal x0, . + 4" does not have half of its bits in common with the jalr.
 *
 * After boot, only the pointer and the second instruction are written, each with a single aligned
 * store. The two second instructions have their upper halves in common, including operands.
 *
 * With kCFI, and with -Os and a GCC that does not align functions then, there is no space for a
 * pointer in front of a function. With -fpatchable-function-entry=4, or =2, sites are the same
 * without the pointer, but they are off in another way: see below.
 *
 * With -pg the compiler calls _mcount after the function's prologue, also by two instructions. From
 * boot on they are
 *
 *	site		auipc ra, %hi(ftrace_caller)	never changed
 *	site + 4	"addi x0, ra, %lo(ftrace_caller)", or
 *			"jalr ra, %lo(ftrace_caller)(ra)" while on
 *
 * With compressed instructions, a site without a pointer may be at an address that is no multiple
 * of four. If the kernel has compressed instructions, these sites are off by a jump: "c.j . + 4"
 * over the second half of the jalr, which is never changed. So on and off differ only in the two
 * bytes at site + 4. These are stored together with the two bytes that share an aligned word with
 * them, which do not change.
 *
 * Why no hart has to be stopped, and preemption need not be off
 *
 * The numbers are the steps of kernel/trace/ftrace/patch.c.
 * A hart may fetch the four bytes at once (Ziccif, which riscv profiles that run Linux require), or
 * in halves, as QEMU 7.2 does when it translates: as on and off differ in the first half only, the
 * hart sees one or the other. A task may be preempted, or a hart interrupted, between the two
 * instructions for any time: t0 belongs to the task, its value is right for either second
 * instruction, and a function that is not traced does not read t0. With -pg the same is true of ra:
 * to the compiler the site is a call, so it has saved ra and does not read the value that the site
 * leaves there.
 *
 * What is left to prove: a hart that fetches the jalr also loads the ops that belong to it. Fetches
 * and loads are not ordered, so the order of stores is not enough:
 *
 *	patching hart			hart that runs the site
 *
 *	1. [site - 8] = ops		a. fetch site + 4: jalr
 *	2. kick_all_cpus_sync()		b. ftrace_caller: load [site - 8]
 *	3. [site + 4] = jalr		c. load ops->func, call
 *	4. flush_icache_all()
 *
 * (a) can only see (3). Before (3), every other hart took the interrupt of (2), whose barriers
 * order (1) before all that the hart loads later. So (a) comes after the interrupt, (b) after (a)
 * in program order, and (b) sees (1) or something newer.
 * The patching hart has the barrier at the start of (2) instead.
 * A hart that is coming online would miss the interrupt: cpus_read_lock() keeps harts from coming
 * online. A hart that comes online later has a fence.i in smp_callin(). Until then it may fetch
 * instructions from before it was down: an instruction that does nothing, so that it calls no ops,
 * or the jalr, for which (b) loads the current pointer.
 *
 * If a site stays on and gets other ops, (1) alone is needed: (b) loads the old ops or the new ops,
 * and patch.c makes sure that (c) finds both initialized. For switching off, the order does not
 * matter: a hart that still sees the jalr loads the old ops or ftrace_off. In both cases a hart may
 * be on the way to the old ops; synchronize.c waits for it. (4) ends the time in which a hart may
 * fetch the old instruction.
 *
 * Without a pointer, read "ftrace_trace_ops" for "[site - 8]": it was written before the batch.
 *
 * Why the auipc may be written
 *
 * It replaces other instructions. No hart executes them meanwhile:
 *
 *	a module	its code does not run yet; (4) comes before it does
 *	the kernel	at boot, one hart is online, with interrupts off. From the first
 *			store to (4) it calls no function that has a site: this file,
 *			kernel/trace, mm/init.c (the fixmap), mm/cacheflush.c and
 *			mm/physaddr.c are built without sites, and the functions that
 *			switch preemption are notrace
 *
 * The mapping through which code is executed is never writable. The second mapping is not
 * executable; the hart that wrote drops it before text_mutex is released. Another hart may have it
 * in its TLB by speculation. It would use it only to write text, and drops it before that.
 */
#include <linux/build_bug.h>
#include <linux/ftrace_patch.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>

#include <asm/cacheflush.h>
#include <asm/fixmap.h>
#include <asm/processor.h>

/* entry-ftrace.S uses the last registers as frame records, and puts their end at the stack's. */
#define REGS_END(member)	(sizeof(struct __arch_ftrace_regs) - \
				 offsetof(struct __arch_ftrace_regs, member))
static_assert(REGS_END(ra) == sizeof(long) && REGS_END(s0) == 2 * sizeof(long));
static_assert(REGS_END(epc) == 3 * sizeof(long) && REGS_END(sp) == 4 * sizeof(long));
static_assert(sizeof(struct __arch_ftrace_regs) % STACK_ALIGN == 0);

#define INSN_NOP	0x00000013	/* addi  x0, x0, 0 */

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS
#define INSN_AUIPC	0x00000297	/* auipc t0, 0     */
#define INSN_JALR	0x000282e7	/* jalr  t0, 0(t0) */
#else
#define INSN_AUIPC	0x00000097	/* auipc ra, 0     */
#define INSN_JALR	0x000080e7	/* jalr  ra, 0(ra) */
#endif

/* The two instructions of a site as one number, the first one in the low half. */
#define SITE_INSNS(first, second)	((u64)(second) << 32 | (first))

/*
 * Replace the jalr by an "addi x0" with the same operands, which does nothing. Opcode and
 * destination differ, and both are in the first half.
 */
static u32 no_jump(u32 jalr)
{
	return (jalr & ~0x7fffU) | INSN_NOP;
}

static u64 call_insns(unsigned long ip, unsigned long target)
{
	u32 offset = target - ip;

	return SITE_INSNS(INSN_AUIPC | ((offset + 0x800) & ~0xfffU), INSN_JALR | offset << 20);
}

static bool site_in_reach(unsigned long ip)
{
	long offset = FTRACE_ADDR - ip + 0x800;

	return offset == (s32)offset;
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_ARGS

static u64 compiled_insns(unsigned long ip)
{
	return IS_ENABLED(CONFIG_RISCV_ISA_C) ? 0x0001000100010001ULL :
						SITE_INSNS(INSN_NOP, INSN_NOP);
}

#else

static u64 compiled_insns(unsigned long ip)
{
	return call_insns(ip, (unsigned long)_mcount);
}

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_ARGS */

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS

/* The second instruction of a site that is off, instead of the jalr. */
static u32 nop_for(u32 jalr)
{
	return no_jump(jalr);
}

/* Read the instructions of a site. Page faults are disabled. */
static __always_inline int site_read(unsigned long ip, u64 *insns)
{
	__get_kernel_nofault(insns, (u64 *)ip, u64, unreadable);
	return 0;

unreadable:
	return -EFAULT;
}

static void site_write(struct ftrace_text *text, unsigned long ip, u64 insns)
{
	ftrace_text_write_insn(text, ip, lower_32_bits(insns));
	ftrace_text_write_insn(text, ip + sizeof(u32), upper_32_bits(insns));
}

/* The part that is written to switch a site: the second instruction. */
static struct ftrace_insn site_flip(unsigned long ip, u64 insns)
{
	return (struct ftrace_insn){ ip + sizeof(u32), upper_32_bits(insns) };
}

/*
 * A table entry is the address of the NOPs before the function. GCC does not align functions that
 * it considers cold. Those cannot be switched by single stores, so they are no sites.
 */
unsigned long ftrace_call_adjust(unsigned long addr)
{
	return IS_ALIGNED(addr, FTRACE_SITE_OPS) ? addr + FTRACE_SITE_OPS : 0;
}

#else

#define INSN_C_J_4	0xa011		/* c.j   . + 4     */

static u32 nop_for(u32 jalr)
{
	return IS_ENABLED(CONFIG_RISCV_ISA_C) ? (jalr & 0xffff0000) | INSN_C_J_4 : no_jump(jalr);
}

/* A site is read in halves of instructions, which are aligned; it may be in two pages. */
#define SITE_HALVES	(MCOUNT_INSN_SIZE / sizeof(u16))

static __always_inline int site_read(unsigned long ip, u64 *insns)
{
	u16 half[SITE_HALVES];
	unsigned int i;

	for (i = 0; i < SITE_HALVES; i++)
		__get_kernel_nofault(half + i, (u16 *)ip + i, u16, unreadable);
	memcpy(insns, half, sizeof(*insns));
	return 0;

unreadable:
	return -EFAULT;
}

static void site_write(struct ftrace_text *text, unsigned long ip, u64 insns)
{
	unsigned int i;

	for (i = 0; i < SITE_HALVES; i++, ip += sizeof(u16), insns >>= 16)
		WRITE_ONCE(*(u16 *)ftrace_text_at(text, ip), (u16)insns);
}

/* The aligned word that has the first half of the second instruction. */
static struct ftrace_insn site_flip(unsigned long ip, u64 insns)
{
	unsigned int skip = sizeof(u32) - (ip & 2);

	return (struct ftrace_insn){ ip + skip, insns >> 8 * skip };
}

/* A table entry is the address of the call that -pg has made, or of the NOPs. */
unsigned long ftrace_call_adjust(unsigned long addr)
{
	return addr;
}

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS */

static u64 site_insns(unsigned long ip, unsigned long to)
{
	u64 call = call_insns(ip, FTRACE_ADDR);

	if (to)
		return call;
	return SITE_INSNS(lower_32_bits(call), nop_for(upper_32_bits(call)));
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

/* Compare the instructions of a site with the expected ones. Page faults are disabled. */
static __always_inline int site_check(unsigned long ip, u64 expected,
				      struct ftrace_fault *fault)
{
	u64 found = 0;
	int err = site_read(ip, &found);

	if (likely(!err && found == expected))
		return 0;
	return site_fault(fault, ip, err ?: -EINVAL, expected, found);
}

int ftrace_arch_prepare_site(struct ftrace_text *text, unsigned long ip,
			     struct ftrace_fault *fault)
{
	int err;

	if (!site_in_reach(ip))
		return site_fault(fault, ip, -ERANGE, 0, 0);
	err = site_check(ip, compiled_insns(ip), fault);
	if (err)
		return err;
	site_write(text, ip, site_insns(ip, 0));
	return 0;
}

/* The auipc cannot be changed, so a site can only call ftrace_caller. */
bool ftrace_arch_can_call(unsigned long ip, unsigned long to)
{
	return false;
}

int ftrace_arch_check_site(struct module *mod, unsigned long ip, unsigned long to,
			   struct ftrace_fault *fault)
{
	return site_check(ip, site_insns(ip, to), fault);
}

struct ftrace_insn ftrace_arch_site_insn(struct module *mod, unsigned long ip,
					 unsigned long to)
{
	return site_flip(ip, site_insns(ip, to));
}

/* The mapping is valid on this hart only, so the task must stay on it. */
unsigned long ftrace_arch_map_text(unsigned int slot, phys_addr_t phys)
{
	preempt_disable();
	return set_fixmap_offset(FIX_TEXT_POKE0, phys);
}

/* Nothing to do: ftrace_arch_sync_text() makes harts fetch the new instructions. */
void ftrace_arch_clean_text(unsigned long first, unsigned long last)
{
}

void ftrace_arch_unmap_text(unsigned int nr, unsigned long first, unsigned long last)
{
	clear_fixmap(FIX_TEXT_POKE0);
	preempt_enable();
}

void ftrace_arch_sync_text(void)
{
	flush_icache_all();
}
