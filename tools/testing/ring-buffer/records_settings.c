// SPDX-License-Identifier: GPL-2.0
/*
 * The settings of the test of recording: which instances get an event, and which of its records.
 *
 * Each function changes a setting as the kernel does, and the test's own copy of it. Meanwhile the
 * version of the instance is odd. CPUs compare versions as readers of a seqcount do.
 */
#include "records.h"

struct instance instances[INSTANCES];
struct event events[EVENTS];

static int attach(struct trace_event_call *call)
{
	return tracepoint_probe_register(call->tp, call->class->probe, call);
}

static void detach(struct trace_event_call *call)
{
	tracepoint_probe_unregister(call->tp, call->class->probe, call);
}

static const struct trace_event_class_ops switched_ops = { .attach = attach, .detach = detach };
static const struct trace_event_class usual_class = { .probe = records_probe };
static const struct trace_event_class switched_class = {
	.probe = records_probe, .ops = &switched_ops,
};

static void begin_change(u64 *version)
{
	__atomic_store_n(version, *version + 1, __ATOMIC_RELAXED);
	smp_mb();
}

static void end_change(u64 *version)
{
	__atomic_store_n(version, *version + 1, __ATOMIC_RELEASE);
}

static void store(u64 *word, u64 value)
{
	__atomic_store_n(word, value, __ATOMIC_RELAXED);
}

/* Store a filter in two words, as CPUs copy it. */
static void store_filter(struct setting *set, const struct trace_filter_step *filter)
{
	u64 words[2] = { };

	memcpy(words, filter, sizeof(*filter));
	store((u64 *)&set->filter, words[0]);
	store((u64 *)&set->filter + 1, words[1]);
}

static void set_flag(struct instance *instance, unsigned int event, unsigned int flag, bool on)
{
	struct trace_event_file *file = instance->file[event];

	if (on)
		__atomic_fetch_or(&file->flags, BIT(flag), __ATOMIC_SEQ_CST);
	else
		__atomic_fetch_and(&file->flags, ~BIT(flag), __ATOMIC_SEQ_CST);
	store(&instance->setting[event].flags, file->flags);
}

/* In the order of trace_event_file_set_filter(). */
static void set_filter(struct instance *instance, unsigned int event, u64 *seed)
{
	struct trace_event_file *file = instance->file[event];
	struct event_filter *old = file->filter, *filter = NULL;
	struct trace_filter_step *steps, step;

	if (rnd(seed) % 4) {
		step.mod = 1 + rnd(seed) % 4;
		step.rest = rnd(seed) % step.mod;
		step.cpus = rnd(seed) % 2 ? ~0U : rnd(seed) >> 8;
		filter = calloc(1, sizeof(*filter) + 2 * sizeof(*steps));
		CHECK(filter);
		filter->reads_context = rnd(seed) % 2;
		steps = (struct trace_filter_step *)filter->program;
		steps[0] = step;
		steps[1] = step;
		filter->early = step.cpus == ~0U ? NULL : &steps[1];
		set_flag(instance, event, TRACE_EVENT_FILE_FILTER, true);
		store_filter(&instance->setting[event], &step);
	}
	rcu_assign_pointer(file->filter, filter);
	set_flag(instance, event, TRACE_EVENT_FILE_EARLY_FILTER, filter && filter->early);
	if (!filter)
		set_flag(instance, event, TRACE_EVENT_FILE_FILTER, false);
	trace_event_free(old ? &old->rcu : NULL);
}

static void set_triggers(struct instance *instance, unsigned int event, bool on, bool record)
{
	set_flag(instance, event, TRACE_EVENT_FILE_RECORD_TRIGGERS, on && record);
	set_flag(instance, event, TRACE_EVENT_FILE_TRIGGERS, on);
	trace_event_users_triggers(&events[event].call);
}

static void set_pid_filter(struct instance *instance, unsigned int event, bool on)
{
	set_flag(instance, event, event == TWO_TASKS_EVENT ? TRACE_EVENT_FILE_TWO_PIDS :
							     TRACE_EVENT_FILE_PID_FILTER, on);
}

/* Set something of an event in an instance that is its user. */
static void set_any(struct instance *instance, unsigned int event, u64 *seed)
{
	u64 random = rnd(seed) >> 8;

	switch (random % 4) {
	case 0:
		set_flag(instance, event, TRACE_EVENT_FILE_SOFT_DISABLED, !(random / 4 % 3));
		break;
	case 1:
		set_pid_filter(instance, event, random / 4 % 2);
		break;
	case 2:
		set_filter(instance, event, seed);
		break;
	default:
		set_triggers(instance, event, !(random / 4 % 3), random / 64 % 2);
	}
}

/* Now and then, there is no memory, or the tracepoint takes no probe. Then no array is left. */
static int add_or_fail(struct trace_event_call *call, struct trace_event_file *file, u64 *seed)
{
	bool had_array = call->users;
	int err;

	shim_fail_after = rnd(seed) % 8 ? -1 : 0;
	shim_probe_error = rnd(seed) % 8 ? 0 : -EMFILE;
	err = file ? trace_event_users_add(call, file) : trace_event_users_add_perf(call);
	CHECK(!err || (err == -ENOMEM && !shim_fail_after) ||
	      (err == -EMFILE && shim_probe_error), "%d", err);
	CHECK(!err || had_array || !call->users);
	shim_fail_after = -1;
	shim_probe_error = 0;
	return err;
}

