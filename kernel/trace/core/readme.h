/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts of the file README: each subsystem has a text about its own control files.
 */
#ifndef _TRACE_CORE_README_H
#define _TRACE_CORE_README_H

#include <linux/init.h>
#include <linux/list.h>

struct seq_file;

/**
 * struct trace_readme_part - a part of README
 * @place: parts come in the order of these numbers
 * @text: the part
 * @show: prints the end of the part, after @text. NULL: the text is all
 * @list: entry in the list of parts
 */
struct trace_readme_part {
	unsigned int		place;
	const char		*text;
	void			(*show)(struct seq_file *m);
	struct list_head	list;
};

void trace_readme_add(struct trace_readme_part *part);

/* Add a part at boot. */
#define TRACE_README(name, its_place, its_text)					\
	static struct trace_readme_part name = {				\
		.place	= its_place,						\
		.text	= its_text,						\
	};									\
	static int __init name##_add(void)					\
	{									\
		trace_readme_add(&name);					\
		return 0;							\
	}									\
	core_initcall(name##_add)

#endif /* _TRACE_CORE_README_H */
