"""Every answer has `X-Content-Type-Options: nosniff`, but the JSON of feeds, whose heads are kept small."""

import http.client
import json
import tempfile
import unittest

from cluster import free_port
from servers import KEY, ROOT, Server

# What the parameters of paths may be: what is there, and what is not.
VALUES = {"{feed}": ["news", "none", "a%20b"], "{id}": ["a", "none", "0" * 48], "{name}": ["not-found", "none"]}
QUERIES = ["", "?since=aaaaaaaa.1", "?since=wrong", "?limit=x", "?unknown=1", "?feed=news:", "?wait=x"]
HEADERS = [{}, {"Authorization": f"Bearer {KEY}"}, {"Authorization": "Bearer wrong"}, {"Accept": "text/html"},
           {"Accept": "image/png", "Authorization": f"Bearer {KEY}"}, {"If-None-Match": "*"}, {"Range": "bytes=0-0"},
           {"Accept-Encoding": "gzip", "Authorization": f"Bearer {KEY}"}]


class Nosniff(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as file:
            file.write("open-feeds: [news]\npublic-url: https://feeds.example\n")
        cls.admin = free_port()
        cls.open = Server("--config", file.name, "--public", str(ROOT / "Public"),
                          "--admin", f"127.0.0.1:{cls.admin}").start()
        cls.closed = Server("--public", str(ROOT / "Public")).start()
        for server in (cls.open, cls.closed):
            status, answer = server.client().send("PUT", "/feeds/news", {"sections": [
                {"id": "a", "items": [{"id": "a", "title": "A"}]}]})
            assert status == 201, answer

    @classmethod
    def tearDownClass(cls):
        cls.open.kill()
        cls.closed.kill()

    def ask(self, port, method, path, fields, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.addCleanup(connection.close)
        connection.request(method, path, body, fields)
        response = connection.getresponse()
        # A stream has no end.
        if response.headers.get_content_type() != "text/event-stream":
            response.read()
        return response

    def check(self, response, path):
        name = path.split("?")[0]
        isOwn = (response.headers.get_content_type() == "application/json" and response.status in (200, 206)
                 and (name.startswith("/feeds/") or name == "/pull") and not name.endswith(".json"))
        # What has no content has nothing to sniff (RFC 9110 §15.4.5).
        hasContent = response.status not in (204, 304)
        if hasContent and not isOwn:
            self.assertEqual(response.headers["X-Content-Type-Options"], "nosniff")
        return response.status

    def paths(self):
        found = []
        with open(ROOT / "Public/openapi.json", encoding="utf8") as file:
            paths = json.load(file)["paths"]
        self.assertGreater(len(paths), 20)
        for path in paths:
            forms = [path]
            for name, values in VALUES.items():
                forms = [form.replace(name, value) for form in forms for value in (values if name in form else [""])]
            found += forms
        return found + ["/", "/index.html", "/admin.html", "/none", "/openapi.json/x", "/feeds/", "/%00", "//",
                        "/Reader.js", "/manifest.webmanifest", "/..%2f"]

    def test_answers_to_reads(self):
        statuses = set()
        for port in (self.open.port, self.closed.port, self.admin):
            for path in self.paths():
                for query in QUERIES:
                    for fields in HEADERS:
                        with self.subTest(port=port, path=path + query, fields=fields):
                            statuses.add(self.check(self.ask(port, "GET", path + query, fields), path + query))
        self.assertLessEqual({200, 206, 304, 400, 401, 404}, statuses)

    def test_answers_to_what_is_refused(self):
        key = {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"}
        statuses = set()
        for method in ("POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "HEAD", "BREW"):
            for path in self.paths():
                for fields, body in (({}, None), (key, b"{"), ({**key, "Content-Type": "text/css"}, b"x"),
                                     ({**key, "If-Match": '"x"'}, b'{"items":[]}')):
                    with self.subTest(method=method, path=path, fields=fields):
                        response = self.ask(self.open.port, method, path, fields, body)
                        if method not in ("HEAD", "OPTIONS"):
                            statuses.add(self.check(response, path))
        self.assertLessEqual({400, 401, 404, 405, 412, 415}, statuses)


if __name__ == "__main__":
    unittest.main()
