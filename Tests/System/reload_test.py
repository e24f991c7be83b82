"""Every setting that a reload may change changes at random, while all kinds of requests are under way."""

import http.client
import json
import os
import pathlib
import random
import shutil
import signal
import tempfile
import threading
import unittest

from cluster import free_port, until
from servers import KEY, Server

ROUNDS = int(os.environ.get("SYSTEM_ROUNDS", 3)) * 20
ORIGINS = [f"https://{name}.example" for name in ("a", "b", "c", "d", "e")]
SECOND_KEY = "0123456789abcdef0123456789abcdef-2"
DIGEST = "3bf1e1ad6f2e0c0c8ffd1c4b3c3f0ad0b0a6d1ba2ee8b2bd5b1e0d9f9d2b7f10"


def settings(draw, file, path_of_source):
    """A configuration, each of whose settings is there or not, with one of some values."""
    def sample(values, least=0):
        return draw.sample(values, draw.randint(least, len(values)))

    lines = {
        "allowed-origins": lambda: draw.choice(['"*"', json.dumps(sample(ORIGINS))]),
        "allowed-headers": lambda: json.dumps(sample(["X-App", "X-Session", "X-Trace"])),
        "open-feeds": lambda: draw.choice(["all", "none", "[news]", '["n*", made]']),
        "keys": lambda: json.dumps([
            {"name": f"k{number}", "digest": DIGEST[number:] + DIGEST[:number], 
             draw.choice(["read", "write", "follow"]): draw.choice([["news"], ["*"]])} for number in range(draw.randint(0, 4))]),
        "log-level": lambda: draw.choice(["debug", "info"]),
        "stale-after": lambda: draw.choice(["1s", "30s"]),
        "memory-limit": lambda: draw.choice(["64MiB", "1GiB"]),
        "publish-url": lambda: "https://publish.example",
        "public-url": lambda: draw.choice(["https://one.example", "https://two.example/below"]),
        "entry-base": lambda: "https://old.example",
        "trusted-proxies": lambda: draw.choice(["127.0.0.1", "10.0.0.0/8"]),
        "forwarded-field": lambda: draw.choice(["forwarded", "x-forwarded-for"]),
        "rate-limits": lambda: draw.choice(["{reads-by-key: 5000/1s}", "{publishes-by-address: 50/1s}"]),
        "limits": lambda: json.dumps({
            name: value() for name, value in {
                "body-size": lambda: draw.choice(["64KiB", "32MiB"]),
                "feed-items": lambda: draw.choice([50, 1000]),
                "connections": lambda: draw.choice([100, 1000]),
                "target-size": lambda: draw.choice(["2KiB", "24KiB"]),
                "head-size": lambda: draw.choice(["32KiB", "48KiB"]),
                "head-fields": lambda: draw.choice([20, 100]),
                "head-timeout": lambda: draw.choice(["2s", "10s"]),
                "idle-timeout": lambda: draw.choice(["2s", "75s"]),
                "progress-timeout": lambda: draw.choice(["2s", "10s"]),
                "stop-timeout": lambda: draw.choice(["1s", "5s"]),
            }.items() if draw.random() < 0.4}),
        "feeds": lambda: json.dumps({
            name: value for name, value in {
                "fetched": {"source": {"url": path_of_source, "every": "1s"}},
                "made": {"derive": {"from": ["news", "many-*"], "limit": draw.choice([3, 20])}},
            }.items() if draw.random() < 0.7}),
    }
    text = "".join(f"{name}: {value()}\n" for name, value in lines.items() if draw.random() < 0.6)
    part = file.with_suffix(".part")
    part.write_text(text, encoding="utf8")
    part.replace(file)
    return text


