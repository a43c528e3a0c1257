# SPDX-License-Identifier: GPL-2.0
"""
How the output of a row becomes cases.

A judge takes a Job and a Result and returns a list of Cases. The expected results of a suite are
those of the stock kernel, in guest/tests/stock. guest/tests/pending lists cases that differ because
a part is not built yet; if a listed case passes, that is a failure, too.
"""

import collections
import fnmatch
import os
import re
from dataclasses import dataclass

from . import HUNG, SPLAT, STOCK, UNABLE, find_splats, read_lines, table
from .oracle import judge as compare_with_stock
from .oracle import sections

SHOWN = 1000  # lines that a case printed before it failed, at most
ENDS = 60  # last lines of a console that are shown
ON_CONSOLE = "see the console"


@dataclass
class Case:
    name: str
    verdict: str  # "pass", "fail", "skip"; "flaky": failed at first, then passed
    why: str = ""  # its output, or why it is skipped
    kind: str = ""  # of what is skipped: "pending", "as on stock", ...
    seconds: float = 0
    tries: int = 1
    fatal: bool = False  # a failure that no second run excuses


def verdict(ok):
    return "pass" if ok else "fail"


def broken(why):
    """The case of a row that the check itself could not run."""
    return Case("check", "fail", why, fatal=True)


def status(job, result):
    return [Case(job.name, verdict(not result.status), result.message)]


def tap(job, result):
    """
    Lines of the test anything protocol, as many as the plan says. The text before a line, or "#"
    after it, has the reason of a failure.
    """
    cases, begin, names = [], 0, collections.Counter()
    for found in re.finditer(r"^(ok|not ok) \d+ (.*?)( # SKIP.*)?$((?:\n#.*)*)", result.output,
                             re.M):
        said = result.output[begin:found.start()].splitlines()[-SHOWN:] + found[4].splitlines()[1:]
        names[found[2]] += 1
        name = found[2] if names[found[2]] == 1 else f"{found[2]} #{names[found[2]]}"
        outcome = "skip" if found[3] and found[1] == "ok" else verdict(found[1] == "ok")
        cases.append(Case(name, outcome, "\n".join(said), "the row skips it"))
        begin = found.end()
    plan = re.search(r"^1\.\.(\d+)$", result.output, re.M)
    if not plan or int(plan.group(1)) != len(cases):
        why = result.message or f"{len(cases)} results, not as planned"
        cases.append(Case("plan", "fail", why, fatal=True))
    return cases


def kunit(job, result):
    """KUnit's results: cases are one level below their suite, and their messages before them."""
    cases, suite, said = [], "?", []
    for line in result.output.splitlines():
        if match := re.match(r" {4}# Subtest: (\S+)", line):
            suite, said = match.group(1), []
        elif match := re.match(r" {4}(ok|not ok) \d+ (\S+)(.*)", line):
            ok, name, rest = match.groups()
            outcome = "fail" if ok != "ok" else "skip" if "# SKIP" in rest else "pass"
            cases.append(Case(f"{suite}.{name}", outcome, "\n".join(said), "KUnit skips it"))
            said = []
        elif match := re.match(r"not ok \d+ (\S+)", line):
            if not any(case.verdict == "fail" and case.name.startswith(f"{match[1]}.")
                       for case in cases):  # a line of the suite that is no case
                cases.append(Case(match[1], "fail", "\n".join(said), fatal=True))
        else:
            said.append(line)
    none = f"no suite is like {job.narrow}: is its option on?" if job.narrow else "no suite ran"
    return cases or [Case("suites", "fail", f"{none}\n{result.message}", fatal=True)]


def on_console(pairs):
    """The cases of a console. A failure because of other splats is never chance."""
    return [Case(name, verdict(ok), ON_CONSOLE, fatal=name == "splats")
            for name, ok in pairs]


def dump(result, *splats):
    """On the console, these splats and no other, and the trace, once, with the last words in it."""
    found = re.search(r"Dumping ftrace buffer:(.*)---------------------------------",
                      result.console, re.S)
    text = found.group(1) if found else ""
    said = [splat[2] for splat in find_splats(result.console)]
    return on_console((
        ("splats", len(said) == len(splats) and all(map(re.match, splats, said))),
        ("dump", found and result.console.count("Dumping ftrace buffer:") == 1),
        ("marker", re.search(r"(tracing_mark_write: |/\* )last words", text)),
        ("functions", re.search(r"\d+us\S* *: \S+ <-\S+|\|  +\w+\(\)[ ;]", text)),
    ))


