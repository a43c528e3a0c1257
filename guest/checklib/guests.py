# SPDX-License-Identifier: GPL-2.0
"""Builds kernels, makes the files that guests get, and runs rows: in a guest, or on the host."""

import collections
import contextlib
import glob
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import threading
import time

from . import TESTS, TOP, UNABLE, WORK, read_lines, write_lines
from .rows import COUNTED

COMPILERS = {"arm64": "aarch64-linux-gnu-gcc", "riscv": "riscv64-linux-gnu-gcc", "um": "gcc",
             "x86_64": "gcc"}
DEBIAN = {"arm64": "arm64", "riscv": "riscv64"}
CFLAGS = ["-static", "-O2", "-Wall", "-Wextra", "-Werror"]
NEEDED = ["gcc", "libc6-dev", "libc6-dev-arm64-cross", "libc6-dev-riscv64-cross", "spin", "sparse",
          "binutils-aarch64-linux-gnu", "binutils-riscv64-linux-gnu", "cpio"]
# Programs that an architecture cannot run
NOT_FOR = dict.fromkeys(("um", "x86_64"), ("bench.c", "userstack.c"))
SLOW = 3  # times as long as on a quiet machine: the limit for a guest
START = 120  # seconds that guest/run may take in addition to the guest
FETCH = 900  # seconds to fetch packages of guests
# Names in the sources, which the test of documents cannot get in a guest.
SAID_IN_SOURCES = {
    "parameters": r'\b(?:__setup|TRACE_BOOT_TEXT)\("(\w+)',
    "commands": r'\.name = "(\w+)",\s*\.run =',
}

Result = collections.namedtuple("Result", "status message output console")
running = set()
stopping = threading.Event()


def run(command, log, timeout=None, **environment):
    """Run a shell command, or end it with all that it started; returns its status and output."""
    os.makedirs(os.path.dirname(log), exist_ok=True)
    with open(log, "w") as out, open(log + ".err", "w") as err:
        process = subprocess.Popen(command, shell=True, cwd=TOP, stdin=subprocess.DEVNULL,
                                   stdout=out, stderr=err, start_new_session=True,
                                   env={**os.environ, **environment})
        running.add(process)
        if stopping.is_set():  # stop_all() may not have seen it
            stop_all()
        try:
            status = process.wait(timeout)
        except subprocess.TimeoutExpired:
            end(process, signal.SIGKILL)
            process.wait()
            err.write(f"no end after {timeout:.0f} s\n")
            status = UNABLE
        running.discard(process)
    if stopping.is_set():
        sys.exit()  # ends this thread, so that nothing else begins and nothing is recorded
    if not status:
        return 0, ""
    errors, output = ([line for line in read_lines(log + kind) if line.strip()]
                      for kind in (".err", ""))
    return status, "\n".join((errors or output)[-90:]) or f"exit status {status}"


def end(process, how):
    with contextlib.suppress(ProcessLookupError):  # it has ended by itself
        os.killpg(process.pid, how)


def stop_all():
    """End what is running: the user has pressed ^C, or somebody has sent SIGTERM."""
    stopping.set()
    for process in list(running):
        end(process, signal.SIGTERM)


def build_kernel(arch, kernel, stock="", seconds=None):
    """Build a kernel, niced, as guests may be running. Returns what went wrong, or None."""
    log = f"{WORK}/{arch}-{kernel}{'-stock' if stock else ''}/build.log"
    status, said = run("nice -n 10 guest/kernel", log, timeout=seconds,
                       ARCH=arch, CONFIG=kernel, STOCK=stock)
    return said if status else None


def in_sources(pattern):
    """All matches of a pattern in kernel/trace."""
    sources = sorted(glob.glob(f"{TOP}/kernel/trace/**/*.c", recursive=True))
    return sorted({found for path in sources
                   for found in re.findall(pattern, pathlib.Path(path).read_text())})


def fetch(command, log):
    """Run a command that may have to wait for a mirror."""
    status, said = run(command, log, timeout=FETCH)
    if status:
        raise RuntimeError(said)


def compile_program(arch, source, target, *more, text=None):
    what = ["-x", "c", "-"] if text else [source]
    subprocess.run([COMPILERS[arch], *CFLAGS, *more, "-o", target, *what],
                   input=text, text=True, check=True)


def make_guest_files(arch):
    """Make the files that all guests of an architecture get; return their directory."""
    root = f"{WORK}/{arch}-root"
    programs = f"{root}/usr/local/bin"
    shutil.rmtree(root, ignore_errors=True)
    os.makedirs(programs)
    shutil.copytree(f"{TOP}/build/linux/tools/testing/selftests/ftrace", f"{root}/selftests/ftrace")
    shutil.copytree(TESTS, f"{root}/tests", ignore=shutil.ignore_patterns(
        "stock", "*.[ch]", "*.toml", "turns", "counts"))
    shutil.copytree(f"{TOP}/Documentation/trace", f"{root}/documents")
    for name, pattern in SAID_IN_SOURCES.items():
        write_lines(f"{root}/documents/{name}", in_sources(pattern))
    without = {f"{TESTS}/{name}" for name in NOT_FOR.get(arch, ())}
    for source in sorted(set(glob.glob(f"{TESTS}/*.c")) - without):
        compile_program(arch, source, f"{programs}/{os.path.basename(source)[:-2]}")
    # The program that ftrace.rst shows: the test of documents runs it.
    text = pathlib.Path(f"{root}/documents/ftrace.rst").read_text()
    [example] = re.findall(r"\.\. code-block:: c\n\n((?:\t.*\n|\n)+)", text)
    compile_program(arch, None, f"{programs}/mapped", f"-I{TOP}/include/uapi", text=example)
    # The base's test of mapped buffers; it is not free of warnings.
    compile_program(arch, f"{TOP}/build/linux/tools/testing/selftests/ring-buffer/map_test.c",
                    f"{programs}/map_test", "-w", "-D_GNU_SOURCE", f"-I{TOP}/include/uapi")
    subprocess.run(["make", "-s", "-C", f"{TOP}/tools/testing/tracefs-fuzz",
                    f"CC={COMPILERS[arch]}", f"O={programs}"], check=True)
    if os.path.exists(f"{TOP}/guest/userland"):
        fetch(f"guest/userland {arch} {root}", f"{root}.log")
    return root


