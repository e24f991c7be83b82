"""The command as scripts and operators meet it: files that it writes, where its output goes, what it reads again."""

import http.client
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import socket
import stat
import subprocess
import tempfile
import unittest
from unittest import mock

from cluster import until
from servers import BINARY, KEY


MANUAL = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "man-page"


class Command(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="freshet-command-"))
        self.processes = []

    def tearDown(self):
        for process in self.processes:
            if process.poll() is None:
                process.kill()
            process.wait()
            process.stderr.close()
        shutil.rmtree(self.home, ignore_errors=True)

    def serve(self, *arguments, **options):
        """Starts a server; returns it with its port and what it said before."""
        process = subprocess.Popen(
            [BINARY, "serve", *arguments], stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
            text=True, cwd=self.home, **options)
        self.processes.append(process)
        said = []
        for line in process.stderr:
            said.append(line)
            if found := re.search(r'listening on [^"\n]*:([0-9]+)', line):
                return process, int(found[1]), said
        self.fail("".join(said))

    def run_command(self, *arguments, output=subprocess.PIPE):
        return subprocess.run(
            [BINARY, *arguments], stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.PIPE,
            text=True, cwd=self.home, timeout=60, check=False)

    def publish(self, port, **document):
        (self.home / "a.json").write_text(json.dumps({**document, "items": [{"id": "a"}]}))
        return self.run_command("publish", "a", "a.json", *self.at(port))

    @staticmethod
    def at(port):
        return ["--server", f"http://127.0.0.1:{port}", "--key", KEY]

    @staticmethod
    def status(port, path):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        connection.request("GET", path)
        status = connection.getresponse().status
        connection.close()
        return status


class Inputs(Command):
    def test_one_without_an_end_is_not_read_for_ever(self):
        def small():
            resource.setrlimit(resource.RLIMIT_AS, (8 << 30, 8 << 30))
        for name, arguments in (
            ("standard input", ["publish", "a", "--server", "http://127.0.0.1:1", "--key", KEY]),
            ("/dev/zero", ["check", "/dev/zero"]),
        ):
            with self.subTest(name), open("/dev/zero", "rb") as zeros:
                result = subprocess.run(
                    [BINARY, *arguments], stdin=zeros, stderr=subprocess.PIPE, text=True,
                    cwd=self.home, timeout=60, check=False, preexec_fn=small)
                self.assertEqual(result.returncode, 1)
                self.assertEqual(
                    result.stderr, f"freshet: cannot read {name}: it has more than 256MiB\n")


class KeyFiles(Command):
    def test_a_folder_in_its_place_is_left(self):
        (self.home / "keys").mkdir()
        (self.home / "keys/other").write_text("precious")
        result = self.run_command("serve", "--data", "memory", "--port", "0", "--key-file", "keys")
        self.assertEqual(result.returncode, 1)
        self.assertIn("cannot be written to keys", result.stderr)
        self.assertEqual((self.home / "keys/other").read_text(), "precious")

    def test_a_server_that_cannot_start_leaves_the_key_of_the_one_that_runs(self):
        _, port, _ = self.serve("--data", "memory", "--port", "0", "--key-file", "key")
        key = (self.home / "key").read_text()
        result = self.run_command("serve", "--data", "memory", "--port", str(port), "--key-file",
                                  "key")
        self.assertEqual(result.returncode, 1)
        self.assertEqual((self.home / "key").read_text(), key)

    def test_its_owner_alone_can_read_it(self):
        (self.home / "key").write_text("old")
        (self.home / "key").chmod(0o644)
        self.serve("--data", "memory", "--port", "0", "--key-file", "key")
        self.assertRegex((self.home / "key").read_text(), r"\A[-_0-9A-Za-z]{43}\n\Z")
        self.assertEqual(stat.S_IMODE((self.home / "key").stat().st_mode), 0o600)
        self.assertEqual(os.listdir(self.home), ["key"])


