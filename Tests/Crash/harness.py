"""A server that is killed, publishers and readers, and what they know."""

import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import tempfile
import threading
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
# Servers warn of variables that are not for them.
BINARY = os.environ.pop("FRESHET_BINARY", str(ROOT / ".build/debug/freshet"))
KEY = "the-key-of-the-crash-tests"


def count(name, default):
    """How often something is done: more with the variable of that name."""
    return int(os.environ.get(name, default))


class Server:
    """One process after the other over one data folder."""

    def __init__(self, folder=None, **environment):
        self.home = pathlib.Path(folder or tempfile.mkdtemp(prefix="freshet-crash-")).resolve()
        self.data = self.home / "data"
        self.environment = environment
        self.process = None
        self.port = None
        self.log = []

    def start(self, *arguments, fails=False):
        """Starts a process; with `fails`, one that must not come up, and returns what it says."""
        self.process = subprocess.Popen(
            [BINARY, "serve", "--port", "0", "--key", KEY, "--public", str(ROOT / "Public"),
             "--data", str(self.data), *arguments],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, cwd=self.home,
            env={**os.environ, **self.environment})
        lines = []
        for line in self.process.stderr:
            lines.append(line)
            if "listening on" in line:
                self.port = int(line.rsplit(":", 1)[1])
                break
        else:
            self.process.wait()
            text = "".join(lines)
            if not fails:
                raise AssertionError(f"the server did not start: {text}")
            return text
        if fails:
            self.kill()
            raise AssertionError("the server started, and it should not")
        threading.Thread(target=self._drain, args=(self.process,), daemon=True).start()
        return "".join(lines)

    def _drain(self, process):
        try:
            for line in process.stderr:
                self.log.append(line)
        except ValueError:
            pass  # It was killed.

    def kill(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()
        self.process.stderr.close()

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)

    def remove(self):
        if self.process and self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.home, ignore_errors=True)

    def text(self, path):
        """What is at a path, as text."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=20) as response:
            return response.read().decode()

    def client(self):
        return Client(self.port)


class Client:
    """One connection."""

    def __init__(self, port):
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=20)

    def send(self, method, path, body=None, **headers):
        """Sends a request; returns its status and its document."""
        fields = {name.replace("_", "-"): value for name, value in headers.items()}
        if method != "GET":
            fields.setdefault("Authorization", "Bearer " + KEY)
        if body is not None:
            fields.setdefault("Content-Type", "application/json")
            body = json.dumps(body)
        self.connection.request(method, path, body, fields)
        response = self.connection.getresponse()
        data = response.read()
        return response.status, json.loads(data) if data else None


def content(document):
    """What a snapshot shows, without what names the version."""
    own = {name: value for name, value in document.items()
           if name not in ("kind", "feed", "token", "reason", "count", "order", "sections")}
    sections = [
        [{name: value for name, value in section.items() if name not in ("items", "count")},
         section["items"]]
        for section in document["sections"]]
    return json.dumps([own, sections], sort_keys=True)


def apply(old, changes):
    """Applies the protocol's changes to the text of a content (docs/READING.md)."""
    own, sections = json.loads(old)
    items, parts = changes.get("items", {}), changes.get("sections", {})
    moved = {}
    for gone, keep in ((items.get("remove", []), False),
                       ([move["id"] for move in items.get("move", [])], True)):
        for identifier in gone:
            for section in sections:
                for item in section[1]:
                    if item["id"] == identifier:
                        section[1].remove(item)
                        if keep:
                            moved[identifier] = item
                        break
    carried = {}
    for identifier in parts.get("remove", []) + [move["id"] for move in parts.get("move", [])]:
        section = next(part for part in sections if part[0]["id"] == identifier)
        sections.remove(section)
        carried[identifier] = section
    arrivals = [(entry["index"], [entry["section"], []]) for entry in parts.get("insert", [])]
    arrivals += [(entry["index"], carried[entry["id"]]) for entry in parts.get("move", [])]
    for index, section in sorted(arrivals, key=lambda pair: pair[0]):
        sections.insert(index, section)
    arrivals = [(entry["section"], entry["index"], entry["item"])
                for entry in items.get("insert", [])]
    arrivals += [(entry["section"], entry["index"], moved[entry["id"]])
                 for entry in items.get("move", [])]
    for name, index, item in sorted(arrivals, key=lambda entry: entry[:2]):
        next(part for part in sections if part[0]["id"] == name)[1].insert(index, item)
    updates = [(own, changes.get("feed", {}))]
    updates += [(part[0], update) for update in parts.get("update", [])
                for part in sections if part[0]["id"] == update["id"]]
    updates += [(item, update) for update in items.get("update", [])
                for part in sections for item in part[1] if item["id"] == update["id"]]
    for target, update in updates:
        target.update(update.get("set", {}))
        for name in update.get("unset", []):
            target.pop(name, None)
    return json.dumps([own, sections], sort_keys=True)