static void add_user(struct instance *instance, unsigned int event, u64 *seed)
{
	struct trace_event_file *file = calloc(1, sizeof(*file));
	u64 random = rnd(seed) >> 8;

	CHECK(file);
	file->call = &events[event].call;
	file->tr = instance->tr;
	instance->file[event] = file;
	store(&instance->setting[event].flags, 0);
	if (random % 2)
		set_filter(instance, event, seed);
	if (random / 2 % 4 == 0)
		set_pid_filter(instance, event, true);
	if (add_or_fail(file->call, file, seed)) {
		instance->file[event] = NULL;
		trace_event_free(file->filter ? &file->filter->rcu : NULL);
		free(file);
		return;
	}
	store(&instance->setting[event].attached, true);
	if (random / 8 % 6 == 0)
		set_triggers(instance, event, true, random / 64 % 2);
}

static void remove_user(struct instance *instance, unsigned int event)
{
	struct trace_event_file *file = instance->file[event];

	set_triggers(instance, event, false, false);
	trace_event_users_remove(file->call, file);
	store(&instance->setting[event].attached, false);
	instance->file[event] = NULL;
	trace_event_free(file->filter ? &file->filter->rcu : NULL);
	trace_event_free(&file->rcu);
}

static void set_perf(unsigned int event, bool on, u64 *seed)
{
	struct event *of = &events[event];

	if (on == of->perf)
		return;
	begin_change(&of->perf_version);
	if (!on)
		trace_event_users_remove_perf(&of->call);
	else if (add_or_fail(&of->call, NULL, seed))
		on = false;
	store(&of->perf, on);
	end_change(&of->perf_version);
}

/* The pids that the CPU's task has to be among, as pids.c stores them. */
void store_wanted(struct instance *instance, struct cpu *cpu)
{
	u64 pids = instance->common.pids;
	struct task_struct *wanted = pids == ~0ULL ? NULL :
		pid_in(pids, FIRST_PID + cpu->cpu) ? cpu->task : TRACE_PIDS_NOBODY;

	WRITE_ONCE(*per_cpu_ptr(instance->events.pids.wanted, cpu->cpu), wanted);
}

static void set_pids(struct instance *instance, u64 pids)
{
	unsigned int cpu, event;

	store(&instance->common.pids, pids);
	for (event = 0; event < EVENTS; event++)
		store(&instance->setting[event].pids, pids);
	for (cpu = 0; cpu < options.cpus; cpu++)
		store_wanted(instance, &cpus[cpu]);
}

static void set_on(struct instance *instance, bool on)
{
	unsigned int event;

	if (on)
		ring_buffer_record_on(instance->tr->array_buffer.buffer);
	else
		ring_buffer_record_off(instance->tr->array_buffer.buffer);
	for (event = 0; event < EVENTS; event++)
		store(&instance->setting[event].on, on);
}

static void store_cpus(struct instance *instance, u64 bits)
{
	unsigned int event;

	instance->common.cpus = bits;
	for (event = 0; event < EVENTS; event++)
		store(&instance->setting[event].cpus, bits);
}

static void set_cpu(struct instance *instance, unsigned int cpu, bool on)
{
	u64 bits = instance->common.cpus;

	if (on == (bits >> cpu & 1))
		return;
	if (on)
		ring_buffer_record_enable_cpu(instance->tr->array_buffer.buffer, cpu);
	else
		ring_buffer_record_disable_cpu(instance->tr->array_buffer.buffer, cpu);
	store_cpus(instance, bits ^ BIT(cpu));
}

static u64 any_pids(u64 *seed)
{
	return rnd(seed) % 3 ? rnd(seed) >> 8 : ~0ULL;
}

static unsigned int nr_users(unsigned int event)
{
	unsigned int i, nr = 0;

	for (i = 0; i < INSTANCES; i++)
		nr += !!instances[i].file[event];
	return nr;
}

static void change_user(struct instance *instance, unsigned int event, u64 *seed)
{
	begin_change(&instance->common.version);
	if (instance->file[event] && rnd(seed) % 2)
		set_any(instance, event, seed);
	else if (instance->file[event])
		remove_user(instance, event);
	else if (nr_users(event) < events[event].users_max)
		add_user(instance, event, seed);
	end_change(&instance->common.version);
}

static void change_instance(struct instance *instance, u64 *seed)
{
	u64 random = rnd(seed) >> 8;

	begin_change(&instance->common.version);
	switch (random % 3) {
	case 0:
		set_on(instance, random / 4 % 4);
		break;
	case 1:
		set_cpu(instance, random / 16 % options.cpus, random / 4 % 4);
		break;
	default:
		set_pids(instance, any_pids(seed));
	}
	end_change(&instance->common.version);
}

