# SPDX-License-Identifier: GPL-2.0
"""
Compares the output of guest/tests/oracle with the stock kernel's answers.

Stock's answers are files of guest/tests/stock/oracle, one for each section, and SECTION.riscv.txt
if riscv's differ by nature (ARCH_SECTIONS of record.py). User-Mode Linux has only the sections of
its row, all in files SECTION.um.txt. A line that differs must be listed:

- in Documentation/trace/differences.rst, if we differ for good. A comment there says so:
  ".. oracle: SECTION | -GLOB" if stock has such lines and we lack them, "+GLOB" if we have
  them and stock lacks them. "oracle riscv:" is about one architecture only; all rows about UML
  are "oracle um:".
- in guest/tests/pending, if the part is not built yet: lines of stock's that we lack.

Any other difference is a failure. So is a listed one that does not exist, and a section that
only one of the two kernels has.
"""

import collections
import difflib
import fnmatch
import os
import re

from . import STOCK, TESTS, TOP, read_lines
from .rows import WITH_SITES

ANSWERS = os.path.join(STOCK, "oracle")
DIFFERENCES = os.path.join(TOP, "Documentation/trace/differences.rst")
PENDING = os.path.join(TESTS, "pending")

Row = collections.namedtuple("Row", "where section sign glob")  # where it stands: "FILE:LINE"


def sections(output):
    """{section: its lines} of what guest/tests/oracle prints."""
    found = re.findall(r"^BEGIN (\S+)\n(.*?)^END \1$", output, re.M | re.S)
    return {name: body.splitlines() for name, body in found}


def answers(arch):
    """{section: its lines} as stock answered on an architecture; or on arm64, except for UML."""
    found = {}
    for file in sorted(os.listdir(ANSWERS)):  # NAME.ARCH.txt comes before NAME.txt
        name, *of = file.removesuffix(".txt").split(".")
        if of == [arch] or not of and arch in WITH_SITES:
            found.setdefault(name, read_lines(f"{ANSWERS}/{file}"))
    return found


def differences(arch):
    """The rows of differences.rst that are about an architecture."""
    rows = []
    for number, line in enumerate(read_lines(DIFFERENCES), 1):
        if not line.startswith(".. oracle"):
            continue
        where = f"differences.rst:{number}"
        found = re.fullmatch(r"\.\. oracle(?: (\w+))?: (\w+) \| ([-+])(.+)", line)
        if not found:  # an RST comment like any other, which nobody would notice
            raise ValueError(f"{where}: this is not \".. oracle: SECTION | -GLOB\": {line}")
        if found[1] == arch or not found[1] and arch in WITH_SITES:
            rows.append(Row(where, *found.groups()[1:]))
    return rows


def pending(arch):
    """The rows of guest/tests/pending that are about the oracle on an architecture."""
    rows = []
    for number, line in enumerate(read_lines(PENDING), 1):
        fields = [field.strip() for field in line.split("|")]
        where = re.fullmatch(r"(\S+) oracle/(\S+)", fields[0])
        if where and arch in WITH_SITES and fnmatch.fnmatchcase(arch, where[1]):
            rows.append(Row(f"pending:{number}", where[2], "-", "|".join(fields[1:-1])))
    return rows


def compare(want, have):
    """Lines that differ, as ("-", line) of stock's and ("+", line) of ours; and the others."""
    differ, same = [], []
    for kind, i, j, k, m in difflib.SequenceMatcher(None, want, have, autojunk=False).get_opcodes():
        if kind == "equal":
            same += want[i:j]
        else:
            differ += [("-", line) for line in want[i:j]] + [("+", line) for line in have[k:m]]
    return differ, same


def judge_section(want, have, rows):
    """What is wrong in a section, as lines; and the rows that matched a difference."""
    differ, same = compare(want, have)
    wrong, matched = [], set()
    for sign, line in differ:
        row = next((row for row in rows
                    if row.sign == sign and fnmatch.fnmatchcase(line, row.glob)), None)
        if row:
            matched.add(row)
        else:
            wrong.append(sign + line)
    # A glob that also matches lines that do not differ would excuse their loss some day.
    for row in rows:
        wrong += [f"{row.where}: {row.sign}{row.glob} matches what does not differ: {line}"
                  for line in dict.fromkeys(same) if fnmatch.fnmatchcase(line, row.glob)]
    return wrong, matched


def judge(arch, output, message=""):
    """
    The cases of the oracle, as (name, "pass" or "fail", why): one for each section, and one for
    the listed differences. The message has the guest's end, if output is missing.
    """
    want, have = answers(arch), sections(output)
    rows = differences(arch) + pending(arch)
    wrong, matched = {}, set()
    for name in sorted(want.keys() | have.keys()):
        if name not in have:
            wrong[name] = [message or "no output"]
        elif name not in want:
            wrong[name] = ["there is no answer of stock's; to ask: guest/check --record"]
        else:
            mine = [row for row in rows if fnmatch.fnmatchcase(name, row.section)]
            wrong[name], used = judge_section(want[name], have[name], mine)
            matched |= used
    # Whether a row still matches is not known where its section is missing.
    missing = want.keys() - have.keys()
    wrong["listed differences"] = [
        f"{row.where}: there is no such difference: {row.section} | {row.sign}{row.glob}"
        for row in rows if row not in matched
        and not any(fnmatch.fnmatchcase(name, row.section) for name in missing)]
    return [(name, "fail" if lines else "pass", "\n".join(lines)) for name, lines in wrong.items()]
