// SPDX-License-Identifier: GPL-2.0
/*
 * events/ftrace/NAME/format: the records of entries.h described in words, for tools
 * that read sub-buffers. The text is ABI, as the layout is.
 *
 * A row of entry_formats for each type. The fields' places and sizes come from the
 * structs; only what C cannot tell is said in words.
 */
#include <linux/err.h>
#include <linux/security.h>
#include <linux/seq_file.h>
#include <linux/tracefs.h>

#include "../core/entries.h"
#include "../core/files.h"
#include "internal.h"

/**
 * struct entry_field - a member of a record
 * @type: as tools know it
 * @name: the same
 * @offset: in the record
 * @size: 0 if it goes on to the record's end
 * @is_signed: it is a signed number
 */
struct entry_field {
	const char	*type;
	const char	*name;
	unsigned short	offset;
	unsigned short	size;
	bool		is_signed;
};

#define FIELD(entry, field_type, member)				\
	{ #field_type, #member, offsetof(struct entry, member),		\
	  sizeof(field_type), is_signed_type(field_type) }

/* Tools take @count elements for granted; in the record there may be more or less. */
#define ARRAY(entry, elem_type, member, count)				\
	{ #elem_type, #member "[" #count "]", offsetof(struct entry, member), \
	  sizeof(elem_type) * (count + 0), is_signed_type(elem_type) }

#define COMMON(field_type, member)					\
	{ #field_type, "common_" #member, offsetof(struct trace_entry, member), \
	  sizeof(field_type), is_signed_type(field_type) }

static const struct entry_field common_fields[] = {
	COMMON(unsigned short, type),
	COMMON(unsigned char, flags),
	COMMON(unsigned char, preempt_count),
	COMMON(int, pid),
};

static const struct entry_field function_fields[] = {
	FIELD(function_entry, unsigned long, ip),
	FIELD(function_entry, unsigned long, parent_ip),
};

static const struct entry_field func_repeats_fields[] = {
	FIELD(func_repeats_entry, unsigned long, ip),
	FIELD(func_repeats_entry, unsigned long, parent_ip),
	FIELD(func_repeats_entry, u16, count),
	FIELD(func_repeats_entry, u16, top_delta_ts),
	FIELD(func_repeats_entry, u32, bottom_delta_ts),
};

#ifdef CONFIG_FUNCTION_GRAPH_TRACER

static const struct entry_field graph_call_fields[] = {
	FIELD(graph_call_entry, unsigned long, func),
	FIELD(graph_call_entry, int, depth),
};

#ifdef CONFIG_FUNCTION_GRAPH_RETADDR
static const struct entry_field graph_retaddr_fields[] = {
	FIELD(graph_call_entry, unsigned long, func),
	FIELD(graph_call_entry, int, depth),
	{ "unsigned long", "retaddr", offsetof(struct graph_long_entry, word), sizeof(long) },
};
#endif

static const struct entry_field graph_return_fields[] = {
	FIELD(graph_return_entry, unsigned long, func),
#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
	FIELD(graph_return_entry, unsigned long, retval),
#endif
	FIELD(graph_return_entry, int, depth),
	FIELD(graph_return_entry, unsigned int, overrun),
	FIELD(graph_return_entry, unsigned long long, calltime),
	FIELD(graph_return_entry, unsigned long long, rettime),
};

#endif /* CONFIG_FUNCTION_GRAPH_TRACER */

#define GRAPH_RETURN_PRINT						\
	"\"<-- %ps (%d) (start: %llx  end: %llx) over: %d"		\
	GRAPH_RETVAL_FORMAT "\", (void *)REC->func, REC->depth, "	\
	"REC->calltime, REC->rettime, REC->depth" GRAPH_RETVAL_ARG

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
#define GRAPH_RETVAL_FORMAT	" retval: %lx"
#define GRAPH_RETVAL_ARG	", REC->retval"
#else
#define GRAPH_RETVAL_FORMAT	""
#define GRAPH_RETVAL_ARG	""
#endif

static const struct entry_field sched_fields[] = {
	FIELD(sched_entry, unsigned int, prev_pid),
	FIELD(sched_entry, unsigned int, next_pid),
	FIELD(sched_entry, unsigned int, next_cpu),
	FIELD(sched_entry, unsigned char, prev_prio),
	FIELD(sched_entry, unsigned char, prev_state),
	FIELD(sched_entry, unsigned char, next_prio),
	FIELD(sched_entry, unsigned char, next_state),
};

