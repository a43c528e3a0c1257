/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Boot parameters whose text is kept, and parsed when memory can be allocated.
 */
#ifndef _TRACE_LIB_BOOT_H
#define _TRACE_LIB_BOOT_H

#include <linux/init.h>

/* Define char *@name: the text of the parameter @param, as in "trace_clock=", or NULL. */
#define TRACE_BOOT_TEXT(param, name)			\
	static char *name __initdata;			\
	static int __init name##_setup(char *text)	\
	{						\
		name = text;				\
		return 1;				\
	}						\
	__setup(param, name##_setup)

#endif /* _TRACE_LIB_BOOT_H */
