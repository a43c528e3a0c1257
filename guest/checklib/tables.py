# SPDX-License-Identifier: GPL-2.0
"""
Checks the tables of guest/tests: a row that matches nothing fails, as something was renamed. And
checks that no line below guest/ is longer than CONTRIBUTING allows.
"""

import fnmatch
import glob
import os
import subprocess

from . import STOCK, TOP, chance, read_lines, results, rows, table, turns
from .judges import Case, stock_results, verdict

WIDTH = 100  # columns of a line below guest/
ANY_WIDTH = (".md", ".tsv", ".sha256", ".pyc", "/pending", "/flaky", "/counts", "/turns",
             "/oracle", "/nmi")  # the last two for now


def suite_runs():
    """All (architecture-kernel, case) that rows of the suites have, also as in an instance."""
    found = set()
    for job in rows.all_jobs():
        for case in job.cases:
            kernel = f"{job.arch}-{job.kernel}"
            found |= {(kernel, case), (kernel, case + "@instance")}
    return found


def oracle_lines():
    """All (section, line) of stock's answers."""
    names = sorted(file[:-4] for file in os.listdir(f"{STOCK}/oracle"))
    return [(name, line) for name in names for line in read_lines(f"{STOCK}/oracle/{name}.txt")]


def unused_pending():
    runs, lines = suite_runs(), oracle_lines()
    for where, what, _ in table("pending"):
        if where.endswith(" suite"):
            used = any(fnmatch.fnmatchcase(f"{kernel} suite", where)
                       and fnmatch.fnmatchcase(case, what) for kernel, case in runs)
        else:
            used = any(fnmatch.fnmatchcase(f"{arch} oracle/{name}", where)
                       and fnmatch.fnmatchcase(line, what)
                       for arch in ("arm64", "riscv") for name, line in lines)
        if not used:
            yield f"pending: nothing is like \"{where} | {what}\""


def unused_why():
    """Rows of stock/why that explain no answer of stock's."""
    answers = {arch: {**stock_results(arch), **stock_results(arch, "tcp-ao", "tcp-ao ")}
               for arch in ("arm64", "riscv", "um")}
    for where, what, _ in table("stock/why") if os.path.exists(f"{STOCK}/why") else []:
        if not any(fnmatch.fnmatchcase(arch, where) and fnmatch.fnmatchcase(case, what)
                   and got != "PASS"
                   for arch, said in answers.items() for case, got in said.items()):
            yield f"stock/why: stock passes \"{where} | {what}\", or does not know it"


def unknown_names():
    jobs = rows.all_jobs()
    groups = {job.turn for job in jobs}
    keys = {job.key for job in jobs}
    keys |= {f"{job.arch}-{job.kernel}/kernel" for job in jobs if job.kernel}
    for group in turns.read().keys() - groups:
        yield f"turns: there is no group {group}"
    for key in results.counts().keys() - keys:
        yield f"counts: there is no row {key}"
    for case, *_ in table("flaky"):
        if not any(fnmatch.fnmatchcase(key, case.partition(":")[0]) for key in keys):
            yield f"flaky: there is no row {case.partition(':')[0]}"


def unused_globs():
    """Globs of rows.toml that match no case, file or row."""
    said = rows.described()
    cases = {"base": rows.base_cases(), "ours": [*rows.our_cases()]}
    globs = [("base", what) for name in ("each", "counted", "um") for what in said[f"base_{name}"]]
    globs += [(row["suite"], what) for row in said["row"] if "suite" in row
              for what in row.get("cases", []) + row.get("except", [])]
    for suite, what in globs:
        if not any(fnmatch.fnmatchcase(case, what) for case in cases[suite]):
            yield f"rows.toml: no case of {suite} is like {what}"
    files = subprocess.run(["git", "-c", "safe.directory=*", "-C", TOP, "ls-files"],
                           capture_output=True, text=True, check=True)
    for path, patterns in said["quick"].items():
        if not any(fnmatch.fnmatchcase(file, path) for file in files.stdout.splitlines()):
            yield f"rows.toml: no file is like {path}"
        for pattern in patterns:
            if not rows.select(rows.ARCHS, [pattern]):
                yield f"rows.toml: nothing is called {pattern}"


def uncounted():
    """Suites with fewer cases than is pinned; rows of each run that are not."""
    for job in rows.all_jobs():
        number, pinned = rows.number_of_cases(job), results.counts().get(job.key, (0, 0))[0]
        if job.cases and number < pinned:
            yield f"counts: {job.key} has {number} cases, not {pinned}: guest/check --count"
        if not pinned and not job.long and not job.group:
            yield f"counts: {job.key} is missing: guest/check --count adds it"


def wide_lines():
    for path in sorted(glob.glob(f"{TOP}/guest/**", recursive=True)):
        name = os.path.relpath(path, TOP)
        if os.path.isfile(path) and not name.endswith(ANY_WIDTH) and "/stock/" not in name:
            for number, line in enumerate(read_lines(path), 1):
                if len(line.expandtabs(8)) > WIDTH:
                    yield f"{name}:{number}: more than {WIDTH} columns"


def check():
    """The cases of the row "tables"."""
    return [Case(name, verdict(not wrong), "\n".join(wrong), fatal=True) for name, wrong in (
        ("pending", list(unused_pending())), ("why", list(unused_why())),
        ("names", [*unknown_names(), *unused_globs()]), ("counts", list(uncounted())),
        ("flaky", chance.complaints()), ("width", list(wide_lines())))]
