/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of system calls: memory of programs in their records.
 */
#ifndef _TRACE_SYSCALL_USER_H
#define _TRACE_SYSCALL_USER_H

#include <linux/bitops.h>
#include <trace/syscall.h>

struct seq_file;
struct trace_event_field;
struct trace_event_users;
struct trace_seq;

/* The largest number of arguments whose memory is recorded, and of bytes of each */
#define SYSCALL_USER_ARGS	3
#define SYSCALL_USER_SIZE_MAX	165

/* End of a text that was cut. */
#define SYSCALL_USER_CUT	"..."

/**
 * struct syscall_user - memory of a program
 * @max: number of bytes that are read for each argument; 0: none
 * @size: bytes in @data
 * @len: bytes of each argument
 * @data: the memory of the arguments, one after the other
 */
struct syscall_user {
	unsigned int	max;
	unsigned int	size;
	unsigned char	len[SYSCALL_USER_ARGS];
	char		data[SYSCALL_USER_ARGS * (SYSCALL_USER_SIZE_MAX +
						  sizeof(SYSCALL_USER_CUT))];
};

/* Number of a system call's arguments whose memory is recorded */
static inline unsigned int syscall_user_args(const struct syscall_metadata *syscall)
{
	return hweight8(syscall->user_mask);
}

void syscall_user_prepare(struct syscall_metadata *syscall);
void syscall_user_read(struct syscall_user *user, const struct syscall_metadata *syscall,
		       const unsigned long *args, const struct trace_event_users *users);
void syscall_user_store(const struct syscall_user *user, const struct syscall_metadata *syscall,
			void *record, unsigned int at);
void syscall_user_field(const struct syscall_metadata *syscall, unsigned int nr,
			unsigned int offset, struct trace_event_field *field);
void syscall_user_print(struct trace_seq *s, const struct syscall_metadata *syscall,
			const char *data, unsigned int len, const unsigned long *args);
const char *syscall_user_format(const struct syscall_metadata *syscall);
void syscall_user_format_arg(struct seq_file *m, const struct syscall_metadata *syscall, int nr);

#endif /* _TRACE_SYSCALL_USER_H */
