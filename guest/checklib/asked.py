# SPDX-License-Identifier: GPL-2.0
"""Reads the command line of guest/check: options, and the jobs that it asks for."""

import sys

from . import quick, results, rows
from .rows import ARCHS

OPTIONS = {"quick", "base", "long", "resume", "failed", "turn", "times", "torment", "list",
           "count", "record"}


def read(args, usage):
    """(options, architectures, patterns, are these all rows?)"""
    options = dict(arg[2:].partition("=")[::2] for arg in args if arg.startswith("--"))
    words = [arg.split() for arg in args if not arg.startswith("--")]
    if options.keys() - OPTIONS or len(words) > 2:
        sys.exit(usage)
    archs, patterns = (words + [[], []])[:2]
    if set(archs) - set(ARCHS):
        sys.exit(f"check: architectures are {', '.join(ARCHS)}; "
                 "tests come behind them, as in: guest/check '' kunit")
    if "torment" in options and not patterns:
        sys.exit("check: which case? TESTS=ROW:CASE")
    whole = not patterns and not options.keys() & {"quick", "failed", "turn"}
    return options, archs, patterns, whole


def jobs(options, archs, patterns, whole):
    """The jobs that are asked for. Exits if there is none, or if a pattern matches none."""
    if "quick" in options:
        archs, patterns = quick.patterns((archs or ["arm64"])[0], options.get("base") or "HEAD")
    archs = archs or ARCHS
    if "failed" in options:  # a case that no longer exists counts as fixed
        patterns = [pattern for pattern in results.failed_last() if rows.select(archs, [pattern])]
        if not patterns:
            sys.exit("check: no row failed when it ran last")
    nothing = [pattern for pattern in patterns if not rows.select(archs, [pattern])]
    if nothing and "quick" not in options:
        sys.exit(f"check: nothing is called {', '.join(nothing)}; "
                 "make check LIST=1 shows the rows and cases")
    if nothing:
        print("check: for another kernel than this one:", *nothing)
    # "*:CASE" does not mean rows that take hours.
    short = whole or all(pattern.startswith("*:") for pattern in patterns)
    found = [job for job in rows.select(archs, patterns)
             if "long" in options or not job.long or not short]
    if "turn" in options:
        found = [job for job in found if job.group == options["turn"]]
        if not found:
            sys.exit(f"check: none of these rows is in {options['turn']}; "
                     "make check LIST=1 shows the groups")
    if "resume" in options:
        if results.commit().endswith("+"):  # nobody knows which changes
            sys.exit("check: --resume needs a tree without changes: commit them")
        passed = results.passed_before()
        found = [job for job in found if job.key not in passed]
    if not found:
        sys.exit("check: there is nothing left to do")
    return found
