"""One origin and three mirrors of it, with readers who go from one to another."""

import random
import shutil
import signal
import time
import unittest

from cluster import until
from mirrors import MirrorCase
from servers import KEY, Crowd, Knowledge, Server, agree


class Mirrors(MirrorCase):
    def test_it_serves_the_origins_tokens_and_takes_no_publishes(self):
        origin = self.origin.client()
        _, answer = origin.send("PUT", "/feeds/news", {"items": [{"id": "a", "value": 1.50}]})
        mirror = self.started(self.mirror("--publish-url", "https://publish.example.org"))
        status, document = mirror.send("GET", "/feeds/news")
        self.assertEqual((status, document["token"]), (200, answer["token"]))
        self.assertEqual(document["sections"][0]["items"], [{"id": "a", "value": 1.5}])
        for method, path, body in (("PUT", "/feeds/news", {"items": []}),
                                   ("POST", "/feeds/news/items", {"id": "b"}),
                                   ("PATCH", "/feeds/other", {"edits": []}),
                                   ("DELETE", "/feeds/news", None),
                                   ("POST", "/feeds/news/refresh", None)):
            for key in (KEY, "another-key-that-is-not-known"):
                status, problem = mirror.send(method, path, body, Authorization=f"Bearer {key}")
                self.assertEqual(status, 421, problem)
                self.assertIn("publish.example.org", problem["detail"])
        mirror.connection.request("GET", "/feeds/news")
        response = mirror.connection.getresponse()
        response.read()
        self.assertIsNone(response.headers["Last-Modified"])
        # A token makes it ask, however recent it is.
        _, later = origin.send("PUT", "/feeds/news", {"items": [{"id": "b"}]})
        status, document = mirror.send("GET", f"/feeds/news?since={later['token']}")
        self.assertEqual((status, document["kind"]), (200, "unchanged"))
        _, created = origin.send("PUT", "/feeds/more", {"items": []})
        status, document = mirror.send("GET", f"/feeds/more?since={created['token']}")
        self.assertEqual((status, document["kind"]), (200, "unchanged"))
        origin.send("DELETE", "/feeds/news")
        until(lambda: mirror.send("GET", "/feeds/news")[0] == 404)
        _, again = origin.send("PUT", "/feeds/news", {"items": []})
        until(lambda: mirror.send("GET", "/feeds/news")[1].get("token") == again["token"])

    def test_without_a_key_it_serves_only_what_its_configuration_opens(self):
        self.origin.client().send("PUT", "/feeds/news", {"items": []})
        server = Server("--mirror", f"http://127.0.0.1:{self.origin.port}", "--mirror-key", KEY)
        self.servers.append(server)
        mirror = self.started(server)
        self.assertIn(mirror.send("GET", "/feeds/news")[0], (401, 404))
        status, _ = mirror.send("GET", "/feeds/news", Authorization=f"Bearer {KEY}")
        self.assertEqual(status, 200)

    def test_until_it_knows_all_feeds_none_is_missing(self):
        self.origin.client().send("PUT", "/feeds/news", {"items": []})
        self.origin.signal(signal.SIGSTOP)
        server = self.mirror().start()
        mirror = server.client()
        self.assertEqual(self.ready(server), 503)
        for path in ("/feeds/news", "/feeds/other", "/pull?feed=news", "/feeds",
                     "/feeds/news/events", "/feeds/news.json", "/feeds/other.atom", "/feeds.opml"):
            self.assertEqual(mirror.send("GET", path)[0], 503, path)
        self.origin.signal(signal.SIGCONT)
        until(lambda: self.ready(server) == 200)
        self.assertEqual(mirror.send("GET", "/feeds/news")[0], 200)
        self.assertEqual(mirror.send("GET", "/feeds/other")[0], 404)

    def test_cut_off_it_serves_what_it_has_and_catches_up_afterwards(self):
        origin = self.origin.client()
        _, first = origin.send("PUT", "/feeds/news", {"items": [{"id": "a"}]})
        server = self.mirror("--data", str(self.home / "mirror"))
        mirror = self.started(server)
        self.origin.kill()
        until(lambda: self.ready(server) == 503)
        self.assertEqual(mirror.send("GET", "/feeds/news")[1]["token"], first["token"])
        status, problem = mirror.send("GET", f"/feeds/news?since={first['token']}9")
        self.assertEqual((status, problem["type"]), (503, "/problems/behind"))
        # Started again it has what it had, and says that it is not ready.
        server.kill()
        mirror = server.start().client()
        self.assertEqual(mirror.send("GET", "/feeds/news")[1]["token"], first["token"])
        self.assertEqual(self.ready(server), 503)
        self.origin.start()
        _, second = self.origin.client().send("PUT", "/feeds/news", {"items": [{"id": "b"}]})
        until(lambda: self.ready(server) == 200)
        status, document = mirror.send("GET", f"/feeds/news?since={first['token']}&as=changes")
        self.assertEqual((document["kind"], document["token"]), ("changes", second["token"]))

    def test_an_origin_that_went_back_is_not_followed_there(self):
        _, first = self.origin.client().send("PUT", "/feeds/news", {"items": [{"id": "a"}]})
        self.origin.stop()
        shutil.copytree(self.home / "origin", self.home / "older")
        self.origin.start()
        server = self.mirror()
        mirror = self.started(server)
        _, second = self.origin.client().send("PUT", "/feeds/news", {"items": [{"id": "b"}]})
        until(lambda: mirror.send("GET", "/feeds/news")[1]["token"] == second["token"])
        self.origin.stop()
        shutil.rmtree(self.home / "origin")
        (self.home / "older").rename(self.home / "origin")
        # A copy is refused, and draws new epochs when it is adopted.
        self.origin.arguments.append("--adopt")
        self.origin.start()
        until(lambda: mirror.send("GET", "/feeds/news")[1]["token"][:8] != first["token"][:8])
        until(lambda: self.ready(server) == 200)

    def test_readers_that_go_from_one_to_another_never_go_back(self):
        mirrors = [self.mirror(), self.mirror("--data", str(self.home / "second"))]
        for mirror in mirrors:
            self.started(mirror)
        # A chain.
        mirrors.append(self.mirror(origin=mirrors[0]))
        self.started(mirrors[2])
        known, draw = Knowledge(), random.Random(11)
        crowd = Crowd([self.origin], mirrors + [self.origin], known, publishing=3, reading=6)
        for _ in range(2):
            time.sleep(2)
            victim = draw.choice(mirrors)
            victim.kill()
            victim.start()
        time.sleep(4)
        crowd.end()
        agree(self, mirrors + [self.origin], known)
        self.assertEqual(known.faults, [])
        reads = sum(count for status, count in crowd.statuses.items()
                    if str(status).startswith("read"))
        self.assertGreater(reads, 1000, crowd.statuses)

    def test_most_reads_with_a_recent_token_get_changes(self):
        mirrors = [self.mirror() for _ in range(3)]
        for mirror in mirrors:
            self.started(mirror)
        origin = self.origin.client()
        clients = [mirror.client() for mirror in mirrors]
        draw, tokens, kinds = random.Random(5), [], {}
        items = [{"id": f"i{number}", "text": "x" * 100} for number in range(50)]
        for number in range(300):
            items[draw.randrange(50)]["text"] = f"{number}" * 20
            _, answer = origin.send("PUT", "/feeds/news", {"items": items})
            tokens.append(answer["token"])
            for _ in range(4):
                since = draw.choice(tokens[-8:])
                _, document = draw.choice(clients).send("GET", f"/feeds/news?since={since}")
                kinds[document["kind"]] = kinds.get(document["kind"], 0) + 1
        good = kinds.get("changes", 0) + kinds.get("unchanged", 0)
        self.assertGreaterEqual(good / sum(kinds.values()), 0.95, kinds)


if __name__ == "__main__":
    unittest.main()
