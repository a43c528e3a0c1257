# SPDX-License-Identifier: GPL-2.0
"""
`make quick`: the rows and cases that a change concerns. rows.toml's table "quick" maps paths to
patterns.
"""

import fnmatch
import os
import subprocess

from . import TOP
from .rows import OUR_CASES, described

KERNELS = {"um": "um", "x86_64": "x86"}  # elsewhere: default


def changed_since(base):
    """Paths that differ from a commit, and those that git does not know yet."""
    git = ["git", "-c", "safe.directory=*", "-C", TOP]
    said = [subprocess.run([*git, *args], stdout=subprocess.PIPE, text=True, check=True).stdout
            for args in (["diff", "--name-only", base],
                         ["ls-files", "--others", "--exclude-standard"])]
    return "".join(said).split()


def asked_by(path):
    """The patterns of the first row of the table that is like a path; a case asks for itself."""
    cases = os.path.relpath(OUR_CASES, TOP) + "/"
    if path.startswith(cases):  # a file that cases share concerns all cases of its directory
        name = path.removeprefix(cases)
        if name.endswith(".tc"):
            return [f"ours*:{name}"]
        return [f"ours*:{name.split('/')[0]}/*" if "/" in name else "ours*"]
    for glob, patterns in described()["quick"].items():
        if fnmatch.fnmatchcase(path, glob):
            return patterns
    return []


def patterns(arch, base):
    """The architectures and patterns of a quick check."""
    asked = {pattern for path in changed_since(base) for pattern in asked_by(path)}
    kernel = f"{arch}-{KERNELS.get(arch, 'default')}"
    with_kernels = [pattern if "/" in pattern.partition(":")[0] else f"{kernel}/{pattern}"
                    for pattern in sorted(asked)]
    return [arch], [f"{kernel}/kunit", *with_kernels]