class KeptFeeds(Command):
    """A server that is told nothing about where feeds are kept."""

    def setUp(self):
        super().setUp()
        self.environment = {name: value for name, value in os.environ.items()
                            if not name.startswith("FRESHET_")}

    def stop(self, process):
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(30), 0)

    def refused(self, *arguments):
        """Says why a server does not start."""
        result = subprocess.run([BINARY, "serve", "--port", "0", *arguments], text=True, timeout=60,
                                stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, cwd=self.home,
                                env=self.environment, check=False)
        self.assertNotEqual(result.returncode, 0)
        return result.stderr

    def test_feeds_and_the_key_outlive_the_server(self):
        tokens = []
        for _ in range(3):
            process, port, said = self.serve("--port", "0", env=self.environment)
            self.assertIn(f"feeds are kept in {self.home}/freshet-data; --data memory forgets them",
                          said[0])
            self.assertIn("freshet: the key is in freshet-data/key\n", said)
            key = (self.home / "freshet-data/key").read_text()
            self.assertNotIn(key.strip(), "".join(said))
            self.assertEqual(stat.S_IMODE((self.home / "freshet-data/key").stat().st_mode), 0o600)
            (self.home / "a.json").write_text('{"items": [{"id": "a"}]}')
            result = self.run_command("publish", "a", "a.json", "--key", key.strip(), "--server",
                                      f"http://127.0.0.1:{port}")
            self.assertEqual(result.returncode, 0, result.stderr)
            tokens.append((key, result.stdout.split()[1]))
            self.stop(process)
        self.assertEqual(len(set(tokens)), 1, tokens)

    def test_a_key_of_ones_own_leaves_no_file(self):
        process, _, _ = self.serve("--port", "0", "--key", KEY, env=self.environment)
        self.stop(process)
        self.assertNotIn("key", os.listdir(self.home / "freshet-data"))

    def test_memory_leaves_nothing(self):
        process, _, said = self.serve("--port", "0", "--data", "memory", env=self.environment)
        self.assertIn("feeds are kept in memory, and forgotten", said[0])
        self.assertTrue(any(line.startswith("freshet: key ") for line in said), said)
        self.stop(process)
        self.assertEqual(os.listdir(self.home), [])

    def test_the_demo_is_not_kept(self):
        process, port, _ = self.serve("--port", "0", "--demo", env=self.environment)
        self.assertEqual(self.status(port, "/feeds/machine"), 200)
        self.stop(process)
        process, port, _ = self.serve("--port", "0", env=self.environment)
        self.assertEqual(self.status(port, "/feeds/machine"), 404)

    def test_a_folder_that_cannot_be_used_is_an_error_that_says_what_to_do(self):
        self.serve("--port", "0", env=self.environment)
        said = self.refused()
        self.assertIn("in use", said)
        self.assertIn("--data memory", said)
        (self.home / "file").write_text("")
        for folder in ("file", "file/folder", "none/folder"):
            self.assertIn("--data memory", self.refused("--data", folder), folder)

    def test_a_key_that_others_may_read_is_refused(self):
        process, _, _ = self.serve("--port", "0", env=self.environment)
        self.stop(process)
        (self.home / "freshet-data/key").chmod(0o644)
        self.assertIn("chmod 600 freshet-data/key", self.refused())
        (self.home / "freshet-data/key").chmod(0o600)
        (self.home / "freshet-data/key").write_text("")
        self.assertIn("no key in freshet-data/key", self.refused())


