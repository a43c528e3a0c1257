/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _TRACE_OUTPUT_FUNC_TYPES_H
#define _TRACE_OUTPUT_FUNC_TYPES_H

#include <linux/types.h>

struct func_types;
struct trace_seq;

#ifdef CONFIG_DEBUG_INFO_BTF
struct func_types *func_types_alloc(void);
void func_types_free(struct func_types *types);
bool print_typed_args(struct func_types *types, struct trace_seq *s, unsigned long func,
		      const u64 *args, unsigned int nr);
#else
static inline struct func_types *func_types_alloc(void)
{
	return NULL;
}

static inline void func_types_free(struct func_types *types) { }

static inline bool print_typed_args(struct func_types *types, struct trace_seq *s,
				    unsigned long func, const u64 *args, unsigned int nr)
{
	return false;
}
#endif

#endif /* _TRACE_OUTPUT_FUNC_TYPES_H */