def add_packages(arch, name, packages, target):
    """Lay Debian programs, with their libraries, over guest files."""
    unpacked = f"{TOP}/build/apt/{DEBIAN[arch]}/{name}/usr"
    fetch(f"guest/debian {arch} {name} {packages}", f"{target}.log")
    for directory in ("bin", "lib"):
        shutil.copytree(f"{unpacked}/{directory}", f"{target}/usr/{directory}", symlinks=True,
                        dirs_exist_ok=True, ignore=shutil.ignore_patterns("gconv", "locale"))
    os.makedirs(f"{target}/lib", exist_ok=True)
    for loader in os.listdir(f"{unpacked}/lib"):  # where programs look for it
        if not os.path.lexists(f"{target}/lib/{loader}"):
            os.symlink(f"../usr/lib/{loader}", f"{target}/lib/{loader}")


def make_files_of(job):
    """A copy of the guest files, with what a row adds to them; returns its directory."""
    target = f"{WORK}/{job.arch}-{job.name}-root"
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(f"{WORK}/{job.arch}-root", target, symlinks=True)
    if job.packages:
        add_packages(job.arch, job.name, job.packages, target)
    if job.files:
        fetch(f"guest/{job.files} {job.arch} {target}", f"{target}.log")
    return target


def archive(root):
    """The cpio archive of a directory, which guest/run lays over the guest's root."""
    subprocess.run(f"cd {root} && find . | LC_ALL=C sort | "
                   f"cpio -o -H newc --quiet -R 0:0 > {root}.cpio", shell=True, check=True)
    return f"{root}.cpio"


class GuestFiles:
    """The archives of guest files; each is made once, when it is first asked for."""

    def __init__(self):
        self.lock = threading.Lock()
        self.archives = {}

    def get(self, job):
        name = job.name if job.packages or job.files else ""
        with self.lock:
            if (job.arch, "") not in self.archives:
                self.archives[job.arch, ""] = archive(make_guest_files(job.arch))
            if (job.arch, name) not in self.archives:
                self.archives[job.arch, name] = archive(make_files_of(job))
            return self.archives[job.arch, name]


guest_files = GuestFiles()


def run_guest(job, tag="", stock="", seconds=None):
    """Boot a guest for a job; returns a Result. The logs' names end in @tag."""
    where = f"{WORK}/{job.arch}-{job.kernel}{'-stock' if stock else ''}"
    os.makedirs(where, exist_ok=True)
    script, log, console = (f"{where}/{job.name}{tag}.{kind}" for kind in ("sh", "log", "console"))
    write_lines(script, ["#!/bin/sh", " ".join([job.command, *job.cases])])
    if os.path.exists(console):
        os.unlink(console)
    append = job.append
    if job.judge == "kunit" and job.narrow:
        append += f" kunit.filter_glob={job.narrow}"
    begin = time.monotonic()
    extra = guest_files.get(job)
    limit = SLOW * job.timeout
    if seconds:
        limit = max(1, min(limit, seconds - (time.monotonic() - begin)))
    status, said = run("guest/run", log, timeout=limit + START, **{
        "ARCH": job.arch, "CONFIG": job.kernel, "STOCK": stock, "SCRIPT": script, "APPEND": append,
        "EXTRA": extra, "MACHINE": job.machine, "CPU": job.cpu,
        "QEMU": job.qemu or os.environ.get("QEMU", ""),
        "SMP": str(job.smp), "ICOUNT": COUNTED if job.counted else os.environ.get("ICOUNT", ""),
        "TIMEOUT": str(int(limit)), "CONSOLE": console, **dict(job.env)})
    with open(log, errors="replace") as file:
        output = file.read()
    text = pathlib.Path(console).read_text(errors="replace") if os.path.exists(console) else ""
    return Result(status, said, output, text)


def run_host(job, tag="", seconds=None):
    limit = min(SLOW * job.timeout, seconds or SLOW * job.timeout)
    settings = {"ARCH": job.arch, "CONFIG": job.kernel}
    if job.arch == "host":
        settings = {"ARCH": "", "CONFIG": "", "TESTS": ""}
    log = f"{WORK}/{job.key.replace('/', '-')}{tag}.log"
    status, said = run(job.command, log, timeout=limit, **settings)
    return Result(status, said, "", "")


def run_job(job, tag="", seconds=None):
    """Run a row to its end, or for so many seconds at most."""
    return run_host(job, tag, seconds) if job.host else run_guest(job, tag, seconds=seconds)


def seed_of(job, tag=""):
    """The seed with which a guest ran, or None. User-Mode Linux has no use for one."""
    if job.arch == "um":
        return None
    path = f"{WORK}/{job.arch}-{job.kernel}/{job.name}{tag}.log.err"
    said = pathlib.Path(path).read_text() if os.path.exists(path) else ""
    found = re.search(r"^seed (\d+)$", said, re.M)
    return found and found[1]


def logs_of(job, tag=""):
    """The paths of the logs of a job, to be printed with a failure."""
    if job.host:
        return f"build/check/{job.key.replace('/', '-')}{tag}.log"
    return f"build/check/{job.arch}-{job.kernel}/{job.name}{tag}.log, .console"
