"""`freshet conformance` against servers that err."""

import concurrent.futures
import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.request

import defects

ROOT = pathlib.Path(__file__).resolve().parents[2]
BINARY = os.environ.get("FRESHET_BINARY") or ROOT / ".build" / "debug" / "freshet"
KEY = "a-key-to-try-things-out"
PATIENCE = 300  # seconds for a run

HONEST = defects.Defect("nothing is wrong", "")


class Server:
    """A server on a port of its own."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(
            [BINARY, "serve", "--data", "memory", "--port", "0", "--key", KEY, *arguments],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        for line in self.process.stderr:
            found = re.search(r"http://127\.0\.0\.1:\d+", line)
            if found:
                self.url = found[0]
                break
        else:
            raise RuntimeError("the server did not start")

    def names(self):
        with urllib.request.urlopen(f"{self.url}/feeds", timeout=10) as answer:
            return [feed["id"] for feed in json.load(answer)["feeds"]]

    def stop(self):
        self.process.terminate()
        self.process.wait(20)
        self.process.stderr.close()


def command(url, *arguments, key=KEY):
    """Runs the command; returns its status, what it says, and what it says beside that."""
    environment = {name: value for name, value in os.environ.items()
                   if not name.startswith("FRESHET_")}
    keys = ["--key", key] if key else []
    ended = subprocess.run([BINARY, "conformance", url, *keys, *arguments], capture_output=True,
                           text=True, timeout=PATIENCE, env=environment)
    return ended.returncode, ended.stdout, ended.stderr


def found(url, only=""):
    """The cases that the command says fail, and how many there are."""
    code, said, beside = command(url, "--json", *(["--only", only] if only else []))
    if code not in (0, 1) or not said:
        raise AssertionError(f"status {code}: {beside}")
    cases = json.loads(said)["cases"]
    failed = {case["name"] for case in cases if not case["passed"]}
    if (code == 1) != bool(failed):
        raise AssertionError(f"status {code} with {len(failed)} cases that failed: {beside}")
    return failed, len(cases)


class Cases(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.addClassCleanup(cls.server.stop)

    def test_a_server_that_keeps_the_protocol_passes(self):
        for url in (self.server.url, self.server.url + "/"):
            self.assertEqual(found(url, "snapshots: ")[0], set())
        failed, count = found(self.server.url)
        self.assertEqual(failed, set())
        self.assertGreater(count, 150)
        self.assertEqual(self.server.names(), [])

    def test_a_proxy_that_changes_nothing_passes(self):
        with defects.Proxy(self.server.url, HONEST) as proxy:
            self.assertEqual(found(proxy.url)[0], set())

    def test_it_finds_each_defect(self):
        def find(defect):
            with defects.Proxy(self.server.url, defect) as proxy:
                return found(proxy.url, defect.only)[0]
        chosen = [defect for defect in defects.DEFECTS
                  if os.environ.get("DEFECT", "") in defect.name]
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            for defect, failed in zip(chosen, pool.map(find, chosen)):
                with self.subTest(defect.name):
                    self.assertTrue(failed, "the command finds nothing")
        self.assertEqual(self.server.names(), [])

    def test_a_case_that_fails_is_shown_with_the_sentence_that_it_cites(self):
        defect = next(one for one in defects.DEFECTS if one.name == "there is no ETag")
        with defects.Proxy(self.server.url, defect) as proxy:
            code, said, _ = command(proxy.url, "--only", "snapshots: ")
        self.assertEqual(code, 1)
        block = said[said.index("FAILED"):].split("\nok ")[0]
        self.assertRegex(block, r"step \d+, [A-Z]+ /feeds/conformance-")
        self.assertIn("ETag: is not there", block)
        self.assertRegex(block, "the protocol, “[A-Z].*”: ")
        self.assertRegex(said.strip().splitlines()[-1], r"^\d+ cases, [1-9]\d* failed$")

    def test_it_deletes_its_feeds_when_it_is_stopped(self):
        with tempfile.TemporaryFile("w+") as output:
            process = subprocess.Popen(
                [BINARY, "conformance", self.server.url, "--key", KEY, "--prefix", "stopped-",
                 "--only", "waits: ", "--only", "streams: "],
                stdout=output, stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.stderr.close)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            while not any(name.startswith("stopped-") and not name.endswith("-first")
                          for name in self.server.names()):
                self.assertIsNone(process.poll(), "it ended before it was stopped")
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            beside = process.communicate(timeout=PATIENCE)[1]
        self.assertEqual(process.returncode, 1)
        self.assertIn("its feeds are deleted", beside)
        self.assertEqual(self.server.names(), [])

    def test_it_deletes_feeds_whose_writing_is_under_way_when_it_is_stopped(self):
        arrived, released, deleted = threading.Event(), threading.Event(), threading.Event()

        def hold(method, target, fields):
            if method == "PUT" and "-first" not in target:
                arrived.set()
                released.wait(PATIENCE)
            elif method == "DELETE" and arrived.is_set():
                deleted.set()
            return target, fields

        with defects.Proxy(self.server.url, defects.Defect("", "", request=hold)) as proxy:
            process = subprocess.Popen(
                [BINARY, "conformance", proxy.url, "--key", KEY, "--prefix", "late-",
                 "--only", "waits: "], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
            self.addCleanup(process.stderr.close)
            self.addCleanup(process.wait)
            self.addCleanup(process.kill)
            self.assertTrue(arrived.wait(PATIENCE))
            process.send_signal(signal.SIGINT)
            # No feed is deleted before the server has answered what was to be written there.
            self.assertFalse(deleted.wait(1))
            released.set()
            beside = process.communicate(timeout=PATIENCE)[1]
        self.assertIn("its feeds are deleted", beside)
        self.assertEqual(self.server.names(), [])

    def test_it_writes_nothing_else(self):
        written = []

        def note(method, target, fields):
            if method not in ("GET", "HEAD", "OPTIONS"):
                written.append(target)
            return target, fields

        with defects.Proxy(self.server.url, defects.Defect("", "", request=note)) as proxy:
            code, _, _ = command(proxy.url, "--prefix", "mine-", "--only", "publishing: ",
                                 "--only", "snapshots: ")
        self.assertEqual(code, 0)
        self.assertGreater(len(written), 100)
        for target in written:
            name = re.match(r"/feeds/([^/?]*)", target)[1]
            # What no feed can be called is tried too, and refused.
            possible = re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,127}", name) and "." not in name
            if possible and len(name) <= 100:
                self.assertTrue(name.startswith("mine-"), target)

    def test_wrong_usage_is_said_at_once(self):
        for arguments, key, words in (
                (["--only", "no such case"], KEY, "no case has this"),
                (["--prefix", "Upper"], KEY, "No feed's name can begin"),
                (["--jobs", "0"], KEY, "--jobs"), ([], None, "a key is needed"),
                (["--cases", "/nowhere"], KEY, "no cases in")):
            with self.subTest(words):
                code, said, beside = command(self.server.url, *arguments, key=key)
                self.assertEqual((code, said), (2, ""))
                self.assertIn(words, beside)

    def test_what_it_cannot_do_is_said_at_once(self):
        code, _, beside = command(self.server.url, key="another-key-that-is-not-known")
        self.assertEqual(code, 1)
        self.assertIn("may not publish feeds", beside)
        code, _, beside = command("http://127.0.0.1:1")
        self.assertEqual(code, 1)
        self.assertIn("no answer from http://127.0.0.1:1", beside)


if __name__ == "__main__":
    unittest.main()
