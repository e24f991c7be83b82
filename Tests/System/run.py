"""Runs all tests with other servers: `run.py [-j JOBS]`.

A test waits for its servers most of its time, so three files run side by side, each in a process of its own.
"""

import argparse
import concurrent.futures
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


def run(name):
    began = time.monotonic()
    done = subprocess.run([sys.executable, "-W", "ignore::ResourceWarning", "-m", "unittest", name], cwd=FOLDER,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace")
    return name, done.returncode, done.stdout, time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("-j", "--jobs", type=int, default=3)
    options = parser.parse_args()
    # The largest files take the longest.
    files = sorted(FOLDER.glob("*_test.py"), key=lambda path: path.stat().st_size, reverse=True)
    failed = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        for future in concurrent.futures.as_completed([pool.submit(run, path.stem) for path in files]):
            name, status, output, seconds = future.result()
            last = output.strip().splitlines()[-1:] or [""]
            print(f"{'ok' if status == 0 else 'FAILED':6} {seconds:6.1f} s  {name}: {last[0]}", flush=True)
            if status:
                failed.append(name)
                print(output, flush=True)
    print(f"{len(files)} files, {', '.join(failed) or 'none'} failed")
    return 1 if failed else 0


sys.exit(main())
