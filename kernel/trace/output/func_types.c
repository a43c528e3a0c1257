// SPDX-License-Identifier: GPL-2.0
/*
 * Printing the arguments of a function, with the names and types that BTF has for them.
 *
 * Looking up a name searches BTF from its beginning and takes a millisecond, which is too long for
 * each line. So each reader caches the results for recent functions, also that a function was not
 * found.
 */
#include <linux/bits.h>
#include <linux/btf.h>
#include <linux/hash.h>
#include <linux/kallsyms.h>
#include <linux/kernel.h>
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/trace_seq.h>

#include "func_types.h"
#include "symbols.h"

#define FUNC_TYPES_BITS		10

/* The largest argument that is passed by value. Of larger ones the address is passed. */
#define BY_VALUE_MAX		(2 * sizeof(u64))

/**
 * struct func_type - the type of a function
 * @func: its call site
 * @btf: the BTF that has its type, with a reference held; NULL: not found
 * @proto: the type; its parameters follow it in memory
 */
struct func_type {
	unsigned long		func;
	struct btf		*btf;
	const struct btf_type	*proto;
};

/**
 * struct func_types - a reader's cache of types
 * @generation: symbols_generation() at the time of the lookups
 * @type: hash table; each function has one slot, which may hold another function
 */
struct func_types {
	unsigned int		generation;
	struct func_type	type[1 << FUNC_TYPES_BITS];
};

/**
 * func_types_alloc - allocate a reader's cache of types
 *
 * Context: may sleep.
 * Return: the cache, to be freed with func_types_free(); NULL if memory is short.
 */
struct func_types *func_types_alloc(void)
{
	return kvzalloc(sizeof(struct func_types), GFP_KERNEL);
}

static void func_types_forget(struct func_types *types)
{
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(types->type); i++) {
		btf_put(types->type[i].btf);
		types->type[i] = (struct func_type){};
	}
}

/**
 * func_types_free - free a reader's cache of types
 * @types: from func_types_alloc(), or NULL
 *
 * Context: may sleep.
 */
void func_types_free(struct func_types *types)
{
	if (!types)
		return;
	func_types_forget(types);
	kvfree(types);
}

/* Is @func in the module of @btf? Several modules may have functions of the same name. */
static bool btf_has(const struct btf *btf, unsigned long func)
{
	struct module *module;
	bool has;

	if (!btf_is_module(btf))
		return core_kernel_text(func);
	module = btf_try_get_module(btf);
	has = module && within_module(func, module);
	module_put(module);
	return has;
}

static void func_type_find(struct func_type *type, unsigned long func)
{
	char name[KSYM_NAME_LEN];
	struct btf *btf;
	s32 id;

	btf_put(type->btf);
	*type = (struct func_type){ .func = func };
	if (lookup_symbol_name(func, name))
		return;
	id = bpf_find_btf_id(name, BTF_KIND_FUNC, &btf);
	if (id <= 0)
		return;
	if (!btf_has(btf, func)) {
		btf_put(btf);
		return;
	}
	type->btf = btf;
	type->proto = btf_type_by_id(btf, btf_type_by_id(btf, id)->type);
}

static const struct func_type *func_type_of(struct func_types *types, unsigned long func)
{
	struct func_type *type = &types->type[hash_long(func, FUNC_TYPES_BITS)];
	unsigned int now = symbols_generation();

	if (types->generation != now) {
		func_types_forget(types);
		types->generation = now;
	}
	if (type->func != func)
		func_type_find(type, func);
	return type;
}

/* Number of registers that hold an argument; -1: unknown, and so are those of later arguments. */
static int arg_words(const struct btf_type *type)
{
	switch (BTF_INFO_KIND(type->info)) {
	case BTF_KIND_PTR:
		return 1;
	case BTF_KIND_INT:
	case BTF_KIND_ENUM:
	case BTF_KIND_ENUM64:
		return type->size <= sizeof(u64) ? 1 : -1;
	case BTF_KIND_STRUCT:
	case BTF_KIND_UNION:
		return type->size <= BY_VALUE_MAX ? DIV_ROUND_UP(type->size, sizeof(u64)) : 1;
	default:
		return -1;
	}
}

static bool is_by_value(const struct btf_type *type)
{
	return btf_type_is_struct(type) && type->size <= BY_VALUE_MAX;
}

static bool is_signed(const struct btf_type *type)
{
	unsigned int kind = BTF_INFO_KIND(type->info);

	return kind == BTF_KIND_INT ? btf_type_is_signed_int(type) :
	       (kind == BTF_KIND_ENUM || kind == BTF_KIND_ENUM64) && btf_type_kflag(type);
}

/* Print the low bits that @type has. The upper bits of the register are undefined. */
static void print_number(struct trace_seq *s, const struct btf_type *type, u64 word)
{
	unsigned int bits = BITS_PER_BYTE * type->size;

	if (is_signed(type))
		trace_seq_printf(s, "%lld", sign_extend64(word, bits - 1));
	else if (btf_type_is_int(type))
		trace_seq_printf(s, "0x%llx", word & GENMASK_ULL(bits - 1, 0));
	else
		trace_seq_printf(s, "%llu", word & GENMASK_ULL(bits - 1, 0));
}

static void print_arg(struct trace_seq *s, const struct btf_type *type, const u64 *word, int words)
{
	int i;

	if (is_by_value(type)) {
		trace_seq_putc(s, '{');
		for (i = 0; i < words; i++)
			trace_seq_printf(s, "%s0x%llx", i ? ", " : "", word[i]);
		trace_seq_putc(s, '}');
	} else if (btf_type_is_ptr(type) || btf_type_is_struct(type)) {
		trace_seq_printf(s, "0x%llx", *word);
	} else {
		print_number(s, type, *word);
	}
}

/**
 * print_typed_args - print the arguments of a function: "fd=3, buf=0xffff..."
 * @types: the reader's cache, or NULL
 * @s: output
 * @func: the function's call site
 * @args: values of the argument registers
 * @nr: number of values in @args; "..." stands for further arguments
 *
 * Context: may sleep.
 * Return: true; false if BTF does not have the function, and then nothing was printed.
 */
bool print_typed_args(struct func_types *types, struct trace_seq *s, unsigned long func,
		      const u64 *args, unsigned int nr)
{
	const struct func_type *type = types ? func_type_of(types, func) : NULL;
	const struct btf_param *param;
	const struct btf_type *arg;
	unsigned int i, at = 0;
	int words;

	if (!type || !type->proto)
		return false;
	param = btf_params(type->proto);
	for (i = 0; i < btf_type_vlen(type->proto); i++, at += words) {
		arg = btf_type_skip_modifiers(type->btf, param[i].type, NULL);
		words = arg_words(arg);
		if (words < 0 || at + words > nr) {
			trace_seq_puts(s, i ? ", ..." : "...");
			break;
		}
		trace_seq_printf(s, "%s%s=", i ? ", " : "",
				 btf_name_by_offset(type->btf, param[i].name_off));
		print_arg(s, arg, args + at, words);
	}
	return true;
}
