// SPDX-License-Identifier: GPL-2.0
/*
 * chrt -f|-r|-o PRIORITY COMMAND... - run a command with a real-time policy, or the usual one
 * chrt -d -T NS -D NS -P NS 0 COMMAND... - run it with a deadline
 *
 * The subset of util-linux' chrt that the base's cases and ours use; busybox has no chrt.
 */
#include <err.h>
#include <sched.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#define POLICY_DEADLINE	6

/* The argument of sched_setattr(2). */
struct attributes {
	uint32_t size;
	uint32_t policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime;
	uint64_t deadline;
	uint64_t period;
};

int main(int argc, char *argv[])
{
	struct attributes to = { .size = sizeof(to), .policy = SCHED_RR };
	int option;

	while ((option = getopt(argc, argv, "+frodT:D:P:")) != -1) {
		switch (option) {
		case 'f':
			to.policy = SCHED_FIFO;
			break;
		case 'r':
			to.policy = SCHED_RR;
			break;
		case 'o':
			to.policy = SCHED_OTHER;
			break;
		case 'd':
			to.policy = POLICY_DEADLINE;
			break;
		case 'T':
			to.runtime = strtoull(optarg, NULL, 0);
			break;
		case 'D':
			to.deadline = strtoull(optarg, NULL, 0);
			break;
		case 'P':
			to.period = strtoull(optarg, NULL, 0);
			break;
		default:
			return 1;
		}
	}
	if (argc - optind < 2)
		errx(1, "usage: chrt -f|-r|-o|-d [-T ns] [-D ns] [-P ns] PRIORITY COMMAND...");
	to.priority = strtoul(argv[optind], NULL, 0);
	if (syscall(SYS_sched_setattr, 0, &to, 0))
		err(1, "sched_setattr");
	execvp(argv[optind + 1], argv + optind + 1);
	err(127, "%s", argv[optind + 1]);
}