class Versions(Command):
    def put(self, port, count, *arguments):
        items = [{"id": f"i{number}"} for number in range(count)]
        (self.home / "a.json").write_text(json.dumps({"items": items}))
        return self.run_command("publish", "a", "a.json", *arguments, *self.at(port))

    def test_a_feed_is_guarded_and_taken_back_at_the_prompt(self):
        (self.home / "freshet.yaml").write_text("feeds: {a: {guard: 50%}}\n")
        process, port, _ = self.serve(
            "--data", "memory", "--port", "0", "--key", KEY, "--config", "freshet.yaml")
        token = self.put(port, 20).stdout.split()[1].rstrip(":")
        refused = self.put(port, 5)
        self.assertEqual(refused.returncode, 1)
        self.assertIn("15 of 20 items would be removed, and at most 9 may be", refused.stderr)
        self.assertIn("15 of 20 items", self.put(port, 5, "--dry-run").stderr)
        self.assertEqual(self.put(port, 5, "--removals", "any").returncode, 0)
        self.assertEqual(self.put(port, 5, "--removals", "all").returncode, 2)
        listed = self.run_command("versions", "a", *self.at(port)).stdout.splitlines()
        self.assertEqual(len(listed), 2)
        self.assertRegex(listed[0], "  5 items  key [0-9a-f]{8}: 15 removed$")
        self.assertTrue(listed[1].startswith(token + "  "), listed)
        self.assertEqual(
            self.run_command("versions", "a", "--limit", "1", *self.at(port)).stdout.splitlines(),
            listed[:1])
        back = ["restore-version", "a", token, *self.at(port)]
        self.assertIn("(dry run): 15 inserted", self.run_command(*back, "--dry-run").stdout)
        stale = self.run_command(*back, "--if-match", token)
        self.assertEqual(stale.returncode, 1)
        self.assertIn("15 inserted", self.run_command(*back).stdout)
        listed = self.run_command("versions", "a", *self.at(port)).stdout.splitlines()
        self.assertIn(f"  20 items  back to {token}: 15 inserted", listed[0])
        self.assertIn("is neither remembered nor kept", self.run_command(
            "restore-version", "a", "aaaaaaaa.1", *self.at(port)).stderr)
        process.send_signal(signal.SIGTERM)
        self.assertIn("a feed's guard refused a publish", process.stderr.read())


class PipedConfiguration(Command):
    def test_a_reload_opens_nothing(self):
        reading, writing = os.pipe()
        os.write(writing, b"open-feeds: none\n")
        os.close(writing)
        process, port, _ = self.serve(
            "--port", "0", "--key", KEY, "--config", f"/dev/fd/{reading}", pass_fds=[reading])
        os.close(reading)
        self.assertEqual(self.publish(port).returncode, 0)
        process.send_signal(signal.SIGHUP)
        for line in process.stderr:
            if "stays in force" in line:
                break
            self.assertNotIn("configuration read again", line)
        self.assertEqual(self.status(port, "/feeds/a"), 401)

    def test_a_server_does_not_start_by_an_empty_one(self):
        reading, writing = os.pipe()
        os.close(writing)
        result = subprocess.run(
            [BINARY, "serve", "--port", "0", "--key", KEY, "--config", f"/dev/fd/{reading}"],
            stderr=subprocess.PIPE, text=True, pass_fds=[reading], timeout=60, check=False)
        os.close(reading)
        self.assertEqual(result.returncode, 2)
        self.assertIn("the pipe has nothing", result.stderr)


class WrongConfiguration(Command):
    def test_a_certificate_that_cannot_be_used_ends_like_other_mistakes(self):
        (self.home / "empty.pem").write_text("")
        for name in ("missing.pem", "empty.pem"):
            text = f"tls-cert: {name}\ntls-key: {name}\n"
            (self.home / "freshet.yaml").write_text(text)
            for arguments in (
                ["check", "freshet.yaml"], ["serve", "--port", "0", "--config", "freshet.yaml"],
                ["serve", "--port", "0", "--tls-cert", name, "--tls-key", name],
            ):
                with self.subTest(arguments):
                    result = self.run_command(*arguments)
                    self.assertEqual(result.returncode, 2)  # The service manager tries no more.
                    self.assertIn(f"{name}: ", result.stderr)

    def test_data_that_is_no_folder_ends_so_too(self):
        (self.home / "freshet.yaml").write_text("data: file\n")
        (self.home / "file").write_text("precious")
        for arguments in (
            ["check", "freshet.yaml"], ["serve", "--port", "0", "--config", "freshet.yaml"],
            ["serve", "--port", "0", "--data", "file"],
        ):
            with self.subTest(arguments):
                result = self.run_command(*arguments)
                self.assertEqual(result.returncode, 2)
                self.assertIn("data: file is no folder", result.stderr)
        self.assertEqual((self.home / "file").read_text(), "precious")


