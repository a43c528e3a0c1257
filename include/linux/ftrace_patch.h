/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Patching call sites: what kernel/trace/ftrace/patch.c and an architecture do
 * for each other. Nobody else needs this.
 *
 * The architecture knows the instructions of one site, patch.c goes through
 * many. <asm/ftrace.h> has FTRACE_TEXT_SLOTS, how many pages of text can be mapped
 * for writing at a time, and, if sites have a pointer to whom they call,
 * ftrace_site_ops(), which says where.
 */
#ifndef _LINUX_FTRACE_PATCH_H
#define _LINUX_FTRACE_PATCH_H

#include <linux/ftrace.h>
#include <linux/mm.h>

#include <asm/fixmap.h>

/**
 * struct ftrace_fault - what a patch that failed saw
 * @ip: the site
 * @expected: the instructions that should have been there
 * @found: those that were
 * @err: -EFAULT: could not be read; -EINVAL: not what was expected; -ERANGE:
 *	too far away from ftrace_caller
 */
struct ftrace_fault {
	unsigned long		ip;
	u32			expected[2];
	u32			found[2];
	int			err;
};

/*
 * What patch.c offers
 */

/**
 * struct ftrace_text - text that can be written, page after page
 * @mod: the module whose text it is, NULL: the kernel's
 * @move: maps the page of an address, for ftrace_text_at()
 * @nr: how many pages are mapped; taking that back is the expensive part
 * @page: the last of them, which is written to; 0: none
 * @alias: where it is mapped
 * @page_first: the first address in it with a new instruction; 0: none
 * @first: the first such address in the other pages; 0: none
 * @last: the last such address
 */
struct ftrace_text {
	struct module		*mod;
	void			(*move)(struct ftrace_text *text, unsigned long page);
	unsigned int		nr;
	unsigned long		page;
	unsigned long		alias;
	unsigned long		page_first;
	unsigned long		first;
	unsigned long		last;
};

/* Where @addr can be written, until the next call. */
static __always_inline void *ftrace_text_at(struct ftrace_text *text, unsigned long addr)
{
	if (unlikely(text->page != (addr & PAGE_MASK)))
		text->move(text, addr & PAGE_MASK);
	return (void *)(text->alias + offset_in_page(addr));
}

/* Replaces an instruction at once. Addresses go up. */
static __always_inline void ftrace_text_write_insn(struct ftrace_text *text,
						   unsigned long addr, u32 insn)
{
	WRITE_ONCE(*(__le32 *)ftrace_text_at(text, addr), cpu_to_le32(insn));
	if (!text->page_first)
		text->page_first = addr;
	text->last = addr;
}

/* For ftrace_caller: when it has lowered preempt_count and preemption is due. */
asmlinkage void ftrace_caller_preempt(void);

/* For ftrace_caller without a pointer at the site; see kernel/trace/ftrace/oplist.c. */
extern struct ftrace_ops *ftrace_trace_ops;
void ftrace_call(unsigned long ip, unsigned long parent_ip, struct ftrace_regs *fregs);

/*
 * What an architecture provides. All but ftrace_call_adjust() are called with
 * text_mutex held, those about one site with page faults disabled.
 */

/**
 * ftrace_call_adjust - find the site that an entry of the build's table means
 * @addr: the entry
 *
 * Context: any.
 * Return: the site's address, 0 if there is none.
 */
unsigned long ftrace_call_adjust(unsigned long addr);

/**
 * ftrace_arch_prepare_site - make what the compiler left a site that is off
 * @text: to write with
 * @ip: the site
 * @fault: filled in on error
 *
 * Nothing runs the site yet, but at boot this CPU runs others.
 *
 * Return: 0, or @fault->err with nothing written.
 */
int ftrace_arch_prepare_site(struct ftrace_text *text, unsigned long ip,
			     struct ftrace_fault *fault);

/**
 * ftrace_arch_check_site - is the site what it should be?
 * @mod: the module that it is in, or NULL
 * @ip: the site
 * @to: what it should call, 0: nothing, it is off
 * @fault: filled in on error
 *
 * Return: 0, or @fault->err.
 */
int ftrace_arch_check_site(struct module *mod, unsigned long ip, unsigned long to,
			   struct ftrace_fault *fault);

/**
 * ftrace_arch_can_call - can a site call a trampoline without ftrace_caller?
 * @ip: the site
 * @to: the trampoline
 *
 * Return: then @to may be given to the functions for this site; otherwise only
 * FTRACE_ADDR and 0.
 */
bool ftrace_arch_can_call(unsigned long ip, unsigned long to);

/**
 * struct ftrace_insn - an instruction and its place
 * @addr: where it belongs
 * @insn: what it is
 */
struct ftrace_insn {
	unsigned long		addr;
	u32			insn;
};

/**
 * ftrace_arch_site_insn - what makes a site a call, or nothing
 * @mod: the module that it is in, or NULL
 * @ip: the site; it passed ftrace_arch_check_site()
 * @to: what it is to call, 0: nothing
 *
 * Return: the one instruction; others run the site while it is stored.
 */
struct ftrace_insn ftrace_arch_site_insn(struct module *mod, unsigned long ip,
					 unsigned long to);

/**
 * ftrace_arch_map_text - make a page of text writable
 * @slot: 0 to FTRACE_TEXT_SLOTS - 1; none that is in use
 * @phys: the page
 *
 * May disable preemption.
 *
 * Return: where.
 */
unsigned long ftrace_arch_map_text(unsigned int slot, phys_addr_t phys);

/**
 * ftrace_arch_clean_text - write back what was written to a page
 * @first: address of the first new instruction in it
 * @last: address of the last one
 */
void ftrace_arch_clean_text(unsigned long first, unsigned long last);

/**
 * ftrace_arch_unmap_text - undo ftrace_arch_map_text()
 * @nr: how many slots are in use, from 0 on
 * @first: address of the first new instruction in these pages; 0: there is none
 * @last: address of the last one
 *
 * Afterwards no CPU can write to the pages, and CPUs that look see what is new.
 */
void ftrace_arch_unmap_text(unsigned int nr, unsigned long first, unsigned long last);

/**
 * ftrace_arch_sync_text - have all CPUs look at new instructions
 *
 * Interrupts are on, but at early boot, with one CPU.
 */
void ftrace_arch_sync_text(void);

#endif /* _LINUX_FTRACE_PATCH_H */
