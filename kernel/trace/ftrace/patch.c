// SPDX-License-Identifier: GPL-2.0
/*
 * Patching many call sites, on any architecture; and giving up if a site does not have the expected
 * instructions.
 *
 * A batch is patched in four steps:
 *
 *	1. Check every site, and write its ops pointer. A site that is switched off, or is to call
 *	   a direct trampoline, also gets its new instruction.
 *	2. If sites are to be switched on, make all CPUs see the pointers.
 *	3. Write the new instructions of these sites.
 *	4. Make all CPUs fetch the new instructions.
 *
 * So a batch takes two interrupts to all CPUs, and stops no CPU. The proof that this is enough
 * depends on the architecture's rules for code that is changed while it runs: the files
 * arch/.../kernel/ftrace.c have it, by these numbers.
 *
 * A site that is off points to ftrace_off, for CPUs that have passed the instruction before it was
 * changed. That also makes giving up safe: to silence a site, it is enough to write its pointer,
 * whatever its instructions are, unless it calls a direct trampoline.
 *
 * The ops, or the ops set, is written before the pointer to it:
 *
 *	patching CPU				CPU that runs a live site
 *
 *	fill in ops, an ops set			ops = pointer of the site
 *	smp_wmb() [patch_pointers]		address dependency
 *	pointer of the site = ops		ops->func, members of the set
 *
 * Sites without a pointer share one (oplist.c), which is written before the batch; for them, only
 * the instructions are patched.
 */
#include <linux/cpu.h>
#include <linux/ftrace_patch.h>
#include <linux/memory.h>
#include <linux/smp.h>
#include <linux/uaccess.h>
#include <linux/vmalloc.h>

#include "dispatch.h"
#include "patch.h"
#include "registry.h"
#include "sites.h"
#include "state.h"

/* The ops of a site that is off, for CPUs that have just passed the call instruction. */
static struct ftrace_ops ftrace_off __ro_after_init = {
	.func = ftrace_stub,
};

/* End writing to a page. It stays mapped until text_close() or the next page. */
static void text_leave(struct ftrace_text *text)
{
	if (!text->page_first)
		return;
	ftrace_arch_clean_text(text->page_first, text->last);
	text->first = text->first ?: text->page_first;
	text->page_first = 0;
}

static void text_close(struct ftrace_text *text)
{
	text_leave(text);
	if (text->nr)
		ftrace_arch_unmap_text(text->nr, text->first, text->last);
	*text = (struct ftrace_text){ .mod = text->mod, .move = text->move };
}

