// SPDX-License-Identifier: GPL-2.0
/*
 * Names of enums in print formats. A tool cannot know the value of a name that the C compiler
 * knows, so a format shows numbers for the names that TRACE_DEFINE_ENUM() and TRACE_DEFINE_SIZEOF()
 * give. They are looked up when the format is read.
 */
#include <linux/ctype.h>
#include <linux/init.h>
#include <linux/module.h>
#include <linux/seq_file.h>
#include <linux/slab.h>
#include <linux/sort.h>
#include <linux/string.h>
#include <linux/tracepoint.h>

#include "../core/files.h"
#include "events.h"

/* Defined by the linker script; the memory of the array is freed after boot. */
extern struct trace_eval_map *__start_ftrace_eval_maps[];
extern struct trace_eval_map *__stop_ftrace_eval_maps[];

/* Copy of the kernel's names; the names of one system are adjacent. */
static struct trace_eval_map **eval_maps;
static unsigned int eval_maps_nr;

/* Systems are compared by the address of their name: see struct trace_event_class. */
static int eval_compare(const void *a, const void *b)
{
	const struct trace_eval_map *map = *(const struct trace_eval_map **)a;
	const struct trace_eval_map *other = *(const struct trace_eval_map **)b;

	if (map->system != other->system)
		return map->system < other->system ? -1 : 1;
	return strcmp(map->eval_string, other->eval_string);
}

static bool eval_is_name(char c)
{
	return isalnum(c) || c == '_';
}

/* Does @text begin with the name of @map, and is this the whole name? */
static bool eval_is_at(const struct trace_eval_map *map, const char *text)
{
	size_t len = strlen(map->eval_string);

	return !strncmp(map->eval_string, text, len) &&
	       !(eval_is_name(text[len - 1]) && eval_is_name(text[len]));
}

static const struct trace_eval_map *eval_find(struct trace_eval_map *const *maps, unsigned int nr,
					      const char *system, const char *text)
{
	for (; nr; nr--, maps++) {
		if ((*maps)->system == system && eval_is_at(*maps, text))
			return *maps;
	}
	return NULL;
}

/* The first of the kernel's names that are of @system, and their number. */
static struct trace_eval_map *const *evals_of_kernel(const char *system, unsigned int *nr)
{
	unsigned int low = 0, high = eval_maps_nr, mid, end;

	while (low < high) {
		mid = (low + high) / 2;
		if (eval_maps[mid]->system < system)
			low = mid + 1;
		else
			high = mid;
	}
	for (end = low; end < eval_maps_nr && eval_maps[end]->system == system; )
		end++;
	*nr = end - low;
	return eval_maps + low;
}

static struct trace_eval_map *const *evals_of_call(const struct trace_event_call *call,
						   unsigned int *nr)
{
#ifdef CONFIG_MODULES
	if (call->module) {
		*nr = call->module->num_trace_evals;
		return call->module->trace_evals;
	}
#endif
	return evals_of_kernel(call->class->system, nr);
}

/* Length of a word of names and digits, with the '.' or "->" before it. */
static size_t eval_word_length(const char *text)
{
	size_t len = 0;

	if (*text == '.')
		len = 1;
	else if (text[0] == '-' && text[1] == '>')
		len = 2;
	if (!eval_is_name(text[len]))
		return len;
	while (eval_is_name(text[len]))
		len++;
	return len;
}

/* Length of a string literal with its quotes; 1 if it does not end. */
static size_t eval_literal_length(const char *text)
{
	size_t len;

	for (len = 1; text[len]; len++) {
		if (text[len] == '\\' && text[len + 1])
			len++;
		else if (text[len] == '"')
			return len + 1;
	}
	return 1;
}

/**
 * trace_evals_puts - print a print format with numbers for the names of enums
 * @m: output
 * @call: the event
 * @text: its print format
 *
 * Context: may sleep; the caller keeps the event from being unregistered.
 */
void trace_evals_puts(struct seq_file *m, const struct trace_event_call *call, const char *text)
{
	const struct trace_eval_map *map;
	struct trace_eval_map *const *maps;
	unsigned int nr;
	size_t len;

	maps = evals_of_call(call, &nr);
	while (*text) {
		map = isalpha(*text) || *text == '_' ?
			eval_find(maps, nr, call->class->system, text) : NULL;
		if (map) {
			seq_printf(m, "%ld", (long)map->eval_value);
			text += strlen(map->eval_string);
			continue;
		}
		len = *text == '"' ? eval_literal_length(text) : eval_word_length(text) ?: 1;
		seq_write(m, text, len);
		text += len;
	}
}

static int __init evals_init(void)
{
	unsigned int nr = __stop_ftrace_eval_maps - __start_ftrace_eval_maps;

	eval_maps = kmemdup_array(__start_ftrace_eval_maps, nr, sizeof(*eval_maps), GFP_KERNEL);
	if (!eval_maps)
		return nr ? -ENOMEM : 0;
	eval_maps_nr = nr;
	sort(eval_maps, nr, sizeof(*eval_maps), eval_compare, NULL);
	return 0;
}
early_initcall(evals_init);

#ifdef CONFIG_TRACE_EVAL_MAP_FILE

static void evals_show(struct seq_file *m, struct trace_eval_map *const *maps, unsigned int nr)
{
	for (; nr; nr--, maps++)
		seq_printf(m, "%s %ld (%s)\n", (*maps)->eval_string, (long)(*maps)->eval_value,
			   (*maps)->system);
}

/*
 * The events of a module follow each other in the list. A module without events is left out: no
 * print format has its names.
 */
static void evals_show_modules(struct seq_file *m)
{
#ifdef CONFIG_MODULES
	const struct trace_event_call *call;
	const struct module *mod = NULL;

	list_for_each_entry(call, &trace_event_calls, list) {
		if (call->module && call->module != mod)
			evals_show(m, call->module->trace_evals, call->module->num_trace_evals);
		mod = call->module;
	}
#endif
}

static int eval_map_show(struct seq_file *m, struct trace_scope *scope)
{
	guard(mutex)(&trace_event_mutex);
	evals_show(m, eval_maps, eval_maps_nr);
	evals_show_modules(m);
	return 0;
}

static struct trace_control eval_map_control = {
	.fops	= TRACE_CONTROL_FOPS,
	.show	= eval_map_show,
};

TRACE_FILES(eval_map_files,
	{ "eval_map", TRACE_MODE_READ, TRACE_FILE_TOP, &eval_map_control.fops });

#endif /* CONFIG_TRACE_EVAL_MAP_FILE */
