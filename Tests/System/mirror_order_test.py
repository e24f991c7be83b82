"""What a mirror makes of answers that the stream has overtaken, and of what nobody tells it."""

import http.client
import threading
import unittest

from cluster import until
from mirrors import Between, MirrorCase
from servers import KEY


class MirrorOrder(MirrorCase):
    def setUp(self):
        super().setUp()
        self.between = Between(self.origin)
        self.publisher = self.origin.client()
        self.server = self.mirror(origin=self.between)
        self.reader = self.started(self.server)

    def tearDown(self):
        self.between.end()
        super().tearDown()

    def put(self, feed, *ids):
        status, answer = self.publisher.send(
            "PUT", f"/feeds/{feed}", {"items": [{"id": each} for each in ids]})
        self.assertIn(status, (200, 201))
        return answer["token"]

    def delete(self, feed):
        self.assertIn(self.publisher.send("DELETE", f"/feeds/{feed}")[0], (200, 204))

    def token(self, feed):
        """The token at the mirror, or its status."""
        status, document = self.reader.send("GET", f"/feeds/{feed}?limit=0")
        return document["token"] if status == 200 else status

    def ask(self, feed, since):
        """Has the mirror ask about a token, and waits until the answer is on its way, held back."""
        self.between.holds.clear()
        self.between.answers.clear()
        client = self.server.client()
        thread = threading.Thread(
            target=lambda: client.send("GET", f"/feeds/{feed}?since={since}"), daemon=True)
        thread.start()
        self.assertTrue(self.between.holds.wait(20))
        return thread

    def release(self, thread):
        """Lets the answer through, and waits until the mirror has taken it in."""
        self.between.answers.set()
        thread.join(30)
        # One question is open at a time: this one comes after it.
        until(lambda: self.reader.send("GET", "/feeds/other?since=aaaaaaaa.1")[0] == 404)

    def behind(self):
        _, text = self.text(self.server, "/metrics")
        return [line for line in text.splitlines()
                if line.startswith("freshet_mirror_feeds_behind ")]

    def test_a_late_missing_does_not_remove_what_came_again(self):
        first = self.put("news", "a")
        until(lambda: self.token("news") == first)
        self.delete("news")
        until(lambda: self.token("news") == 404)
        thread = self.ask("news", first)
        again = self.put("news", "b")
        until(lambda: self.token("news") == again)
        self.release(thread)
        self.assertEqual(self.token("news"), again)

    def test_a_late_feed_of_an_old_epoch_does_not_replace_the_new_one(self):
        self.between.stream.clear()
        first = self.put("news", "a")
        thread = self.ask("news", first)
        self.delete("news")
        again = self.put("news", "b")
        self.between.stream.set()
        until(lambda: self.token("news") == again)
        self.release(thread)
        self.assertEqual(self.token("news"), again)

    def test_a_late_feed_does_not_come_back_after_its_end(self):
        self.between.stream.clear()
        first = self.put("news", "a")
        thread = self.ask("news", first)
        self.delete("news")
        last = self.put("last")
        self.between.stream.set()
        until(lambda: self.token("last") == last)
        self.release(thread)
        self.assertEqual(self.token("news"), 404)

    def test_a_late_older_version_is_no_origin_that_went_back(self):
        first = self.put("news", "a")
        until(lambda: self.token("news") == first)
        self.between.stream.clear()
        self.put("news", "b")
        thread = self.ask("news", f"{first}9")
        third = self.put("news", "c")
        self.between.stream.set()
        until(lambda: self.token("news") == third)
        self.release(thread)
        self.assertEqual(self.token("news"), third)
        self.assertEqual(self.behind(), ["freshet_mirror_feeds_behind 0"])

    def settle(self):
        """Waits until the mirror has taken in what came before."""
        for _ in range(3):
            self.reader.send("GET", "/feeds/other?since=aaaaaaaa.1")

    def heard(self, feed):
        """What a stream of the origin says of a feed, line by line, as it comes."""
        lines = []
        connection = http.client.HTTPConnection("127.0.0.1", self.origin.port, timeout=60)
        connection.request("GET", f"/events?feed={feed}", headers={"Authorization": f"Bearer {KEY}"})
        response = connection.getresponse()

        def read():
            try:
                while line := response.readline():
                    lines.append(line)
            except OSError:
                pass
        threading.Thread(target=read, daemon=True).start()
        self.addCleanup(connection.close)
        return lines

    def test_a_late_stream_does_not_bring_back_what_has_ended(self):
        lines = self.heard("news")
        self.between.stream.clear()
        for ids in ("a", "ab"):
            second = self.put("news", *ids)
            until(lambda: any(second.encode() in line for line in lines))
        self.assertEqual(self.reader.send("GET", f"/feeds/news?since={second}")[0], 200)
        self.delete("news")
        third = self.put("news", "c")
        self.delete("news")
        self.assertEqual(self.reader.send("GET", f"/feeds/news?since={third}")[0], 404)
        # Its first version alone.
        self.between.step()
        self.settle()
        self.assertEqual(self.token("news"), 404)
        last = self.put("last")
        self.between.stream.set()
        until(lambda: self.token("last") == last)
        self.assertEqual(self.token("news"), 404)
        # What comes then is followed as ever.
        again = self.put("news", "d")
        until(lambda: self.token("news") == again)
        self.delete("news")
        until(lambda: self.token("news") == 404)

    def test_a_late_end_of_the_stream_does_not_remove_what_came_after_it(self):
        first = self.put("news", "a")
        until(lambda: self.token("news") == first)
        lines = self.heard("news")
        self.between.stream.clear()
        self.delete("news")
        until(lambda: any(b'"missing"' in line for line in lines))
        again = self.put("news", "b")
        self.assertEqual(self.reader.send("GET", f"/feeds/news?since={again}")[1]["token"], again)
        # The end alone.
        self.between.step()
        self.settle()
        self.assertEqual(self.token("news"), again)
        last = self.put("last")
        self.between.stream.set()
        until(lambda: self.token("last") == last)
        self.assertEqual(self.token("news"), again)
        self.delete("news")
        until(lambda: self.token("news") == 404)

    def test_a_feed_that_the_stream_never_named_goes_with_the_origins(self):
        # The stream skips what is over before it looks.
        self.between.swallowed = b""
        first = self.put("news", "a")
        self.assertEqual(self.reader.send("GET", f"/feeds/news?since={first}")[0], 200)
        self.delete("news")
        until(lambda: b'"missing"' in self.between.swallowed)
        self.between.swallowed = None
        until(lambda: self.token("news") == 404)
        self.assertEqual(self.ready(self.server), 200)

    def test_a_feed_that_did_not_fit_and_is_deleted_meanwhile_goes(self):
        first = self.put("news", "a", "b")
        until(lambda: self.token("news") == first)
        self.between.change = (b'"id":"c"', b'"id":"q"')
        self.put("news", "a", "b", "c")
        until(lambda: self.between.change == (None, None))
        until(lambda: self.behind() == ["freshet_mirror_feeds_behind 1"])
        self.delete("news")
        self.between.change = None
        until(lambda: self.token("news") == 404)
        self.assertEqual(self.behind(), ["freshet_mirror_feeds_behind 0"])
        other = self.put("other", "a")
        until(lambda: self.token("other") == other)

    def test_an_event_that_cannot_be_read_is_said(self):
        first = self.put("news", "a", "b")
        until(lambda: self.token("news") == first)
        self.between.change = (b'"feed":"news"', b'"fred":"news"')
        self.put("news", "a", "b", "c")
        until(lambda: any("is passed over" in line for line in self.server.log))
        self.between.change = None
        # The next one does not fit, so that all of the feed is fetched.
        last = self.put("news", "a", "b", "c", "d")
        until(lambda: self.token("news") == last)


class Followed(MirrorCase):
    def test_feeds_that_are_no_longer_followed_are_gone(self):
        publisher = self.origin.client()
        tokens = [publisher.send("PUT", f"/feeds/{feed}", {"items": []})[1]["token"]
                  for feed in ("news", "sports")]
        server = self.mirror("--data", str(self.home / "mirror"))
        mirror = self.started(server)
        self.assertEqual(mirror.send("GET", "/feeds/sports")[0], 200)
        server.stop()
        server.arguments += ["--mirror-feeds", "n*"]
        for _ in range(2):
            mirror = self.started(server)
            self.assertEqual(mirror.send("GET", "/feeds/news")[1]["token"], tokens[0])
            self.assertEqual(mirror.send("GET", "/feeds/sports")[0], 404)
            # A token brings no feed here that nobody follows.
            self.assertEqual(mirror.send("GET", f"/feeds/sports?since={tokens[1]}")[0], 404)
            self.assertEqual(mirror.send("GET", "/feeds/sports")[0], 404)
            server.stop()
        server.arguments[-1] = "*"
        mirror = self.started(server)
        self.assertEqual(mirror.send("GET", "/feeds/sports")[1]["token"], tokens[1])


if __name__ == "__main__":
    unittest.main()
