/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Words that select events, also those of modules that are not loaded yet; and events by name.
 */
#ifndef _TRACE_EVENTS_MATCH_H
#define _TRACE_EVENTS_MATCH_H

#include "../lib/line.h"

struct module;
struct seq_file;
struct trace_array;
struct trace_event_call;
struct trace_event_file;

/**
 * struct trace_event_match - the events that a word selects
 * @system: name of the system
 * @event: name of the event
 * @module: name of the module; if it has no text, the kernel's events are selected, too
 * @either: @system is the name of the system or of the event
 *
 * A name without a text is any name.
 */
struct trace_event_match {
	struct trace_span	system;
	struct trace_span	event;
	struct trace_span	module;
	bool			either;
};

/* match.c */
void trace_event_match_parse(struct trace_event_match *match, const char *word);
bool trace_event_matches(const struct trace_event_match *match,
			 const struct trace_event_call *call);
int trace_events_set(struct trace_array *tr, const struct trace_event_match *match, bool on);
int trace_events_set_word(struct trace_array *tr, char *word, bool log);
bool trace_event_keep(const struct trace_event_call *call);
struct trace_event_call *trace_event_find(const char *system, const char *event);
struct trace_event_file *trace_event_file_by_name(struct trace_array *tr, const char *system,
						  const char *event);
struct trace_span trace_event_word(struct trace_line *line);
void *trace_event_file_parse(struct trace_array *tr, struct trace_line *line);

/* wait.c */
int trace_event_wait_add(struct trace_array *tr, const char *word);
bool trace_event_wait_remove(struct trace_array *tr, const struct trace_event_match *match);
void trace_event_wait_clear(struct trace_array *tr);
void trace_event_wait_show(struct seq_file *m, struct trace_array *tr);
void trace_event_wait_end(struct trace_array *tr, struct module *mod);

#endif /* _TRACE_EVENTS_MATCH_H */
