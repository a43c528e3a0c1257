/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The types of entries that tracing itself records, in the order of their numbers:
 *
 *	ENTRY_STRUCT(struct, fields, attributes of the struct)
 *	ENTRY_TYPE(symbol, number, name, files, struct, print format, printers)
 *
 * ENTRY_STRUCT is the struct of an entry: struct trace_entry as its member ent, then the fields.
 * Types can share a struct.
 *
 *	FIELD(type, name)
 *	ARRAY(type, name, n)	n elements
 *	TAIL(type, name)	elements up to the end of the entry
 *	TAIL_OF(type, name, n)	the same; tools are told that there are n
 *	HIDDEN(type, name)	tools are not told of it
 *
 * ENTRY_TYPE is a row of enum trace_entry_number, a directory events/ftrace/NAME with the files
 * FILE_FORMAT, which describes the struct, FILE_ID, which has the number, and FILE_TRIGGER, which
 * has triggers; and the printers of an entry: PRINT(format, arguments) for tools, and functions of
 * output/ for the kernel. The last of them may be left out: "type: NUMBER" is printed then.
 *
 *	PRINTERS(text, raw, hex, bin)
 *	MESSAGE_PRINTERS(message, text, raw, hex, bin)	message: for the option printk-msg-only
 *	NO_PRINTERS					nothing in this kernel records the type
 *
 * All of it is ABI: tools read numbers and structs from events/ftrace/NAME/format, or know them.
 * Numbers are those of Linux 6.12, then our own. Types stand here whether or not the kernel has
 * their tracer, as tools expect the files.
 *
 * A file that includes this one defines the macros that it needs, so there is no include guard. The
 * structs and the enum are in entries.h, printers in output/entries.c, files in events/formats.c.
 */
#ifndef ENTRY_STRUCT
#define ENTRY_STRUCT(...)
#endif
#ifndef ENTRY_TYPE
#define ENTRY_TYPE(...)
#endif

#define STACK_PRINT							\
	PRINT("\t=> %ps\n\t=> %ps\n\t=> %ps\n" "\t=> %ps\n\t=> %ps\n\t=> %ps\n"	\
	      "\t=> %ps\n\t=> %ps\n",					\
	      (void *)REC->caller[0], (void *)REC->caller[1], (void *)REC->caller[2], \
	      (void *)REC->caller[3], (void *)REC->caller[4], (void *)REC->caller[5], \
	      (void *)REC->caller[6], (void *)REC->caller[7])

#ifdef CONFIG_FUNCTION_GRAPH_RETVAL
#define GRAPH_RETVAL_FIELD	FIELD(unsigned long, retval)
#define GRAPH_RETURN_PRINT						\
	PRINT("<-- %ps (%d) (start: %llx  end: %llx) over: %d retval: %lx", (void *)REC->func, \
	      REC->depth, REC->calltime, REC->rettime, REC->depth, REC->retval)
#else
#define GRAPH_RETVAL_FIELD
#define GRAPH_RETURN_PRINT						\
	PRINT("<-- %ps (%d) (start: %llx  end: %llx) over: %d", (void *)REC->func, \
	      REC->depth, REC->calltime, REC->rettime, REC->depth)
#endif

/* A function was called: its call site, and where it was called from. */
ENTRY_STRUCT(function_entry,
	FIELD(unsigned long,		ip)
	FIELD(unsigned long,		parent_ip))
ENTRY_TYPE(TRACE_FN, 1, function, FILE_FORMAT | FILE_ID, function_entry,
	PRINT(" %ps <-- %ps", (void *)REC->ip, (void *)REC->parent_ip),
	PRINTERS(function_text, function_raw, function_hex, function_bin))

/*
 * From one task to another: a CPU switches from the task prev_* to next_*, or prev_* woke next_*.
 * A priority is the kernel's: 0 is the highest. A state is what task_index_to_char() takes;
 * prev_state is the task's state from then on. next_cpu is where next_* is to run.
 */