class MirroredAddresses(Command):
    """What `serve` says of the address that it is to follow."""

    def refusal(self, address):
        result = self.run_command("serve", "--port", "0", "--mirror", address, "--mirror-key", KEY)
        self.assertEqual(result.returncode, 2)
        return result.stderr

    def test_no_password_is_repeated(self):
        for address in ("http://me:hidden@a.example", "me:hidden@a.example"):
            with self.subTest(address):
                self.assertNotIn("hidden", self.refusal(address))
        self.assertIn("mirror-key", self.refusal("http://me:hidden@a.example"))

    def test_doctor_is_told_what_serve_is_told(self):
        for arguments, level in ([], "fail"), (["--mirror", "http://127.0.0.1:1"], "ok"):
            with self.subTest(level):
                result = subprocess.run(
                    [BINARY, "doctor", "--port", "0", *arguments], stdout=subprocess.PIPE,
                    text=True, cwd=self.home, env={**os.environ, "FRESHET_MIRROR_KEY": KEY},
                    timeout=60, check=False)
                self.assertRegex(result.stdout, rf"\A{level} +configuration ")


class Outputs(Command):
    def test_what_cannot_be_written_is_a_failure(self):
        _, port, _ = self.serve("--port", "0", "--key", KEY, "--data", "data")
        self.publish(port)
        (self.home / "secret").write_bytes(b"x" * 40)
        for arguments in (
            ["key"], ["token", "--kid", "a", "--secret-file", "secret", "--read", "x"],
            ["list", *self.at(port)], ["list", "--json", *self.at(port)], ["check", "a.json"],
            ["publish", "a", "a.json", *self.at(port)], ["backup", "data", "copy"],
            ["doctor", "--server", f"http://127.0.0.1:{port}"], ["delete", "a", *self.at(port)],
        ):
            with self.subTest(arguments[0]), open("/dev/full", "w", encoding="utf-8") as full:
                result = self.run_command(*arguments, output=full)
                self.assertEqual(result.returncode, 1)
                self.assertIn("standard output cannot be written: No space left", result.stderr)

    def test_help_that_cannot_be_written_is_a_failure(self):
        for arguments in (
            ["--version"], ["--help"], ["help", "get"], ["serve", "--help"], [],
            ["--generate-completion-script", "bash"],
        ):
            with self.subTest(arguments), open("/dev/full", "w", encoding="utf-8") as full:
                result = self.run_command(*arguments, output=full)
                self.assertEqual(result.returncode, 1)
                self.assertIn("standard output cannot be written: No space left", result.stderr)
                self.assertEqual(self.run_command(*arguments).returncode, 0)

    def test_one_is_in_the_singular(self):
        _, port, _ = self.serve("--data", "memory", "--port", "0", "--key", KEY)
        self.assertEqual(self.publish(port).returncode, 0)
        for arguments in ["list", *self.at(port)], ["versions", "a", *self.at(port)], ["check", "a.json"]:
            with self.subTest(arguments[0]):
                self.assertRegex(self.run_command(*arguments).stdout, r"\b1 item\b")
        result = self.run_command("conformance", f"http://127.0.0.1:{port}", "--key", KEY, "--only",
                                  "snapshots: numbers keep their digits")
        self.assertTrue(result.stdout.endswith("\n1 case, 0 failed\n"), result.stdout + result.stderr)

    def test_mistakes_are_named_as_they_were_made(self):
        (self.home / "rss.xml").write_text("<rss version='2.0'><channel><title>a</title></channel></rss>")
        for arguments, words in (
            (["remove", "a", "x", "x", *self.at(1)], "Each item can be named once."),
            (["import", "rss.xml"], "freshet: rss.xml: it is no OPML\n"),
            (["key", "--read", "a,B"], "freshet: --read: must be a feed's name"),
            (["key", "--name", "a\nb", "--write", "B", "--follow", "C"], "freshet: --follow: must be"),
        ):
            with self.subTest(arguments):
                result = self.run_command(*arguments)
                self.assertEqual((result.returncode, result.stdout), (2, ""))
                self.assertIn(words, result.stderr)
                self.assertNotIn("everyone may read", result.stderr)  # the configuration decides that
        # These look alike, and are two items.
        self.assertIn("no answer", self.run_command("remove", "a", "\u00e9", "e\u0301", *self.at(1)).stderr)

    def test_the_manual_page_is_what_the_help_says(self):
        page = subprocess.run([MANUAL, BINARY], stdout=subprocess.PIPE, text=True, check=True).stdout
        self.assertTrue(page.isascii())
        for words in "run at the same time. (default: 8)", "fewer go. (values: any)", "postgres://\\[u2026]":
            self.assertIn(words, page)

    def test_a_proxy_for_https_is_for_https_alone(self):
        _, port, _ = self.serve("--data", "memory", "--port", "0", "--key", KEY)
        for name in "https_proxy", "HTTPS_PROXY":
            with self.subTest(name), mock.patch.dict(os.environ, {name: "http://127.0.0.1:1"}):
                self.assertEqual(self.run_command("list", *self.at(port)).returncode, 0)
                there = self.run_command("list", "--server", f"https://127.0.0.1:{port}", "--key", KEY)
                self.assertIn("127.0.0.1 port 1 ", there.stderr)

    def test_the_list_obeys_no_title(self):
        _, port, _ = self.serve("--port", "0", "--key", KEY)
        self.assertEqual(self.publish(port, title="a\u001b[31mb\nc").returncode, 0)
        lines = self.run_command("list", *self.at(port)).stdout.splitlines()
        self.assertEqual(len(lines), 1)
        self.assertTrue(lines[0].endswith("  a[31mb c"), lines)


