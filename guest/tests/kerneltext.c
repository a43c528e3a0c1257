// SPDX-License-Identifier: GPL-2.0
/*
 * kerneltext save FILE | compare FILE - keep a copy of the kernel's text, or print every word in
 * which the running text differs from the copy, except static branches. Finds the text by its
 * symbols in /proc/kallsyms and reads it through /proc/kcore. Exit status: 0 same, 1 different, 2
 * unknown.
 */
#include <elf.h>
#include <err.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAME, DIFFERENT, CANNOT_TELL };

static void find_text(unsigned long *start, unsigned long *end)
{
	FILE *f = fopen("/proc/kallsyms", "r");
	char line[600], name[512];
	unsigned long addr;

	if (!f)
		err(CANNOT_TELL, "/proc/kallsyms");
	while (fgets(line, sizeof(line), f)) {
		if (sscanf(line, "%lx %*c %511s", &addr, name) != 2)
			continue;
		if (!strcmp(name, "_stext"))
			*start = addr;
		if (!strcmp(name, "_etext"))
			*end = addr;
	}
	fclose(f);
	if (!*start || *end <= *start)
		errx(CANNOT_TELL, "no text symbols in /proc/kallsyms");
}

/* The offset of the range in /proc/kcore. */
static unsigned long file_offset(FILE *core, unsigned long start, unsigned long end)
{
	Elf64_Ehdr head;
	Elf64_Phdr part;

	if (fread(&head, sizeof(head), 1, core) != 1)
		err(CANNOT_TELL, "/proc/kcore");
	for (int i = 0; i < head.e_phnum; i++) {
		fseek(core, head.e_phoff + i * sizeof(part), SEEK_SET);
		if (fread(&part, sizeof(part), 1, core) != 1)
			break;
		if (part.p_type == PT_LOAD && part.p_vaddr <= start &&
		    end <= part.p_vaddr + part.p_memsz)
			return part.p_offset + start - part.p_vaddr;
	}
	errx(CANNOT_TELL, "/proc/kcore has no kernel text");
}

static uint32_t *read_text(unsigned long start, unsigned long end)
{
	FILE *core = fopen("/proc/kcore", "r");
	uint32_t *text = malloc(end - start);

	if (!core || !text)
		err(CANNOT_TELL, "/proc/kcore");
	fseek(core, file_offset(core, start, end), SEEK_SET);
	if (fread(text, end - start, 1, core) != 1)
		err(CANNOT_TELL, "/proc/kcore");
	fclose(core);
	return text;
}

/*
 * A static branch is a NOP or a jump without a link register, and the kernel may switch it at any
 * time. A call site is never such a jump.
 */
static int static_branch(uint32_t word)
{
#ifdef __riscv
	return word == 0x00000013 || (word & 0xfff) == 0x06f;
#else
	return word == 0xd503201f || (word & 0xfc000000) == 0x14000000;
#endif
}

static int compare(unsigned long start, const uint32_t *now, const uint32_t *then, size_t words)
{
	size_t differ = 0;

	for (size_t i = 0; i < words; i++) {
		if (now[i] == then[i] || (static_branch(now[i]) && static_branch(then[i])))
			continue;
		if (++differ <= 20)
			printf("%lx: %08x was %08x\n", start + i * 4, now[i], then[i]);
	}
	printf("%zu of %zu words differ\n", differ, words);
	return differ ? DIFFERENT : SAME;
}

int main(int argc, char **argv)
{
	unsigned long start = 0, end = 0;
	uint32_t *now, *then;
	size_t words;
	int save;
	FILE *f;

	if (argc != 3)
		errx(CANNOT_TELL, "usage: kerneltext save|compare FILE");
	save = !strcmp(argv[1], "save");
	find_text(&start, &end);
	words = (end - start) / sizeof(*now);
	now = read_text(start, end);
	f = fopen(argv[2], save ? "w" : "r");
	if (!f)
		err(CANNOT_TELL, "%s", argv[2]);
	if (save) {
		if (fwrite(now, sizeof(*now), words, f) != words || fclose(f))
			err(CANNOT_TELL, "%s", argv[2]);
		return SAME;
	}
	then = malloc(words * sizeof(*then));
	if (!then || fread(then, sizeof(*then), words, f) != words)
		errx(CANNOT_TELL, "%s is no copy of this text", argv[2]);
	return compare(start, now, then, words);
}