ENTRY_STRUCT(sched_entry,
	FIELD(unsigned int,		prev_pid)
	FIELD(unsigned int,		next_pid)
	FIELD(unsigned int,		next_cpu)
	FIELD(unsigned char,		prev_prio)
	FIELD(unsigned char,		prev_state)
	FIELD(unsigned char,		next_prio)
	FIELD(unsigned char,		next_state))
ENTRY_TYPE(TRACE_CTX, 2, context_switch, FILE_FORMAT, sched_entry,
	PRINT("%u:%u:%u  ==> %u:%u:%u [%03u]", REC->prev_pid, REC->prev_prio, REC->prev_state,
	      REC->next_pid, REC->next_prio, REC->next_state, REC->next_cpu),
	PRINTERS(sched_text, sched_raw, sched_hex, sched_bin))
ENTRY_TYPE(TRACE_WAKE, 3, wakeup, FILE_FORMAT, sched_entry,
	PRINT("%u:%u:%u  ==+ %u:%u:%u [%03u]", REC->prev_pid, REC->prev_prio, REC->prev_state,
	      REC->next_pid, REC->next_prio, REC->next_state, REC->next_cpu),
	PRINTERS(sched_text, sched_raw, sched_hex, sched_bin))

/* The kernel stack: the number of callers, and their return addresses, the innermost first. */
ENTRY_STRUCT(stack_entry,
	FIELD(int,			size)
	TAIL_OF(unsigned long,		caller, 8))
ENTRY_TYPE(TRACE_STACK, 4, kernel_stack, FILE_FORMAT, stack_entry,
	STACK_PRINT,
	PRINTERS(stack_text))

/* Text, with its NUL, and the address of the code that wrote it. */
ENTRY_STRUCT(print_entry,
	FIELD(unsigned long,		ip)
	TAIL(char,			buf))
ENTRY_TYPE(TRACE_PRINT, 5, print, FILE_FORMAT | FILE_ID | FILE_TRIGGER, print_entry,
	PRINT("%ps: %s", (void *)REC->ip, REC->buf),
	MESSAGE_PRINTERS(print_message, message_text, print_raw))

/* A format, its arguments as vbin_printf() makes them, and the code that wrote it. */
ENTRY_STRUCT(bprint_entry,
	FIELD(unsigned long,		ip)
	FIELD(const char *,		fmt)
	TAIL(u32,			buf))
ENTRY_TYPE(TRACE_BPRINT, 6, bprint, FILE_FORMAT, bprint_entry,
	PRINT("%ps: %s", (void *)REC->ip, REC->fmt),
	MESSAGE_PRINTERS(bprint_message, message_text, message_raw))

/* Entries of mmiotrace: an access to memory of a device, and how that memory was mapped. */
ENTRY_STRUCT(mmio_rw_entry,
	FIELD(resource_size_t,		phys)
	FIELD(unsigned long,		value)
	FIELD(unsigned long,		pc)
	FIELD(int,			map_id)
	FIELD(unsigned char,		opcode)
	FIELD(unsigned char,		width))
ENTRY_TYPE(TRACE_MMIO_RW, 7, mmiotrace_rw, FILE_FORMAT, mmio_rw_entry,
	PRINT("%lx %lx %lx %d %x %x", (unsigned long)REC->phys, REC->value, REC->pc,
	      REC->map_id, REC->opcode, REC->width),
	NO_PRINTERS)

ENTRY_STRUCT(mmio_map_entry,
	FIELD(resource_size_t,		phys)
	FIELD(unsigned long,		virt)
	FIELD(unsigned long,		len)
	FIELD(int,			map_id)
	FIELD(unsigned char,		opcode))
ENTRY_TYPE(TRACE_MMIO_MAP, 8, mmiotrace_map, FILE_FORMAT, mmio_map_entry,
	PRINT("%lx %lx %lx %d %x", (unsigned long)REC->phys, REC->virt, REC->len,
	      REC->map_id, REC->opcode),
	NO_PRINTERS)

