# SPDX-License-Identifier: GPL-2.0
"""Runs a row, or some of its cases, many times: how often does each case fail?"""

import collections
import contextlib
import os
import subprocess
import sys

from . import SPLAT, TOP, results
from .guests import build_kernel, logs_of, run_job
from .judges import judge


@contextlib.contextmanager
def torment(wanted):
    """Stop the guests from time to time, like a busy host. Works for guests of QEMU only."""
    program = [sys.executable, os.path.join(TOP, "guest/torment")]
    process = subprocess.Popen(program) if wanted else None
    try:
        yield
        if process and process.poll() is not None:
            sys.exit("check: guest/torment has ended early: these runs were not held up")
    finally:
        if process:
            process.terminate()
            process.wait()


def bound(failed, times):
    """How often it fails: the rate, or the highest that no failure leaves likely (95 %)."""
    if not failed and times < 10:
        return "too few runs to tell"
    return f"fewer than 1 in {times / 3:.0f}" if not failed else f"about 1 in {times / failed:.1f}"


def repeat(jobs, times, tormented):
    """Print how often each case failed; returns 1 if one did."""
    failed_ever = 0
    for job in jobs:
        if error := job.kernel and build_kernel(job.arch, job.kernel):
            sys.exit(f"check: {error}")
        ran, failed = collections.Counter(), collections.Counter()
        with torment(tormented):
            for number in range(1, times + 1):
                result = run_job(job, f".run{number}")
                for case in judge(job, result):
                    ran[case.name] += case.verdict != "skip"
                    if case.verdict == "fail":
                        failed[case.name] += 1
                        logs = logs_of(job, f".run{number}")
                        print(f"run {number}: {job.key}:{case.name}: {logs}", flush=True)
                if result.status == SPLAT and not job.dies:
                    print(result.message, flush=True)
        for name, count in ran.items():
            if name in results.WHOLE:  # it is a case only when it fails
                count = times
            print(f"{job.key}:{name}: {failed[name]} of {count} failed, "
                  f"{bound(failed[name], count)}")
        failed_ever |= bool(failed)
    return failed_ever
