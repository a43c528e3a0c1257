/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Patching call sites: the interface between kernel/trace/ftrace/patch.c and an architecture.
 * Nobody else needs this.
 *
 * The architecture knows the instructions of one site; patch.c goes through many. <asm/ftrace.h>
 * defines FTRACE_TEXT_SLOTS, the number of pages of text that can be mapped for writing at a time.
 * If sites have a pointer to the ops that they call, it defines ftrace_site_ops(), which returns
 * where the pointer is.
 */
#ifndef _LINUX_FTRACE_PATCH_H
#define _LINUX_FTRACE_PATCH_H

#include <linux/ftrace.h>
#include <linux/mm.h>

#include <asm/fixmap.h>

/**
 * struct ftrace_fault - description of a patch that failed
 * @ip: the site
 * @expected: the instructions that should have been there
 * @found: the instructions that were there
 * @err: -EFAULT: could not be read; -EINVAL: not as expected; -ERANGE: too far away from
 *	ftrace_caller
 */
struct ftrace_fault {
	unsigned long		ip;
	u32			expected[2];
	u32			found[2];
	int			err;
};

/*
 * Provided by patch.c
 */

/**
 * struct ftrace_text - text that can be written, page after page
 * @mod: the module that the text belongs to; NULL: the kernel
 * @move: maps the page of an address, for ftrace_text_at()
 * @nr: number of mapped pages; unmapping is the expensive part
 * @page: the page that is mapped last, and is written to; 0: none
 * @alias: address at which @page is mapped
 * @page_first: address of the first new instruction in @page; 0: none
 * @first: address of the first new instruction in the other pages; 0: none
 * @last: address of the last new instruction
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

/* Return the address at which @addr can be written, until the next call. */
static __always_inline void *ftrace_text_at(struct ftrace_text *text, unsigned long addr)
{
	if (unlikely(text->page != (addr & PAGE_MASK)))
		text->move(text, addr & PAGE_MASK);
	return (void *)(text->alias + offset_in_page(addr));
}

/* Replaces an instruction at once. The addresses of successive calls increase. */
static __always_inline void ftrace_text_write_insn(struct ftrace_text *text,
						   unsigned long addr, u32 insn)
{
	WRITE_ONCE(*(__le32 *)ftrace_text_at(text, addr), cpu_to_le32(insn));
	if (!text->page_first)
		text->page_first = addr;
	text->last = addr;
}

/* Called by ftrace_caller if preemption is due when it has lowered preempt_count. */
asmlinkage void ftrace_caller_preempt(void);

/* Called by ftrace_caller if sites have no pointer; see kernel/trace/ftrace/oplist.c. */
extern struct ftrace_ops *ftrace_trace_ops;
void ftrace_call(unsigned long ip, unsigned long parent_ip, struct ftrace_regs *fregs);

/*
 * Provided by an architecture. All functions but ftrace_call_adjust() are called with text_mutex
 * held; those for one site are called with page faults disabled.
 */

/**
 * ftrace_call_adjust - find the site of an entry in the build's table
 * @addr: the entry
 *
 * Context: any.
 * Return: the site's address, 0 if there is none.
 */
unsigned long ftrace_call_adjust(unsigned long addr);

/**
 * ftrace_arch_prepare_site - turn the instructions of the compiler into a site that is off
 * @text: for writing
 * @ip: the site
 * @fault: filled in on error
 *
 * No CPU executes the site yet; but at boot, this CPU executes other sites.
 *
 * Return: 0, or @fault->err with nothing written.
 */
int ftrace_arch_prepare_site(struct ftrace_text *text, unsigned long ip,
			     struct ftrace_fault *fault);

/**
 * ftrace_arch_check_site - is the site as it should be?
 * @mod: the module of the site, or NULL
 * @ip: the site
 * @to: the function that it should call; 0: it should be off
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
 * Return: true if the functions for this site accept @to; if not, they accept only FTRACE_ADDR and
 * 0.
 */
bool ftrace_arch_can_call(unsigned long ip, unsigned long to);

/**
 * struct ftrace_insn - an instruction and its place
 * @addr: address of the instruction
 * @insn: the instruction
 */
struct ftrace_insn {
	unsigned long		addr;
	u32			insn;
};

/**
 * ftrace_arch_site_insn - get the instruction that switches a site
 * @mod: the module of the site, or NULL
 * @ip: the site; it passed ftrace_arch_check_site()
 * @to: the function that the site shall call; 0: switch it off
 *
 * Return: the one instruction to store. Other CPUs may execute the site meanwhile.
 */
struct ftrace_insn ftrace_arch_site_insn(struct module *mod, unsigned long ip,
					 unsigned long to);

/**
 * ftrace_arch_map_text - make a page of text writable
 * @slot: a slot that is not in use, from 0 to FTRACE_TEXT_SLOTS - 1
 * @phys: the page
 *
 * May disable preemption.
 *
 * Return: the address at which the page can be written.
 */
unsigned long ftrace_arch_map_text(unsigned int slot, phys_addr_t phys);

/**
 * ftrace_arch_clean_text - make new instructions of a page visible to instruction fetches
 * @first: address of the first new instruction in the page
 * @last: address of the last one
 */
void ftrace_arch_clean_text(unsigned long first, unsigned long last);

/**
 * ftrace_arch_unmap_text - undo ftrace_arch_map_text()
 * @nr: number of slots in use, from 0 on
 * @first: address of the first new instruction in these pages; 0: there is none
 * @last: address of the last one
 *
 * Afterwards no CPU can write to the pages, and a CPU that fetches the instructions anew gets the
 * new ones.
 */
void ftrace_arch_unmap_text(unsigned int nr, unsigned long first, unsigned long last);

/**
 * ftrace_arch_sync_text - make all CPUs fetch new instructions
 *
 * Interrupts are on, except at early boot, where only one CPU is online.
 */
void ftrace_arch_sync_text(void);

#endif /* _LINUX_FTRACE_PATCH_H */