/* An entry of the branch tracer: a condition for which likely() or unlikely() is right or wrong. */
ENTRY_STRUCT(branch_entry,
	FIELD(unsigned int,		line)
	ARRAY(char,			func, 31)
	ARRAY(char,			file, 21)
	FIELD(char,			correct)
	FIELD(char,			constant))
ENTRY_TYPE(TRACE_BRANCH, 9, branch, FILE_FORMAT, branch_entry,
	PRINT("%u:%s:%s (%u)%s", REC->line, REC->func, REC->file, REC->correct,
	      REC->constant ? " CONSTANT" : ""),
	NO_PRINTERS)

/*
 * A function returned: its call site; the value of the first return register; the depth, as in the
 * entry of the call: number of recorded calls that the task was inside of; number of the task's
 * calls that were not seen because the task was nested too deep; times of the call and of the
 * return.
 */
ENTRY_STRUCT(graph_return_entry,
	FIELD(unsigned long,		func)
	GRAPH_RETVAL_FIELD
	FIELD(int,			depth)
	FIELD(unsigned int,		overrun)
	FIELD(unsigned long long,	calltime)
	FIELD(unsigned long long,	rettime))
ENTRY_TYPE(TRACE_GRAPH_RET, 10, funcgraph_exit, FILE_FORMAT, graph_return_entry,
	GRAPH_RETURN_PRINT,
	PRINTERS(graph_text))

/* A function was called, and its return may follow: its call site and depth, as above. */
ENTRY_STRUCT(graph_call_entry,
	FIELD(unsigned long,		func)
	FIELD(int,			depth),
	__packed __aligned(4))
ENTRY_TYPE(TRACE_GRAPH_ENT, 11, funcgraph_entry, FILE_FORMAT, graph_call_entry,
	PRINT("--> %ps (%d)", (void *)REC->func, REC->depth),
	PRINTERS(graph_text))

/*
 * The stack of a user's program: the process whose addresses these are, and the addresses, the
 * innermost first; 0 where there are no more.
 */
ENTRY_STRUCT(user_stack_entry,
	FIELD(unsigned int,		tgid)
	ARRAY(unsigned long,		caller, 8))
ENTRY_TYPE(TRACE_USER_STACK, 12, user_stack, FILE_FORMAT, user_stack_entry,
	STACK_PRINT,
	PRINTERS(user_stack_text))

/* 13 is the tracer blk's, which has no directory. */

/* A constant string, and the code that wrote it. */
ENTRY_STRUCT(bputs_entry,
	FIELD(unsigned long,		ip)
	FIELD(const char *,		str))
ENTRY_TYPE(TRACE_BPUTS, 14, bputs, FILE_FORMAT, bputs_entry,
	PRINT("%ps: %s", (void *)REC->ip, REC->str),
	MESSAGE_PRINTERS(bputs_message, message_text, message_raw))

/*
 * Hardware or firmware took time. In us: the longest time between two readings of the clock
 * (duration), and between two such pairs (outer_duration); how long NMIs took meanwhile. The time
 * of the first such delay, in seconds and ns; the number of NMIs; the number of the record; the
 * number of delays.
 */
ENTRY_STRUCT(hwlat_entry,
	FIELD(u64,			duration)
	FIELD(u64,			outer_duration)
	FIELD(u64,			nmi_total_ts)
	FIELD(s64,			tv_sec)
	FIELD(long,			tv_nsec)
	FIELD(unsigned int,		nmi_count)
	FIELD(unsigned int,		seqnum)
	FIELD(unsigned int,		count))
ENTRY_TYPE(TRACE_HWLAT, 15, hwlat, FILE_FORMAT, hwlat_entry,
	PRINT(
	"cnt:%u\tts:%010llu.%010lu\tinner:%llu\touter:%llu\tcount:%d\tnmi-ts:%llu\tnmi-count:%u\n",
	      REC->seqnum, REC->tv_sec, REC->tv_nsec, REC->duration, REC->outer_duration,
	      REC->count, REC->nmi_total_ts, REC->nmi_count),
	PRINTERS(hwlat_text, hwlat_raw))

