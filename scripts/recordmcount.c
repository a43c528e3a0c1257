// SPDX-License-Identifier: GPL-2.0
/*
 * recordmcount - list the calls of _mcount in an object file
 *
 * usage: recordmcount [-w] OBJECT...
 *
 * With -pg the compiler begins each function with a call of _mcount. This program finds the calls
 * by their relocations, and adds a section __mcount_loc with their addresses to the object. The
 * linker joins these sections to the table of call sites that the function tracer reads at boot, or
 * when a module is loaded.
 *
 * Only calls in text that will be loaded are listed; compilers that list call sites themselves do
 * the same. Calls in sections that the linker scripts discard must not be listed, since the object
 * would not link then; -w warns of them.
 *
 * An address is written as a function plus an offset: the linker may move functions within their
 * section (riscv: relaxation). This is not possible if the function is weak, as its name may come
 * to mean another function, if the linker may remove code before the call, or if there is no
 * function. Such a call gets a local label, for which symbols have to be renumbered. Calls in a
 * section group are listed in a section of that group, which the linker keeps or drops with the
 * group.
 *
 * The object is read completely and made anew in memory. It is then written to a temporary file
 * beside the object, which replaces the object: nobody sees half an object, and after an error it
 * is unchanged. An object that already has a section __mcount_loc, or no calls, is not touched.
 *
 * The object may be malformed: all indices, offsets and sizes are checked before use. Memory is not
 * freed, as the program soon ends.
 */
#define _GNU_SOURCE
#include <elf.h>
#include <endian.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define CALLED		"_mcount"
#define TABLE		"__mcount_loc"
#define LABEL		".Lmcount"

#define FILE_ALIGN	16	/* of sections within the file: enough for any reader */
#define ALIGNED(x)	(((x) + FILE_ALIGN - 1) / FILE_ALIGN * FILE_ALIGN)

#ifndef SHT_LLVM_ADDRSIG
#define SHT_LLVM_ADDRSIG	0x6fff4c03
#endif

