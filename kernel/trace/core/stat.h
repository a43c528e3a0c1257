/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tables of statistics: the files in trace_stat/.
 */
#ifndef _TRACE_CORE_STAT_H
#define _TRACE_CORE_STAT_H

#include <linux/types.h>

struct seq_file;

/**
 * struct trace_stat - a file in trace_stat/
 * @name: name of the file
 * @row_size: bytes of a row
 * @collect: stores the rows that there are now, @max at most, and returns how many it would store
 *	without this limit. May sleep
 * @compare: compares two rows as for sort(); the lesser row is printed first
 * @show_header: prints the text above the rows
 * @show_row: prints a row
 * @show_end: prints the text below the rows; may be NULL
 *
 * Rows are collected when the file is opened, and sorted by @compare.
 */
struct trace_stat {
	const char	*name;
	size_t		row_size;
	size_t	(*collect)(const struct trace_stat *stat, void *rows, size_t max);
	int	(*compare)(const void *a, const void *b);
	void	(*show_header)(struct seq_file *m);
	void	(*show_row)(struct seq_file *m, const void *row);
	void	(*show_end)(struct seq_file *m, const struct trace_stat *stat);
};

int trace_stat_register(const struct trace_stat *stat);

#endif /* _TRACE_CORE_STAT_H */
