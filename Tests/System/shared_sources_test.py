"""What servers that share a database know of sources: it lasts when the one that fetches is killed."""

import http.server
import re
import tempfile
import threading
import time
import unittest
import urllib.parse

from cluster import Cluster, until
from servers import KEY, Server
from websub_test import send, signature

# Within which another server takes over, with room for a slow machine.
TAKEOVER = 30
RSS = "<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>S</title>{}</channel></rss>"


class Origin:
    """Sources of each kind, a hub, and who asked for what."""

    def __init__(self):
        origin = self
        self.requests = []
        self.subscriptions = []
        # Where it is set, an answer of `/growing` to the second server waits for it, as it was before.
        self.holds = None
        # The number of the last answer of `/growing`, which is its title, and of the one that waits.
        self.count = self.held = 0

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                validator = self.headers["If-None-Match"]
                origin.requests.append((self.headers["X-Server"], self.path, validator))
                fields, links = {}, ""
                if self.path == "/broken":
                    return self.answer(500)
                if self.path == "/old":
                    return self.answer(301, {"Location": origin.url + "/new"})
                if self.path == "/wire":
                    fields = {"ETag": '"x"'}
                    if validator == '"x"':
                        return self.answer(304, fields)
                if self.path == "/pushed":
                    links = (f"<atom:link rel='hub' href='{origin.url}/hub'/>"
                             f"<atom:link rel='self' href='{origin.url}/pushed'/>")
                if self.path == "/growing":
                    return self.grow()
                body = RSS.format(links + "<item><guid>g</guid><title>T</title></item>")
                return self.answer(200, fields, body.encode())

            def grow(self):
                origin.count += 1
                item = "<item><guid>g</guid><title>T</title></item>"
                body = f"<rss version='2.0'><channel><title>{origin.count}</title>{item}</channel></rss>"
                if origin.holds and not origin.held and self.headers["X-Server"] == "second":
                    origin.held = origin.count
                    origin.holds.wait(60)
                return self.answer(200, body=body.encode())

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                origin.subscriptions.append(dict(urllib.parse.parse_qsl(body)))
                self.answer(202)

            def answer(self, status, fields=None, body=b""):
                self.send_response(status)
                for name, value in {"Content-Length": str(len(body)), **(fields or {})}.items():
                    self.send_header(name, value)
                self.end_headers()
                if status != 304:
                    self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()

    def asked(self, server, path):
        """The validators that a server asked with, the first one first."""
        return [validator for name, place, validator in self.requests if (name, place) == (server, path)]

    def configuration(self, name):
        """A file that makes a server say its name."""
        every = {"wire": "2s", "broken": "2s", "old": "1h", "pushed": "1h", "growing": "2s"}
        feeds = "".join(f"""
  {path}:
    source: {{url: "{self.url}/{path}", every: {time}, allow-private: true, headers: {{X-Server: {name}}}}}"""
                        for path, time in every.items())
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as file:
            file.write(f"open-feeds: all\npublic-url: http://feeds.example\nfeeds:{feeds}\n")
        return file.name


