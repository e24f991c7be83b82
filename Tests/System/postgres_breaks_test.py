"""Connections to PostgreSQL that break at the worst moments: nothing is lost, and nothing done twice."""

import concurrent.futures
import os
import random
import signal
import threading
import time
import unittest

from breaks import COMMIT, Breaker
from cluster import Cluster, until
from servers import KEY, Crowd, Knowledge, Server, agree

COUNT = int(os.environ.get("SYSTEM_ROUNDS", 3))


class Breaks(unittest.TestCase):
    """Two servers; what the second one says to the database goes through a proxy."""

    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster().make().start()

    @classmethod
    def tearDownClass(cls):
        cls.cluster.remove()

    def setUp(self):
        self.schema = f"test{time.monotonic_ns()}"
        self.cluster.query(f"CREATE SCHEMA {self.schema}")
        self.breaker = Breaker(self.cluster.port)
        self.first = Server("--data", self.cluster.address(schema=self.schema)).start()
        self.second = Server("--data", self.breaker.address(self.schema)).start()

    def tearDown(self):
        self.first.kill()
        self.second.kill()
        self.breaker.end()

    def feeds(self, server):
        """All feeds, with what names their versions."""
        status, document = server.client().send("GET", "/feeds", Authorization=f"Bearer {KEY}")
        self.assertEqual(status, 200)
        return {feed["id"]: feed["token"] for feed in document["feeds"]}

    def same(self, server, expected):
        return self.feeds(server) == expected


class Following(Breaks):
    def test_a_deletion_is_heard_of_though_the_connection_breaks_at_it(self):
        first, second = self.first.client(), self.second.client()
        first.send("PUT", "/feeds/x", {"items": [{"id": "a"}]})
        until(lambda: second.send("GET", "/feeds/x")[0] == 200)
        # When a feed of that name existed last is asked for when its deletion is taken in.
        self.breaker.plan("SELECT value FROM freshet_note", "before")
        self.assertEqual(first.send("DELETE", "/feeds/x")[0], 204)
        until(lambda: not self.breaker.isDue)
        until(lambda: second.send("GET", "/feeds/x")[0] == 404)
        status, answer = second.send("PUT", "/feeds/x", {"items": []}, If_None_Match="*")
        self.assertEqual(status, 201, answer)

    def test_changes_are_heard_of_wherever_the_connection_breaks_while_they_are_taken_in(self):
        draw = random.Random(5)
        client = self.first.client()
        known = self.change(draw, {})
        until(lambda: self.same(self.second, known))
        breaks = 0
        for skipped in range(4 + 2 * COUNT):
            # They come together, and are read in several parts.
            self.second.signal(signal.SIGSTOP)
            known = self.change(draw, known)
            self.breaker.plan("", random.Random(skipped).choice(["before", "after"]), skipped)
            self.second.signal(signal.SIGCONT)
            until(lambda: self.same(self.second, known) or not self.breaker.isDue)
            until(lambda: self.same(self.second, known))
            breaks = self.breaker.count
            self.breaker.cancel()
        self.assertGreater(breaks, 3)
        # What it knows is what publishes are made of.
        for feed, token in list(known.items())[:5]:
            status, answer = self.second.client().send(
                "PUT", f"/feeds/{feed}", {"items": [{"id": "new"}]}, If_Match=f'"{token}"')
            self.assertEqual(status, 200, answer)
            document = client.send("GET", f"/feeds/{feed}?since={answer['token']}")[1]
            self.assertEqual(document["token"], answer["token"])

    def change(self, draw, known):
        """Makes, changes and deletes feeds at the first server; returns what is there then."""
        names = [f"f{number}" for number in range(400)]
        changed = draw.sample(names, 260)
        gone = {name for name in changed if name in known and draw.random() < 0.3}

        def publish(name):
            client = self.clients()
            if name in gone:
                return client.send("DELETE", f"/feeds/{name}")[0]
            body = {"items": [{"id": f"{draw.random()}"}]}
            return client.send("PUT", f"/feeds/{name}", body)[0]
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            statuses = set(pool.map(publish, changed))
        self.assertLessEqual(statuses, {200, 201, 204})
        return self.feeds(self.first)

    def clients(self):
        """This thread's connection to the first server."""
        kept = self.__dict__.setdefault("kept", {})
        thread = threading.get_ident()
        if thread not in kept:
            kept[thread] = self.first.client()
        return kept[thread]


