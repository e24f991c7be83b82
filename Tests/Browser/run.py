"""Runs the tests in a browser: `run.py [-k PATTERN] [-v]`, as `python -m unittest`."""

import sys
import unittest

from harness import Browser

if __name__ == "__main__":
    arguments = sys.argv[1:]
    try:
        unittest.main(module=None, argv=["run.py", "discover", "-s", sys.path[0], "-p", "*_test.py",
                                         *arguments])
    finally:
        Browser.close()