#define SCHED_PRINT(arrow)						\
	"\"%u:%u:%u  " arrow " %u:%u:%u [%03u]\", REC->prev_pid, "	\
	"REC->prev_prio, REC->prev_state, REC->next_pid, REC->next_prio, " \
	"REC->next_state, REC->next_cpu"

static const struct entry_field stack_fields[] = {
	FIELD(stack_entry, int, size),
	ARRAY(stack_entry, unsigned long, caller, 8),
};

static const struct entry_field user_stack_fields[] = {
	FIELD(user_stack_entry, unsigned int, tgid),
	ARRAY(user_stack_entry, unsigned long, caller, 8),
};

static const struct entry_field print_fields[] = {
	FIELD(print_entry, unsigned long, ip),
	ARRAY(print_entry, char, buf, ),
};

static const struct entry_field bprint_fields[] = {
	FIELD(bprint_entry, unsigned long, ip),
	FIELD(bprint_entry, const char *, fmt),
	ARRAY(bprint_entry, u32, buf, ),
};

static const struct entry_field bputs_fields[] = {
	FIELD(bputs_entry, unsigned long, ip),
	FIELD(bputs_entry, const char *, str),
};

static const struct entry_field raw_data_fields[] = {
	FIELD(raw_data_entry, unsigned int, id),
	ARRAY(raw_data_entry, char, buf, ),
};

static const struct entry_field hwlat_fields[] = {
	FIELD(hwlat_entry, u64, duration),
	FIELD(hwlat_entry, u64, outer_duration),
	FIELD(hwlat_entry, u64, nmi_total_ts),
	FIELD(hwlat_entry, s64, tv_sec),
	FIELD(hwlat_entry, long, tv_nsec),
	FIELD(hwlat_entry, unsigned int, nmi_count),
	FIELD(hwlat_entry, unsigned int, seqnum),
	FIELD(hwlat_entry, unsigned int, count),
};

#define CALLER(n)	"(void *)REC->caller[" #n "]"
#define STACK_PRINT							\
	"\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" "			\
	"\"\\t=> %ps\\n\\t=> %ps\\n\\t=> %ps\\n\" "			\
	"\"\\t=> %ps\\n\\t=> %ps\\n\", "				\
	CALLER(0) ", " CALLER(1) ", " CALLER(2) ", " CALLER(3) ", "	\
	CALLER(4) ", " CALLER(5) ", " CALLER(6) ", " CALLER(7)

/**
 * struct entry_format - a type of records
 * @name: of its directory
 * @id: enum trace_entry_number
 * @id_file: the number has a file of its own
 * @fields: what is in it after the common fields
 * @nr: how many
 * @print: how to print it: a format and its arguments
 */
struct entry_format {
	const char			*name;
	unsigned int			id;
	bool				id_file;
	const struct entry_field	*fields;
	unsigned int			nr;
	const char			*print;
};

#define FORMAT(name, id, id_file, fields, print)	\
	{ name, id, id_file, fields, ARRAY_SIZE(fields), print }

static const struct entry_format entry_formats[] = {
	FORMAT("function", TRACE_FN, true, function_fields,
	       "\" %ps <-- %ps\", (void *)REC->ip, (void *)REC->parent_ip"),
	FORMAT("func_repeats", TRACE_FUNC_REPEATS, false, func_repeats_fields,
	       "\" %ps <-%ps\\t(repeats:%u  delta: -%llu)\", (void *)REC->ip, "
	       "(void *)REC->parent_ip, REC->count, "
	       "(((u64)(REC)->top_delta_ts << 32) | (REC)->bottom_delta_ts)"),
#ifdef CONFIG_FUNCTION_GRAPH_TRACER
	FORMAT("funcgraph_entry", TRACE_GRAPH_ENT, false, graph_call_fields,
	       "\"--> %ps (%d)\", (void *)REC->func, REC->depth"),
#ifdef CONFIG_FUNCTION_GRAPH_RETADDR
	FORMAT("funcgraph_retaddr_entry", TRACE_GRAPH_RETADDR_ENT, false, graph_retaddr_fields,
	       "\"--> %ps (%d) <- %ps\", (void *)REC->func, REC->depth, (void *)REC->retaddr"),
#endif
	FORMAT("funcgraph_exit", TRACE_GRAPH_RET, false, graph_return_fields, GRAPH_RETURN_PRINT),
#endif
	FORMAT("context_switch", TRACE_CTX, false, sched_fields, SCHED_PRINT("==>")),
	FORMAT("wakeup", TRACE_WAKE, false, sched_fields, SCHED_PRINT("==+")),
	FORMAT("kernel_stack", TRACE_STACK, false, stack_fields, STACK_PRINT),
	FORMAT("user_stack", TRACE_USER_STACK, false, user_stack_fields, STACK_PRINT),
	FORMAT("bprint", TRACE_BPRINT, false, bprint_fields,
	       "\"%ps: %s\", (void *)REC->ip, REC->fmt"),
	FORMAT("print", TRACE_PRINT, true, print_fields,
	       "\"%ps: %s\", (void *)REC->ip, REC->buf"),
	FORMAT("hwlat", TRACE_HWLAT, false, hwlat_fields,
	       "\"cnt:%u\\tts:%010llu.%010lu\\tinner:%llu\\touter:%llu\\tcount:%d\\tnmi-ts:%llu"
	       "\\tnmi-count:%u\\n\", REC->seqnum, REC->tv_sec, REC->tv_nsec, REC->duration, "
	       "REC->outer_duration, REC->count, REC->nmi_total_ts, REC->nmi_count"),
	FORMAT("raw_data", TRACE_RAW_DATA, false, raw_data_fields,
	       "\"id:%04x %08x\", REC->id, (int)REC->buf[0]"),
	FORMAT("bputs", TRACE_BPUTS, false, bputs_fields,
	       "\"%ps: %s\", (void *)REC->ip, REC->str"),
};

