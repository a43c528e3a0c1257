/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Memory, and its mappings into user space: part of shim.h.
 */
#ifndef _RB_SHIM_MM_H
#define _RB_SHIM_MM_H

#include "shim_types.h"

/* Memory. */
#define PAGE_SIZE		4096UL
#define GFP_KERNEL		0
#define __GFP_RETRY_MAYFAIL	0
#define __GFP_ZERO		0
#define __GFP_COMP		0

struct page;
extern long shim_free_pages;
extern int shim_fail_after;	/* allocations that succeed, then all fail; -1: no limit */

void *shim_alloc(size_t size);
struct page *alloc_pages_node(int node, gfp_t flags, unsigned int order);
void free_pages(unsigned long addr, unsigned int order);
#define page_address(page)		((void *)(page))
#define si_mem_available()		shim_free_pages
#define kmalloc(size, flags)		shim_alloc(size)
#define kvmalloc(size, flags)		shim_alloc(size)
#define kzalloc(size, flags)		shim_alloc(size)
#define kzalloc_node(size, flags, node)	shim_alloc(size)
#define kcalloc(n, size, flags)	kvcalloc(n, size, flags)
#define kvcalloc(n, size, flags)	shim_alloc((size_t)(n) * (size))
#define kfree(p)			free(p)
#define kvfree(p)			free(p)

/* No test frees a buffer that is in use, so there is nothing to wait for. */
#define synchronize_rcu()		((void)0)

/* Mapping: an area is an array of pages. */
struct folio;
struct vm_area_struct {
	unsigned long	vm_start, vm_end, vm_pgoff, vm_flags;
	void		**pages;
};

#define VM_WRITE	BIT(1)
#define VM_EXEC		BIT(2)
#define VM_MAYWRITE	BIT(5)
#define VM_MAYEXEC	BIT(6)
#define VM_MAYSHARE	BIT(7)
#define VM_MIXEDMAP	0
#define VM_DONTCOPY	0
#define VM_DONTDUMP	0
#define VM_DONTEXPAND	0
#define vm_flags_mod(vma, set, clear)	((vma)->vm_flags &= ~(clear))
#define vma_pages(vma)			(((vma)->vm_end - (vma)->vm_start) / PAGE_SIZE)
#define virt_to_page(addr)		((struct page *)(addr))
#define virt_to_folio(addr)		((struct folio *)(addr))
#define flush_dcache_folio(folio)	((void)(folio))

static inline int vm_insert_page(struct vm_area_struct *vma, unsigned long addr,
				 struct page *page)
{
	vma->pages[(addr - vma->vm_start) / PAGE_SIZE] = page;
	return 0;
}

#endif /* _RB_SHIM_MM_H */
