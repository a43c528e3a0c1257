# SPDX-License-Identifier: GPL-2.0
"""
Decides whether a failed case is a failure, or FLAKY.

A splat, a hang, a broken plan or a row of the host fails at once. Any other failed case runs
again in fresh guests, beside other rows: once with the same seed and after the case that came
before it (whose effects may have lasted), then alone. If it fails once more, it is a failure. If it
passes each time, it is flaky: it counts as passed, but the summary names it, its logs are kept, and
guest/tests/flaky has to name it until it is fixed.

Three more runs, not one: a bug that shows in half of the runs is missed by one more run in a
quarter of the cases, by three in a sixteenth. A case that belongs to no suite runs again as a whole
row, and less often if that takes long.
"""

import dataclasses
import fnmatch
import time
import zlib

from . import table
from .guests import logs_of, run_job, seed_of
from .judges import judge
from .turns import age

RUNS = 3  # of a case that failed, at most
# Seconds: a row that is not a suite runs RUNS times if it takes up to the first; beyond the second,
# once.
WHOLE = 80, 120
AT_MOST_IN_ROW = 3  # failed cases that may be chance
AT_MOST_IN_RUN = 3  # flaky ones in a run of the check
MOST_KNOWN, OLDEST = 8, 14  # rows of guest/tests/flaky, and their age in days


def attempts(job, case, before, took):
    """The jobs that run a failed case again; @before ran before it."""
    if not job.cases:
        return [job] * (RUNS if took <= WHOLE[0] else 2 if took <= WHOLE[1] else 1)
    name, before = (one.removesuffix("@instance") for one in (case.name, before))
    both = [before, name] if before and before != name else [name]
    return [with_seed(job.of(both), seed_of(job))] + [job.of([name])] * (RUNS - 1)


def with_seed(job, seed):
    """The same job with the same addresses and random numbers."""
    return dataclasses.replace(job, env=(*job.env, ("SEED", seed))) if seed else job


def last_line(why):
    return (why.splitlines() or [""])[-1]


def excused(job, case, before, took, seconds_left):
    """Run a failed case again, while there is time. True: it passed each time."""
    for number, attempt in enumerate(attempts(job, case, before, took), 1):
        if seconds_left() < took:
            case.why += "\nno time to run it again"
            return False
        start = time.monotonic()
        name = case.name.replace("/", "-").replace(" ", "-")
        if len(name) > 100:
            name = f"{name[:90]}{zlib.crc32(name.encode()):08x}"
        tag = f".{name}.again{number}"
        again = judge(attempt, run_job(attempt, tag, seconds_left()))
        case.tries = number + 1
        mine = [one for one in again if one.name == case.name]
        if (not mine or any(one.verdict != "pass" for one in mine)
                or any(one.fatal and one.verdict == "fail" for one in again)):
            case.why += f"\nrun {case.tries}, logs: {logs_of(attempt, tag)}" + "".join(
                f"\n{one.name} failed: {last_line(one.why)}" for one in again
                if one.verdict == "fail")
            return False
        took = time.monotonic() - start
    return True


def sort_out(job, cases, took, seconds_left):
    """Turn the failed cases of a row into failures and flaky ones: changes @cases."""
    failed = [case for case in cases if case.verdict == "fail"]
    if not failed or len(failed) > AT_MOST_IN_ROW or any(case.fatal for case in failed):
        return
    names = [case.name for case in cases]  # in the order in which they ran
    for case in failed:
        at = names.index(case.name)
        if excused(job, case, names[at - 1] if at else "", took, seconds_left):
            case.verdict = "flaky"


def known(key, name):
    return any(fnmatch.fnmatchcase(f"{key}:{name}", case) for case, *_ in table("flaky"))


def complaints():
    """What is wrong with guest/tests/flaky."""
    rows = table("flaky")
    found = [f"{case} has been flaky since {since}: mend it"
             for case, since, _ in rows if age(since) > OLDEST]
    if len(rows) > MOST_KNOWN:
        found.append(f"{len(rows)} flaky cases; at most {MOST_KNOWN} may wait: mend some")
    return found

