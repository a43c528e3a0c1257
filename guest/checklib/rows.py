# SPDX-License-Identifier: GPL-2.0
"""
Rows, and the test cases of each row.

A row is a set of tests that `make check` runs in one guest: guest/tests/rows.toml describes the
rows. A case of our suite says in its own header on which kernels and architectures it runs. This
module combines both: a Job is one row on one architecture and kernel, with its cases.
"""

import dataclasses
import fnmatch
import functools
import glob
import os
import re
import subprocess
import tomllib

from . import TESTS, TOP

OUR_CASES = os.path.join(TOP, "tools/testing/selftests/ftrace/test.d")
ALL_CASES = os.path.join(TOP, "build/linux/tools/testing/selftests/ftrace/test.d")
ARCHS = ["arm64", "riscv", "um", "x86_64"]
WITH_SITES = ["arm64", "riscv"]  # architectures that have function tracing
COUNTED = "shift=2,sleep=off"  # QEMU's -icount: time that a busy host does not change
HEADER = re.compile(r"^# (kernels|archs|time): (.*)$", re.M)
# The words that a header may have
WORDS = {
    "kernels": {name[:-7] for name in glob.glob("*.config", root_dir=f"{TOP}/guest/configs")},
    "archs": {"any", "arm64", "riscv"},
    "time": {"counted", "slow"},
}
FIELDS = {"name", "archs", "kernels", "judge", "command", "suite", "which", "cases", "except",
          "stress", "setup", "counted", "turn", "long", "dies", "for", "smp", "append", "timeout",
          "packages", "files", "machine", "cpu", "qemu", "host", "env", "any_kernel"}


@dataclasses.dataclass(frozen=True)
class Job:
    name: str
    arch: str
    kernel: str  # configuration; "" if none is needed
    judge: str
    command: str
    cases: tuple = ()  # of a suite
    narrow: str = ""  # a glob of the cases that are asked for; "": all
    counted: bool = False
    smp: int = 2
    append: str = ""
    timeout: int = 300
    group: str = ""  # the turn that it belongs to; "": it runs each time
    long: bool = False
    dies: bool = False
    host: bool = False
    packages: str = ""
    files: str = ""  # a program of guest/ that adds files to the guest's
    machine: str = ""
    cpu: str = ""
    qemu: str = ""
    env: tuple = ()

    @property
    def key(self):
        return "/".join(("-".join(filter(None, (self.arch, self.kernel))), self.name))

    @property
    def turn(self):
        """Its row of guest/tests/turns, or ""."""
        return self.key if self.long else self.group

    def of(self, cases):
        """The same job with other cases of its suite."""
        return dataclasses.replace(self, cases=tuple(cases))


@functools.cache
def described():
    with open(os.path.join(TESTS, "rows.toml"), "rb") as file:
        return tomllib.load(file)


@functools.cache
def our_cases():
    """{case: what its header says}. A case that does not say well where it runs is an error."""
    cases = {}
    for path in sorted(glob.glob(f"{OUR_CASES}/**/*.tc", recursive=True)):
        with open(path) as file:
            header = {key: value.split() for key, value in HEADER.findall(file.read(4096))}
        name = os.path.relpath(path, OUR_CASES)
        if not header.get("kernels") or not header.get("archs"):
            raise SystemExit(f"check: {name}: no \"# kernels:\" or no \"# archs:\" in its header")
        for key, words in header.items():
            if wrong := set(words) - WORDS[key]:
                raise SystemExit(f"check: {name}: \"# {key}:\" does not know {', '.join(wrong)}")
        cases[name] = header
    return cases


@functools.cache
def base_cases():
    """The cases of the base's suite, as the tree has them beside ours."""
    paths = glob.glob(f"{ALL_CASES}/**/*.tc", recursive=True)
    return sorted({os.path.relpath(path, ALL_CASES) for path in paths} - our_cases().keys())


def matches(name, globs):
    return any(fnmatch.fnmatchcase(name, pattern) for pattern in globs)


def on_each(case, said, suite):
    """Does it run on both architectures, or is one enough?"""
    if suite == "base":
        return matches(case, described()["base_each"])
    return said["archs"] != ["any"]


def suite_cases(row, arch, kernel):
    """
    [(case, what its time is: "", "counted", "slow" or both)] of a row of a suite. UML does not
    count: it is not emulated. Without function tracing, the cases are those of UML.
    """
    found, sites = [], arch in WITH_SITES
    home = kernel if sites else "um"
    if row["suite"] == "base":
        for case in base_cases():
            if sites or matches(case, described()["base_um"]):
                counted = matches(case, described()["base_counted"])
                found.append((case, None, "counted" if counted else ""))
    else:
        for case, said in our_cases().items():
            at_home = said["archs"] == ["any"] or not sites or arch in said["archs"]
            if at_home and (row.get("any_kernel") or home in said["kernels"]):
                found.append((case, said, " ".join(sorted(said.get("time", [])))))
    return [(case, "" if arch == "um" else time) for case, said, time in found
            if matches(case, row.get("cases", ["*"])) and not matches(case, row.get("except", []))
            and row.get("which", "all") in (
                "all", "each" if on_each(case, said, row["suite"]) else "any")]