/* Remove all users, so that the event is detached, and can begin with one user again. */
static void remove_users(unsigned int event, u64 *seed)
{
	unsigned int i;

	for (i = 0; i < INSTANCES; i++) {
		begin_change(&instances[i].common.version);
		if (instances[i].file[event])
			remove_user(&instances[i], event);
		end_change(&instances[i].common.version);
	}
	set_perf(event, false, seed);
}

/* Change something while CPUs record. */
void settings_change(u64 *seed)
{
	u64 random = rnd(seed) >> 8;
	unsigned int event = random / 256 % EVENTS;

	if (random % 8 == 7)
		shim_run_work();
	guard(mutex)(&trace_event_mutex);
	if (random % 64 == 0)
		remove_users(event, seed);
	else if (random % 8 == 1)
		set_perf(event, random / 64 % 2, seed);
	else if (random % 8 == 2)
		change_instance(&instances[random / 4096 % INSTANCES], seed);
	else
		change_user(&instances[random / 4096 % INSTANCES], event, seed);
}

/* Give an instance another buffer: a tiny one, or one with more space. */
static void set_buffer(struct instance *instance, u64 *seed)
{
	struct array_buffer *array = &instance->tr->array_buffer;
	unsigned long pages = rnd(seed) % 2 ? 1 : rnd(seed) % 64;
	unsigned int cpu;

	if (array->buffer)
		ring_buffer_free(array->buffer);
	array->buffer = ring_buffer_alloc(pages * 4080, rnd(seed) % 2 ? RB_FL_OVERWRITE : 0);
	CHECK(array->buffer);
	instance->consumed = rnd(seed) % 3;
	begin_change(&instance->common.version);
	set_on(instance, rnd(seed) % 8);
	store_cpus(instance, ~0ULL);
	for (cpu = 0; cpu < options.cpus; cpu++)
		set_cpu(instance, cpu, rnd(seed) % 8);
	set_pids(instance, any_pids(seed));
	end_change(&instance->common.version);
}

/* Give an event some users, and perhaps let it begin without any. */
static void set_event(unsigned int event, u64 *seed)
{
	static const unsigned int users[] = { 1, 1, 2, INSTANCES };
	unsigned int tries;

	events[event].users_max = users[rnd(seed) % ARRAY_SIZE(users)];
	if (nr_users(event) > events[event].users_max || rnd(seed) % 2) {
		remove_users(event, seed);
		if (rnd(seed) % 2) {
			shim_unlock(&trace_event_mutex.locked);
			shim_run_work();
			shim_lock(&trace_event_mutex.locked);
		}
	}
	for (tries = 0; tries < 2 * events[event].users_max; tries++)
		change_user(&instances[rnd(seed) % INSTANCES], event, seed);
	set_perf(event, rnd(seed) % 4 == 0, seed);
}

void settings_begin_phase(u64 *seed)
{
	unsigned int i;

	guard(mutex)(&trace_event_mutex);
	for (i = 0; i < INSTANCES; i++)
		set_buffer(&instances[i], seed);
	for (i = 0; i < EVENTS; i++)
		set_event(i, seed);
}

void settings_init(void)
{
	static const char *const names[EVENTS] = { "two_tasks", "usual", "switched", "marker" };
	struct instance *instance;
	unsigned int i;

	for (i = 0; i < INSTANCES; i++) {
		instance = &instances[i];
		instance->tr = calloc(1, sizeof(*instance->tr));
		CHECK(instance->tr);
		instance->tr->ref = i;
		instance->tr->events = &instance->events;
		instance->tr->options = BIT_ULL(TRACE_OPT_STACKTRACE);
		instance->events.pids.wanted = alloc_percpu(struct task_struct *);
		CHECK(instance->events.pids.wanted);
	}
	for (i = 0; i < EVENTS; i++) {
		events[i].tp.name = names[i];
		events[i].call.tp = &events[i].tp;
		events[i].call.flags = TRACE_EVENT_FL_TRACEPOINT;
		events[i].call.class = i == SWITCHED_EVENT ? &switched_class : &usual_class;
		events[i].call.event.type = TRACE_FIRST_EVENT_TYPE + i;
		events[i].call.other_pid = offsetof(struct sample, other_pid);
		if (i != MARKER_EVENT)
			list_add_tail(&events[i].call.list, &trace_event_calls);
	}
}

/* Remove all, and free it; ASan looks for memory that is left. */
void settings_end(void)
{
	unsigned int i;
	u64 seed = 1;

	shim_lock(&trace_event_mutex.locked);
	for (i = 0; i < EVENTS; i++)
		remove_users(i, &seed);
	shim_unlock(&trace_event_mutex.locked);
	shim_run_work();
	shim_lock(&trace_event_mutex.locked);
	for (i = 0; i < EVENTS; i++) {
		CHECK(!events[i].tp.probe, "%s is still attached", events[i].tp.name);
		trace_event_users_end(&events[i].call);
	}
	shim_unlock(&trace_event_mutex.locked);
	shim_rcu_barrier();
	for (i = 0; i < INSTANCES; i++) {
		ring_buffer_free(instances[i].tr->array_buffer.buffer);
		free_percpu(instances[i].events.pids.wanted);
		free(instances[i].tr);
	}
}
