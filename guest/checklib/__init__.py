# SPDX-License-Identifier: GPL-2.0
"""The parts of guest/check: rows, plan, guests, judges, chance, turns, results."""

import os
import re

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
WORK = os.path.join(TOP, "build/check")
TESTS = os.path.join(TOP, "guest/tests")
STOCK = os.path.join(TESTS, "stock")
HUNG, UNABLE, SPLAT = 124, 125, 126  # exit statuses of guest/run
# Between the time stamp and the message, there may be the caller (CONFIG_PRINTK_CALLER).
STAMP = r"\] ?(\[ *[CT][0-9]+\] ?)?"


def read_lines(path):
    with open(path, errors="replace") as file:
        return file.read().splitlines()


def write_lines(path, lines):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as file:
        file.writelines(line + "\n" for line in lines)


def table(name):
    """The rows of a table in guest/tests: fields separated by "|"; "#" begins a comment."""
    lines = read_lines(os.path.join(TESTS, name))
    return [[field.strip() for field in line.split("|")]
            for line in lines if line.strip() and line[0] != "#"]


def keep_comments(name):
    """The comment at the top of a table, for code that writes the table anew."""
    return [line for line in read_lines(os.path.join(TESTS, name)) if line.startswith("#")]


def splats():
    """The regular expressions of guest/splats, each for the beginning of a message."""
    lines = read_lines(os.path.join(TOP, "guest/splats"))
    return [line for line in lines if line and not line.startswith("#")]


def find_splats(console):
    """The splats on the console: matches, each with the message as its group 2."""
    return re.finditer(f"{STAMP}((?:{'|'.join(splats())}).*)", console)
