/* SPDX-License-Identifier: GPL-2.0 */
/* For architectures without function tracing: they have nothing to define. */
#ifndef _ASM_GENERIC_FTRACE_H
#define _ASM_GENERIC_FTRACE_H
#endif /* _ASM_GENERIC_FTRACE_H */
