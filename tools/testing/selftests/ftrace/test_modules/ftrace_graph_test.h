/* SPDX-License-Identifier: GPL-2.0 */
/* Functions that call each other in known ways: ftrace_graph_shapes.c. */
#ifndef FTRACE_GRAPH_TEST_H
#define FTRACE_GRAPH_TEST_H

#include <linux/types.h>

struct completion;

struct graph_shape {
	char		letter;
	void		*func;
};

/* Those that are called by their letters; the last one has no function. */
extern const struct graph_shape graph_shapes[];

/* Each of these returns one more than it got. */
long graph_chain(long argument);
long graph_middle(long argument);
long graph_leaf(long argument);
long graph_tail(long argument);
long graph_jump(long argument);
long graph_recurse(long depth);
long graph_ping(long argument);
long graph_hooked(long argument);
long graph_variadic(long count, ...);
long graph_fault(long argument);
long graph_slow(long argument);
long graph_delay(long ms);

long graph_spoil(long argument);

/* Calls graph_spoil(), and does not mind. */
long graph_around_spoil(long argument);

/* Values that are more than a word. */
struct graph_two {
	long a, b;
};

struct graph_five {
	long word[5];
};

struct graph_two graph_pair(long argument);
long graph_sum(long argument, struct graph_two two, long last);
struct graph_five graph_block(long argument);
__int128 graph_wide(long argument);
void graph_fill(void);
void graph_float(void);

/* What graph_hooked() calls, if there is one; an error is what it returns. */
extern int (*graph_hook)(void);

/* What graph_fault() tries to read; it can read a word before. */
extern void *graph_unmapped;

/* For how long graph_slow() waits, and that it has begun to. */
extern bool graph_waiting, graph_waits;

extern struct completion *graph_thread_done;

/* Calls the function on another stack, whose end this is. */
long graph_on_stack(long (*func)(long), long argument, void *end);

/* Do all kinds of return values come through? 0, or the number of one that does not. */
int graph_check_values(void);

#endif /* FTRACE_GRAPH_TEST_H */
