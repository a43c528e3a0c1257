# SPDX-License-Identifier: GPL-2.0
"""Are the tables of guest/tests true? A row that means nothing is a failure: something was renamed."""

import fnmatch
import os

from . import STOCK, chance, read_lines, results, rows, table, turns
from .judges import Case, stock_results, verdict


def suite_runs():
    """All (architecture-kernel, case) that rows of the suites have; what runs in an instance too counts twice."""
    found = set()
    for job in rows.all_jobs():
        for case in job.cases:
            found |= {(f"{job.arch}-{job.kernel}", case), (f"{job.arch}-{job.kernel}", case + "@instance")}
    return found


def oracle_lines():
    """All (section, line) of stock's answers."""
    names = sorted(file[:-4] for file in os.listdir(f"{STOCK}/oracle"))
    return [(name, line) for name in names for line in read_lines(f"{STOCK}/oracle/{name}.txt")]


def unused_pending():
    runs, lines = suite_runs(), oracle_lines()
    for where, glob, _ in table("pending"):
        if where.endswith(" suite"):
            used = any(fnmatch.fnmatchcase(f"{kernel} suite", where) and fnmatch.fnmatchcase(case, glob) for kernel, case in runs)
        else:
            used = any(fnmatch.fnmatchcase(f"{arch} oracle/{name}", where) and fnmatch.fnmatchcase(line, glob)
                       for arch in ("arm64", "riscv") for name, line in lines)
        if not used:
            yield f"pending: nothing is like \"{where} | {glob}\""


def unused_why():
    """Rows of stock/why that explain no answer of stock's."""
    answers = {arch: stock_results(arch) for arch in ("arm64", "riscv", "um")}
    for where, glob, _ in table("stock/why") if os.path.exists(f"{STOCK}/why") else []:
        if not any(fnmatch.fnmatchcase(arch, where) and fnmatch.fnmatchcase(case, glob) and got != "PASS"
                   for arch, said in answers.items() for case, got in said.items()):
            yield f"stock/why: stock passes \"{where} | {glob}\", or does not know it"


def unknown_names():
    jobs = rows.all_jobs()
    groups = {job.group for job in jobs if job.group} | {job.key for job in jobs if job.long}
    keys = {job.key for job in jobs} | {f"{job.arch}-{job.kernel}/kernel" for job in jobs if job.kernel}
    for group in turns.read().keys() - groups:
        yield f"turns: there is no group {group}"
    for key in results.counts().keys() - keys:
        yield f"counts: there is no row {key}"
    for case, *_ in table("flaky"):
        if case.partition(":")[0] not in keys:
            yield f"flaky: there is no row {case.partition(':')[0]}"


def uncounted():
    """Rows that run each time and whose number of cases is not pinned, and suites that have fewer than that."""
    for job in rows.all_jobs():
        if not job.long and not job.group and job.key not in results.counts():
            yield f"counts: {job.key} is missing: guest/check --count adds it"
        if job.cases and (wrong := results.lost(job.key, rows.number_of_cases(job))):
            yield f"counts: {job.key}: {wrong}"


def check():
    """The cases of the row "tables"."""
    return [Case(name, verdict(not wrong), "\n".join(wrong), fatal=True) for name, wrong in (
        ("pending", list(unused_pending())), ("why", list(unused_why())), ("names", list(unknown_names())),
        ("counts", list(uncounted())), ("flaky", chance.complaints()))]
