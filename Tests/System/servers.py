"""Servers that share feeds, with publishers and readers who check every token that anybody saw."""

import http.client
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/Crash"))

from harness import BINARY, KEY, Client, Knowledge, apply, content  # pylint: disable=C0413


class Server:
    """One server, started again on the same port after it was killed."""

    def __init__(self, *arguments, port=0, environment=None, output=None):
        self.arguments = list(arguments)
        self.output = output  # What it writes to standard output, such as the access log.
        self.port = port
        self.environment = environment or {}
        self.process = None
        self.log = []

    def start(self, fails=False):
        self.process = subprocess.Popen(
            [BINARY, "serve", "--data", "memory", "--port", str(self.port), "--key", KEY,
             *self.arguments],
            stderr=subprocess.PIPE, stdout=self.output or subprocess.DEVNULL, text=True,
            cwd=tempfile.gettempdir(), env={**os.environ, **self.environment})
        first = len(self.log)  # What is said before it listens belongs to its log, too.
        for line in self.process.stderr:
            self.log.append(line)
            if "listening on" in line:
                self.port = int(re.search(r":(\d+)\W*$", line).group(1))
                break
        else:
            self.process.wait()
            self.process.stderr.close()
            if not fails:
                raise AssertionError(f"the server did not start: {''.join(self.log[first:])}")
            return "".join(self.log[first:])
        threading.Thread(target=self._drain, args=(self.process,), daemon=True).start()
        return self

    def _drain(self, process):
        try:
            for line in process.stderr:
                self.log.append(line)
        except ValueError:
            pass  # It was killed.

    def signal(self, number):
        self.process.send_signal(number)

    def kill(self):
        if self.process and self.process.poll() is None:
            self.signal(signal.SIGCONT)
            self.signal(signal.SIGKILL)
            self.process.wait()
            self.process.stderr.close()

    def stop(self):
        self.signal(signal.SIGTERM)
        self.process.wait(30)
        self.process.stderr.close()

    def client(self):
        return Client(self.port)


class Crowd:
    """Publishers and readers at random ones of some servers, until it is ended."""

    FEEDS = ["a", "b", "c"]

    def __init__(self, writers, readers, known, seed=1, publishing=6, reading=4):
        self.writers, self.readers, self.known = writers, readers, known
        self.isOver = threading.Event()
        self.statuses = {}
        # What the clients of lists were told: (item, whether it is there).
        self.inserted = {}
        self.threads = [
            threading.Thread(target=self.guard, args=(work, f"{work.__name__}-{number}-{seed}"),
                             daemon=True)
            for work, total in ((self.publish, publishing), (self.read, reading))
            for number in range(total)]
        for thread in self.threads:
            thread.start()

    def end(self):
        self.isOver.set()
        for thread in self.threads:
            thread.join(60)
            if thread.is_alive():
                self.known.fault("a client hangs")

    def guard(self, work, name):
        draw = random.Random(name)
        while not self.isOver.is_set():
            try:
                work(draw, name)
            except (OSError, http.client.HTTPException):
                time.sleep(0.05)  # The server is gone.
            except Exception as error:  # pylint: disable=broad-except
                self.known.fault(f"{name}: {error!r}")
                return

    def count(self, status):
        with self.known.lock:
            self.statuses[status] = self.statuses.get(status, 0) + 1

    def publish(self, draw, name):
        """Publishes whole feeds and single items, each time to another server."""
        clients = {server: server.client() for server in self.writers}
        while not self.isOver.is_set():
            client = clients[draw.choice(self.writers)]
            if draw.random() < 0.6:
                self.put(client, draw, name)
            else:
                self.insert(draw, name)

    def put(self, client, draw, name):
        feed = draw.choice(self.FEEDS)
        ids = list(range(60))
        draw.shuffle(ids)
        body = {"title": f"t{draw.randrange(4)}", "sections": [
            {"id": f"s{section}", "items": [
                {"id": f"i{item}", "value": draw.randrange(3)}
                for item in sorted(ids[section * 20:section * 20 + draw.randrange(20)])]}
            for section in range(draw.randrange(1, 4))]}
        status, answer = client.send("PUT", f"/feeds/{feed}", body)
        self.count(status)
        if status in (200, 201):
            self.known.acknowledged += 1
            text = content({**body, "kind": "", "token": ""})
            self.known.saw(feed, answer["token"], text, name)
        elif status not in (500, 503):
            self.known.fault(f"{name}: {status} {answer}")

    def insert(self, draw, name):
        """Inserts an item once, however often it is told to, at whichever server."""
        item = f"x{draw.getrandbits(60):x}"
        with self.known.lock:
            self.inserted[item] = None
        for _ in range(200):
            try:
                client = draw.choice(self.writers).client()
                status, answer = client.send(
                    "POST", "/feeds/list/items", {"id": item}, Idempotency_Key=item)
                self.count(status)
                if status == 201:
                    with self.known.lock:
                        self.inserted[item] = answer["token"]
                        self.known.acknowledged += 1
                    self.known.saw("list", answer["token"], None, name)
                    return
                if status == 404:
                    client.send("PUT", "/feeds/list", {"items": []}, If_None_Match="*")
                elif status not in (500, 503):
                    self.known.fault(f"{name}: {status} {answer}")
                    return
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.05)
        self.known.fault(f"{name}: {item} cannot be inserted")

    def read(self, draw, name):
        """Reads with tokens from any server; what comes is never older, and never wrong."""
        clients = {server: server.client() for server in self.readers}
        seen = {}
        while not self.isOver.is_set():
            client = clients[draw.choice(self.readers)]
            feed = draw.choice(self.FEEDS)
            read(client, self.known, feed, seen, draw, name, self.count)
            time.sleep(0.001)


