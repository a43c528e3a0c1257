/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Call sites: finding them, filters of ops, and text of modules that is loaded and freed. Include
 * <linux/ftrace.h> for all of this.
 */
#ifndef _LINUX_FTRACE_SITES_H
#define _LINUX_FTRACE_SITES_H

#include <linux/errno.h>
#include <linux/types.h>
#include <asm/ftrace.h>

struct ftrace_ops;
struct module;

#ifdef CONFIG_DYNAMIC_FTRACE

int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len, int reset);
int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf, int len, int reset);
int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip, int remove, int reset);
int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
			  unsigned int cnt, int remove, int reset);
void ftrace_set_early_filter(struct ftrace_ops *ops, char *buf, int enable);
void ftrace_free_filter(struct ftrace_ops *ops);

unsigned long ftrace_location(unsigned long ip);
unsigned long ftrace_location_range(unsigned long start, unsigned long end);
int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt, unsigned long *addrs);
bool is_ftrace_trampoline(unsigned long addr);

void ftrace_free_init_mem(void);
void ftrace_module_init(struct module *mod);
void ftrace_module_enable(struct module *mod);
void ftrace_release_mod(struct module *mod);
void ftrace_free_mem(struct module *mod, void *start, void *end);

#else /* !CONFIG_DYNAMIC_FTRACE */

static inline unsigned long ftrace_location(unsigned long ip)
{
	return 0;
}

static inline unsigned long ftrace_location_range(unsigned long start, unsigned long end)
{
	return 0;
}

static inline int ftrace_lookup_symbols(const char **sorted_syms, size_t cnt,
					unsigned long *addrs)
{
	return -EOPNOTSUPP;
}

static inline bool is_ftrace_trampoline(unsigned long addr)
{
	return false;
}

static inline int ftrace_set_filter(struct ftrace_ops *ops, unsigned char *buf, int len,
				    int reset)
{
	return -ENODEV;
}

static inline int ftrace_set_notrace(struct ftrace_ops *ops, unsigned char *buf, int len,
				     int reset)
{
	return -ENODEV;
}

static inline int ftrace_set_filter_ip(struct ftrace_ops *ops, unsigned long ip,
				       int remove, int reset)
{
	return -ENODEV;
}

static inline int ftrace_set_filter_ips(struct ftrace_ops *ops, unsigned long *ips,
					unsigned int cnt, int remove, int reset)
{
	return -ENODEV;
}

static inline void ftrace_free_filter(struct ftrace_ops *ops) { }
static inline void ftrace_module_init(struct module *mod) { }
static inline void ftrace_module_enable(struct module *mod) { }
static inline void ftrace_release_mod(struct module *mod) { }
static inline void ftrace_free_mem(struct module *mod, void *start, void *end) { }
static inline void ftrace_free_init_mem(void) { }

#endif /* CONFIG_DYNAMIC_FTRACE */

/**
 * ftrace_text_reserved - is there a call site in this text?
 * @start: its first byte
 * @end: its last byte
 *
 * For callers that are about to change the text. Context: any.
 * Return: 1 if there is, 0 if not.
 */
static inline int ftrace_text_reserved(const void *start, const void *end)
{
	return !!ftrace_location_range((unsigned long)start, (unsigned long)end);
}

#ifdef CONFIG_FTRACE_MCOUNT_RECORD

/* The section in which the compiler or recordmcount lists a module's sites. */
#ifdef CC_USING_PATCHABLE_FUNCTION_ENTRY
#define FTRACE_CALLSITE_SECTION	"__patchable_function_entries"
#else
#define FTRACE_CALLSITE_SECTION	"__mcount_loc"
#endif

void ftrace_init(void);

#else

static inline void ftrace_init(void) { }

#endif /* CONFIG_FTRACE_MCOUNT_RECORD */

/*
 * Symbols of modules' init text that was freed while an ops was registered
 */
#if defined(CONFIG_DYNAMIC_FTRACE) && defined(CONFIG_MODULES)

int ftrace_mod_address_lookup(unsigned long addr, unsigned long *size, unsigned long *off,
			      char **modname, const unsigned char **modbuildid, char *sym);
int ftrace_mod_get_kallsym(unsigned int symnum, unsigned long *value, char *type, char *name,
			   char *module_name, int *exported);

#else

static inline int
ftrace_mod_address_lookup(unsigned long addr, unsigned long *size, unsigned long *off,
			  char **modname, const unsigned char **modbuildid, char *sym)
{
	return 0;
}

static inline int ftrace_mod_get_kallsym(unsigned int symnum, unsigned long *value,
					 char *type, char *name,
					 char *module_name, int *exported)
{
	return -ERANGE;
}

#endif

#endif /* _LINUX_FTRACE_SITES_H */
