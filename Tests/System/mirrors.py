"""An origin and mirrors of it, and what stands between them where answers are to be late."""

import pathlib
import shutil
import socket
import tempfile
import threading
import unittest

from cluster import until
from servers import KEY, Server


class MirrorCase(unittest.TestCase):
    """Tests with an origin and mirrors that everyone may read."""

    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="freshet-mirrors-"))
        (self.home / "open.yml").write_text("open-feeds: all\n", encoding="utf8")
        self.origin = Server("--data", str(self.home / "origin")).start()
        self.servers = [self.origin]

    def tearDown(self):
        for server in self.servers:
            server.kill()
        shutil.rmtree(self.home, ignore_errors=True)

    def mirror(self, *arguments, origin=None):
        """A mirror of the origin, not started."""
        origin = origin or self.origin
        server = Server("--mirror", f"http://127.0.0.1:{origin.port}", "--mirror-key", KEY,
                        "--config", str(self.home / "open.yml"), "--stale-after", "2s", *arguments)
        self.servers.append(server)
        return server

    def text(self, server, path):
        """The status and the body of an answer that need not be JSON."""
        connection = server.client().connection
        connection.request("GET", path, headers={"Authorization": f"Bearer {KEY}"})
        response = connection.getresponse()
        return response.status, response.read().decode()

    def ready(self, server):
        return self.text(server, "/readyz")[0]

    def started(self, server):
        server.start()
        until(lambda: self.ready(server) == 200)
        return server.client()


class Between:
    """A proxy between a mirror and its origin, which holds back or changes what the origin says."""

    def __init__(self, origin):
        self.origin = origin
        # Cleared, they hold back the stream, and the answers that carry feeds.
        self.stream, self.answers = threading.Event(), threading.Event()
        self.stream.set()
        self.answers.set()
        # Set once an answer is held back, and once a part of the stream is through.
        self.holds, self.passed = threading.Event(), threading.Event()
        # What is replaced in the stream, once; then no connection is taken until it is `None`.
        self.change = None
        # The stream's bytes that were swallowed; `None`: none are.
        self.swallowed = None
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.sockets = []
        threading.Thread(target=self.accept, daemon=True).start()

    def end(self):
        for each in [self.listener, *self.sockets]:
            self.shut(each)
            each.close()
        self.stream.set()
        self.answers.set()

    def step(self):
        """Lets the part of the stream through that is held back, and no more."""
        self.passed.clear()
        self.stream.set()
        self.stream.clear()
        self.passed.wait(20)

    @staticmethod
    def shut(each):
        try:
            each.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def accept(self):
        while True:
            try:
                mirror, _ = self.listener.accept()
                if self.change and self.change[0] is None:
                    mirror.close()
                    continue
                origin = socket.create_connection(("127.0.0.1", self.origin.port))
            except OSError:
                return
            self.sockets += [mirror, origin]
            asked = {}
            for pump in (self.ask, self.answer):
                threading.Thread(target=self.guard, args=(pump, mirror, origin, asked),
                                 daemon=True).start()

    def guard(self, pump, mirror, origin, asked):
        try:
            pump(mirror, origin, asked)
        except OSError:
            pass
        self.shut(mirror)
        self.shut(origin)

    def ask(self, mirror, origin, asked):
        while data := mirror.recv(1 << 20):
            if b"POST /events" in data:
                asked["what"] = "stream"
                # So that it can be read on the way.
                data = data.replace(b"ccept-Encoding", b"ccept-Nothing!").replace(
                    b"ccept-encoding", b"ccept-nothing!")
            elif b"GET " in data:
                isFeeds = b"GET /pull" in data and b"limit=0" not in data
                asked["what"] = "feeds" if isFeeds else ""
            origin.sendall(data)

    def answer(self, mirror, origin, asked):
        while data := origin.recv(1 << 20):
            if asked.get("what") == "stream":
                self.stream.wait()
                if self.swallowed is not None:
                    self.swallowed += data
                    continue
                if self.change and self.change[0] and self.change[0] in data:
                    data = data.replace(*self.change)
                    self.change = (None, None)
                mirror.sendall(data)
                self.passed.set()
                continue
            elif asked.get("what") == "feeds" and not self.answers.is_set():
                self.holds.set()
                self.answers.wait()
            mirror.sendall(data)