class Acknowledgements(Breaks):
    HOWS = ["before", "after", "late"]

    def setUp(self):
        super().setUp()
        self.known = self.first.client().send(
            "PUT", "/feeds/news", {"items": [{"id": "a"}]})[1]["token"]
        self.at(self.known)

    def at(self, token):
        """Waits until the second server has a version of the feed."""
        client = self.second.client()
        until(lambda: client.send("GET", "/feeds/news")[1].get("token") == token)

    def publish(self, how, *request, **headers):
        """Sends a request to the second server whose transaction is broken at its end."""
        self.breaker.plan(COMMIT, how)
        answer = self.second.client().send(*request, **headers)
        self.assertFalse(self.breaker.isDue)
        return answer

    def test_a_version_is_answered_for_as_the_database_has_it(self):
        for number, how in enumerate(self.HOWS * 2):
            with self.subTest(how=how):
                body = {"items": [{"id": f"b{number}"}]}
                status, answer = self.publish(how, "PUT", "/feeds/news", body)
                self.check(how, status, answer, 200)
                if how == "before":
                    status, answer = self.second.client().send("PUT", "/feeds/news", body)
                    self.assertEqual(status, 200, answer)
                # It follows the last one: it is the only one that was made.
                self.assertEqual(answer["since"], self.known)
                self.known = answer["token"]
                client = self.first.client()
                self.assertEqual(client.send("GET", f"/feeds/news?since={self.known}")[1]["kind"],
                                 "unchanged")
                document = client.send("GET", "/feeds/news")[1]
                self.assertEqual(document["sections"][0]["items"], body["items"])

    def check(self, how, status, answer, success):
        """Checks what is said of a request, and that both servers agree about it."""
        if how == "before":
            self.assertEqual((status, answer["type"]), (503, "/problems/not-kept"))
        else:
            self.assertEqual(status, success, answer)
        until(lambda: self.same(self.second, self.feeds(self.first)))

    def test_a_feed_is_made_and_deleted_as_the_database_has_it(self):
        for how in self.HOWS:
            with self.subTest(how=how):
                status, answer = self.publish(how, "PUT", "/feeds/other", {"items": []})
                self.check(how, status, answer, 201)
                self.assertEqual("other" in self.feeds(self.first), how != "before")
                if how == "before":
                    self.assertEqual(
                        self.second.client().send("PUT", "/feeds/other", {"items": []})[0], 201)
                status, answer = self.publish(how, "DELETE", "/feeds/other")
                self.check(how, status, answer, 204)
                self.assertEqual("other" in self.feeds(self.first), how == "before")
                self.second.client().send("DELETE", "/feeds/other")
                until(lambda: "other" not in self.feeds(self.first))

    def test_a_request_with_a_key_is_carried_out_once(self):
        for how in self.HOWS:
            with self.subTest(how=how):
                item = f"once-{how}"
                request = ("POST", "/feeds/news/items", {"id": item})
                status, answer = self.publish(how, *request, Idempotency_Key=item)
                self.check(how, status, answer, 201)
                for server in (self.second, self.first):
                    status, again = server.client().send(*request, Idempotency_Key=item)
                    self.assertEqual(status, 201, again)
                    if how != "before":
                        self.assertEqual(again["token"], answer["token"])
                items = self.first.client().send("GET", "/feeds/news")[1]["sections"][0]["items"]
                self.assertEqual([each["id"] for each in items].count(item), 1)

    def test_what_others_made_of_it_meanwhile_does_not_change_the_answer(self):
        for others in ("a version", "twenty versions", "a deletion", "another feed"):
            with self.subTest(others=others):
                self.first.client().send("PUT", "/feeds/news", {"items": [{"id": others}]})
                self.at(self.first.client().send("GET", "/feeds/news")[1]["token"])
                status, answer, token = self.overtaken(others)
                if others.endswith("s") or others == "a version":
                    self.assertEqual((status, answer.get("token")), (200, token), answer)
                else:
                    # Nothing is left that would say.
                    self.assertIn(status, (200, 500), answer)
                    if status == 500:
                        self.assertEqual(answer["type"], "/problems/outcome-unknown")
                until(lambda: self.same(self.second, self.feeds(self.first)))

    def overtaken(self, others):
        """Publishes at the second server, which is kept from its database until others have gone on.

        Returns its status, its answer, and the token that it should name."""
        before = self.first.client().send("GET", "/feeds/news")[1]["token"]
        answers = []

        def publish():
            answers.append(self.second.client().send(
                "PUT", "/feeds/news", {"items": [{"id": f"mine {others}"}]}))
        self.breaker.plan(COMMIT, "after")
        thread = threading.Thread(target=publish)
        thread.start()
        until(lambda: not self.breaker.isDue)
        self.breaker.isAway = True
        client = self.first.client()
        token = until(lambda: next((found for found in [client.send("GET", "/feeds/news")[1]["token"]]
                                    if found != before), None))
        if others in ("a deletion", "another feed"):
            client.send("DELETE", "/feeds/news")
        if others != "a deletion":
            for version in range(20 if others == "twenty versions" else 1):
                client.send("PUT", "/feeds/news", {"items": [{"id": f"theirs {version}"}]})
        self.breaker.isAway = False
        thread.join()
        return *answers[0], token

    def test_without_the_database_nobody_knows_and_a_retry_finds_out(self):
        self.breaker.plan(COMMIT, "after")
        timer = threading.Thread(target=self.stay_away)
        timer.start()
        request = ("POST", "/feeds/news/items", {"id": "once"})
        status, answer = self.second.client().send(*request, Idempotency_Key="k")
        self.assertEqual((status, answer["type"]), (500, "/problems/outcome-unknown"))
        timer.join()
        # While nobody knows, nothing is made on top of it.
        status, answer = self.second.client().send("PUT", "/feeds/news", {"items": []})
        self.assertEqual(status, 503, answer)
        self.breaker.isAway = False
        status, answer = until(lambda: next((pair for pair in [self.second.client().send(
            *request, Idempotency_Key="k")] if pair[0] != 503), None))
        self.assertEqual(status, 201, answer)
        self.assertEqual(answer["since"], self.known)
        items = self.first.client().send("GET", "/feeds/news")[1]["sections"][0]["items"]
        self.assertEqual([item["id"] for item in items].count("once"), 1)

    def stay_away(self):
        until(lambda: not self.breaker.isDue)
        self.breaker.isAway = True

    def test_breaks_under_load_lose_nothing_and_repeat_nothing(self):
        known, draw = Knowledge(), random.Random(9)
        servers = [self.first, self.second]
        crowd = Crowd(servers, servers, known)
        for _ in range(8 * COUNT):
            self.breaker.plan(draw.choice([COMMIT, COMMIT, ""]), draw.choice(self.HOWS),
                              draw.randrange(4))
            until(lambda: not self.breaker.isDue)
        crowd.end()
        agree(self, servers, known)
        self.assertEqual(known.faults, [])
        self.assertGreater(known.acknowledged, 50, crowd.statuses)
        items = [item["id"] for section in
                 self.first.client().send("GET", "/feeds/list")[1]["sections"]
                 for item in section["items"]]
        self.assertEqual(len(items), len(set(items)))
        for item, token in crowd.inserted.items():
            if token:
                self.assertIn(item, items)


if __name__ == "__main__":
    unittest.main()
