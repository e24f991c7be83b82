#!/usr/bin/env python3
"""Everything at once for an hour: does a server take more memory or time, the longer it runs?

    scripts/soak [--minutes 60] [--binary .build/release/freshet] [--report FILE]

An origin with a data folder, a source, a derived feed and limits, and a mirror of it. Publishers with a
model each, polls, waits, streams and pulls, clients that vanish or do not read, reloads, backups, and a disk
that is full for a while, once in each half. The second half is held against the first: memory and the 99th
percentiles at most 1.1 times, descriptors equal in the end, contents equal to the models. Ends with
status 1 where that does not hold; `--report` writes the figures.
"""

import argparse
import datetime
import http.server
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "Tests/Crash"))

from harness import KEY, Client, apply, content  # noqa: E402  pylint: disable=C0413

# Each publisher has feeds of its own, of which it alone knows what is in them.
PUBLISHERS, FEEDS, ITEMS = 3, 6, 120
# The part of the time at which the disk fills up, once in each half.
FULL_AT = (0.3, 0.8)
DISK = 96 << 20


class Process:
    """A server, and what the system says of it."""

    def __init__(self, binary, arguments, folder, own_disk=False):
        self.folder = folder
        self.log = []
        command = [str(binary), "serve", "--data", "memory", "--port", "0", "--host", "127.0.0.1", *arguments]
        if own_disk:
            # A file system in a namespace of its own, where that needs no rights.
            script = f'mount -t tmpfs -o size={DISK},mode=700 soak "$0" && exec "$@"'
            rights = [] if os.geteuid() == 0 else ["--map-root-user", "--user"]
            command = ["unshare", *rights, "--mount", "sh", "-c", script, str(folder), *command]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL,
                                        text=True, cwd=tempfile.gettempdir())
        lines = []
        for line in self.process.stderr:
            lines.append(line)
            if "listening on" in line:
                self.port = int(line.rsplit(":", 1)[1])
                break
        else:
            raise SystemExit("soak: the server did not start: " + "".join(lines))
        threading.Thread(target=lambda: self.log.extend(self.process.stderr), daemon=True).start()

    @property
    def place(self):
        """Its folder, as it is seen from here."""
        return pathlib.Path(f"/proc/{self.process.pid}/root{self.folder}")

    def memory(self):
        """Resident memory in MiB."""
        pages = int(pathlib.Path(f"/proc/{self.process.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGE_SIZE") / (1 << 20)

    def sockets(self):
        """The ports here and there of its TCP sockets, those that listen left out, by inode."""
        found = {}
        for line in pathlib.Path(f"/proc/{self.process.pid}/net/tcp").read_text().split("\n")[1:-1]:
            _, here, there, state, *rest = line.split()
            if state != "0A":
                found[rest[5]] = tuple(int(end.split(":")[1], 16) for end in (here, there))
        return found

    def descriptors(self, ports):
        """How many it has, without its own connections to other servers' ports, which it keeps for a while.

        Returns that number, and the ports from which it has such connections.
        """
        sockets, count, own = self.sockets(), 0, set()
        folder = pathlib.Path(f"/proc/{self.process.pid}/fd")
        for name in os.listdir(folder):
            try:
                target = os.readlink(folder / name)
            except OSError:
                continue  # It was closed just now.
            # Dispatch opens one for each clock when it first needs it, and keeps it.
            if target == "anon_inode:[timerfd]":
                continue
            here, there = sockets.get(target.removeprefix("socket:[").rstrip("]"), (0, 0))
            if there in ports:
                own.add(here)
            else:
                count += 1
        return count, own

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(30)
        except subprocess.TimeoutExpired:
            self.process.kill()
            return -9


def has_own_disks():
    """Whether a file system can be mounted for a process alone."""
    rights = [] if os.geteuid() == 0 else ["--map-root-user", "--user"]
    try:
        return subprocess.run(["unshare", *rights, "--mount", "sh", "-c", "mount -t tmpfs soak /mnt"],
                              stderr=subprocess.DEVNULL, check=False).returncode == 0
    except OSError:
        return False


class Wire(http.server.BaseHTTPRequestHandler):
    """A source that has something new every few seconds."""

    protocol_version = "HTTP/1.1"

    def do_GET(self):  # noqa: N802  pylint: disable=invalid-name
        turn = int(time.time() / 3)
        items = [{"id": f"w{turn - age}", "title": f"Story {turn - age}"} for age in range(20)]
        body = json.dumps({"title": "Wire", "items": items}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


class Publisher:
    """Publishes to feeds of its own; `models` is what was acknowledged."""

    def __init__(self, number, port):
        self.draw = random.Random(f"publisher {number}")
        self.names = [f"p{number}-{index}" for index in range(FEEDS)]
        self.models = {name: [] for name in self.names}
        self.port = port
        self.client = None
        self.last = 0

    def item(self):
        self.last += 1
        return {"id": f"i{self.last}", "text": "%040x" % self.draw.getrandbits(160), "n": 0}

    def send(self, *arguments, **fields):
        """Until it is known what came of it: a publish whose answer did not come is sent again."""
        fields["Idempotency_Key"] = "%x" % self.draw.getrandbits(64)
        while True:
            try:
                if self.client is None:
                    self.client = Client(self.port)
                status, answer = self.client.send(*arguments, **fields)
            except OSError:
                self.client = None
                time.sleep(0.05)
                continue
            if status == 500:
                time.sleep(0.2)
                continue
            return status, answer

    def turn(self):
        """One publish; returns its status."""
        name = self.draw.choice(self.names)
        old = self.models[name]
        items = [dict(item) for item in old]
        kind = self.draw.random()
        if kind < 0.15 or not items:
            self.draw.shuffle(items)
            items = items[:ITEMS * 3 // 4] + [self.item() for _ in range(ITEMS // 4)]
            status, answer = self.send("PUT", f"/feeds/{name}", {"title": name, "items": items})
        elif kind < 0.6:
            index = self.draw.randrange(len(items))
            items[index]["n"] += 1
            status, answer = self.send("PATCH", f"/feeds/{name}/items/{items[index]['id']}",
                                       {"n": items[index]["n"]})
        elif kind < 0.8 or len(items) > ITEMS:
            gone = items.pop(self.draw.randrange(len(items)))
            status, answer = self.send("DELETE", f"/feeds/{name}/items/{gone['id']}")
        elif kind < 0.99:
            new = self.item()
            # New items go to the start.
            items.insert(0, new)
            status, answer = self.send("POST", f"/feeds/{name}/items", new)
        else:
            items = []
            status, answer = self.send("DELETE", f"/feeds/{name}")
        if status in (200, 201, 204):
            self.models[name] = items
        elif status != 503:
            raise AssertionError(f"{name}: {status} {answer}")
        return status


def ids(document):
    """The items of a snapshot, in order."""
    return [item for section in document["sections"] for item in section["items"]]


def publish(number, port, end, results):
    publisher = Publisher(number, port)
    count, refused = 0, 0
    while time.time() < end:
        status = publisher.turn()
        count, refused = count + 1, refused + (status == 503)
        time.sleep(0.02)
    results.put(("publisher", number, count, refused, publisher.models))


def probe(port, begin, end, results):
    """One request after the other, from a process of its own; says how long each took."""
    client = Client(port)
    client.send("PUT", "/feeds/probe", {"items": [{"id": "a", "n": 0}]})
    times = {"poll": [], "publish": []}
    count = 0
    while time.time() < end:
        count += 1
        for kind in ("poll", "publish") if count % 10 == 0 else ("poll",):
            start = time.perf_counter()
            if kind == "poll":
                status, _ = client.send("GET", "/feeds/probe")
            else:
                status, _ = client.send("PATCH", "/feeds/probe/items/a", {"n": count})
            taken = time.perf_counter() - start
            if status == 200:
                times[kind].append((time.time() - begin, taken * 1000))
        time.sleep(0.02)
    results.put(("probe", times))


def follow(port, feed, end, results):
    """Follows a feed by its stream with a copy of its own, and begins anew now and then."""
    checked, faults = 0, []
    draw = random.Random(f"{feed} {port}")
    while time.time() < end:
        stop = min(end, time.time() + draw.uniform(5, 40))
        copy, token = None, None
        try:
            for document in events(port, f"/feeds/{feed}/events?as=changes", stop):
                if document["kind"] == "snapshot":
                    copy, token = content(document), document["token"]
                elif document["kind"] == "changes":
                    if document["since"] != token:
                        faults.append(f"{feed}: changes since {document['since']}, not {token}")
                        break
                    copy, token = apply(copy, document["changes"]), document["token"]
                else:
                    copy, token = None, None
            if copy is not None:
                status, now = Client(port).send("GET", f"/feeds/{feed}?version={token}")
                if status == 200:
                    checked += 1
                    if content(now) != copy:
                        faults.append(f"{feed} {token}: the copy differs")
        except OSError:
            time.sleep(0.1)
    results.put(("follower", checked, faults))


def events(port, target, stop):
    """The documents of a stream, until a time."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as connection:
        connection.sendall(f"GET {target} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        data, body = b"", b""
        while b"\r\n\r\n" not in data:
            data += read(connection)
        head, data = data.split(b"\r\n\r\n", 1)
        if b" 200 " not in head.split(b"\r\n", 1)[0]:
            raise ConnectionError(head.decode())
        while time.time() < stop:
            while (end := data.find(b"\r\n")) >= 0:
                size = int(data[:end], 16)
                if len(data) < end + 2 + size + 2:
                    break
                if size == 0:
                    return
                body += data[end + 2:end + 2 + size]
                data = data[end + 2 + size + 2:]
            while b"\n\n" in body:
                event, body = body.split(b"\n\n", 1)
                lines = [line[6:] for line in event.split(b"\n") if line.startswith(b"data: ")]
                if lines:
                    yield json.loads(b"\n".join(lines))
            data += read(connection)


def read(connection):
    part = connection.recv(1 << 16)
    if not part:
        raise ConnectionError("closed")
    return part


def mixed(port, number, end, results):
    """Polls, deltas, waits, pulls, pages, formats, and clients that vanish or do not read."""
    draw = random.Random(f"mixed {number}")
    client, tokens, counts = None, {}, {}
    feeds = [f"p{p}-{f}" for p in range(PUBLISHERS) for f in range(FEEDS)] + ["wire", "front"]
    while time.time() < end:
        feed = draw.choice(feeds)
        kind = draw.choice(["poll", "delta", "delta", "pull", "page", "format", "wait", "vanish", "deaf"])
        try:
            if client is None:
                client = Client(port)
            if kind == "poll":
                status, document = client.send("GET", f"/feeds/{feed}")
                if status == 200:
                    tokens[feed] = document["token"]
            elif kind == "delta" and feed in tokens:
                status, document = client.send("GET", f"/feeds/{feed}?since={tokens[feed]}")
                if status == 200:
                    tokens[feed] = document["token"]
            elif kind == "pull":
                names = "&".join(f"feed={name}" for name in draw.sample(feeds, 5))
                status, _ = client.send("GET", f"/pull?{names}")
            elif kind == "page":
                status, _ = client.send("GET", f"/feeds/{feed}/items?limit=20&offset=10")
            elif kind == "format":
                status, _ = client.send("GET", f"/feeds/{feed}.json")
            elif kind == "wait" and feed in tokens:
                status, _ = client.send("GET", f"/feeds/{feed}?since={tokens[feed]}", Prefer="wait=2")
            else:
                status = leave(port, feed, draw, isDeaf=kind == "deaf")
            counts[status] = counts.get(status, 0) + 1
        except OSError:
            client = None
        time.sleep(0.01)
    results.put(("mixed", counts))


def leave(port, feed, draw, isDeaf):  # noqa: N803  pylint: disable=invalid-name
    """A client that goes in the middle of something."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    try:
        if isDeaf:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
            request = f"GET /feeds/{feed} HTTP/1.1\r\nHost: localhost\r\n\r\n" * 20
        else:
            request = draw.choice([
                "GET /feeds", f"GET /feeds/{feed}/events HTTP/1.1\r\nHost: localhost\r\n\r\n",
                f"PUT /feeds/{feed} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {KEY}\r\n"
                "Content-Type: application/json\r\nContent-Length: 5000\r\n\r\n{\"items\":["])
        connection.sendall(request.encode())
        if draw.random() < 0.5:
            connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        time.sleep(draw.random() * 0.2)
    finally:
        connection.close()
    return "left"


class Soak:
    """All of it, and what came of it."""

    def __init__(self, options):
        self.seconds = options.minutes * 60
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="freshet-soak-"))
        self.binary = pathlib.Path(options.binary).resolve()
        self.faults = []
        self.notes = []
        self.has_disk = has_own_disks()
        if not self.has_disk:
            self.notes.append("LEFT OUT: a disk that fills: no file system can be mounted here")
        (self.home / "data").mkdir()
        self.file = self.home / "freshet.yaml"
        self.wire = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Wire)
        self.wire.daemon_threads = True
        threading.Thread(target=self.wire.serve_forever, daemon=True).start()
        self.configure(0)

    def configure(self, turn):
        """Another configuration, of the same things."""
        self.file.write_text(f"""
history: 16MiB
memory-limit: 256MiB
log-level: {("info", "warning")[turn % 2]}
rate-limits: {{reads-by-address: {1_000_000 + turn % 2}/1m}}
feeds:
  wire:
    source: {{url: "http://127.0.0.1:{self.wire.server_port}/", every: 1s, allow-private: true}}
  front:
    derive: {{from: [wire, "p0-*"], limit: 50}}
""")

    def start(self):
        data = str(self.home / "data")
        arguments = ["--key", KEY, "--config", str(self.file), "--loops", "2"]
        self.origin = Process(self.binary, [*arguments, "--data", data + "/feeds"],
                              data, own_disk=self.has_disk)
        self.mirror = Process(self.binary, [
            "--mirror", f"http://127.0.0.1:{self.origin.port}", "--mirror-key", KEY, "--key", KEY,
            "--history", "16MiB", "--loops", "2", "--config", str(self.mirror_file())], str(self.home))

    def mirror_file(self):
        file = self.home / "mirror.yaml"
        file.write_text("open-feeds: all\n")
        return file

    def run(self):
        self.start()
        # What is made once, and kept, is there before anything counts.
        self.begin = time.time()
        self.crowd(self.begin + max(5, min(60, self.seconds / 10)), lambda end: None)
        quiet = self.settled([None, None])
        self.begin = time.time()
        found, samples = self.crowd(self.begin + self.seconds, self.operate)
        self.compare(found)
        self.judge(found, samples, quiet)

    def crowd(self, end, operate):
        """Has all clients at work until a time; returns what they found, and what `operate` did."""
        results = multiprocessing.Queue()
        origin, mirror = self.origin.port, self.mirror.port
        tasks = [(publish, (n, origin, end, results)) for n in range(PUBLISHERS)]
        tasks.append((probe, (origin, self.begin, end, results)))
        tasks += [(follow, (port, feed, end, results)) for port, feed in (
            (origin, "p0-0"), (origin, "front"), (mirror, "p1-0"), (mirror, "wire"))]
        tasks += [(mixed, (port, n, end, results)) for n, port in enumerate((origin, mirror))]
        processes = [multiprocessing.Process(target=work, args=arguments) for work, arguments in tasks]
        for process in processes:
            process.start()
        samples = operate(end)
        found = [results.get(timeout=self.seconds + 120) for _ in processes]
        for process in processes:
            process.join(60)
        return found, samples

    def settled(self, wanted):
        """The descriptors once they are as wanted, or no longer change; connections that servers keep to
        each other are not counted."""
        last, since = None, time.time()
        while time.time() - since < 30:
            mirror, links = self.mirror.descriptors({self.origin.port})
            origin, _ = self.origin.descriptors({self.wire.server_port} | links)
            now = [origin, mirror]
            if now == wanted:
                return now
            if now != last:
                last, since = now, time.time()
            time.sleep(0.25)
            if wanted == [None, None] and time.time() - since > 4:
                return now
        return last

    def operate(self, end):
        """What the operator does meanwhile; returns memory by time."""
        samples, turn, reload, backup = [], 0, 5, 20
        filler = None
        while (now := time.time()) < end:
            passed = now - self.begin
            samples.append((passed, self.origin.memory(), self.mirror.memory()))
            if passed > reload:
                turn, reload = turn + 1, passed + 5
                self.configure(turn)
                self.origin.process.send_signal(signal.SIGHUP)
            if passed > backup:
                backup = passed + 30
                self.back_up()
            # For a minute of an hour.
            length = max(6, self.seconds / 60)
            is_full = any(0 <= passed - at * self.seconds < length for at in FULL_AT)
            if self.has_disk and is_full != (filler is not None):
                filler = self.fill() if is_full else filler.unlink()
            time.sleep(1)
        return samples

    def fill(self):
        """Leaves no room on the origin's disk."""
        file = self.origin.place / "filler"
        with open(file, "wb", buffering=0) as output:
            try:
                while output.write(b"x" * (64 << 10)):
                    pass
            except OSError:
                pass
        return file

    def back_up(self):
        backup = self.home / "backup.db"
        backup.unlink(missing_ok=True)
        # The server's folder is in a namespace; its socket is reached through that.
        # By a short way there: an address of a socket has 108 bytes.
        link = self.home / "d"
        link.unlink(missing_ok=True)
        link.symlink_to(self.origin.place / "feeds")
        done = subprocess.run([self.binary, "backup", link, backup], capture_output=True, text=True,
                              check=False)
        if done.returncode != 0 and "full" not in done.stderr and "space" not in done.stderr:
            self.faults.append(f"backup: {done.stderr.strip()}")

    def compare(self, found):
        """Holds the contents against the models, here, at the mirror and after a restart."""
        models = {}
        for one in found:
            if one[0] == "publisher":
                models.update(one[4])
        self.hold("the origin", self.origin.port, models)
        self.hold("the mirror", self.mirror.port, models)
        self.models = models

    def hold(self, name, port, models, patience=20):
        # For all of them together.
        end = time.time() + patience
        for feed, items in models.items():
            while True:
                status, document = Client(port).send("GET", f"/feeds/{feed}")
                there = ids(document) if status == 200 else []
                if there == items:
                    break
                if time.time() > end:
                    self.faults.append(f"{name}: {feed} is not what was published")
                    break
                time.sleep(0.1)

    def restart(self):
        """Whether all is there again after a stop."""
        if self.has_disk:
            # What is in its namespace goes with it.
            data = self.home / "kept"
            backup = self.home / "backup.db"
            self.back_up()
            subprocess.run([self.binary, "restore", backup, data], check=True, capture_output=True)
        else:
            data = self.home / "data" / "feeds"
        status = self.origin.end()
        if status != 0:
            self.faults.append(f"the origin ended with status {status}")
        again = Process(self.binary, ["--key", KEY, "--data", str(data)], str(self.home))
        self.hold("what was kept", again.port, self.models)
        again.end()

    def judge(self, found, samples, quiet):
        half = self.seconds / 2
        times = next(one[1] for one in found if one[0] == "probe")
        self.rows = []
        for kind, values in times.items():
            parts = [[taken for at, taken in values if (at < half) == first] for first in (True, False)]
            first, second = (statistics.quantiles(part, n=100)[98] for part in parts)
            self.row(f"{kind}, p99 in ms", first, second, len(values))
        for index, name in ((1, "origin"), (2, "mirror")):
            parts = [[one[index] for one in samples if (one[0] < half) == first] for first in (True, False)]
            self.row(f"memory of the {name}, most in MiB", max(parts[0]), max(parts[1]), len(samples))
        now = self.settled(quiet)
        for name, before, after in zip(("origin", "mirror"), quiet, now):
            self.rows.append((f"descriptors of the {name}", before, after, "", before == after))
        self.publishes = sum(one[2] for one in found if one[0] == "publisher")
        self.refused = sum(one[3] for one in found if one[0] == "publisher")
        self.checked = sum(one[1] for one in found if one[0] == "follower")
        for one in found:
            if one[0] == "follower":
                self.faults += one[2]
        if self.has_disk and self.refused == 0:
            self.faults.append("the disk was full, and no publish was refused")
        if self.checked == 0:
            self.faults.append("no copy of a stream was compared")
        self.counts = {}
        for one in found:
            for status, count in (one[1] if one[0] == "mixed" else {}).items():
                self.counts[status] = self.counts.get(status, 0) + count
        self.restart()
        self.mirror.end()

    def row(self, name, first, second, count):
        ratio = second / first
        self.rows.append((name, round(first, 2), round(second, 2), f"{ratio:.2f}", ratio <= 1.1))

    def report(self):
        today = datetime.date.today().isoformat()
        minutes = self.seconds / 60
        lines = [
            "# Soak", "",
            f"Written by `make soak` on {today}: {minutes:g} minutes of everything at once, on a machine with "
            f"{os.cpu_count()} cores.", "",
            "| | first half | second half | ratio | |", "| --- | --- | --- | --- | --- |"]
        lines += [f"| {name} | {first} | {second} | {ratio} | {'holds' if holds else '**does not hold**'} |"
                  for name, first, second, ratio, holds in self.rows]
        others = ", ".join(f"{count} × `{status}`" for status, count in sorted(self.counts.items(), key=str))
        lines += ["", f"{self.publishes} publishes, {self.refused} of them refused while the disk was full; "
                  f"{self.checked} copies of streams compared. Other requests: {others}.", ""]
        lines += [f"- {note}" for note in self.notes + self.faults]
        return "\n".join(lines).rstrip() + "\n"

    def close(self):
        for server in ("origin", "mirror"):
            process = getattr(self, server, None)
            if process and process.process.poll() is None:
                process.process.kill()
        self.wire.shutdown()
        shutil.rmtree(self.home, ignore_errors=True)


def main():
    default = ROOT / ".build/release/freshet"
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--minutes", type=float, default=float(os.environ.get("SOAK_MINUTES", "60")))
    parser.add_argument("--binary", default=os.environ.get("FRESHET_BINARY", str(default)))
    parser.add_argument("--report", help="where the figures are written, beside standard output")
    options = parser.parse_args()
    soak = Soak(options)
    try:
        soak.run()
        text = soak.report()
    finally:
        soak.close()
    print(text, end="")
    if options.report:
        pathlib.Path(options.report).write_text(text)
    return 1 if soak.faults or not all(row[4] for row in soak.rows) else 0


if __name__ == "__main__":
    sys.exit(main())