def panic(job, result):
    """The guest panics on purpose; the console ends with the trace."""
    return dump(result, "Kernel panic - not syncing: sysrq triggered crash")


def oops(job, result):
    """There are two warnings, then a task of the guest has an oops, and the guest goes on."""
    return dump(result, *2 * ["WARNING: .* splat_set"],
                "Unable to handle kernel NULL pointer dereference",
                r"(Internal error: )?Oops\b") + tap(job, result)


def fault(job, result, where=r"patching \S+ \[ftrace_fault_test\]"):
    """A module overwrites text: one report of that, no other splat, and the guest goes on."""
    made = re.search(r"ftrace_fault: at (\w+) (\w+) becomes (\w+)", result.console)
    reports = re.findall(rf"ftrace: {where} \((\w+)\) failed \(-22\): "
                         r"expected (\w+) \w+, found (\w+) \w+; ftrace is off", result.console)
    splats = [splat[2] for splat in find_splats(result.console)]
    said = sections(result.output)
    after = result._replace(output="\n".join(said.get("after", [])))
    return [*on_console((("report", made and reports == [made.groups()]),
                         ("splats", len(splats) == 1 and "ftrace_bug" in splats[0]))),
            *kunit(job, result._replace(output="\n".join(said.get("kunit", [])))), *tap(job, after)]


def load_fault(job, result):
    """The same in a module that is being loaded: it has no names yet."""
    return fault(job, result, where=r"preparing \S+")


def graph_fault(job, result):
    """A function returns without its caller's frame pointer: one report, perhaps with one of
    arm64's unwinder about the same frame, and the guest goes on."""
    report = re.search(r"ftrace: bad frame: expected (\w+), received (\w+)\n"
                       r".* from func graph_spoil .*return to graph_around_spoil", result.console)
    splats = [splat[2] for splat in find_splats(result.console)]
    return [*on_console((("report", report and report[1] != report[2]),
                         ("splats", splats and "returning_frame" in splats[0] and
                          all("arch_stack_walk" in more for more in splats[1:])))),
            *tap(job, result)]


# The suites

def pending(test, where_run, name):
    """The reason that guest/tests/pending gives for this case, if any."""
    for where, glob, reason in table("pending"):
        if fnmatch.fnmatchcase(f"{where_run} {test}", where) and fnmatch.fnmatchcase(name, glob):
            return reason
    return None


def why_on_stock(arch, name):
    """Why stock does not pass a case: what guest/tests/stock/why says."""
    path = os.path.join(STOCK, "why")
    for where, glob, reason in table("stock/why") if os.path.exists(path) else []:
        if fnmatch.fnmatchcase(arch, where) and fnmatch.fnmatchcase(name, glob):
            return reason
    return None


def stock_results(arch, asked="kselftest", before=""):
    """{case, with some text before: result} of the stock kernel, as far as it was asked."""
    path = f"{STOCK}/{asked}.{arch}.txt"
    lines = read_lines(path) if os.path.exists(path) else []
    return {before + name: got for got, name in (line.split(" ", 1) for line in lines)}


def suite_results(output):
    """{case: (result, seconds)} of a run of ftracetest, in order; the result may be None."""
    output = output.partition("\nLOG ")[0]  # a log may have lines like these
    order = re.findall(r"^CASE (\S+)$", output, re.M)
    results = dict.fromkeys(order, (None, 0))
    words = {"# SKIP": "UNSUPPORTED", "# XFAIL": "XFAIL", "# UNRESOLVED": "UNRESOLVED"}
    before = 0
    for ok, number, rest, at in re.findall(
            r"^(ok|not ok) (\d+) (.*)\n(?:AT (\d+)$)?", output, re.M):
        word = next((value for key, value in words.items() if rest.rstrip().endswith(key)), None)
        took, before = (int(at) - before, int(at)) if at else (0, before)
        if int(number) <= len(order):
            got = word or ("PASS" if ok == "ok" else "FAIL")
            results[order[int(number) - 1]] = got, took
    return results


def suite_case(arch, name, got, stock, reason):
    """One case of the suite: its verdict, why, and what kind of skip it is."""
    if got is None:
        return "fail", "no result", ""
    if got == "PASS":
        wrong = "passes: take it out of guest/tests/pending"
        return ("fail", wrong, "") if reason else ("pass", "", "")
    if reason:
        return "skip", reason, "pending"
    if got == stock and (explained := why_on_stock(arch, name)):
        return "skip", f"{got}: {explained}", "as on stock"
    return "fail", f"{got}, on stock {stock}" if stock else got, ""