/* An entry of osnoise: the time that a thread lost, and a counter for each cause of the loss. */
ENTRY_STRUCT(osnoise_entry,
	FIELD(u64,			noise)
	FIELD(u64,			runtime)
	FIELD(u64,			max_sample)
	FIELD(unsigned int,		hw_count)
	FIELD(unsigned int,		nmi_count)
	FIELD(unsigned int,		irq_count)
	FIELD(unsigned int,		softirq_count)
	FIELD(unsigned int,		thread_count))
ENTRY_TYPE(TRACE_OSNOISE, 16, osnoise, FILE_FORMAT, osnoise_entry,
	PRINT("noise:%llu\tmax_sample:%llu\thw:%u\tnmi:%u\tirq:%u\tsoftirq:%u\tthread:%u\n",
	      REC->noise, REC->max_sample, REC->hw_count, REC->nmi_count, REC->irq_count,
	      REC->softirq_count, REC->thread_count),
	NO_PRINTERS)

/* An entry of timerlat: how late a timer's interrupt was, or the thread that it wakes. */
ENTRY_STRUCT(timerlat_entry,
	FIELD(unsigned int,		seqnum)
	FIELD(int,			context)
	FIELD(u64,			timer_latency))
ENTRY_TYPE(TRACE_TIMERLAT, 17, timerlat, FILE_FORMAT, timerlat_entry,
	PRINT("seq:%u\tcontext:%d\ttimer_latency:%llu\n", REC->seqnum, REC->context,
	      REC->timer_latency),
	NO_PRINTERS)

/* An entry of trace_marker_raw: the id (first four bytes of the write), and the remaining bytes. */
ENTRY_STRUCT(raw_data_entry,
	FIELD(unsigned int,		id)
	TAIL(char,			buf))
ENTRY_TYPE(TRACE_RAW_DATA, 18, raw_data, FILE_FORMAT, raw_data_entry,
	PRINT("id:%04x %08x", REC->id, (int)REC->buf[0]),
	PRINTERS(raw_data_text, raw_data_text))

/*
 * A function was called again by the same caller: its call site, and where it was called from; the
 * number of these calls; the time from the last of them to this record, in two parts.
 */
ENTRY_STRUCT(func_repeats_entry,
	FIELD(unsigned long,		ip)
	FIELD(unsigned long,		parent_ip)
	FIELD(u16,			count)
	FIELD(u16,			top_delta_ts)
	FIELD(u32,			bottom_delta_ts))
ENTRY_TYPE(TRACE_FUNC_REPEATS, 19, func_repeats, FILE_FORMAT, func_repeats_entry,
	PRINT(" %ps <-%ps\t(repeats:%u  delta: -%llu)", (void *)REC->ip, (void *)REC->parent_ip,
	      REC->count, (((u64)(REC)->top_delta_ts << 32) | (REC)->bottom_delta_ts)),
	PRINTERS(repeats_text, repeats_raw))

/*
 * As funcgraph_entry, and the return address. The kernel records a struct graph_long_entry, which
 * begins with these members.
 */
ENTRY_STRUCT(graph_retaddr_entry,
	FIELD(unsigned long,		func)
	FIELD(int,			depth)
	HIDDEN(u32,			parts)
	FIELD(unsigned long,		retaddr),
	__packed __aligned(4))
ENTRY_TYPE(TRACE_GRAPH_RETADDR_ENT, 20, funcgraph_retaddr_entry,
	IS_ENABLED(CONFIG_FUNCTION_GRAPH_RETADDR) ? FILE_FORMAT : 0, graph_retaddr_entry,
	PRINT("--> %ps (%d) <- %ps", (void *)REC->func, REC->depth, (void *)REC->retaddr),
	PRINTERS(graph_text))

#undef ENTRY_STRUCT
#undef ENTRY_TYPE
#undef FIELD
#undef ARRAY
#undef TAIL
#undef TAIL_OF
#undef HIDDEN
#undef STACK_PRINT
#undef GRAPH_RETVAL_FIELD
#undef GRAPH_RETURN_PRINT
