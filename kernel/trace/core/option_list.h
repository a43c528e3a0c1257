/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The options of an instance, one row each, in the order in which trace_options lists them:
 *
 * OPTION(symbol, name, initial value, 1: only the top instance has a file for it, change())
 *
 * change() is struct trace_option.change. A file that includes this one defines OPTION before, and
 * undefines it afterwards. This one is included several times, so it has no include guard.
 */
OPTION(PRINT_PARENT,	"print-parent",		1, 0, NULL)
OPTION(SYM_OFFSET,	"sym-offset",		0, 0, NULL)
OPTION(SYM_ADDR,	"sym-addr",		0, 0, NULL)
OPTION(VERBOSE,		"verbose",		0, 0, NULL)
OPTION(RAW,		"raw",			0, 0, NULL)
OPTION(HEX,		"hex",			0, 0, NULL)
OPTION(BIN,		"bin",			0, 0, NULL)
OPTION(BLOCK,		"block",		0, 0, NULL)
OPTION(FIELDS,		"fields",		0, 0, NULL)
OPTION(PRINTK,		"trace_printk",		1, 1, NULL)
OPTION(ANNOTATE,	"annotate",		1, 0, NULL)
OPTION(USERSTACKTRACE,	"userstacktrace",	0, 0, NULL)
OPTION(SYM_USEROBJ,	"sym-userobj",		0, 0, NULL)
OPTION(MSG_ONLY,	"printk-msg-only",	0, 1, NULL)
OPTION(CONTEXT_INFO,	"context-info",		1, 0, NULL)
OPTION(LATENCY_FORMAT,	"latency-format",	0, 0, NULL)
OPTION(RECORD_CMD,	"record-cmd",		1, 1, option_record_cmd)
OPTION(RECORD_TGID,	"record-tgid",		0, 0, option_record_tgid)
OPTION(OVERWRITE,	"overwrite",		1, 0, option_overwrite)
OPTION(DISABLE_ON_FREE,	"disable_on_free",	0, 0, NULL)
OPTION(IRQ_INFO,	"irq-info",		1, 0, NULL)
OPTION(MARKERS,		"markers",		1, 0, NULL)
OPTION(EVENT_FORK,	"event-fork",		0, 0, option_event_fork)
OPTION(PRINTK_DEST,	"trace_printk_dest",	0, 0, option_printk_dest)
OPTION(PAUSE_ON_TRACE,	"pause-on-trace",	0, 0, NULL)
OPTION(HASH_PTR,	"hash-ptr",		1, 0, NULL)
OPTION(BITMASK_LIST,	"bitmask-list",		0, 0, NULL)
OPTION(FUNCTION_TRACE,	"function-trace",	1, 0, option_function_trace)
OPTION(FUNCTION_FORK,	"function-fork",	0, 0, option_function_fork)
OPTION(DISPLAY_GRAPH,	"display-graph",	0, 0, option_display_graph)
OPTION(STACKTRACE,	"stacktrace",		0, 0, NULL)
