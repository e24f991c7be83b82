"""Feeds whose content comes from elsewhere, on servers that share them: one at a time makes them."""

import http.server
import signal
import tempfile
import threading
import time
import unittest

from cluster import Cluster, until
from servers import KEY, Server

# Within which another server takes over, with room for a slow machine.
TAKEOVER = 30


class Source:
    """An RSS feed that has one more item each time, the newest first, and who asked for it."""

    def __init__(self):
        source = self
        self.askers = []
        self.lock = threading.Lock()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                with source.lock:
                    source.askers.append(self.headers["X-Server"])
                    count = len(source.askers)
                items = "".join(f"<item><guid>g{n}</guid><title>T{n}</title></item>"
                                for n in range(count - 1, max(-1, count - 51), -1))
                body = f"<rss version='2.0'><channel><title>S</title>{items}</channel></rss>"
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body.encode())

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def configuration(self, name):
        """A file that makes a server say its name; its feeds are `wire` and what is made of it."""
        file = tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False)
        port = self.server.server_address[1]
        file.write(f"""
open-feeds: all
feeds:
  wire:
    source:
      url: http://127.0.0.1:{port}/
      every: 1s
      allow-private: true
      headers: {{X-Server: {name}}}
  front: {{derive: {{from: wire, limit: 5}}}}
""")
        file.close()
        return file.name

    def last(self, count):
        """Who asked last, once there were so many more requests."""
        with self.lock:
            start = len(self.askers)
        until(lambda: len(self.askers) >= start + count, seconds=TAKEOVER)
        with self.lock:
            return set(self.askers[start:])

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def version(server, feed):
    status, document = server.client().send("GET", f"/feeds/{feed}")
    return int(document["token"].split(".")[1]) if status == 200 else 0


class OneFetches(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster().make().start()

    @classmethod
    def tearDownClass(cls):
        cls.cluster.remove()

    def setUp(self):
        schema = f"test{time.monotonic_ns()}"
        self.cluster.query(f"CREATE SCHEMA {schema}")
        address = self.cluster.address(schema=schema)
        self.source = Source()
        self.servers = {
            name: Server("--data", address, "--config", self.source.configuration(name))
            for name in ["one", "two", "three"]}
        for server in self.servers.values():
            server.start()

    def tearDown(self):
        for server in self.servers.values():
            server.kill()
        self.source.stop()

    def fetcher(self):
        askers = self.source.last(5)
        self.assertEqual(len(askers), 1, askers)
        return askers.pop()

    def check_all_serve(self, names):
        """What one makes, all serve, and it goes on."""
        seen = max(version(self.servers[name], "front") for name in names)
        for name in names:
            until(lambda: version(self.servers[name], "front") > seen, seconds=TAKEOVER)

    def test_one_server_fetches_and_another_takes_over_when_it_is_killed(self):
        first = self.fetcher()
        self.check_all_serve(self.servers)
        self.servers[first].kill()
        until(lambda: self.source.askers[-1] != first, seconds=TAKEOVER)
        second = self.fetcher()
        self.assertNotEqual(first, second)
        self.check_all_serve([name for name in self.servers if name != first])

    def test_a_refresh_is_carried_out_by_the_server_that_is_asked(self):
        self.fetcher()
        for name, server in self.servers.items():
            for _ in range(5):
                # The one that fetches by the clock publishes at the same time.
                status, answer = server.client().send("POST", "/feeds/wire/refresh")
                self.assertEqual((status, answer.get("kind")), (200, "published"), (name, answer))
                self.assertIn(name, self.source.askers[-20:])
        self.fetcher()
        self.check_all_serve(self.servers)

    def test_another_takes_over_when_it_stands_still(self):
        first = self.fetcher()
        self.servers[first].signal(signal.SIGSTOP)
        until(lambda: self.source.askers[-1] != first, seconds=TAKEOVER)
        second = self.fetcher()
        self.servers[first].signal(signal.SIGCONT)
        # It may end what it was about, and then it serves what the other one makes.
        until(lambda: self.source.last(5) == {second}, seconds=TAKEOVER)
        self.check_all_serve(self.servers)


class MirrorsFetchNothing(unittest.TestCase):
    def setUp(self):
        self.source = Source()
        self.origin = Server("--config", self.source.configuration("origin")).start()
        self.mirror = None

    def tearDown(self):
        if self.mirror:
            self.mirror.kill()
        self.origin.kill()
        self.source.stop()

    def test_a_mirror_has_what_its_origin_fetches(self):
        self.mirror = Server(
            "--config", self.source.configuration("mirror"),
            "--mirror", f"http://127.0.0.1:{self.origin.port}",
            "--mirror-key", KEY).start()
        for feed in ["wire", "front"]:
            until(lambda: version(self.mirror, feed) > 2, seconds=TAKEOVER)
        self.assertEqual(self.source.last(5), {"origin"})
        # Nor after its configuration was read again.
        self.mirror.signal(signal.SIGHUP)
        self.assertEqual(self.source.last(5), {"origin"})


if __name__ == "__main__":
    unittest.main()
