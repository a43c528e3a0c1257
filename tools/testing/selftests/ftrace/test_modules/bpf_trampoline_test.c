// SPDX-License-Identifier: GPL-2.0
/*
 * BPF programs at the entry and exit of user_statfs(), for kernels that do not load such programs
 * for users (CONFIG_BPF_EVENTS). This module compiles and attaches them as the system call does:
 * only the system call and the verifier are left out.
 *
 * The programs are attached when 1 is written to the parameter "attached", and detached when 0 is.
 * "entries" and "exits" count how often they have run since they were attached.
 *
 * The kernel does not export the functions that attach programs, so the module looks them up by
 * name.
 */
#include <linux/array_size.h>
#include <linux/bpf.h>
#include <linux/bug.h>
#include <linux/err.h>
#include <linux/filter.h>
#include <linux/kprobes.h>
#include <linux/kstrtox.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/rcupdate.h>
#include <linux/string.h>

#define FUNCTION	"user_statfs"
#define KEY		(~0ULL) /* of the trampoline; no function of a BTF has this key */

enum { ENTRY, EXIT, PROGRAMS };

static unsigned long long calls[PROGRAMS];
module_param_named(entries, calls[ENTRY], ullong, 0444);
module_param_named(exits, calls[EXIT], ullong, 0444);

static const enum bpf_attach_type types[PROGRAMS] = {
	[ENTRY]	= BPF_TRACE_FENTRY,
	[EXIT]	= BPF_TRACE_FEXIT,
};

static typeof(bpf_trampoline_get) *get;
static typeof(bpf_trampoline_put) *put;
static typeof(bpf_trampoline_link_prog) *link_prog;
static typeof(bpf_trampoline_unlink_prog) *unlink_prog;

static struct bpf_attach_target_info target = {
	.fmodel = {
		.ret_size	= sizeof(int),
		.ret_flags	= BTF_FMODEL_SIGNED_ARG,
		.nr_args	= 2,
		.arg_size	= { sizeof(void *), sizeof(void *) },
	},
	.tgt_name = FUNCTION,
};
static struct bpf_trampoline *trampoline; /* while programs are attached */
static struct bpf_tramp_link links[PROGRAMS];

/* Adds 1 to a counter. */
static struct bpf_prog *make_program(enum bpf_attach_type type, unsigned long long *counter)
{
	const struct bpf_insn insns[] = {
		BPF_LD_IMM64(BPF_REG_1, (unsigned long)counter),
		BPF_MOV64_IMM(BPF_REG_2, 1),
		BPF_ATOMIC_OP(BPF_DW, BPF_ADD, BPF_REG_1, BPF_REG_2, 0),
		BPF_MOV64_IMM(BPF_REG_0, 0),
		BPF_EXIT_INSN(),
	};
	struct bpf_prog *prog = bpf_prog_alloc(bpf_prog_size(ARRAY_SIZE(insns)), 0);
	int err;

	if (!prog)
		return ERR_PTR(-ENOMEM);
	memcpy(prog->insnsi, insns, sizeof(insns));
	prog->len = ARRAY_SIZE(insns);
	prog->type = BPF_PROG_TYPE_TRACING;
	prog->expected_attach_type = type;
	prog = bpf_prog_select_runtime(prog, &err);
	if (!err && !prog->jited)
		err = -EOPNOTSUPP;
	if (err) {
		bpf_prog_free(prog);
		return ERR_PTR(err);
	}
	return prog;
}

static int attach_program(int which)
{
	struct bpf_tramp_link *link = &links[which];
	struct bpf_prog *prog = make_program(types[which], &calls[which]);
	int err;

	if (IS_ERR(prog))
		return PTR_ERR(prog);
	calls[which] = 0;
	link->link.prog = prog;
	err = link_prog(link, trampoline, NULL);
	if (err) {
		link->link.prog = NULL;
		bpf_prog_free(prog);
	}
	return err;
}

/*
 * Detach the programs that are attached, and wait until no task is about to call them. If a program
 * cannot be detached, warn, and do not free it.
 */
static void detach(void)
{
	if (!trampoline)
		return;
	for (int i = 0; i < PROGRAMS; i++)
		if (links[i].link.prog && WARN_ON(unlink_prog(&links[i], trampoline, NULL)))
			links[i].link.prog = NULL;
	put(trampoline);
	trampoline = NULL;
	synchronize_rcu_tasks();
	for (int i = 0; i < PROGRAMS; i++) {
		if (links[i].link.prog)
			bpf_prog_free(links[i].link.prog);
		links[i].link.prog = NULL;
	}
}

static int attach(void)
{
	int err = 0;

	if (trampoline)
		return -EBUSY;
	trampoline = get(KEY, &target);
	if (!trampoline)
		return -ENOMEM;
	for (int i = 0; i < PROGRAMS && !err; i++)
		err = attach_program(i);
	if (err)
		detach();
	return err;
}

static int set_attached(const char *text, const struct kernel_param *param)
{
	bool on;
	int err = kstrtobool(text, &on);

	if (err)
		return err;
	/*
	 * The parameter has no effect before the module is loaded, nor while it is being unloaded.
	 */
	if (THIS_MODULE->state != MODULE_STATE_LIVE)
		return -EAGAIN;
	if (on)
		return attach();
	detach();
	return 0;
}

static const struct kernel_param_ops attached_ops = { .set = set_attached };
module_param_cb(attached, &attached_ops, NULL, 0200);

/* Find kallsyms_lookup_name(), which finds all others, by the address of a kprobe on it. */
static typeof(kallsyms_lookup_name) *find_lookup(void)
{
	struct kprobe probe = { .symbol_name = "kallsyms_lookup_name" };
	void *lookup;

	if (register_kprobe(&probe))
		return NULL;
	lookup = probe.addr;
	unregister_kprobe(&probe);
	return lookup;
}

static int __init bpf_trampoline_test_init(void)
{
	typeof(kallsyms_lookup_name) *lookup = find_lookup();

	if (!lookup)
		return -ENOENT;
	get = (void *)lookup("bpf_trampoline_get");
	put = (void *)lookup("bpf_trampoline_put");
	link_prog = (void *)lookup("bpf_trampoline_link_prog");
	unlink_prog = (void *)lookup("bpf_trampoline_unlink_prog");
	target.tgt_addr = lookup(FUNCTION);
	return get && put && link_prog && unlink_prog && target.tgt_addr ? 0 : -ENOENT;
}

static void __exit bpf_trampoline_test_exit(void)
{
	kernel_param_lock(THIS_MODULE);
	detach();
	kernel_param_unlock(THIS_MODULE);
}

module_init(bpf_trampoline_test_init);
module_exit(bpf_trampoline_test_exit);
MODULE_DESCRIPTION("BPF programs beside tracers");
MODULE_LICENSE("GPL");
