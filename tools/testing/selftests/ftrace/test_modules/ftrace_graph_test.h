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

/* The functions that have letters; func is NULL in the last element. */
extern const struct graph_shape graph_shapes[];

/* Each of these functions returns its argument plus one. */
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

/* Calls graph_spoil(), and works although graph_spoil() has changed the frame pointer. */
long graph_around_spoil(long argument);

/* Values that are longer than a word. */
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

/* If not NULL, graph_hooked() calls it, and returns its error, if it returns one. */
extern int (*graph_hook)(void);

/* The address that graph_fault() tries to read. The word before it can be read. */
extern void *graph_unmapped;

/* graph_slow() waits while graph_waiting is true; it sets graph_waits when it begins to wait. */
extern bool graph_waiting, graph_waits;

extern struct completion *graph_thread_done;

/* Calls the function on another stack. @end is the end of that stack. */
long graph_on_stack(long (*func)(long), long argument, void *end);

/* Do all kinds of return values come through? Returns 0, or the number of a value that does not. */
int graph_check_values(void);

#endif /* FTRACE_GRAPH_TEST_H */