class Descriptors(Command):
    def test_a_server_with_few_serves_and_stops_or_says_so(self):
        for limit in (8, 16, *range(18, 60, 3)):
            def few(limit=limit):
                resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
            process = subprocess.Popen(
                [BINARY, "serve", "--data", "memory", "--port", "0", "--key", KEY, "--loops", "2"],
                text=True, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, cwd=self.home, preexec_fn=few)
            self.processes.append(process)
            with self.subTest(limit):
                said = []
                for line in process.stderr:
                    said.append(line)
                    if found := re.search(r'listening on [^"\n]*:([0-9]+)', line):
                        self.assertEqual(self.status(int(found[1]), "/healthz"), 200)
                        process.send_signal(signal.SIGTERM)
                        self.assertEqual(process.wait(30), 0)
                        break
                else:
                    self.assertEqual(process.wait(30), 1, said)
                    self.assertRegex(said[-1], "Too many open files|ulimit -n")

    def test_check_and_serve_say_which_setting_asks_for_too_many(self):
        path = os.path.join(self.home, "loops.yaml")
        with open(path, "w", encoding="utf-8") as file:
            file.write("loops: 200\nport: 0\ndata: memory\n")
        for limit, isEnough in ((64, False), (4096, True)):
            def few(limit=limit):
                resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))
            with self.subTest(limit):
                checked = subprocess.run([BINARY, "check", path], text=True, capture_output=True, preexec_fn=few, check=False)
                self.assertEqual(checked.returncode == 0, isEnough, checked.stderr)
                if isEnough:
                    continue
                served = subprocess.run(
                    [BINARY, "serve", "--config", path], text=True, capture_output=True, cwd=self.home, preexec_fn=few,
                    check=False)
                self.assertNotEqual(served.returncode, 0)
                for said in (checked.stderr, served.stderr):
                    self.assertIn("loops.yaml:1:8: loops: too few files may be open for 200 event loops", said)


