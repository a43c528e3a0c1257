# SPDX-License-Identifier: GPL-2.0
"""
What came of each case, in build/check/results.tsv, and what guest/tests/counts expects.

results.tsv has a line for each case of each run: commit, row, case, verdict, seconds, tries.
guest/tests/counts has, for each row, how many cases it has and how many seconds it took when that
was written: a row with fewer cases has lost some, and the seconds say how long a run will take.
"""

import csv
import functools
import os
import subprocess
import threading

from . import TESTS, TOP, WORK, keep_comments, table, write_lines

PATH = os.path.join(WORK, "results.tsv")
FIELDS = ["commit", "row", "case", "verdict", "seconds", "tries"]
lock = threading.Lock()


@functools.cache
def commit():
    """The commit, with "+" if the tree differs from it."""
    git = ["git", "-c", "safe.directory=*", "-C", TOP]
    head = subprocess.run([*git, "rev-parse", "--short=12", "HEAD"], stdout=subprocess.PIPE, text=True).stdout.strip()
    return head + ("+" if subprocess.run([*git, "diff", "--quiet", "HEAD"]).returncode else "")


def record(key, cases, took):
    """Append the cases of a row; the row itself is a line whose case is empty."""
    with lock:
        os.makedirs(WORK, exist_ok=True)
        new = not os.path.exists(PATH)
        with open(PATH, "a", newline="") as file:
            write = csv.writer(file, delimiter="\t", lineterminator="\n").writerow
            if new:
                write(FIELDS)
            outcome = "fail" if any(case.verdict == "fail" for case in cases) else "pass"
            write([commit(), key, "", outcome, round(took, 1), max([case.tries for case in cases], default=1)])
            for case in cases:
                write([commit(), key, case.name, case.verdict, case.seconds, case.tries])


def rows():
    if not os.path.exists(PATH):
        return []
    with open(PATH, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def passed_before():
    """The rows that passed for this commit, so that check-long can go on behind them."""
    return {row["row"] for row in rows() if row["commit"] == commit() and row["case"] == "" and row["verdict"] == "pass"}


def failed_last():
    """Patterns for the cases that failed when they were run last."""
    last = {}
    for row in rows():
        last[row["row"], row["case"]] = row["verdict"]
    return [f"{row}:{case}" for (row, case), verdict in last.items() if case and verdict == "fail"]


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


def write_counts(ran, exist):
    """Write guest/tests/counts anew: {row: (cases, seconds)} of what ran; rows that exist no more go."""
    known = {key: value for key, value in counts().items() if key in exist}
    lines = [f"{key} | {number} | {took:.0f}" for key, (number, took) in sorted({**known, **ran}.items())]
    write_lines(os.path.join(TESTS, "counts"), [*keep_comments("counts"), *lines])
