# SPDX-License-Identifier: GPL-2.0
"""
The results of each case, in build/check/results.tsv, and the number of cases of each row that
guest/tests/counts expects.

results.tsv has a line for each case of each run: commit, row, case, verdict, seconds, tries.
guest/tests/counts has, for each row, the number of its cases and the seconds that a run took when
the line was written. A run with fewer cases is an error; the seconds predict the time of a run.
"""

import csv
import functools
import glob
import os
import subprocess
import threading

from . import TESTS, TOP, WORK, keep_comments, table, write_lines

GUESS = 8  # seconds for a case that nobody has timed
# Names of "cases" that stand for a row as a whole, if something went wrong with it
WHOLE = {"guest", "count", "plan", "check", "suite", "suites"}

PATH = os.path.join(WORK, "results.tsv")
FIELDS = ["commit", "row", "case", "verdict", "seconds", "tries"]
lock = threading.Lock()


@functools.cache
def commit():
    """The commit, with "+" if the tree differs from it. What runs write does not count."""
    head, differs = (
        subprocess.run(["git", "-c", "safe.directory=*", "-C", TOP, *args],
                       capture_output=True, text=True)
        for args in (["rev-parse", "--short=12", "HEAD"],
                     ["status", "--porcelain", "--", ".", ":!guest/tests/turns"]))
    return head.stdout.strip() + ("+" if differs.stdout or differs.returncode else "")


def record(key, cases, took, narrow=""):
    """Append a row, as a line whose case is "", or ":GLOB" of what was asked for; and its cases."""
    with lock:
        os.makedirs(WORK, exist_ok=True)
        new = not os.path.exists(PATH)
        with open(PATH, "a", newline="") as file:
            write = csv.writer(file, delimiter="\t", lineterminator="\n").writerow
            if new:
                write(FIELDS)
            outcome = "fail" if any(case.verdict == "fail" for case in cases) else "pass"
            write([commit(), key, narrow and f":{narrow}", outcome, round(took, 1),
                   max([case.tries for case in cases], default=1)])
            for case in cases:
                write([commit(), key, case.name, case.verdict, case.seconds, case.tries])


def rows():
    if not os.path.exists(PATH):
        return []
    with open(PATH, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def passed_before():
    """The rows that passed for this commit when they ran last: check-long can leave them out."""
    last = {row["row"]: row["verdict"] for row in rows()
            if row["commit"] == commit() and row["case"] == ""}
    return {row for row, verdict in last.items() if verdict == "pass"}


def pattern(key, case):
    """The pattern for TESTS= that runs a case, or a row as a whole, again."""
    return key if case in WHOLE else f"{key}:{glob.escape(case.removesuffix('@instance'))}"


def failed_last():
    """Patterns for the cases that failed when they were run last."""
    failed = {}  # in order
    for row in rows():
        key, case = row["row"], row["case"]
        if case == "" and row["verdict"] == "pass":  # all of it
            failed = {one: None for one in failed if one[0] != key}
        elif row["verdict"] == "fail" and case[:1] not in ("", ":"):
            failed[key, case] = None
        else:
            failed.pop((key, case), None)
    return list(dict.fromkeys(pattern(key, case) for key, case in failed))


# Counts

@functools.cache
def counts():
    """{row: (cases, seconds)}"""
    return {key: (int(number), float(took)) for key, number, took in table("counts")}


def expected(key, otherwise=60):
    """The seconds that a row will take."""
    return counts().get(key, (0, otherwise))[1]


def lost(key, number):
    """What is wrong with the number of cases of a row that was run whole, or None."""
    if number < counts().get(key, (0, 0))[0]:
        return f"{number} cases; guest/tests/counts says {counts()[key][0]}: some are gone"
    return None


def passed_last():
    """{row: (cases that were not skipped, seconds)} when it was run whole and passed last."""
    found, key = {}, None
    for row in rows():
        if row["case"] == "" or row["case"].startswith(":"):
            key = row["row"] if row["case"] == "" and row["verdict"] == "pass" else None
            if key:
                found[key] = 0, float(row["seconds"])
        elif key == row["row"]:
            found[key] = found[key][0] + (row["verdict"] != "skip"), found[key][1]
    return found


def write_counts(now):
    """
    Write guest/tests/counts anew. @now: {row: number of cases by their headers; None: only a run
    can tell}.
    """
    known = {**counts(), **passed_last()}
    lines = []
    for key in sorted({*now, *(key for key in known if key.endswith("/kernel"))}):
        number, took = known.get(key, (None, GUESS * (now.get(key) or 0)))
        number = now.get(key) or number
        if number:
            lines.append(f"{key} | {number} | {took:.0f}")
    write_lines(os.path.join(TESTS, "counts"), [*keep_comments("counts"), *lines])