def own_part(log, name):
    """The lines of a case's log from its first command on. ftracetest cleans up before it."""
    lines = log.splitlines()
    first = [at for at, line in enumerate(lines)
             if line.startswith("+ . ") and line.endswith(f"/{name.removesuffix('@instance')}")]
    return lines[first[0] + 1:] if first else lines


def suite(job, result):
    stock, cases = stock_results(job.arch), []
    for number, (name, got) in enumerate(suite_results(result.output).items(), 1):
        got, took = got
        reason = pending("suite", f"{job.arch}-{job.kernel}", name)
        outcome, why, kind = suite_case(job.arch, name, got, stock.get(name), reason)
        log = re.findall(rf"^(?:LOG|SO FAR) /tmp/logs/{number}-.*\n((?:(?!LOG |SO FAR ).*\n)*)",
                         result.output, re.M)
        if outcome == "fail" and log:
            why = "\n".join([why, *own_part(log[-1], name)[-SHOWN:]])
        cases.append(Case(name, outcome, why, kind, took))
    return cases or [Case("suite", "fail", result.message or "no case ran", fatal=True)]


def oracle(job, result):
    """Each section has to equal stock's, except for listed differences: oracle.py."""
    return [Case(*case) for case in compare_with_stock(job.arch, result.output, result.message)]


# The base's suite net/tcp_ao

def tcp_ao_results(output):
    """
    {"PROGRAM: case": result} of what guest/tests/tcp-ao prints. Numbers in names are those of keys,
    segments, events and times, or errors: which of some ICMP messages ends a connection is chance.
    A program whose trace has other events than it expects says XFAIL.
    """
    found = {}
    for program, lines in sections(output).items():
        text, names = "\n".join(lines), collections.Counter()
        for ok, word, said in re.findall(r"^(ok|not ok) \d+ (?:# (\w+) )?(.*)$", text, re.M):
            name = re.sub(r"(?<![A-Za-z\d])\d[\d.e+-]*", "N", said.strip())
            name = re.sub(r"with -N: .*", "with -N", name)
            names[name] += 1
            number = f" #{names[name]}" if names[name] > 1 else ""
            found[f"{program}: {name}{number}"] = \
                "FAIL" if ok != "ok" else word.upper() or "PASS"
        ended = re.search(r"^STATUS (\d+) (\d+)$", text, re.M)
        found[f"{program}: exit status 0, no instance is left"] = \
            "PASS" if ended and ended.groups() == ("0", "0") else "FAIL"
    return found


def tcp_ao(job, result):
    """
    Each case has to be one that stock has, with its result, and none may be missing. Stock's
    answers are the same on riscv: they were compared on 2026-11-30.
    """
    stock, said = stock_results("arm64", "tcp-ao"), sections(result.output)
    got, cases = tcp_ao_results(result.output), []
    for name in [*stock, *(name for name in got if name not in stock)]:
        outcome, why, kind = suite_case(job.arch, f"tcp-ao {name}", got.get(name),
                                        stock.get(name), reason=None)
        if name not in stock:
            outcome, why = "fail", f"{got[name]}; stock has no such case"
        if outcome == "fail":
            why = "\n".join([*said.get(name.partition(":")[0], [])[-SHOWN:], why])
        cases.append(Case(name, outcome, why, kind))
    if not got:
        cases.append(Case("suite", "fail", result.message or "no case ran", fatal=True))
    return cases


JUDGES = {judge.__name__: judge for judge in (
    status, tap, kunit, panic, oops, fault, load_fault, graph_fault, suite, oracle, tcp_ao)}


def judge(job, result):
    """The cases of a row that has run. A splat or a hang is a failure even if every case passed."""
    cases = JUDGES[job.judge](job, result)
    for case in cases:
        if case.why == ON_CONSOLE:
            case.why = "\n".join(result.console.splitlines()[-ENDS:])
    if job.narrow and not job.cases:
        cases = [case for case in cases if fnmatch.fnmatchcase(case.name, job.narrow) or case.fatal]
        cases = cases or [Case(job.narrow, "fail", "there is no such case", fatal=True)]
    wrong = {HUNG, UNABLE} if job.dies else {HUNG, UNABLE, SPLAT}
    if result.status in wrong and not job.host:
        cases.append(Case("guest", "fail", result.message, fatal=True))
    if job.host:
        for case in cases:
            case.fatal = True
    return cases