class Reloads(unittest.TestCase):
    def setUp(self):
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="freshet-reloads-"))
        self.file = self.home / "settings.yaml"
        self.file.write_text("open-feeds: all\n", encoding="utf8")
        self.origin = Server().start()
        self.origin.client().send("PUT", "/feeds/there", {"items": [{"id": "x"}]})
        self.server = Server("--config", str(self.file), "--data", str(self.home / "data"),
                             port=free_port()).start()
        everyone = self.home / "everyone.yaml"
        everyone.write_text("open-feeds: all\n", encoding="utf8")
        self.mirror = Server("--mirror", f"http://127.0.0.1:{self.server.port}", "--mirror-key", KEY,
                             "--config", str(everyone)).start()
        self.is_over = threading.Event()
        self.faults, self.seen = [], {}

    def tearDown(self):
        self.is_over.set()
        for server in (self.mirror, self.server, self.origin):
            server.kill()
        shutil.rmtree(self.home, ignore_errors=True)

    def work(self, work, number):
        draw = random.Random(f"{work.__name__} {number}")
        while not self.is_over.is_set():
            try:
                # A stream says something every 25 s.
                connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=40)
                while not self.is_over.is_set():
                    work(connection, draw)
            except (ConnectionError, http.client.HTTPException):
                pass  # A limit of connections or of idle time ended it.
            except Exception as error:  # pylint: disable=broad-except
                self.faults.append(f"{work.__name__}: {error!r}")
                return
            finally:
                connection.close()

    def ask(self, connection, path, origin, method="GET", body=None, **fields):
        """Sends a request, and holds what no reload may break against its answer."""
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        connection.request(method, path, body, {
            "Origin": origin, "Authorization": f"Bearer {KEY}", "Content-Type": "application/json", **fields})
        response = connection.getresponse()
        named = response.getheader("Access-Control-Allow-Origin")
        assert named in (None, "*", origin), f"{path} of {origin} was answered for {named}"
        assert response.status < 500 or response.status == 503, f"{path}: {response.status}"
        self.seen[response.status] = self.seen.get(response.status, 0) + 1
        return response

    def poll(self, connection, draw):
        origin = draw.choice(ORIGINS)
        first = self.ask(connection, "/feeds/news", origin)
        first.read()
        tag = first.getheader("ETag")
        if tag:
            path = draw.choice(["/feeds/news?wait=1", f"/feeds/news?since={tag[1:-1]}&wait=2"])
            self.ask(connection, path, origin, If_None_Match=tag).read()

    def pull(self, connection, draw):
        origin = draw.choice(ORIGINS)
        first = self.ask(connection, "/pull?feed=news&feed=fetched&feed=made", origin)
        document = first.read()
        if first.status == 200:
            names = "&".join(f"feed={name}@{feed['token']}" if "token" in feed else f"feed={name}"
                             for name, feed in json.loads(document)["feeds"].items())
            self.ask(connection, f"/pull?{names}&wait=1", origin).read()

    def stream(self, connection, draw):
        response = self.ask(connection, "/events?feed=news&feed=made&feed=fetched", draw.choice(ORIGINS),
                            Accept_Encoding=draw.choice(["gzip", "identity"]))
        try:
            if response.status == 200:
                for _ in range(draw.randint(1, 5)):
                    if not self.is_over.is_set():
                        response.read1(4096)
        finally:
            connection.close()

    def publish(self, connection, draw):
        feed = draw.choice(["news", "many-1", "many-2"])
        body = json.dumps({"items": [{"id": f"i{n}", "value": draw.randrange(3)} for n in range(draw.randrange(40))]})
        self.ask(connection, f"/feeds/{feed}", draw.choice(ORIGINS), "PUT", body).read()

    def other(self, connection, draw):
        path = draw.choice(["/feeds", "/feeds/news/items", "/feeds/news.atom", "/feeds/made.rss", "/readyz",
                            "/feeds/news/outline", "/feeds.opml", "/feeds/gone", "/openapi.json"])
        self.ask(connection, path, draw.choice(ORIGINS), draw.choice(["GET", "HEAD", "OPTIONS"])).read()

    def test_nothing_that_is_under_way_is_disturbed(self):
        draw = random.Random(7)
        kinds = [(self.poll, 4), (self.pull, 3), (self.stream, 4), (self.publish, 2), (self.other, 2)]
        threads = [threading.Thread(target=self.work, args=(work, number), daemon=True)
                   for work, count in kinds for number in range(count)]
        for thread in threads:
            thread.start()
        source = f"http://127.0.0.1:{self.origin.port}/feeds/there"
        texts = []
        for _ in range(ROUNDS):
            texts.append(settings(draw, self.file, source))
            lines = self.read_count()
            self.server.signal(signal.SIGHUP)
            until(lambda: self.server.process.poll() is not None
                  or self.read_count() > lines)
            self.assertIsNone(self.server.process.poll(), f"it ended after\n{texts[-1]}\n{''.join(self.server.log[-5:])}")
        self.is_over.set()
        for thread in threads:
            thread.join(60)
            self.assertFalse(thread.is_alive())
        self.assertEqual(self.faults, [])
        self.assertGreater(self.seen.get(200, 0), 100)
        # By the last configuration all is as if it had started with it.
        self.file.write_text("open-feeds: all\nallowed-origins: [\"https://a.example\"]\n", encoding="utf8")
        self.server.signal(signal.SIGHUP)
        client = self.server.client()
        until(lambda: client.send("PUT", "/feeds/news", {"items": [{"id": "last"}]})[0] in (200, 201))
        connection = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        until(lambda: self.named(connection, "https://a.example") == "https://a.example")
        self.assertIsNone(self.named(connection, "https://b.example"))
        connection.close()
        token = client.send("GET", "/feeds/news")[1]["token"]
        until(lambda: self.mirror.client().send("GET", "/feeds/news")[1].get("token") == token)

    def read_count(self):
        """How often the server has read its configuration again; each was valid."""
        log = list(self.server.log)
        invalid = [line for line in log if "is not valid" in line or "no such setting" in line]
        self.assertEqual(invalid, [], "".join(log[-10:]))
        return len([line for line in log if "configuration read again" in line])

    def named(self, connection, origin):
        response = self.ask(connection, "/feeds/news", origin)
        response.read()
        return response.getheader("Access-Control-Allow-Origin")


if __name__ == "__main__":
    unittest.main()
