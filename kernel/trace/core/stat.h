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
 * @name: of the file
 * @row_size: bytes of a row
 * @collect: say what there is now: store @max rows at most, and return how many there
 *	would be if there was no limit. May sleep
 * @compare: as sort() wants it, to print the lesser row first
 * @show_header: print what stands above the rows
 * @show_row: print a row
 * @show_end: print what stands below the rows; may be NULL
 *
 * Rows are collected when the file is opened, and are in the order of @compare.
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