static void show_fields(struct seq_file *m, const struct entry_field *field, unsigned int nr)
{
	for (; nr; nr--, field++)
		seq_printf(m, "\tfield:%s %s;\toffset:%u;\tsize:%u;\tsigned:%d;\n", field->type,
			   field->name, field->offset, field->size, field->is_signed);
	seq_putc(m, '\n');
}

static int format_show(struct seq_file *m, void *unused)
{
	const struct entry_format *format = m->private;

	seq_printf(m, "name: %s\nID: %u\nformat:\n", format->name, format->id);
	show_fields(m, common_fields, ARRAY_SIZE(common_fields));
	show_fields(m, format->fields, format->nr);
	seq_printf(m, "print fmt: %s\n", format->print);
	return 0;
}

static int id_show(struct seq_file *m, void *unused)
{
	const struct entry_format *format = m->private;

	seq_printf(m, "%u\n", format->id);
	return 0;
}

/* What they say is the same for all instances, so that they need none. */
static int open_text(struct inode *inode, struct file *file,
		     int (*show)(struct seq_file *m, void *unused))
{
	return security_locked_down(LOCKDOWN_TRACEFS) ?: single_open(file, show, inode->i_private);
}

static int format_open(struct inode *inode, struct file *file)
{
	return open_text(inode, file, format_show);
}

static int id_open(struct inode *inode, struct file *file)
{
	return open_text(inode, file, id_show);
}

static const struct file_operations format_fops = {
	.open		= format_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

static const struct file_operations id_fops = {
	.open		= id_open,
	.read		= seq_read,
	.llseek		= seq_lseek,
	.release	= single_release,
};

/* Called by tracefs, with its locks held, when somebody looks for a file. */
static int describe_format(const char *name, umode_t *mode, void **data,
			   const struct file_operations **fops)
{
	*mode = TRACE_MODE_READ;
	*fops = &format_fops;
	return 1;
}

static int describe_id(const char *name, umode_t *mode, void **data,
		       const struct file_operations **fops)
{
	const struct entry_format *format = *data;

	*mode = TRACE_MODE_READ;
	*fops = &id_fops;
	return format->id_file;
}

static const struct eventfs_entry format_files[] = {
	{ .name = "format", .callback = describe_format },
	{ .name = "id", .callback = describe_id },
};

/**
 * trace_entry_formats_create - make events/ftrace/ and what is in it
 * @events: events/ of an instance
 *
 * May sleep; the caller holds trace_registry_lock. Whoever removes events/ removes it.
 *
 * Return: 0, or -ENOMEM if not all of it could be made.
 */
int trace_entry_formats_create(struct eventfs_inode *events)
{
	struct eventfs_inode *dir = eventfs_create_dir("ftrace", events, NULL, 0, NULL), *type;
	unsigned int i;

	for (i = 0; i < ARRAY_SIZE(entry_formats) && !IS_ERR_OR_NULL(dir); i++) {
		type = eventfs_create_dir(entry_formats[i].name, dir, format_files,
					  ARRAY_SIZE(format_files), (void *)&entry_formats[i]);
		if (IS_ERR_OR_NULL(type))
			dir = type;
	}
	if (!IS_ERR_OR_NULL(dir))
		return 0;
	pr_warn("tracing: cannot create directory events/ftrace\n");
	return -ENOMEM;
}