#define fail(obj, format, ...) \
	errx(EXIT_FAILURE, "%s: " format, (obj)->path, ##__VA_ARGS__)

/* One row for each architecture. */
static const struct arch {
	unsigned int machine;
	unsigned int word;		/* relocation type of a 64-bit address */
	unsigned int call[2];		/* relocation types of calls; 0: no other */
	unsigned int call_size;		/* bytes of code that a call takes */
	unsigned int call_align;
	unsigned int shift[2];		/* relocation types where the linker may remove code */
} archs[] = {
	{ EM_AARCH64, R_AARCH64_ABS64, { R_AARCH64_CALL26 }, 4, 4 },
	{ EM_RISCV, R_RISCV_64, { R_RISCV_CALL, R_RISCV_CALL_PLT }, 8, 2,
	  { R_RISCV_RELAX, R_RISCV_ALIGN } },
};

struct section {
	Elf64_Shdr hdr;			/* in the byte order of this machine */
	void *data;			/* in the byte order of the file; NULL: none there */
	unsigned int group;		/* the section group that it is a member of, or 0 */
};

/* Kinds of things at an address, in the order in which to look at them. */
enum kind { NOTHING, WEAK_FUNCTION, FUNCTION, CALL, SHIFT };

struct point {
	unsigned int section;
	enum kind kind;
	uint64_t offset;
	uint32_t symbol;		/* symbol of the address; 0: none */
	uint64_t addend;		/* offset from @symbol */
};

struct object {
	const char *path;
	mode_t mode;
	char *file;
	size_t size;
	const struct arch *arch;
	struct section *sec;
	unsigned int nr_secs;
	unsigned int shstrtab, symtab, strtab;	/* numbers of sections */
	uint32_t nr_syms;
	struct point *point;		/* at last, only calls */
	size_t nr_points, nr_calls;
};

static bool warn_dropped;

static void *resize(const struct object *obj, void *old, size_t count, size_t size)
{
	void *memory = reallocarray(old, count, size);

	if (!memory)
		fail(obj, "out of memory");
	return memory;
}

/* Reading: is the object well-formed, and which sections does it have? */

static void read_file(struct object *obj)
{
	int fd = open(obj->path, O_RDONLY);
	struct stat st;
	ssize_t got;

	if (fd < 0 || fstat(fd, &st))
		fail(obj, "%s", strerror(errno));
	if (st.st_size > INT_MAX)
		fail(obj, "too big");
	obj->mode = st.st_mode;
	obj->size = st.st_size;
	obj->file = resize(obj, NULL, obj->size + 1, 1);
	got = read(fd, obj->file, obj->size);
	if (got != st.st_size)
		fail(obj, "%s", got < 0 ? strerror(errno) : "changes while it is being read");
	close(fd);
}

static void check_header(struct object *obj)
{
	const Elf64_Ehdr *ehdr = (void *)obj->file;
	size_t i;

	if (obj->size < SELFMAG || memcmp(obj->file, ELFMAG, SELFMAG))
		fail(obj, "not an ELF file");
	if (obj->size < sizeof(*ehdr) || ehdr->e_ident[EI_CLASS] != ELFCLASS64 ||
	    ehdr->e_ident[EI_DATA] != ELFDATA2LSB)
		fail(obj, "not 64-bit little-endian ELF");
	if (le16toh(ehdr->e_type) != ET_REL || ehdr->e_phnum)
		fail(obj, "not a relocatable object");
	for (i = 0; i < sizeof(archs) / sizeof(archs[0]); i++)
		if (archs[i].machine == le16toh(ehdr->e_machine))
			obj->arch = &archs[i];
	if (!obj->arch)
		fail(obj, "for machine %u, which is not in recordmcount's table",
		     le16toh(ehdr->e_machine));
}

/* Convert from the byte order of the file to that of the machine, or back. */
static void convert_shdr(Elf64_Shdr *hdr)
{
	hdr->sh_name = le32toh(hdr->sh_name);
	hdr->sh_type = le32toh(hdr->sh_type);
	hdr->sh_flags = le64toh(hdr->sh_flags);
	hdr->sh_addr = le64toh(hdr->sh_addr);
	hdr->sh_offset = le64toh(hdr->sh_offset);
	hdr->sh_size = le64toh(hdr->sh_size);
	hdr->sh_link = le32toh(hdr->sh_link);
	hdr->sh_info = le32toh(hdr->sh_info);
	hdr->sh_addralign = le64toh(hdr->sh_addralign);
	hdr->sh_entsize = le64toh(hdr->sh_entsize);
}

static Elf64_Shdr read_shdr(const struct object *obj, uint64_t index)
{
	const Elf64_Ehdr *ehdr = (void *)obj->file;
	uint64_t start = le64toh(ehdr->e_shoff);
	Elf64_Shdr hdr;

	if (le16toh(ehdr->e_shentsize) != sizeof(hdr) || start > obj->size ||
	    index >= (obj->size - start) / sizeof(hdr))
		fail(obj, "section headers are missing or beyond the end of the file");
	memcpy(&hdr, obj->file + start + index * sizeof(hdr), sizeof(hdr));
	convert_shdr(&hdr);
	return hdr;
}

static void read_sections(struct object *obj)
{
	const Elf64_Ehdr *ehdr = (void *)obj->file;
	uint64_t total = 0;
	unsigned int i;

	obj->nr_secs = le16toh(ehdr->e_shnum);
	if (!obj->nr_secs)
		fail(obj, "no sections, or too many");
	obj->shstrtab = le16toh(ehdr->e_shstrndx);
	obj->sec = resize(obj, NULL, obj->nr_secs + 1, sizeof(*obj->sec));
	for (i = 0; i < obj->nr_secs; i++) {
		struct section *sec = &obj->sec[i];

		*sec = (struct section){ .hdr = read_shdr(obj, i) };
		if (sec->hdr.sh_type == SHT_NULL || sec->hdr.sh_type == SHT_NOBITS)
			continue;
		if (sec->hdr.sh_offset > obj->size ||
		    sec->hdr.sh_size > obj->size - sec->hdr.sh_offset)
			fail(obj, "section %u is beyond the end of the file", i);
		sec->data = obj->file + sec->hdr.sh_offset;
		total += sec->hdr.sh_size;
	}
	if (total > obj->size)
		fail(obj, "sections overlap");
}

/* Make sure that a section exists and is an array of entries of the given size. */
static struct section *check_array(const struct object *obj, unsigned int index,
				   unsigned int type, size_t entry)
{
	struct section *sec = index < obj->nr_secs ? &obj->sec[index] : NULL;

	if (!sec || sec->hdr.sh_type != type || sec->hdr.sh_size % entry ||
	    (entry > 1 && sec->hdr.sh_entsize != entry) ||
	    (uintptr_t)sec->data % (entry < sizeof(uint64_t) ? entry : sizeof(uint64_t)))
		fail(obj, "section %u is malformed, or not of type %u", index, type);
	return sec;
}

static void check_strings(const struct object *obj, unsigned int index)
{
	const struct section *sec = check_array(obj, index, SHT_STRTAB, 1);

	if (!sec->hdr.sh_size || ((char *)sec->data)[sec->hdr.sh_size - 1])
		fail(obj, "the strings of section %u have no end", index);
}

static const char *string(const struct object *obj, unsigned int strings, uint32_t offset)
{
	const struct section *sec = &obj->sec[strings];

	if (offset >= sec->hdr.sh_size)
		fail(obj, "a name is beyond the end of section %u", strings);
	return (char *)sec->data + offset;
}

static const char *section_name(const struct object *obj, unsigned int index)
{
	return string(obj, obj->shstrtab, obj->sec[index].hdr.sh_name);
}

/* Return the next section of a type, or 0. */
static unsigned int next_section(const struct object *obj, unsigned int index, unsigned int type)
{
	while (++index < obj->nr_secs)
		if (obj->sec[index].hdr.sh_type == type)
			return index;
	return 0;
}

static void find_symbols(struct object *obj)
{
	const struct section *sec;

	obj->symtab = next_section(obj, 0, SHT_SYMTAB);
	if (!obj->symtab)
		return;
	sec = check_array(obj, obj->symtab, SHT_SYMTAB, sizeof(Elf64_Sym));
	obj->nr_syms = sec->hdr.sh_size / sizeof(Elf64_Sym);
	if (!sec->hdr.sh_info || sec->hdr.sh_info > obj->nr_syms)
		fail(obj, "%u of %u symbols are local", sec->hdr.sh_info, obj->nr_syms);
	obj->strtab = sec->hdr.sh_link;
	check_strings(obj, obj->strtab);
}

static const Elf64_Sym *symbol(const struct object *obj, uint32_t index)
{
	if (index >= obj->nr_syms)
		fail(obj, "no symbol has number %u", index);
	return (Elf64_Sym *)obj->sec[obj->symtab].data + index;
}

static void find_groups(struct object *obj)
{
	unsigned int group = 0;
	uint32_t *word, *end, member;

	while ((group = next_section(obj, group, SHT_GROUP))) {
		word = check_array(obj, group, SHT_GROUP, sizeof(*word))->data;
		end = word + obj->sec[group].hdr.sh_size / sizeof(*word);
		while (++word < end) {	/* the first word has flags */
			member = le32toh(*word);
			if (member >= obj->nr_secs)
				fail(obj, "no section has number %u, of a group", member);
			obj->sec[member].group = group;
		}
	}
}

/* Looking: find the calls, and the symbols that their addresses can be written with. */

static void add_point(struct object *obj, struct point point)
{
	if (!(obj->nr_points & (obj->nr_points - 1)))	/* a power of two: the array is full */
		obj->point = resize(obj, obj->point, obj->nr_points * 2 + 1, sizeof(point));
	obj->point[obj->nr_points++] = point;
}

/* Is this text there when the kernel or the module runs? */
static bool is_kept(const struct object *obj, unsigned int text)
{
	const char *name = section_name(obj, text);

	/* the linker scripts of the kernel and of modules discard these */
	if (!strcmp(name, ".discard") || !strncmp(name, ".discard.", strlen(".discard.")))
		return false;
	return (obj->sec[text].hdr.sh_flags & (SHF_ALLOC | SHF_EXCLUDE)) == SHF_ALLOC;
}

/* Return the kind of thing that a relocation marks in the code. */
static enum kind relocation_kind(const struct object *obj, uint64_t info)
{
	unsigned int type = ELF64_R_TYPE(info), name;
	const struct arch *arch = obj->arch;

	if (!type)
		return NOTHING;
	if (type == arch->shift[0] || type == arch->shift[1])
		return SHIFT;
	if (type != arch->call[0] && type != arch->call[1])
		return NOTHING;
	name = le32toh(symbol(obj, ELF64_R_SYM(info))->st_name);
	return strcmp(string(obj, obj->strtab, name), CALLED) ? NOTHING : CALL;
}

/* Find the calls in a section by its relocations, if the section is text. */
static void find_calls(struct object *obj, unsigned int relocations)
{
	const Elf64_Shdr *hdr = &obj->sec[relocations].hdr;
	unsigned int text = hdr->sh_info, count = 0;
	const Elf64_Rela *rela, *end;
	uint64_t offset, size;
	enum kind kind;
	bool kept;

	if (text >= obj->nr_secs)
		fail(obj, "no section has number %u, for relocations", text);
	if (!obj->sec[text].data || !(obj->sec[text].hdr.sh_flags & SHF_EXECINSTR))
		return;
	rela = check_array(obj, relocations, SHT_RELA, sizeof(*rela))->data;
	if (hdr->sh_link != obj->symtab)
		fail(obj, "section %u does not refer to the symbol table", relocations);
	size = obj->sec[text].hdr.sh_size;
	kept = is_kept(obj, text);
	for (end = rela + hdr->sh_size / sizeof(*rela); rela < end; rela++) {
		kind = relocation_kind(obj, le64toh(rela->r_info));
		offset = le64toh(rela->r_offset);
		if (kind == CALL && (offset > size || size - offset < obj->arch->call_size ||
				     offset % obj->arch->call_align))
			fail(obj, "%s cannot have a call at offset %#llx", section_name(obj, text),
			     (unsigned long long)offset);
		if (kind != NOTHING && kept)
			add_point(obj, (struct point){ text, kind, offset });
		count += kind == CALL;
	}
	if (kept)
		obj->nr_calls += count;
	else if (count && warn_dropped)
		warnx("%s: warning: %s will not be kept, its calls are not listed: %u",
		      obj->path, section_name(obj, text), count);
}

static void find_functions(struct object *obj)
{
	unsigned int binding;
	const Elf64_Sym *sym;
	enum kind kind;
	uint32_t i;

	for (i = 1; i < obj->nr_syms; i++) {
		sym = symbol(obj, i);
		if (ELF64_ST_TYPE(sym->st_info) != STT_FUNC)
			continue;
		binding = ELF64_ST_BIND(sym->st_info);
		kind = binding == STB_LOCAL || binding == STB_GLOBAL ? FUNCTION : WEAK_FUNCTION;
		add_point(obj, (struct point){ le16toh(sym->st_shndx), kind,
					       le64toh(sym->st_value), i });
	}
}

static int compare(uint64_t a, uint64_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_points(const void *a, const void *b)
{
	const struct point *x = a, *y = b;

	return compare(x->section, y->section) ?: compare(x->offset, y->offset) ?:
	       compare(x->kind, y->kind) ?: compare(x->symbol, y->symbol);
}

/*
 * Give each call the function that has it, if its address can be written with that. Keep only
 * calls.
 */
static void match_functions(struct object *obj)
{
	struct point *point, *calls = obj->point, *end = obj->point + obj->nr_points;
	struct point last = { 0 };	/* the last that is not a call */

	qsort(obj->point, obj->nr_points, sizeof(*obj->point), compare_points);
	for (point = obj->point; point < end; point++) {
		if (point->kind != CALL) {
			last = *point;
			continue;
		}
		if (last.kind == FUNCTION && last.section == point->section) {
			point->symbol = last.symbol;
			point->addend = point->offset - last.offset;
		}
		*calls++ = *point;
	}
}

/* Adding: labels, tables, and references to them. */

/* Make space for @count bytes at @offset of a section; return its address. */
static void *make_room(struct object *obj, unsigned int index, uint64_t offset, size_t count)
{
	struct section *sec = &obj->sec[index];
	char *data = resize(obj, NULL, sec->hdr.sh_size + count, 1);

	memcpy(data, sec->data, offset);
	memset(data + offset, 0, count);
	memcpy(data + offset + count, (char *)sec->data + offset, sec->hdr.sh_size - offset);
	sec->data = data;
	sec->hdr.sh_size += count;
	return data + offset;
}

/* Add a name to a string table; return its number for headers and symbols. */
static uint32_t add_name(struct object *obj, unsigned int strings, const char *name)
{
	uint64_t end = obj->sec[strings].hdr.sh_size;

	memcpy(make_room(obj, strings, end, strlen(name) + 1), name, strlen(name) + 1);
	return end;
}

static void renumber_relocations(struct object *obj, unsigned int index, uint32_t first,
				 uint32_t count)
{
	unsigned int type = obj->sec[index].hdr.sh_type;
	size_t entry = type == SHT_REL ? sizeof(Elf64_Rel) : sizeof(Elf64_Rela), at;
	const struct section *sec = check_array(obj, index, type, entry);
	uint64_t *info;

	for (at = offsetof(Elf64_Rel, r_info); at < sec->hdr.sh_size; at += entry) {
		info = (void *)((char *)sec->data + at);
		if (ELF64_R_SYM(le64toh(*info)) >= first)
			*info = htole64(le64toh(*info) + ELF64_R_INFO((uint64_t)count, 0));
	}
}

/* The numbers of symbols from @first on grow by @count: correct all references to them. */
static void renumber_symbols(struct object *obj, uint32_t first, uint32_t count)
{
	unsigned int i;

	for (i = 1; i < obj->nr_secs; i++) {
		Elf64_Shdr *hdr = &obj->sec[i].hdr;

		if (hdr->sh_link != obj->symtab || !obj->sec[i].data)
			continue;
		switch (hdr->sh_type) {
		case SHT_REL:
		case SHT_RELA:
			renumber_relocations(obj, i, first, count);
			break;
		case SHT_GROUP:
			if (hdr->sh_info >= first)
				hdr->sh_info += count;
			break;
		case SHT_LLVM_ADDRSIG:
			hdr->sh_link = 0;	/* only a hint; 0: no longer valid */
			break;
		default:
			fail(obj, "no way to renumber symbols in section %u, of type %#x", i,
			     hdr->sh_type);
		}
	}
}

/* Make labels, after the other local symbols, for calls that have no symbol yet. */
static void add_labels(struct object *obj)
{
	uint32_t first = obj->sec[obj->symtab].hdr.sh_info, label = first, count = 0, name;
	struct point *call, *end = obj->point + obj->nr_calls;
	Elf64_Sym *sym;

	for (call = obj->point; call < end; call++)
		count += !call->symbol;
	if (!count)
		return;
	renumber_symbols(obj, first, count);
	name = add_name(obj, obj->strtab, LABEL);
	sym = make_room(obj, obj->symtab, first * sizeof(*sym), count * sizeof(*sym));
	obj->sec[obj->symtab].hdr.sh_info += count;
	for (call = obj->point; call < end; call++) {
		if (!call->symbol) {
			sym->st_name = htole32(name);
			sym->st_info = ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE);
			sym->st_value = htole64(call->offset);
			sym->st_shndx = htole16(call->section);
			sym++;
			call->symbol = label++;
		} else if (call->symbol >= first) {
			call->symbol += count;
		}
	}
}

/* Add a section to the object, and to the group if that is not 0; return its number. */
static unsigned int add_section(struct object *obj, unsigned int group, Elf64_Shdr hdr)
{
	uint32_t *member;
	void *data = resize(obj, NULL, hdr.sh_size, 1);

	if (obj->nr_secs + 1 >= SHN_LORESERVE)
		fail(obj, "too many sections");
	if (group) {
		member = make_room(obj, group, obj->sec[group].hdr.sh_size, sizeof(*member));
		*member = htole32(obj->nr_secs);
		hdr.sh_flags |= SHF_GROUP;
	}
	hdr.sh_addralign = sizeof(uint64_t);
	obj->sec = resize(obj, obj->sec, obj->nr_secs + 1, sizeof(*obj->sec));
	obj->sec[obj->nr_secs] = (struct section){ hdr, memset(data, 0, hdr.sh_size), group };
	return obj->nr_secs++;
}

/* Add the table of the calls in one group, or of those in no group. */
static void add_table(struct object *obj, unsigned int group, uint32_t name)
{
	const struct point *call, *end = obj->point + obj->nr_calls;
	Elf64_Shdr words = {
		.sh_name = name + strlen(".rela"),
		.sh_type = SHT_PROGBITS,
		.sh_flags = SHF_ALLOC | SHF_WRITE,	/* the kernel sorts it in place */
	}, relocations = {
		.sh_name = name,
		.sh_type = SHT_RELA,
		.sh_flags = SHF_INFO_LINK,
		.sh_link = obj->symtab,
		.sh_entsize = sizeof(Elf64_Rela),
	};
	unsigned int index;
	Elf64_Rela *rela;
	uint64_t at = 0;

	for (call = obj->point; call < end; call++)
		words.sh_size += obj->sec[call->section].group == group ? sizeof(uint64_t) : 0;
	if (!words.sh_size)
		return;
	relocations.sh_info = add_section(obj, group, words);
	relocations.sh_size = words.sh_size / sizeof(uint64_t) * sizeof(*rela);
	index = add_section(obj, group, relocations);
	rela = obj->sec[index].data;
	for (call = obj->point; call < end; call++) {
		if (obj->sec[call->section].group != group)
			continue;
		rela->r_offset = htole64(at);
		rela->r_info = htole64(ELF64_R_INFO((uint64_t)call->symbol, obj->arch->word));
		rela->r_addend = htole64(call->addend);
		at += sizeof(uint64_t);
		rela++;
	}
}

/* Replace the object by @size bytes, completely or not at all. */
static void replace_file(const struct object *obj, const char *bytes, ssize_t size)
{
	const char *slash = strrchr(obj->path, '/'), *name = slash ? slash + 1 : obj->path;
	char *temp;
	int fd;

	/* If the program is killed, "make clean" removes files of such names. */
	if (asprintf(&temp, "%.*s.tmp_%s.XXXXXX", (int)(name - obj->path), obj->path, name) < 0)
		fail(obj, "out of memory");
	fd = mkstemp(temp);
	if (fd < 0)
		fail(obj, "cannot write beside it: %s", strerror(errno));
	errno = ENOSPC;		/* write() gives no error if it wrote less */
	if (write(fd, bytes, size) != size || fchmod(fd, obj->mode & 07777) || close(fd) ||
	    rename(temp, obj->path)) {
		int error = errno;

		unlink(temp);
		fail(obj, "cannot write it: %s", strerror(error));
	}
}

static void write_object(struct object *obj)
{
	size_t at = sizeof(Elf64_Ehdr);
	Elf64_Ehdr *ehdr;
	Elf64_Shdr *hdr;
	unsigned int i;
	char *bytes;

	for (i = 1; i < obj->nr_secs; i++) {
		at = ALIGNED(at);
		obj->sec[i].hdr.sh_offset = at;
		at += obj->sec[i].data ? obj->sec[i].hdr.sh_size : 0;
	}
	at = ALIGNED(at);
	bytes = resize(obj, NULL, at + obj->nr_secs * sizeof(*hdr), 1);
	memset(bytes, 0, at);

	ehdr = memcpy(bytes, obj->file, sizeof(*ehdr));
	ehdr->e_shoff = htole64(at);
	ehdr->e_shnum = htole16(obj->nr_secs);
	hdr = (void *)(bytes + at);
	for (i = 0; i < obj->nr_secs; i++) {
		const struct section *sec = &obj->sec[i];

		if (sec->data)
			memcpy(bytes + sec->hdr.sh_offset, sec->data, sec->hdr.sh_size);
		hdr[i] = sec->hdr;
		convert_shdr(&hdr[i]);
	}
	replace_file(obj, bytes, at + obj->nr_secs * sizeof(*hdr));
}

static void record(const char *path)
{
	struct object obj = { .path = path };
	unsigned int i, nr_secs;
	uint32_t name;

	read_file(&obj);
	check_header(&obj);
	read_sections(&obj);
	check_strings(&obj, obj.shstrtab);
	for (i = 1; i < obj.nr_secs; i++)
		if (!strcmp(section_name(&obj, i), TABLE))
			return;
	find_symbols(&obj);
	find_groups(&obj);
	for (i = 0; (i = next_section(&obj, i, SHT_RELA));)
		find_calls(&obj, i);
	if (!obj.nr_calls)
		return;

	find_functions(&obj);
	match_functions(&obj);
	add_labels(&obj);
	name = add_name(&obj, obj.shstrtab, ".rela" TABLE);
	nr_secs = obj.nr_secs;
	for (i = 0; i < nr_secs; i++)
		if (!i || obj.sec[i].hdr.sh_type == SHT_GROUP)
			add_table(&obj, i, name);
	write_object(&obj);
}

int main(int argc, char **argv)
{
	int option;

	while ((option = getopt(argc, argv, "w")) == 'w')
		warn_dropped = true;
	if (option != -1 || optind == argc) {
		fprintf(stderr, "usage: recordmcount [-w] OBJECT...\n");
		return EXIT_FAILURE;
	}
	for (; optind < argc; optind++)
		record(argv[optind]);
	return EXIT_SUCCESS;
}
