"""Runs the tests in a browser: `run.py [-j JOBS] [-k PATTERN] [-v] [--times]`.

A test waits for its browser most of its time, so several browsers run side by side, each with the
tests of a class at a time. `--times` says how long each test took.

A test that fails is run once more when no other runs beside it. One that passes then is unsteady, and
fails nothing where few are; what it said stays in sight.
"""

import argparse
import collections
import concurrent.futures
import contextlib
import io
import multiprocessing.util
import os
import sys
import time
import unittest

from harness import Browser

# How many tests may fail at first and pass alone: more are no accident of a busy machine.
UNSTEADY = 3

FOLDER = os.path.dirname(os.path.abspath(__file__))


class TimedResult(unittest.TextTestResult):
    """A result that knows how long each test took, with what was made before it, in seconds."""

    def startTestRun(self):
        self.seconds = {}
        self.last = time.monotonic()
        super().startTestRun()

    def stopTest(self, test):
        super().stopTest(test)
        now = time.monotonic()
        self.seconds[test.id()], self.last = now - self.last, now


def flat(suite):
    """The tests of a suite, one by one."""
    for one in suite:
        if isinstance(one, unittest.TestSuite):
            yield from flat(one)
        else:
            yield one


def discover(patterns):
    """The names of the tests of each class, the longest class first, and what could not be loaded."""
    loader = unittest.TestLoader()
    loader.testNamePatterns = [part if "*" in part else f"*{part}*" for part in patterns] or None
    classes = collections.defaultdict(list)
    for test in flat(loader.discover(FOLDER, "*_test.py")):
        classes[type(test)].append(test)
    broken = [str(error) for error in loader.errors]
    by_length = sorted(classes, key=lambda of: len(classes[of]) * getattr(of, "seconds", 3), reverse=True)
    return [[test.id() for test in classes[of]] for of in by_length if of.__module__ != "unittest.loader"], broken


def start_worker():
    multiprocessing.util.Finalize(None, Browser.close, exitpriority=10)


def run(names, verbosity):
    """Runs tests of one class: what is to be said of them, and how it went."""
    said = io.StringIO()
    runner = unittest.TextTestRunner(said, resultclass=TimedResult, verbosity=verbosity)
    with contextlib.redirect_stdout(said):
        result = runner.run(unittest.defaultTestLoader.loadTestsFromNames(names))
    skipped = [f"{test}: {why}" for test, why in result.skipped]
    # Of a class that could not be set up, all its tests are to be run again.
    failed = [test.id().split(" ")[0] for test, _ in result.failures + result.errors]
    failed += [test.id() for test in result.unexpectedSuccesses]
    failed = [name for name in names if name in failed] or names if failed else []
    return failed, result.testsRun, skipped, result.seconds, said.getvalue()


def run_all(classes, jobs, verbosity):
    """Runs classes of tests side by side, and gives the outcome of each."""
    with concurrent.futures.ProcessPoolExecutor(
            min(jobs, len(classes)), multiprocessing.get_context("spawn"), start_worker) as workers:
        waiting = [workers.submit(run, names, verbosity) for names in classes]
        for one in concurrent.futures.as_completed(waiting):
            yield one.result()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("-j", "--jobs", type=int, default=(os.cpu_count() or 1) + 1,
                        help="how many browsers; one more than there are processors, if not said")
    parser.add_argument("-k", dest="patterns", action="append", default=[], metavar="PATTERN",
                        help="only tests whose name has it in it, or fits it where it has a *")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("--times", action="store_true", help="how long each test took")
    options = parser.parse_args()
    began = time.monotonic()
    classes, broken = discover(options.patterns)
    failed, count, skipped, seconds = [], 0, [], {}
    for error in broken:
        print(error)
    if classes:
        for names, ran, left_out, took, said in run_all(
                classes, options.jobs, 2 if options.verbose else 1):
            failed += names
            count += ran
            skipped += left_out
            seconds |= took
            name = next(iter(took), "nothing").rpartition(".")[0]
            print(f"{'FAILED' if names else 'ok':6} {sum(took.values()):6.1f} s {ran:3} {name}",
                  flush=True)
            if names or options.verbose:
                print(said, flush=True)
    unsteady = len(failed) if len(failed) <= UNSTEADY else 0
    if unsteady:
        print("once more, alone:", *failed)
        failed, ran, *_, said = next(run_all([failed], 1, 2))
        count = max(count, ran)
        print(said, flush=True)
    is_well = count and not failed and not broken
    if options.times:
        for name, took in sorted(seconds.items(), key=lambda one: one[1]):
            print(f"{took:7.2f} s {name}")
    for line in skipped:
        print("left out:", line)
    print(f"{count} tests in {time.monotonic() - began:.0f} s, by {options.jobs} browsers:",
          f"all pass, {unsteady} of them only alone" if is_well and unsteady else "all pass" if is_well else "FAILED" if count or broken
          else "all were left out" if skipped else "none of that name")
    return 0 if is_well else 1


if __name__ == "__main__":
    sys.exit(main())