class FirstProcess(Command):
    """A server that is the first process of its namespace, as in a container."""

    def setUp(self):
        super().setUp()
        self.inner = ["unshare", "--user", "--map-root-user", "--pid", "--fork", "--kill-child"]
        if subprocess.run([*self.inner, "true"], stderr=subprocess.DEVNULL, check=False).returncode:
            self.skipTest("namespaces cannot be made here")

    def start(self, *arguments, **options):
        """Starts one; returns it, the number by which it is known here, and what it says."""
        outer = subprocess.Popen(
            [*self.inner, BINARY, "serve", "--data", "memory", "--port", "0", "--key", KEY, *arguments],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd=self.home, **options)
        self.processes.append(outer)
        children = pathlib.Path(f"/proc/{outer.pid}/task/{outer.pid}/children")
        until(lambda: children.read_text().strip())
        number = int(children.read_text())
        until(lambda: b"serve" in pathlib.Path(f"/proc/{number}/cmdline").read_bytes())
        return outer, number

    def test_stops(self):
        outer, number = self.start()
        self.assertTrue(any("listening on" in line for line in outer.stderr))
        os.kill(number, signal.SIGTERM)
        self.assertEqual(outer.wait(30), 0)

    def test_ends_at_the_second_signal(self):
        outer, number = self.start()
        port = next(int(found[1]) for line in outer.stderr
                    if (found := re.search(r'listening on [^"\n]*:([0-9]+)', line)))
        with socket.create_connection(("127.0.0.1", port)) as connection:
            connection.sendall(
                b"PUT /feeds/a HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n"
                b"Authorization: Bearer " + KEY.encode() + b"\r\nContent-Length: 9\r\n\r\n")
            # The stop waits for a request that the server has begun to read.
            self.assertTrue(connection.recv(4096).startswith(b"HTTP/1.1 100 "))
            os.kill(number, signal.SIGTERM)
            self.assertTrue(any("stopping" in line for line in outer.stderr))
            os.kill(number, signal.SIGTERM)
            self.assertEqual(outer.wait(30), 128 + signal.SIGTERM)

    def test_ends_while_it_starts(self):
        reading, writing = os.pipe()
        outer, number = self.start("--config", f"/dev/fd/{reading}", pass_fds=[reading])
        os.close(reading)
        status = pathlib.Path(f"/proc/{number}/status")
        caught = 1 << signal.SIGTERM - 1
        until(lambda: int(re.search("SigCgt:\t(.*)", status.read_text())[1], 16) & caught)
        os.kill(number, signal.SIGTERM)  # It waits for its configuration.
        self.assertEqual(outer.wait(30), 128 + signal.SIGTERM)
        os.close(writing)