class SharedSources(unittest.TestCase):
    def setUp(self):
        self.origin = Origin()
        self.addCleanup(self.origin.stop)
        self.cluster = Cluster().make().start()
        self.addCleanup(self.cluster.remove)

    def start(self, name):
        server = Server("--data", self.cluster.address(), "--config", self.origin.configuration(name)).start()
        self.addCleanup(server.kill)
        return server

    def kept(self, feed):
        """The kept state of a feed's source, as its text."""
        return self.cluster.query(
            f"SELECT convert_from(substring(data FROM 2), 'UTF8') FROM freshet_source WHERE name = '{feed}'")

    def source(self, server, feed):
        """What a server says of a feed's source to those who may write."""
        _, document = server.client().send("GET", "/feeds", Authorization="Bearer " + KEY)
        return next((each["source"] for each in document["feeds"] if each["id"] == feed), {})

    def callback(self, server, asked):
        """The address that a hub reaches one of the servers by."""
        return f"http://127.0.0.1:{server.port}" + urllib.parse.urlsplit(asked["hub.callback"]).path

    def verify(self, server, asked):
        question = {"hub.mode": "subscribe", "hub.topic": asked["hub.topic"], "hub.challenge": "challenge",
                    "hub.lease_seconds": "86400"}
        return send("GET", self.callback(server, asked) + "?" + urllib.parse.urlencode(question))

    def push(self, server, asked):
        right = signature(b"x", asked["hub.secret"])
        return send("POST", self.callback(server, asked), b"x", X_Hub_Signature=right)[0]

    def test_the_next_server_goes_on_where_the_killed_one_was(self):
        first = self.start("first")
        until(lambda: self.origin.subscriptions)
        asked = self.origin.subscriptions[0]
        second = self.start("second")

        # What a hub says to a server that does not fetch reaches the one that does.
        self.assertEqual(self.verify(second, asked), (200, b"challenge"))
        until(lambda: "until" in self.source(first, "pushed").get("push", {}))
        fetches = len(self.origin.asked("first", "/pushed"))
        self.assertEqual(self.push(second, asked), 202)
        until(lambda: len(self.origin.asked("first", "/pushed")) > fetches)

        # Every server says what the one that fetches knows.
        until(lambda: re.search(r'"leaseEnd":[1-9]', self.kept("pushed")))
        until(lambda: re.search(r'"pushed":[1-9]', self.kept("pushed")))
        until(lambda: "last" in self.source(second, "pushed").get("push", {}))
        self.assertIn('"error"', self.kept("broken"))
        self.assertIn('"eTag"', self.kept("wire"))
        self.assertIn('"movedTo"', self.kept("old"))
        tries = len(self.origin.asked("first", "/broken"))

        # The move was four days ago.
        self.cluster.query("""UPDATE freshet_source SET data = substring(data FOR 1) || convert_to(regexp_replace(
            convert_from(substring(data FROM 2), 'UTF8'), '"movedSince":[0-9]+', '"movedSince":"""
                           + str(int(time.time()) - 4 * 86400) + """'), 'UTF8') WHERE name = 'old'""")
        first.kill()
        until(lambda: self.origin.asked("second", "/wire"), TAKEOVER)
        self.assertEqual(self.origin.asked("second", "/wire")[0], '"x"')

        status, _ = second.client().send("POST", "/feeds/old/refresh", Authorization="Bearer " + KEY)
        self.assertEqual(status, 200)
        self.assertEqual(len(self.origin.asked("second", "/new")), 1)
        self.assertEqual(self.origin.asked("second", "/old"), [])

        self.assertEqual(self.push(second, asked), 202)
        until(lambda: self.origin.asked("second", "/pushed"))
        self.assertEqual(len(self.origin.subscriptions), 1)

        # One failure is followed by a minute's pause, two by twice that.
        self.assertEqual(tries, 1)
        self.assertEqual(self.origin.asked("second", "/broken"), [])
        until(lambda: len(self.origin.asked("second", "/wire")) > 2)
        self.assertEqual(self.origin.asked("second", "/broken"), [])

    def test_a_fetch_that_another_server_has_overtaken_begins_anew(self):
        self.start("first")
        until(lambda: self.origin.asked("first", "/growing"))
        second = self.start("second")
        self.origin.holds = threading.Event()
        answers = []
        refresh = threading.Thread(target=lambda: answers.append(second.client().send(
            "POST", "/feeds/growing/refresh", Authorization="Bearer " + KEY)))
        refresh.start()
        held, titles = until(lambda: self.origin.held), []

        def title():
            _, document = second.client().send("GET", "/feeds/growing")
            titles.append(int(document["title"]))
            return titles[-1]

        until(lambda: title() > held)
        self.origin.holds.set()
        until(lambda: answers or title() < held)
        refresh.join()
        self.assertEqual(answers[0][0], 200)
        for _ in range(100):
            title()
        self.assertEqual(titles, sorted(titles))

    def test_what_cannot_be_read_is_fetched_anew(self):
        first = self.start("first")
        until(lambda: self.kept("wire"))
        first.stop()
        self.cluster.query("UPDATE freshet_source SET data = '\\x0102'")
        second = self.start("second")
        until(lambda: self.origin.asked("second", "/wire"), TAKEOVER)
        self.assertIsNone(self.origin.asked("second", "/wire")[0])
        until(lambda: '"eTag"' in self.kept("wire"))
        second.stop()

    def test_a_database_of_a_server_that_kept_no_states_is_taken(self):
        first = self.start("first")
        until(lambda: self.kept("wire"))
        first.stop()
        self.cluster.query("DROP TABLE freshet_source")
        second = self.start("second")
        until(lambda: self.kept("wire"))
        second.stop()


if __name__ == "__main__":
    unittest.main()