def number_of_cases(job):
    """
    How many a row of a suite has, by their headers: some run in an instance, too. None for other
    rows.
    """
    if not job.cases:
        return None
    number = 0
    for case in job.cases:
        with open(os.path.join(ALL_CASES, case)) as file:
            number += 2 if re.search(r"^#[ \t]*flags:.*instance", file.read(4096), re.M) else 1
    return number


@functools.cache
def seed():
    """A number for the fuzzer that differs from commit to commit, or the one that is asked for."""
    if os.environ.get("FUZZ_SEED"):
        return os.environ["FUZZ_SEED"]
    head = subprocess.run(["git", "-c", "safe.directory=*", "rev-parse", "HEAD"], cwd=TOP,
                          stdout=subprocess.PIPE, text=True)
    return str(int(head.stdout[:6] or "1", 16))


def filled_in(value, words):
    """@NAME@ and the words of "for", in a string or in all strings of a row."""
    if isinstance(value, dict):
        return {key: filled_in(part, words) for key, part in value.items()}
    if not isinstance(value, str):
        return value
    strings = {**described()["strings"], "seed": seed()}
    value = re.sub(r"@(\w+)@", lambda found: strings[found[1]], value)
    for word, stands_for in words.items():
        value = value.replace(word, stands_for)
    return value


def jobs_of(row, arch, kernel):
    """
    One job; of a suite up to four: NAME-counted has the cases that count time, NAME-slow those that
    take long.
    """
    always = not kernel or f"{arch}-{kernel}" in described()["always"]
    turn = row.get("turn") or ("" if always else kernel)
    long = row.get("long", False) or f"{arch}-{kernel}" in described()["new"]
    group = "" if long or not turn else turn if arch == "host" else f"{arch}-{turn}"
    common = {
        "arch": arch, "kernel": kernel, "judge": row.get("judge", "suite"), "long": long,
        "smp": int(row.get("smp", 2)), "host": row.get("host", arch == "host"),
        "env": tuple(row.get("env", {}).items()),
        **{name: row[name] for name in (
            "append", "timeout", "dies", "packages", "files", "machine", "cpu", "qemu")
           if name in row}}
    if "suite" not in row:
        return [Job(name=row["name"], command=row["command"], counted=row.get("counted", False),
                    group=group, **common)]
    before = f"{row['setup']} && " if "setup" in row else ""
    stress = f"FTRACE_STRESS={row['stress']} " if "stress" in row else ""
    command = f"{before}{stress}sh /tests/kselftest"
    found = suite_cases(row, arch, kernel)
    # Slow ones take a turn of their own.
    apart = always and not long and (not group or turn == "generic")
    jobs = []
    if not apart:
        found = [(case, its.replace("slow", "").strip()) for case, its in found]
    for time in ("", "counted", "slow", "counted slow"):
        cases = tuple(case for case, its in found if its == time)
        if cases:
            jobs.append(Job(name="-".join([row["name"], *time.split()]), command=command,
                            cases=cases, counted="counted" in time,
                            group=f"{arch}-slow" if "slow" in time else group, **common))
    return jobs


@functools.cache
def all_jobs():
    """Every row on each of its architectures and kernels. No two have the same key."""
    jobs = []
    for row in described()["row"]:
        if unknown := row.keys() - FIELDS:
            raise SystemExit(f"check: rows.toml: {row.get('name')}: "
                             f"unknown {', '.join(sorted(unknown))}")
        [(word, values)] = row.get("for", {"": [""]}).items()
        for value in values:
            one = {key: filled_in(part, {word: value} if word else {}) for key, part in row.items()}
            for arch in one["archs"]:
                for kernel in one.get("kernels", [""]):
                    jobs += jobs_of(one, arch, kernel)
    keys = [job.key for job in jobs]
    if twice := {key for key in keys if keys.count(key) > 1}:
        raise SystemExit(f"check: rows.toml: twice: {', '.join(sorted(twice))}")
    return jobs


def narrowed(job, pattern):
    """The job, if a pattern of TESTS= means it: ROW, KERNEL/ROW, each with :CASES; or None."""
    row, _, cases = pattern.removesuffix("@instance").partition(":")
    if not fnmatch.fnmatchcase(job.key if "/" in row else job.name, row):
        return None
    if cases.endswith(".tc") and not job.cases:
        return None
    if cases and job.cases:
        chosen = [case for case in job.cases if fnmatch.fnmatchcase(case, cases)]
        return dataclasses.replace(job, cases=tuple(chosen), narrow=cases) if chosen else None
    return dataclasses.replace(job, narrow=cases)


def merged(job, asked):
    """One job of what several patterns ask of the same row."""
    narrow = asked[0].narrow if len({found.narrow for found in asked}) == 1 else ""
    chosen = {case for found in asked for case in found.cases}
    if job.cases and len(chosen) < len(job.cases):
        narrow = narrow or "*"
    cases = tuple(case for case in job.cases if case in chosen)
    return dataclasses.replace(job, cases=cases, narrow=narrow)


def select(archs, patterns):
    """The jobs of some architectures that patterns mean; without patterns, all."""
    found = [(job, list(filter(None, (narrowed(job, pattern) for pattern in patterns or ["*"]))))
             for job in all_jobs() if job.arch in (*archs, "host")]
    return [merged(job, asked) for job, asked in found if asked]