class Logs(Command):
    def test_a_full_file_ends_nothing_and_cuts_one_line(self):
        log = self.home / "log"

        def small():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, resource.RLIM_INFINITY))
        with open(log, "ab") as output:
            process = subprocess.Popen(
                [BINARY, "serve", "--data", "memory", "--port", "0", "--key", KEY, "--access-log",
                 "--log-format", "json"],
                stderr=subprocess.PIPE, stdout=output, text=True, cwd=self.home, preexec_fn=small)
        self.processes.append(process)
        port = next(int(found[1]) for line in process.stderr
                    if (found := re.search(r'listening on [^"\n]*:([0-9]+)', line)))
        for _ in range(9):
            self.assertEqual(self.status(port, "/healthz"), 200)
        until(lambda: log.stat().st_size == 1000)
        resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
        self.assertEqual(self.status(port, "/readyz"), 200)
        dropped = next(json.loads(line)["count"] for line in process.stderr if "dropped" in line)
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(30), 0)
        lines = log.read_text().splitlines()
        self.assertEqual(len(lines), 9 - dropped + 2)
        self.assertEqual(json.loads(lines.pop())["target"], "/readyz")
        self.assertFalse(lines.pop().endswith("}"))
        self.assertEqual({json.loads(line)["target"] for line in lines}, {"/healthz"})

    def test_a_server_that_does_not_start_says_first_what_it_has_to_say(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            port = taken.getsockname()[1]
            for _ in range(40):
                result = subprocess.run(
                    [BINARY, "serve", "--data", "memory", "--port", str(port), "--key", KEY],
                    stderr=subprocess.PIPE, text=True, cwd=self.home, env={**os.environ, "FRESHET_PROT": "1"}, timeout=60,
                    check=False)
                self.assertEqual(result.returncode, 1)
                self.assertRegex(result.stderr, "FRESHET_PROT is not known.*\n.*feeds are kept.*\n.*already in use")

    def test_a_log_in_json_has_no_other_lines(self):
        with socket.create_server(("127.0.0.1", 0)) as taken:
            (self.home / "wrong.yaml").write_text("port: x\npublic: gone\n")
            (self.home / "none.yaml").write_text("log-format: json\ntls-cert: gone.pem\ntls-key: gone.pem\n")
            for arguments, status, words in (
                    (("--port", str(taken.getsockname()[1])), 1, ["already in use"]),
                    (("--config", "wrong.yaml"), 2, ["wrong.yaml:1:7: port: must be"]),
                    (("--config", "none.yaml"), 2, ["none.yaml:2:11: tls-cert: gone.pem: No such file"]),
                    (("--data", "wrong.yaml"), 2, ["--data: wrong.yaml is no folder"])):
                result = self.run_command("serve", "--data", "memory", "--log-format", "json", *arguments)
                self.assertEqual(result.returncode, status, result.stderr)
                messages = [json.loads(line)["message"] for line in result.stderr.splitlines()]
                for each in words:
                    self.assertTrue(any(each in message for message in messages), messages)

    def test_no_member_of_a_line_is_there_twice(self):
        def single(pairs):
            self.assertEqual(len(dict(pairs)), len(pairs), pairs)
            return dict(pairs)
        process, port, said = self.serve(
            "--port", "0", "--key", KEY, "--data", "data", "--log-format", "json")
        self.publish(port)
        process.send_signal(signal.SIGTERM)
        said += process.stderr
        lines = [json.loads(line, object_pairs_hook=single) for line in said]
        self.assertTrue(any(line["message"].startswith("listening on http://") for line in lines))
        restored = next(line for line in lines if line["message"] == "feeds restored")
        self.assertEqual([type(restored[name]) for name in ("feeds", "duration_us")], [int, int])
        self.assertIn("feeds restored", [line["message"] for line in lines])
        for line in lines:
            self.assertRegex(line["time"], r"\A20[0-9]{2}-[0-9-]{5}T[0-9:.]{15}Z\Z")


class BackupNames(Command):
    def test_a_name_that_is_no_line_is_refused(self):
        self.serve("--port", "0", "--key", KEY, "--data", "data")
        until(lambda: (self.home / "data/control.sock").exists())
        (self.home / "copy").write_text("the last good one")
        for name in ("copy\nof today", "x" * 5000):
            result = self.run_command("backup", "data", name)
            self.assertEqual(result.returncode, 2)
            self.assertIn("too long, or has a line feed", result.stderr)
        self.assertEqual((self.home / "copy").read_text(), "the last good one")


if __name__ == "__main__":
    unittest.main()