/* The function ftrace_text::move. Called with text_mutex held and page faults disabled. */
static void text_move(struct ftrace_text *text, unsigned long page)
{
	phys_addr_t phys;

	text_leave(text);
	if (text->nr == FTRACE_TEXT_SLOTS)
		text_close(text);
	phys = text->mod ? PFN_PHYS(vmalloc_to_pfn((void *)page)) : __pa_symbol(page);
	text->alias = ftrace_arch_map_text(text->nr++, phys);
	text->page = page;
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS

static void write_ops(struct ftrace_text *text, unsigned long ip, struct ftrace_ops *ops)
{
	struct ftrace_ops **to = ftrace_text_at(text, (unsigned long)ftrace_site_ops(ip));

	WRITE_ONCE(*to, ops);
}

#else

/* Sites have no pointer: oplist.c has it. */
static void write_ops(struct ftrace_text *text, unsigned long ip, struct ftrace_ops *ops) { }

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS */

/* In early boot, one CPU is online, and interrupts are off and must stay off. */
static void sync_pointers(void)
{
	if (num_online_cpus() > 1)
		kick_all_cpus_sync();
}

/**
 * ftrace_prepare_sites - replace the instructions that the compiler has left by those of sites
 *	that are off
 * @mod: the module of the sites; NULL: the kernel
 * @ip: addresses of the sites, ascending
 * @nr: number of sites
 * @fault: filled in on error
 *
 * Context: text_mutex held; early boot with interrupts off, or process context.
 * Return: 0; or @fault->err, and then only the sites before @fault->ip are prepared.
 */
int ftrace_prepare_sites(struct module *mod, const unsigned long *ip, unsigned int nr,
			 struct ftrace_fault *fault)
{
	struct ftrace_text text = { .mod = mod, .move = text_move };
	unsigned int i;
	int err = 0;

	pagefault_disable();
	for (i = 0; i < nr; i++) {
		err = ftrace_arch_prepare_site(&text, ip[i], fault);
		if (err)
			break;
		write_ops(&text, ip[i], &ftrace_off);
	}
	text_close(&text);
	pagefault_enable();
	ftrace_arch_sync_text();
	return err;
}

/**
 * struct ftrace_tally - result of step 1 for a batch
 * @good: number of sites, from the first one, that have the expected instructions
 * @waking: some of these are switched on: they are to call ftrace_caller
 * @sleeping: some of these are switched off, or are to call a direct trampoline
 */
struct ftrace_tally {
	unsigned int	good;
	bool		waking;
	bool		sleeping;
};

/* The address that a site has to call so that @ops is called; 0: no call. */
static unsigned long call_of(unsigned long ip, const struct ftrace_ops *ops)
{
	unsigned long direct;

	if (!ops)
		return 0;
	direct = ftrace_direct_call(ops);
	return direct && ftrace_arch_can_call(ip, direct) ? direct : FTRACE_ADDR;
}

static void flip_site(struct ftrace_text *text, unsigned long ip, unsigned long to)
{
	struct ftrace_insn new = ftrace_arch_site_insn(text->mod, ip, to);

	ftrace_text_write_insn(text, new.addr, new.insn);
}

/* Step 1, up to the first site that does not have the expected instructions. */
static struct ftrace_tally patch_pointers(struct ftrace_text *text,
					  const struct ftrace_patch *patch,
					  unsigned int nr, struct ftrace_fault *fault)
{
	const struct ftrace_patch *p = patch;
	struct ftrace_tally tally = { 0 };

	smp_wmb();	/* the ops are filled in: see the top of this file */
	pagefault_disable();
	for (; p < patch + nr; p++) {
		unsigned long was = call_of(p->ip, p->from), now = call_of(p->ip, p->to);

		if (ftrace_arch_check_site(text->mod, p->ip, was, fault))
			break;
		write_ops(text, p->ip, p->to ?: &ftrace_off);
		if (was == now)
			continue;
		if (now == FTRACE_ADDR) {
			tally.waking = true;
		} else {
			tally.sleeping = true;
			flip_site(text, p->ip, now);
		}
	}
	text_close(text);
	pagefault_enable();
	tally.good = p - patch;
	return tally;
}

/* Step 3. */
static void patch_waking(struct ftrace_text *text, const struct ftrace_patch *patch,
			 unsigned int nr)
{
	const struct ftrace_patch *p;

	pagefault_disable();
	for (p = patch; p < patch + nr; p++)
		if (call_of(p->ip, p->to) == FTRACE_ADDR && call_of(p->ip, p->from) != FTRACE_ADDR)
			flip_site(text, p->ip, FTRACE_ADDR);
	text_close(text);
	pagefault_enable();
}

/**
 * ftrace_patch_sites - make a batch of sites call other ops, or none
 * @mod: the module of the sites; NULL: the kernel
 * @patch: the sites, preferably in ascending order, with their old and new ops
 * @nr: number of sites
 * @fault: filled in on error
 *
 * CPUs may run the sites meanwhile: each site calls its old or its new ops. When this returns, all
 * CPUs run the new instructions. CPUs that have passed them before may still be on the way to the
 * old ops.
 *
 * Context: process context with cpus_read_lock() and text_mutex held, interrupts on; or early
 * boot.
 * Return: 0; -EINVAL or -EFAULT if a site did not have the expected instructions, or could not be
 * accessed: sites before @fault->ip are switched, the others are not.
 */
int ftrace_patch_sites(struct module *mod, const struct ftrace_patch *patch,
		       unsigned int nr, struct ftrace_fault *fault)
{
	struct ftrace_text text = { .mod = mod, .move = text_move };
	struct ftrace_tally tally;

	lockdep_assert_cpus_held();
	lockdep_assert_held(&text_mutex);

	tally = patch_pointers(&text, patch, nr, fault);
	if (tally.waking) {
		sync_pointers();
		patch_waking(&text, patch, tally.good);
	}
	if (tally.waking || tally.sleeping)
		ftrace_arch_sync_text();
	return tally.good < nr ? fault->err : 0;
}

#ifdef CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS

/*
 * Does a site call a direct trampoline instead of ftrace_caller? It may still be an older
 * trampoline than the one that @ops has now.
 */
static bool calls_directly(struct module *mod, unsigned long ip, const struct ftrace_ops *ops)
{
	struct ftrace_fault unused;

	return ftrace_direct_call(ops) && ftrace_arch_check_site(mod, ip, 0, &unused) &&
	       ftrace_arch_check_site(mod, ip, FTRACE_ADDR, &unused);
}

/*
 * Make a site call no ops. A site that cannot be read is left alone, and so is the instruction of
 * the @faulty site. The pointer of a site that is off is right already.
 */
static void silence_site(struct ftrace_text *text, unsigned long ip, unsigned long faulty)
{
	struct ftrace_ops *ops;

	if (get_kernel_nofault(ops, ftrace_site_ops(ip)) || ops == &ftrace_off)
		return;
	if (ip != faulty && calls_directly(text->mod, ip, ops))
		flip_site(text, ip, 0);
	write_ops(text, ip, &ftrace_off);
}

#else

/* Sites have no pointer: ftrace_opset_abandon() silences all of them. */
static void silence_site(struct ftrace_text *text, unsigned long ip, unsigned long faulty) { }

#endif /* CONFIG_DYNAMIC_FTRACE_WITH_CALL_OPS */

static void silence_group(struct ftrace_group *group, unsigned long faulty)
{
	struct ftrace_text text = { .mod = group->mod, .move = text_move };
	struct dyn_ftrace *site;

	pagefault_disable();
	for (site = group->site; site < group->site + group->nr; site++) {
		site->flags = 0;
		silence_site(&text, ftrace_site_ip(group, site), faulty);
	}
	text_close(&text);
	pagefault_enable();
}

/**
 * ftrace_bug - report unexpected instructions, and stop function tracing until the next boot
 * @fault: the text that was found, and its address
 * @what: the operation that failed
 *
 * No site calls an ops any more. For that, only the instructions of direct calls are changed. The
 * caller has to call ftrace_synchronize() before any ops is freed.
 *
 * Context: process context or early boot, ftrace_lock held.
 */
void ftrace_bug(const struct ftrace_fault *fault, const char *what)
{
	struct ftrace_group *group;

	if (ftrace_dead())
		return;
	WRITE_ONCE(ftrace_gave_up, true);
	WARN(1, "ftrace: %s %pS (%px) failed (%d): expected %08x %08x, found %08x %08x; ftrace is off\n",
	     what, (void *)fault->ip, (void *)fault->ip, fault->err,
	     fault->expected[0], fault->expected[1], fault->found[0], fault->found[1]);
	scoped_guard(cpus_read_lock) {
		guard(mutex)(&text_mutex);
		list_for_each_entry(group, &ftrace_groups, list)
			silence_group(group, fault->ip);
		ftrace_arch_sync_text();
	}
	ftrace_opset_abandon();
}
