/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the files of the fuzzer share. tracefs-fuzz.c begins with what it does.
 */
#ifndef TRACEFS_FUZZ_H
#define TRACEFS_FUZZ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define ARRAY_SIZE(array)	(sizeof(array) / sizeof((array)[0]))

#define TRACEFS		"/sys/kernel/tracing/"
#define INSTANCES	6	/* names that are made and removed again */
#define MAX_PROCESSES	64
#define FIRST_PID	30000	/* that of process 0; the others follow */
#define SLOTS		4	/* files that are open at a time */
#define MAPS		2	/* buffers that are mapped */
#define PLACES		(SLOTS + MAPS)
#define KEPT		16	/* operations that are known of a process that hangs */
#define TEXT		160	/* of their words */
#define VALUE		8192	/* bytes of what is written */
#define PATH		512

/* Classes of operations. */
enum class {
	SET,		/* write what a file takes */
	GARBAGE,	/* write what it does not */
	GET,		/* read it, or part of it */
	FILES,		/* open, and use what is open: for long, by several, when it is gone */
	MAP,		/* buffers in user space */
	INSTANCE,	/* mkdir and rmdir, also of what cannot be */
	CPU,		/* take one away, give it back */
	MODULE,		/* load, unload */
	TASK,		/* fork; end at once, or be killed while reading */
	SYSCTL,		/* function tracing off and on */
	CLASSES
};

extern const char * const class_names[CLASSES];

/* A control file: by its path in an instance, or at the top. */
struct control {
	const char		*path;
	const struct row	*row;	/* NULL: nothing is known about it */
};

struct controls {
	struct control	*all;
	unsigned int	count;
};

/* What is known of files that have such a path. */
struct row {
	const char	*glob;
	int		flags;
	const char	*values[32];	/* as expand() takes them */
};

#define ROW_KEEP	1	/* what it reads like at first is written in the end */
#define ROW_EMPTY	2	/* it is emptied in the end */
#define ROW_BOUNDED	4	/* large numbers would end the guest: no memory, or no time */

/* What a process has done, for the one that watches it. */
struct record {
	unsigned long	number;		/* of the operation */
	time_t		since;
	bool		done;
	unsigned int	tried[CLASSES], taken[CLASSES];
	char		said[KEPT][TEXT];
};

/* The words that values.c chooses from. */
struct words {
	char		**all;
	unsigned int	count;
};

extern struct controls top, inner;	/* files of the top instance, and of any other */
extern struct words tracers;
extern unsigned int cpus;

/* random.c: a stream of numbers for each operation, and for what some share */
void begin_stream(uint64_t seed, unsigned int process, unsigned long operation);
unsigned long begin_span(unsigned int place);
void end_span(void);
uint32_t rnd(uint32_t below);
bool chance(unsigned int one_in);

/* values.c */
const struct row *find_row(const char *path);
const char *random_row_glob(void);
size_t good_value(const struct row *row, char *to);
size_t garbage(const struct row *row, char *to);

/* control.c */
void list_controls(struct controls *list, const char *root);
void list_tracers(void);
const struct control *choose_control(bool known, char *path);

/* ops.c */
void run_class(enum class class);
void begin_operations(void);

/* tracefs-fuzz.c */
#define __printf(string, first)	__attribute__((__format__(printf, string, first)))

__printf(1, 2) void say(const char *format, ...);
void answer(enum class class, long result);

/* restore.c */
void save_state(void);
int restore_state(void);
long change_module(unsigned int number, bool load);
long set_cpu(unsigned int cpu, bool online);
const char *module_name(unsigned int number);
unsigned int module_count(void);
long put(const char *path, int flags, const char *text, size_t size);

#endif /* TRACEFS_FUZZ_H */
