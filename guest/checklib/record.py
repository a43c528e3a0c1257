# SPDX-License-Identifier: GPL-2.0
"""`guest/check --record`: runs our tests on the stock kernel, and keeps its answers."""

import sys

from . import STOCK, write_lines
from .guests import build_kernel, run_guest
from .judges import sections, suite_results, tcp_ao_results
from .rows import OUR_CASES, Job, all_jobs, base_cases

# Stock traces no functions on riscv with PREEMPT.
CONFIG = {"arm64": "default", "riscv": "voluntary"}
ARCHS = [*CONFIG, "um"]
# Our cases that compare with what stock said: where their answers are.
ANSWERS = {"garbage": "control", "answers": "select"}
# Sections of the oracle that each architecture is asked, as it has events of its own; with the
# configuration of the row, on which the events depend as well.
ARCH_SECTIONS = ["event_formats"]
ARCH_CONFIG = "default"


def build(arch, kernel):
    if error := build_kernel(arch, kernel, "1"):
        sys.exit(f"check: {error}")


def ask(arch, command, cases=(), kernel=None):
    job = Job(name="record", arch=arch, kernel=kernel or CONFIG[arch], judge="suite",
              command=command, cases=tuple(cases), timeout=14400)
    return output_of(job)


def output_of(job):
    result = run_guest(job, stock="1")
    if result.status:
        sys.exit(f"check: stock on {job.arch}: {result.message}")
    return result.output


def record_suite(arch):
    results = suite_results(ask(arch, "sh /tests/kselftest", base_cases()))
    write_lines(f"{STOCK}/kselftest.{arch}.txt",
                [f"{got or 'FAIL'} {name}" for name, (got, *_) in results.items()])


def record_arch_sections(arch):
    """Record the sections whose answers depend on the architecture."""
    build(arch, ARCH_CONFIG)
    command = f"sh /tests/oracle {' '.join(ARCH_SECTIONS)}"
    for name, lines in sections(ask(arch, command, kernel=ARCH_CONFIG)).items():
        write_lines(f"{STOCK}/oracle/{name}.{arch}.txt", lines)


def record_answers(arch):
    """Record, on one architecture, the sections whose answers are the same on each."""
    for name, lines in sections(ask(arch, "sh /tests/oracle")).items():
        write_lines(f"{STOCK}/oracle/{name}.txt", lines)
    for case, where in ANSWERS.items():
        said = ask(arch, f"export FTRACE_RECORD=/tmp/{case}; "
                         f"sh /tests/kselftest {where}/{case}.tc; "
                         f"echo BEGIN {case}; cat /tmp/{case}; echo END {case}")
        write_lines(f"{OUR_CASES}/{where}/{case}.expected", sections(said)[case])


def record_tcp_ao():
    """Record the base's suite net/tcp_ao, on the kernel of its row."""
    [row] = (job for job in all_jobs() if (job.arch, job.judge) == ("arm64", "tcp_ao"))
    build(row.arch, row.kernel)
    write_lines(f"{STOCK}/tcp-ao.arm64.txt",
                [f"{got} {name}" for name, got in tcp_ao_results(output_of(row)).items()])


def record_row(arch):
    """Record the sections that the row of an architecture names: it has no others."""
    [row] = (job for job in all_jobs() if (job.arch, job.judge) == (arch, "oracle"))
    build(arch, row.kernel)
    for name, lines in sections(output_of(row)).items():
        write_lines(f"{STOCK}/oracle/{name}.{arch}.txt", lines)


def record(archs):
    for arch in archs:
        if arch not in CONFIG:
            record_row(arch)
            print(f"check: recorded stock on {arch}")
            continue
        build(arch, CONFIG[arch])
        record_suite(arch)
        if arch == "arm64":
            record_tcp_ao()
            record_answers(arch)
        else:
            record_arch_sections(arch)
        print(f"check: recorded stock on {arch}")