class Knowledge:
    """What everybody ever saw: contents by token, and the newest version of each feed."""

    def __init__(self):
        self.lock = threading.Lock()
        self.contents = {}
        self.newest = {}
        self.order = {}
        self.faults = []
        self.acknowledged = 0

    def fault(self, text):
        with self.lock:
            self.faults.append(text)

    def saw(self, feed, token, text, who):
        """Takes note of a version that somebody saw."""
        epoch, version = token.split(".")
        with self.lock:
            if text is not None:
                known = self.contents.setdefault((feed, token), text)
                if known != text:
                    self.faults.append(f"{who}: {feed} {token} denotes two contents")
            newest = self.newest.setdefault((feed, epoch), 0)
            self.newest[(feed, epoch)] = max(newest, int(version))

    def tokens(self, feed):
        with self.lock:
            return [token for name, token in self.contents if name == feed]


class Load:
    """Publishers and readers at work on one server, until it is killed."""

    FEEDS = ["a", "b", "c"]

    def __init__(self, server, known, seed, publishers=8, readers=3):
        self.server, self.known = server, known
        self.random = random.Random(seed)
        self.isOver = threading.Event()
        # The publishes whose answers did not come: feed, body, key.
        self.open = []
        self.threads = [
            threading.Thread(target=self.guard, args=(work, number, seed), daemon=True)
            for work, total in ((self.publish, publishers), (self.read, readers))
            for number in range(total)]
        for thread in self.threads:
            thread.start()

    def end(self):
        self.isOver.set()
        for thread in self.threads:
            thread.join(30)
            if thread.is_alive():
                self.known.fault("a client hangs")

    def guard(self, work, number, seed):
        try:
            work(self.server.client(), random.Random(f"{work.__name__}-{number}-{seed}"), number)
        except (OSError, http.client.HTTPException):
            pass  # The server is gone.
        except Exception as error:  # pylint: disable=broad-except
            self.known.fault(f"{work.__name__}: {error!r}")

    def publish(self, client, draw, number):
        """Publishes whole feeds, edits and single items, and deletes one feed of its own."""
        while not self.isOver.is_set():
            kind = draw.random()
            if kind < 0.6:
                self.put(client, draw)
            elif kind < 0.9:
                self.insert(client, draw, number)
            else:
                self.recreate(client, draw, number)

    def put(self, client, draw):
        feed = draw.choice(self.FEEDS)
        ids = list(range(60))
        draw.shuffle(ids)
        body = {"title": f"t{draw.randrange(4)}", "sections": [
            {"id": f"s{section}", "items": [
                {"id": f"i{item}", "value": draw.randrange(3)}
                for item in sorted(ids[section * 20:section * 20 + draw.randrange(20)])]}
            for section in range(draw.randrange(1, 4))]}
        status, answer = client.send("PUT", f"/feeds/{feed}", body)
        if status in (200, 201):
            text = content({**body, "kind": "", "token": ""})
            self.known.saw(feed, answer["token"], text, "a publisher")
            self.known.acknowledged += 1
        elif status not in (500, 503):
            self.known.fault(f"PUT: {status} {answer}")

    def insert(self, client, draw, number):
        """Inserts an item once, with an Idempotency-Key."""
        key = f"{number}-{draw.random()}"
        body = [{"insert": {"id": "n" + key}}]
        entry = (body, key)
        self.open.append(entry)
        status, answer = client.send(
            "PATCH", "/feeds/list", {"edits": body}, Idempotency_Key=key)
        if status == 404:
            client.send("PUT", "/feeds/list", {"items": []}, If_None_Match="*")
        if status not in (500, 503):
            self.open.remove(entry)
        if status == 200:
            self.known.saw("list", answer["token"], None, "a publisher")
            self.known.acknowledged += 1
        elif status not in (404, 500, 503):
            self.known.fault(f"PATCH: {status} {answer}")

    def recreate(self, client, draw, number):
        """Makes and deletes a feed that nobody else touches."""
        feed = f"own-{number}"
        if draw.random() < 0.5:
            self.state(feed, "maybe gone")
            status, _ = client.send("DELETE", f"/feeds/{feed}")
            if status in (204, 404):
                self.state(feed, "gone")
        else:
            self.state(feed, "maybe there")
            status, answer = client.send("PUT", f"/feeds/{feed}", {"items": [{"id": "x"}]})
            if status in (200, 201):
                self.state(feed, "there " + answer["token"])

    def state(self, feed, state):
        with self.known.lock:
            self.known.__dict__.setdefault("own", {})[feed] = state

    def read(self, client, draw, number):
        """Reads snapshots and changes, and checks every token against all that was seen."""
        while not self.isOver.is_set():
            check(client, self.known, draw.choice(self.FEEDS), draw, f"reader {number}")
            time.sleep(0.001)


