/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Declarations that the files of the fuzzer share. tracefs-fuzz.c has the overview.
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
#define FIRST_PID	30000	/* the pid of process 0; the others follow */
#define SLOTS		4	/* files that are open at a time */
#define MAPS		2	/* buffers that are mapped */
#define PERFS		4	/* perf events that are open */
#define PERF_RATE	500	/* samples per second: the kernel refuses or drops more */
#define PLACES		(SLOTS + MAPS + PERFS)
#define EVENT_THAT_FAILS "event_fails/event_fails_soon"
#define TRIES		600	/* of a tenth of a second each, for things that are busy */
#define KEPT		16	/* latest operations reported of a process that hangs */
#define TEXT		160	/* characters of each of these reports */
#define VALUE		8192	/* bytes of a value that is written */
#define PATH		512

/* Classes of operations. */
enum class {
	SET,		/* write a value that the file accepts */
	GARBAGE,	/* write a value that it refuses */
	GET,		/* read the file, or a part of it */
	FILES,		/* keep files open and use them */
	MAP,		/* buffers in user space */
	INSTANCE,	/* mkdir and rmdir, also of impossible names */
	CPU,		/* take a CPU offline, and online again */
	MODULE,		/* load and unload modules, and use their events meanwhile */
	TASK,		/* fork; end at once, or be killed while reading */
	SYSCTL,		/* function tracing off and on */
	PERF,		/* perf events at trace events */
	CLASSES
};

extern const char * const class_names[CLASSES];

/* A field of an event's record. */
struct field {
	char		name[48];
	enum {
		NUMBER,
		STRING,
		POINTER,	/* to a string */
		CPUMASK,
		OTHER,
	}		kind;
};

/* A trace event. */
struct event {
	const char	*system, *name;
	unsigned int	number;
	struct field	*fields;
	unsigned int	field_count;
	bool		fields_known;
};

/* A control file: by its path in an instance, or at the top. */
struct control {
	const char		*path;
	const struct row	*row;	/* NULL: values.c does not know the file */
	struct event		*event;	/* NULL: it is not a file of an event */
};

/* A directory below events/, with its files. */
struct folder {
	unsigned int	first, count;
	struct event	*event;
};

/* The files that are not below events/ come first. */
struct controls {
	struct control	*all;
	unsigned int	count, plain;
	struct folder	*folders;
	unsigned int	folder_count;
	unsigned int	*of_event;	/* the folder of each event */
};

/* Facts about files whose path matches. */
struct row {
	const char	*glob;
	int		flags;
	const char	*values[40];	/* as arguments of expand() */
};

#define ROW_KEEP	1	/* its first content is written back at the end */
#define ROW_EMPTY	2	/* it is emptied at the end */
#define ROW_BOUNDED	4	/* large numbers would end the guest: no memory, or no time */

/* The progress of a process, for the process that watches it. */
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

/* random.c: a stream of random numbers for each operation, and for each span of operations */
void begin_stream(uint64_t seed, unsigned int process, unsigned long operation);
unsigned long begin_span(unsigned int place);
void end_span(void);
uint32_t rnd(uint32_t below);
bool chance(unsigned int one_in);

/* values.c */
const struct row *find_row(const char *path);
const char *random_row_glob(void);
size_t good_value(const struct control *control, char *to);
size_t garbage(const struct control *control, char *to);

/* event_values.c */
const struct row *find_event_row(const char *path);
const struct row *random_event_row(void);
size_t event_value(char letter, struct event *event, char *to);
size_t odd_event_value(struct event *event, char *to);

/* control.c */
unsigned int count_controls(const char *root);
void list_controls(struct controls *list, const char *root);
void list_tracers(void);
const struct control *choose_control(bool known, char *path);

/* events.c */
struct event *add_event(const char *system, const char *name);
struct event *find_event(const char *path);
void begin_events(void);
unsigned int event_count(void);
struct event *random_event(void);
struct event *random_event_of(const char *system);
const struct field *random_field(struct event *event);
void event_path(char *path, const struct event *event, const char *file);

/* modules.c */
const char *module_name(unsigned int number);
unsigned int module_count(void);
long change_module(unsigned int number, bool load);
void load_event_modules(void);
int remove_modules(void);
bool is_event_of_module(const struct event *event);

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
void limit_load(void);
void relieve(void);
long set_cpu(unsigned int cpu, bool online);
long put(const char *path, int flags, const char *text, size_t size);
long put_text(const char *path, int flags, const char *text);
int wrong(const char *what, const char *why);

/* restore_events.c */
int restore_events(void);

#endif /* TRACEFS_FUZZ_H */
