"""What must hold behind proxies that cache: nginx, here and in the compose file, and Varnish."""

import http.client
import json
import pathlib
import shutil
import tempfile
import threading
import time
import unittest

import proxies
from cluster import until
from servers import KEY, Server

CONFIGURATION = """
open-feeds: ["open-*"]
"""


class Caching:
    """What must hold behind each cache."""

    proxy_type = None

    @classmethod
    def setUpClass(cls):
        cls.home = pathlib.Path(tempfile.mkdtemp(prefix="freshet-origin-"))
        (cls.home / "freshet.yml").write_text(CONFIGURATION, encoding="utf8")
        cls.server = Server("--config", str(cls.home / "freshet.yml")).start()
        cls.proxy = cls.proxy_type(cls.server.port)

    @classmethod
    def tearDownClass(cls):
        cls.proxy.stop()
        cls.server.kill()
        shutil.rmtree(cls.home, ignore_errors=True)

    def setUp(self):
        self.client = self.server.client()
        # Nothing of another test is in the cache.
        name = self.id().rsplit(".", 1)[1].replace("_", "-")
        self.open, self.closed = "open-" + name[:60], "closed-" + name[:60]

    def put(self, feed, count, **members):
        items = [{"id": f"i{number}", "text": "words " * 20} for number in range(count)]
        status, answer = self.client.send("PUT", f"/feeds/{feed}", {"items": items, **members})
        self.assertIn(status, (200, 201))
        return answer["token"]

    def count(self, content):
        return json.loads(content)["count"]

    def test_polls_are_answered_by_the_cache_and_a_publish_is_seen_within_its_max_age(self):
        token = self.put(self.open, 3, maxAge=2)
        hits = 0
        for _ in range(50):
            status, fields, content = self.proxy.request(f"/feeds/{self.open}")
            self.assertEqual((status, self.count(content)), (200, 3))
            self.assertEqual(fields["ETag"], f'"{token}"')
            hits += fields["X-Cache"] == "HIT"
        self.assertGreaterEqual(hits, 45)
        status, fields, _ = self.proxy.request(f"/feeds/{self.open}", If_None_Match=f'"{token}"')
        self.assertEqual((status, fields["X-Cache"]), (304, "HIT"))
        later = self.put(self.open, 4, maxAge=2)
        start = time.monotonic()
        until(lambda: self.count(self.proxy.request(f"/feeds/{self.open}")[2]) == 4, 10)
        self.assertLess(time.monotonic() - start, 5)
        # Changes are cached for each token; they never go back behind it.
        documents = [json.loads(self.proxy.request(f"/feeds/{self.open}?since={token}")[2])
                     for _ in range(5)]
        self.assertTrue(all(document["token"] == later for document in documents))

    def test_a_feed_without_max_age_is_never_old(self):
        for count in range(1, 6):
            self.put(self.open, count)
            status, fields, content = self.proxy.request(f"/feeds/{self.open}")
            self.assertEqual((status, self.count(content)), (200, count))
            self.assertNotEqual(fields["X-Cache"], "HIT")

    def test_nothing_of_a_closed_feed_is_stored(self):
        self.put(self.closed, 3, maxAge=60)
        bearer = f"Bearer {KEY}"
        for _ in range(3):
            status, fields, _ = self.proxy.request(f"/feeds/{self.closed}", Authorization=bearer)
            self.assertEqual(status, 200)
            self.assertNotEqual(fields["X-Cache"], "HIT")
            self.assertIn("private", fields["Cache-Control"])
            status, fields, _ = self.proxy.request(f"/feeds/{self.closed}")
            self.assertIn(status, (401, 404))
        self.assertEqual(self.proxy.request("/feeds", Authorization=bearer)[0], 200)
        self.assertNotIn(self.closed.encode(), self.proxy.request("/feeds")[2])

    def test_what_is_not_stored_is_asked_for_with_the_clients_condition(self):
        for feed, fields in ((self.closed, {"Authorization": f"Bearer {KEY}"}), (self.open, {})):
            token = self.put(feed, 3)
            for query, extra in (("", {}), ("?wait=1", {}), ("", {"Prefer": "wait=1"})):
                status, _, content = self.proxy.request(
                    f"/feeds/{feed}{query}", If_None_Match=f'"{token}"', **fields, **extra)
                self.assertEqual((status, content), (304, b""), (feed, query, extra))

    def test_each_coding_is_kept_apart(self):
        token = self.put(self.open, 200, maxAge=60)
        for _ in range(3):
            _, fields, content = self.proxy.request(f"/feeds/{self.open}", Accept_Encoding="gzip")
            self.assertEqual(fields["Content-Encoding"], "gzip")
            self.assertEqual(fields["ETag"], f'"{token}-gzip"')
            self.assertEqual(self.count(content), 200)
            _, fields, content = self.proxy.request(f"/feeds/{self.open}")
            self.assertIsNone(fields["Content-Encoding"])
            self.assertEqual(fields["ETag"], f'"{token}"')
            self.assertEqual(self.count(content), 200)

    def test_nobody_gets_less_than_it_has_whoever_asked_before(self):
        epoch, version = self.put(self.open, 3, maxAge=60).split(".")
        later = f"{epoch}.{int(version) + 1}"
        for query in ("", "&limit=9", "&format=json-patch"):
            self.proxy.request(f"/feeds/{self.open}?since={later}{query}")
        self.assertEqual(self.put(self.open, 4, maxAge=60), later)
        for query in ("", "&limit=9", "&format=json-patch"):
            _, fields, _ = self.proxy.request(f"/feeds/{self.open}?since={later}{query}")
            self.assertEqual(fields["ETag"], f'"{later}"', query)

    def test_readers_that_take_what_is_new_miss_nothing_whatever_is_stored(self):
        path = f"/feeds/{self.open}.json"
        self.put(self.open, 3, maxAge=1)
        tag = self.proxy.request(path)[1]["ETag"]
        self.put(self.open, 4, maxAge=1)
        time.sleep(2.1)
        self.proxy.request(path, A_IM="feed")
        self.put(self.open, 5, maxAge=1)
        time.sleep(2.1)
        for had, fields in ((0, {}), (3, {"If_None_Match": tag})):
            _, _, content = self.proxy.request(path, A_IM="feed", **fields)
            self.assertGreaterEqual(had + len(json.loads(content)["items"]), 5, fields)

    def test_a_condition_is_the_servers_also_for_what_is_stored(self):
        token, path = self.put(self.open, 200, maxAge=60), f"/feeds/{self.open}"
        for coding in ("gzip", "identity"):
            self.proxy.request(path, Accept_Encoding=coding)
        for condition, status in (({"If_Match": f'"{token}"'}, 200),
                                  ({"If_Match": f'"{token}-gzip"'}, 200),
                                  ({"If_Match": '"aaaaaaaa.1"'}, 412),
                                  ({"If_Unmodified_Since": "Mon, 30 Nov 2020 10:00:00 GMT"}, 200)):
            for coding in ("gzip", "identity"):
                self.assertEqual(
                    self.proxy.request(path, Accept_Encoding=coding, **condition)[0], status, condition)

    def test_waits_are_held_apart_and_answered_at_once(self):
        token = self.put(self.open, 3, maxAge=60)
        self.proxy.request(f"/feeds/{self.open}")
        answers = []

        def wait(**headers):
            path = f"/feeds/{self.open}?since={token}" + ("" if headers else "&wait=30")
            answers.append(json.loads(self.proxy.request(path, **headers)[2])["count"])
        threads = [threading.Thread(target=wait) for _ in range(3)]
        threads.append(threading.Thread(target=wait, kwargs={"Prefer": "wait=30"}))
        for thread in threads:
            thread.start()
        time.sleep(1)
        self.assertEqual(answers, [])
        self.put(self.open, 4, maxAge=60)
        start = time.monotonic()
        for thread in threads:
            thread.join()
        self.assertEqual(answers, [4] * 4)
        self.assertLess(time.monotonic() - start, 5)

    def test_streams_come_as_they_are_sent(self):
        self.put(self.open, 1, maxAge=60)
        for path in (f"/events?feed={self.open}", f"/feeds/{self.open}/events"):
            connection = http.client.HTTPConnection("127.0.0.1", self.proxy.port, timeout=20)
            connection.request("GET", path)
            response = connection.getresponse()
            self.assertIn("text/event-stream", response.headers["Content-Type"])
            self.event(response)
            for count in (2, 3):
                start = time.monotonic()
                self.put(self.open, count, maxAge=60)
                self.assertEqual(self.event(response)["count"], count)
                self.assertLess(time.monotonic() - start, 5)
            connection.close()
            self.put(self.open, 1, maxAge=60)

    def event(self, response):
        """The document of the next event."""
        while True:
            line = response.readline()
            if line.startswith(b"data: "):
                return json.loads(line[6:])
            self.assertTrue(line, "the stream has ended")

    def test_publishes_pass_through(self):
        status, _, content = self.proxy.request(
            f"/feeds/{self.open}", "PUT", json.dumps({"items": [{"id": "a"}]}),
            Authorization=f"Bearer {KEY}", Content_Type="application/json")
        self.assertEqual(status, 201, content)


class CachingNginx(Caching, unittest.TestCase):
    proxy_type = proxies.NginxCache


class CachingCompose(Caching, unittest.TestCase):
    proxy_type = proxies.Compose


class CachingVarnish(Caching, unittest.TestCase):
    proxy_type = proxies.Varnish


if __name__ == "__main__":
    unittest.main()