def check(client, known, feed, draw, who):
    """Reads a feed by a snapshot or by a change since some version."""
    tokens = known.tokens(feed)
    since = draw.choice(tokens) if tokens and draw.random() < 0.7 else None
    status, document = client.send("GET", f"/feeds/{feed}" + (f"?since={since}" if since else ""))
    if status == 404:
        return None
    if status != 200:
        known.fault(f"{who}: {status} {document}")
        return None
    token = document["token"]
    if document["kind"] == "snapshot":
        known.saw(feed, token, content(document), who)
    elif document["kind"] == "changes":
        text = apply(known.contents[(feed, since)], document["changes"])
        known.saw(feed, token, text, f"{who}, since {since}")
    return document


def inspect(server, known, load, draw):
    """After a restart: nothing that anybody saw is undone."""
    client = server.client()
    for feed in Load.FEEDS + ["list"]:
        epochs = [epoch for name, epoch in known.newest if name == feed]
        if not epochs:
            continue
        status, document = client.send("GET", f"/feeds/{feed}")
        if status != 200:
            known.fault(f"{feed} is lost: {status}")
            continue
        epoch, version = document["token"].split(".")
        newest = known.newest.get((feed, epoch))
        if newest is None:
            known.fault(f"{feed} has a new epoch")
        elif int(version) < newest:
            known.fault(f"{feed} went back from {newest} to {version}")
        if feed != "list":
            known.saw(feed, document["token"], content(document), "after the start")
            # Versions have gaps, and readers do not see each, so this is one of the last 8 at most.
            seen = sorted(int(token.split(".")[1]) for token in known.tokens(feed)
                          if token.startswith(epoch) and int(token.split(".")[1]) >= int(version) - 7)
            recent = f"{epoch}.{seen[0]}" if seen else None
            if recent in known.tokens(feed):
                answer = client.send("GET", f"/feeds/{feed}?since={recent}")[1]
                if answer.get("reason") not in (None, "smaller"):
                    known.fault(f"{feed}: {recent} of 8 versions is forgotten: {answer}")
            for _ in range(3):
                check(client, known, feed, draw, "after the start")
    for feed, state in list(known.__dict__.get("own", {}).items()):
        status, document = client.send("GET", f"/feeds/{feed}")
        if state == "gone" and status != 404:
            known.fault(f"{feed} was deleted and is back")
        if state.startswith("there") and (status != 200 or document["token"] != state[6:]):
            known.fault(f"{feed} {state}: {status} {document}")
    for body, key in load.open:
        # Whatever became of it, it is carried out once.
        status, answer = client.send(
            "PATCH", "/feeds/list", {"edits": body}, Idempotency_Key=key)
        if status not in (200, 404):
            known.fault(f"a repeated request: {status} {answer}")


class Shadow:
    """The library that keeps what a power cut would leave of a data folder."""

    library = None

    @classmethod
    def build(cls):
        if cls.library is None:
            source = ROOT / "Tests/Crash/shadow.c"
            cls.library = str(pathlib.Path(tempfile.mkdtemp(prefix="freshet-shadow-")) / "shadow.so")
            subprocess.run(["cc", "-shared", "-fPIC", "-O1", "-o", cls.library, str(source),
                            "-ldl", "-lpthread"], check=True)
        return cls.library

    @classmethod
    def environment(cls, home, **settings):
        """The variables of a server whose folder is home/data."""
        home = pathlib.Path(home).resolve()
        (home / "shadow").mkdir(exist_ok=True)
        return {"LD_PRELOAD": cls.build(), "SHADOW_OF": str(home / "data"),
                "SHADOW": str(home / "shadow"), "SHADOW_FAULT": str(home / "fault"), **settings}

    @staticmethod
    def restore(home):
        """Makes the folder what it would be after a power cut; files stay the files they are."""
        data, shadow = pathlib.Path(home) / "data", pathlib.Path(home) / "shadow"
        for path in shadow.glob(".unnamed-*"):
            path.unlink()
        for path in data.iterdir():
            if not (shadow / path.name).exists():
                path.unlink()
        for path in shadow.iterdir():
            name = data / path.name
            mode = "r+b" if name.exists() else "wb"
            with open(path, "rb") as source, open(name, mode) as target:
                target.truncate(0)
                shutil.copyfileobj(source, target)
