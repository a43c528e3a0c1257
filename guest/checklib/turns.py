# SPDX-License-Identifier: GPL-2.0
"""
Groups of rows that need not run each time, and when each passed last.

guest/tests/turns has a row for each group, and for each row of check-long. A run of the check
takes those that passed longest ago and fit. A group that never passed, or is older than OLDEST
days, is overdue and must run: guest/check says how many in a run. Days are those of commits, so
that a checkout gives the same answer at any time. A run writes the file anew. Commit that before
the next whole run, not after the last one: whoever checks the commit takes the same groups then.
"""

import datetime
import functools
import os
import subprocess

from . import TESTS, TOP, keep_comments, table, write_lines

OLDEST = 7  # days
NEVER = "2000-01-01"
UNKNOWN = 600  # seconds for a group of which nobody knows how long it takes


@functools.cache
def today():
    """The date of the commit."""
    said = subprocess.run(["git", "-c", "safe.directory=*", "log", "-1", "--format=%cs"], cwd=TOP,
                          stdout=subprocess.PIPE, text=True)
    return said.stdout.strip() or datetime.date.today().isoformat()


def age(date):
    """Days from a date to that of the commit."""
    return (datetime.date.fromisoformat(today()) - datetime.date.fromisoformat(date)).days


def read():
    """{group: (date on which it passed last, seconds it took)}"""
    return {group: (date, int(seconds)) for group, date, seconds in table("turns")}


def passed(groups):
    """Note that groups have passed: {group: seconds}."""
    rows = {**read(), **{group: (today(), round(seconds)) for group, seconds in groups.items()}}
    lines = [f"{group} | {date} | {seconds}" for group, (date, seconds) in sorted(rows.items())]
    write_lines(os.path.join(TESTS, "turns"), [*keep_comments("turns"), *lines])


def last(group):
    """The date on which it passed last, and the seconds it took."""
    return read().get(group, (NEVER, 0))


def said(group):
    return f"passed last on {last(group)[0]}" if group in read() else "no pass recorded"


def in_order(groups):
    """Groups, whose turn it is longest first."""
    return sorted(groups, key=lambda group: (last(group)[0], group))


def seconds(group):
    """How long its rows took when it passed last."""
    return last(group)[1] or UNKNOWN


def overdue(group):
    return age(last(group)[0]) > OLDEST
