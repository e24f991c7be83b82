"""A hub pushes what a source has (W3C WebSub)."""

import hashlib
import hmac
import http.client
import http.server
import queue
import tempfile
import threading
import unittest
import urllib.parse

from cluster import free_port, until
from servers import KEY, Server


class Publisher:
    """A source and its hub on one port: the source has as many items as were published."""

    def __init__(self):
        publisher = self
        self.count = 1
        self.fetches = 0
        self.subscriptions = queue.Queue()

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                publisher.fetches += 1
                items = "".join(f"<item><guid>g{n}</guid><title>T{n}</title></item>"
                                for n in range(publisher.count, 0, -1))
                body = ("<rss version='2.0' xmlns:atom='http://www.w3.org/2005/Atom'><channel><title>S</title>"
                        f"<atom:link rel='hub' href='{publisher.url}hub'/>"
                        f"<atom:link rel='self' href='{publisher.url}'/>{items}</channel></rss>").encode()
                self.answer(200, body)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                publisher.subscriptions.put(dict(urllib.parse.parse_qsl(body)))
                self.answer(202, b"")

            def answer(self, status, body):
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def send(method, url, body=None, **headers):
    parts = urllib.parse.urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=30)
    connection.request(method, parts.path + (f"?{parts.query}" if parts.query else ""), body,
                       {name.replace("_", "-"): value for name, value in headers.items()})
    response = connection.getresponse()
    return response.status, response.read()


def signature(body, secret, method="sha256"):
    return f"{method}={hmac.new(secret.encode(), body, getattr(hashlib, method)).hexdigest()}"


class Subscriber(unittest.TestCase):
    def setUp(self):
        self.publisher = Publisher()
        self.addCleanup(self.publisher.stop)
        port = free_port()
        self.public = f"http://127.0.0.1:{port}"
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as file:
            file.write(f"""
open-feeds: all
public-url: {self.public}
feeds:
  wire: {{source: {{url: "{self.publisher.url}", every: 1h, allow-private: true}}}}
""")
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.server = Server("--config", file.name, "--data", self.folder.name, port=port).start()
        self.addCleanup(self.server.kill)

    def count(self):
        status, document = self.server.client().send("GET", "/feeds/wire")
        return document["count"] if status == 200 else 0

    def push(self):
        """What the list of feeds says of the subscription to those who may write."""
        client = self.server.client()
        _, document = client.send("GET", "/feeds", Authorization="Bearer " + KEY)
        return document["feeds"][0]["source"].get("push")

    def verify(self, asked, **changes):
        question = {"hub.mode": "subscribe", "hub.topic": asked["hub.topic"], "hub.challenge": "ch&l <enge>",
                    "hub.lease_seconds": "86400", **changes}
        return send("GET", asked["hub.callback"] + "?" + urllib.parse.urlencode(question))

    def test_takes_what_is_pushed(self):
        asked = self.publisher.subscriptions.get(timeout=30)
        self.assertEqual(asked["hub.mode"], "subscribe")
        self.assertEqual(asked["hub.topic"], self.publisher.url)
        self.assertTrue(asked["hub.callback"].startswith(f"{self.public}/websub/"))
        until(lambda: self.count() == 1)

        # Only what was asked for is verified.
        self.assertEqual(self.verify(asked, **{"hub.topic": "https://other.example/"})[0], 404)
        self.assertEqual(self.verify(asked, **{"hub.mode": "unsubscribe"})[0], 404)
        self.assertEqual(send("GET", f"{self.public}/websub/abc?hub.mode=subscribe")[0], 404)
        self.assertEqual(send("POST", f"{self.public}/websub/abc", b"x")[0], 404)
        self.assertNotIn("until", self.push())
        self.assertEqual(self.verify(asked), (200, b"ch&l <enge>"))
        self.assertIn("until", self.push())

        # What is not signed is taken, and ignored.
        self.publisher.count = 2
        body = b"<rss version='2.0'><channel><item><guid>evil</guid></item></channel></rss>"
        wrong = [{}, {"X_Hub_Signature": "sha256=0"}, {"X_Hub_Signature": signature(body, "guess")},
                 {"X_Hub_Signature": signature(body + b" ", asked["hub.secret"])}]
        for headers in wrong:
            self.assertEqual(send("POST", asked["hub.callback"], body, **headers)[0], 202)
        self.assertEqual((self.count(), self.publisher.fetches), (1, 1))

        # What is signed has the source fetched, and nothing of it is believed.
        right = signature(body, asked["hub.secret"], "sha512")
        self.assertEqual(send("POST", asked["hub.callback"], body, X_Hub_Signature=right)[0], 202)
        until(lambda: self.count() == 2)
        self.assertEqual(self.publisher.fetches, 2)
        self.assertIn("last", self.push())
        self.assertEqual(self.push()["missed"], 0)

        # It lasts over a restart.
        self.server.stop()
        self.server.start()
        self.publisher.count = 3
        self.assertEqual(send("POST", asked["hub.callback"], body, X_Hub_Signature=right)[0], 202)
        until(lambda: self.count() == 3)
        self.assertTrue(self.publisher.subscriptions.empty())

    def test_pushes_that_come_often_cost_little(self):
        asked = self.publisher.subscriptions.get(timeout=30)
        until(lambda: self.count() == 1)
        self.assertEqual(self.verify(asked)[0], 200)
        right = signature(b"x", asked["hub.secret"])
        for _ in range(300):
            self.assertEqual(send("POST", asked["hub.callback"], b"x", X_Hub_Signature=right)[0], 202)
        # One at once; the next one ten seconds later.
        self.assertLessEqual(self.publisher.fetches, 4)
        # More than a hub may send.
        status, _ = send("POST", asked["hub.callback"], b"x" * (11 << 20), X_Hub_Signature=right)
        self.assertEqual(status, 413)


if __name__ == "__main__":
    unittest.main()
