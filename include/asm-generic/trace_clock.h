/* SPDX-License-Identifier: GPL-2.0 */
#ifndef _ASM_GENERIC_TRACE_CLOCK_H
#define _ASM_GENERIC_TRACE_CLOCK_H

/* Rows that an architecture adds to the table of trace clocks: none. */
#define ARCH_TRACE_CLOCKS

#endif /* _ASM_GENERIC_TRACE_CLOCK_H */
