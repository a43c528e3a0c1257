// SPDX-License-Identifier: GPL-2.0
/*
 * userstack - writes a text to a file, from a function that is called by three others, and prints
 * the addresses at which these go on: a user stack must have them. The functions keep frame
 * pointers, even if libraries do not. "userstack FILE TEXT lost": the frame pointer leads to memory
 * that was never accessed. Looking for a stack must not fault this memory in.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma GCC optimize("no-omit-frame-pointer", "no-optimize-sibling-calls")

static void *goes_on[3];

/*
 * A system call during which the frame pointer is @frame. It is inlined into its caller: a function
 * of the library may have no frame, and riscv's stack walker relies on the return address register.
 */
static inline __attribute__((always_inline)) long
write_from(long fd, const char *text, long len, void *frame)
{
#if defined(__aarch64__)
	register long x0 asm("x0") = fd;
	register long x1 asm("x1") = (long)text;
	register long x2 asm("x2") = len;
	register void *x3 asm("x3") = frame;
	register long x8 asm("x8") = SYS_write;

	asm volatile("mov x9, x29\n\tmov x29, x3\n\tsvc #0\n\tmov x29, x9"
		     : "+r" (x0) : "r" (x1), "r" (x2), "r" (x3), "r" (x8) : "x9", "memory");
	return x0;
#elif defined(__riscv)
	register long a0 asm("a0") = fd;
	register long a1 asm("a1") = (long)text;
	register long a2 asm("a2") = len;
	register void *a3 asm("a3") = frame;
	register long a7 asm("a7") = SYS_write;

	asm volatile("mv t0, s0\n\tmv s0, a3\n\tecall\n\tmv s0, t0"
		     : "+r" (a0) : "r" (a1), "r" (a2), "r" (a3), "r" (a7) : "t0", "memory");
	return a0;
#endif
}

static __attribute__((noinline)) long write_text(long fd, const char *text, long len)
{
	goes_on[0] = __builtin_return_address(0);
	return write_from(fd, text, len, __builtin_frame_address(0));
}

static __attribute__((noinline)) long inner(long fd, const char *text, long len)
{
	goes_on[1] = __builtin_return_address(0);
	return write_text(fd, text, len) + 1;
}

static __attribute__((noinline)) long outer(long fd, const char *text, long len)
{
	goes_on[2] = __builtin_return_address(0);
	return inner(fd, text, len) + 1;
}

static int lose_stack(long fd, const char *text)
{
	char *memory = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	unsigned char there;

	if (memory == MAP_FAILED || write_from(fd, text, strlen(text), memory + 64) < 0 ||
	    mincore(memory, 4096, &there))
		return 1;
	puts(there & 1 ? "touched" : "untouched");
	return 0;
}

int main(int argc, char **argv)
{
	static const char *const name[] = { "inner", "outer", "main" };
	int fd = argc >= 3 ? open(argv[1], O_WRONLY) : -1;

	if (fd >= 0 && argc > 3)
		return lose_stack(fd, argv[2]);
	if (fd < 0 || outer(fd, argv[2], strlen(argv[2])) < 0)
		return 1;
	for (int i = 0; i < 3; i++)
		printf("%lx %s\n", (unsigned long)goes_on[i], name[i]);
	return 0;
}