def read(client, known, feed, seen, draw, name, count=lambda status: None):
    """Reads one feed with the last token or an older one, and checks what comes."""
    last = seen.get(feed)
    since = last if last and draw.random() < 0.7 else None
    if since is None and draw.random() < 0.7:
        tokens = known.tokens(feed)
        since = draw.choice(tokens[-8:]) if tokens else None
    status, document = client.send("GET", f"/feeds/{feed}" + (f"?since={since}" if since else ""))
    count(f"read {status}")
    if status != 200:
        if status not in (404, 503):
            known.fault(f"{name}: {status} {document}")
        return None
    token = document["token"]
    if since:
        (epoch, version), (now, number) = since.split("."), token.split(".")
        if epoch == now and int(number) < int(version):
            known.fault(f"{name}: {feed} went back from {since} to {token}")
    count(f"kind {document['kind']} {document.get('reason', '')}".strip())
    if document["kind"] == "snapshot":
        known.saw(feed, token, content(document), name)
    elif document["kind"] == "changes":
        with known.lock:
            old = known.contents.get((feed, since))
        if old is not None:
            known.saw(feed, token, apply(old, document["changes"]), f"{name}, since {since}")
    seen[feed] = token
    return document


def agree(test, servers, known, seconds=20):
    """Checks that all servers come to the same, which is the newest that anybody saw."""
    for feed in Crowd.FEEDS + ["list"]:
        end = time.monotonic() + seconds
        while True:
            answers = [server.client().send("GET", f"/feeds/{feed}") for server in servers]
            documents = {str(sorted(document.items())) for _, document in answers}
            if len(documents) == 1 or time.monotonic() > end:
                break
            time.sleep(0.05)
        test.assertEqual(len(documents), 1, f"the servers differ about {feed}")
        status, document = answers[0]
        if status != 200:
            continue
        epoch, version = document["token"].split(".")
        newest = known.newest.get((feed, epoch), 0)
        test.assertGreaterEqual(int(version), newest, f"{feed} went back to {version}")
        if feed != "list":
            known.saw(feed, document["token"], content(document), "the end")
    return [document for _, document in answers]
