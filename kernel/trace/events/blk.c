// SPDX-License-Identifier: GPL-2.0
/*
 * For events of the block layer: the kind of a request, as letters.
 */
#include <linux/blk_types.h>
#include <linux/blktrace_api.h>
#include <linux/export.h>

static const struct {
	blk_opf_t	op;
	char		text[3];
} blk_ops[] = {
	{ REQ_OP_READ,		"R" },
	{ REQ_OP_WRITE,		"W" },
	{ REQ_OP_FLUSH,		"F" },
	{ REQ_OP_DISCARD,	"D" },
	{ REQ_OP_SECURE_ERASE,	"DE" },
};

static const struct {
	blk_opf_t	flag;
	char		letter;
} blk_flags[] = {
	{ REQ_FUA,	'F' },
	{ REQ_RAHEAD,	'A' },
	{ REQ_SYNC,	'S' },
	{ REQ_META,	'M' },
};

/**
 * blk_fill_rwbs - write the letters of a request
 * @rwbs: gets the letters; RWBS_LEN bytes
 * @opf: the request's operation and flags
 *
 * Context: any.
 */
void blk_fill_rwbs(char *rwbs, blk_opf_t opf)
{
	const char *op = "N";
	int i;

	if (opf & REQ_PREFLUSH)
		*rwbs++ = 'F';
	for (i = 0; i < ARRAY_SIZE(blk_ops); i++) {
		if (blk_ops[i].op == (opf & REQ_OP_MASK))
			op = blk_ops[i].text;
	}
	while (*op)
		*rwbs++ = *op++;
	for (i = 0; i < ARRAY_SIZE(blk_flags); i++) {
		if (opf & blk_flags[i].flag)
			*rwbs++ = blk_flags[i].letter;
	}
	*rwbs = '\0';
}
EXPORT_SYMBOL_GPL(blk_fill_rwbs);
