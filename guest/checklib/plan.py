# SPDX-License-Identifier: GPL-2.0
"""Decides what a run of the check does next: the kernels to build, the rows and groups to run."""

import collections
import threading
import time

from . import results, rows, turns

TARGET, LATEST, HARD = 20 * 60, 50 * 60, 75 * 60  # seconds
# Seconds for groups whose turn it is, if the other rows alone take until TARGET
TURNS = 6 * 60
AT_ONCE = 2
START = time.monotonic()
KERNEL = 240  # seconds for a kernel whose time is not known


class Build(collections.namedtuple("Build", "arch kernel")):
    """A kernel to be built."""

    @property
    def key(self):
        return f"{self.arch}-{self.kernel}/kernel"


class Plan:
    """@whole: nothing is left out, so that turns can be judged."""

    def __init__(self, jobs, whole, long=False):
        self.whole, self.long = whole, long
        self.start = START
        self.changed = threading.Condition()
        self.builds, self.built = [], {}  # kernels to build, in order; and did it work?
        self.waiting, self.ready = [], []  # jobs without and with their kernel
        self.running = {}  # when each running job began, by name
        self.groups = collections.defaultdict(list)
        # rows left, seconds, has one failed
        self.of_group = collections.defaultdict(lambda: [0, 0.0, False])
        # Groups of which all rows are asked for
        asked = collections.Counter(job.turn for job in jobs if not job.narrow)
        there = collections.Counter(job.turn for job in rows.all_jobs())
        self.complete = {turn for turn in asked if asked[turn] == there[turn]}
        # How long some cases of a row take is not known.
        self.known = not any(job.narrow for job in jobs)
        self.turned = 0  # seconds that the groups which were taken will need
        self.pace = [0.0, 0.0]  # seconds that ended rows should have taken, and did take
        for job in jobs:
            self.groups[job.group if whole and not long else ""].append(job)
        self.turns = turns.in_order([group for group in self.groups if group])
        self.must = [""]
        self.add("")
        for group in list(filter(turns.overdue, self.turns)):
            if self.must == [""] or self.to_come() + self.cost(group) < LATEST:
                self.must.append(group)
                self.take(group)

    def say(self, text):
        minutes, seconds = divmod(int(self.elapsed()), 60)
        print(f"{minutes:3}:{seconds:02} {text}", flush=True)

    def add(self, group):
        for job in self.groups.pop(group, []):
            build = Build(job.arch, job.kernel)
            if job.kernel and build not in self.builds and build not in self.built:
                self.builds.append(build)
            (self.waiting if job.kernel and build not in self.built else self.ready).append(job)
            self.of_group[job.turn][0] += 1

    # How long it takes

    def elapsed(self):
        return time.monotonic() - self.start

    def left(self):
        """The seconds until nothing may run any more."""
        return float("inf") if self.long else HARD - self.elapsed()

    def seconds(self, jobs, builds):
        """How long these will take, two at a time."""
        alone = sum(results.expected(job.key) for job in jobs)
        return (alone + sum(results.expected(build.key, KERNEL) for build in builds)) / AT_ONCE

    def to_come(self):
        now = sum(max(5, results.expected(name) - (time.monotonic() - since))
                  for name, since in self.running.items())
        return self.seconds(self.waiting + self.ready, self.builds) + now / AT_ONCE

    def end(self):
        """When the run will end, in seconds: as slow as it was so far, with turns that fit."""
        wanted, took = self.pace
        slow = max(took / wanted, 1) if wanted > 60 else 1
        end = self.elapsed() + self.to_come() * slow
        if not self.turns or not self.next_turn():
            return end
        return max(TARGET, end + TURNS - self.turned)

    def progress(self):
        now = ", ".join(f"{name} ({time.monotonic() - since:.0f} s)"
                        for name, since in self.running.items())
        number = len(self.waiting) + len(self.ready) + len(self.builds) + len(self.running)
        end = f", done at about {self.end() / 60:.0f} min" if self.known else ""
        return f"... {now}; rows and kernels left: {number}{end}"

    # Turns

    def cost(self, group):
        """The seconds by which a group makes the run longer."""
        jobs = self.groups[group]
        builds = {Build(job.arch, job.kernel) for job in jobs if job.kernel}
        more = builds - self.built.keys() - {*self.builds}
        return max(self.seconds(jobs, more), turns.seconds(group) / AT_ONCE)

    def take(self, group):
        self.turned += self.cost(group)
        self.turns.remove(group)
        self.add(group)

    def next_turn(self):
        """The group whose turn it is, of those that fit; None if there is none."""
        end = self.elapsed() + self.to_come()
        for group in self.turns:
            cost = self.cost(group)
            if end + cost < TARGET or self.turned + cost < TURNS and end + cost < HARD:
                return group
        return None

    def note_turn(self, job, failed, took):
        """A row of check-long has its own turn; a group has passed if all of its rows have."""
        state = self.of_group[job.turn]
        state[:] = state[0] - 1, state[1] + took, state[2] or bool(failed)
        if job.turn in self.complete - {""} and state[0] <= 0 and not state[2]:
            turns.passed({job.turn: state[1]})

    # The next Build or Job, and results

    def next(self):
        """The next Build or Job; waits if there may be one later; None at the end."""
        with self.changed:
            while True:
                building = any(name.endswith("/kernel") for name in self.running)
                if not building and not self.builds and (group := self.next_turn()):
                    self.say(f"turn of {group}: {turns.said(group)}")
                    self.take(group)
                found = None
                if self.builds and not building:
                    found = self.builds.pop(0)
                elif self.ready:
                    found = max(self.ready, key=lambda job: (job.group in self.must,
                                                             results.expected(job.key)))
                    self.ready.remove(found)
                elif not building:
                    return None
                if found:
                    self.running[found.key] = time.monotonic()
                    return found
                self.changed.wait()

    def unfinished(self):
        """The jobs that should have run; none, unless this program has a bug."""
        return [*self.running, *(found.key for found in self.builds + self.waiting + self.ready)]

    def has_built(self, build, ok):
        """Returns the jobs that can not run, as their kernel could not be built."""
        with self.changed:
            self.built[build] = ok
            mine = [job for job in self.waiting if (job.arch, job.kernel) == build]
            self.waiting = [job for job in self.waiting if job not in mine]
            self.ready += mine if ok else []
        return [] if ok else mine

    def has_ended(self, found):
        with self.changed:
            took = time.monotonic() - self.running.pop(found.key)
            if not isinstance(found, Build):
                self.pace = [self.pace[0] + results.expected(found.key), self.pace[1] + took]
            self.changed.notify_all()
