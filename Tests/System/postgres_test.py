"""Three servers on one PostgreSQL, with racing publishers, while servers and databases are killed."""

import concurrent.futures
import os
import random
import signal
import threading
import time
import unittest

from cluster import Cluster, until
from servers import Crowd, Knowledge, Server, agree

COUNT = int(os.environ.get("SYSTEM_ROUNDS", 3))


class OneDatabase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster().make().start()

    @classmethod
    def tearDownClass(cls):
        cls.cluster.remove()

    def setUp(self):
        schema = f"test{time.monotonic_ns()}"
        self.cluster.query(f"CREATE SCHEMA {schema}")
        self.address = self.cluster.address(schema=schema)
        self.servers = [Server("--data", self.address) for _ in range(3)]

    def tearDown(self):
        for server in self.servers:
            server.kill()

    def start(self):
        for server in self.servers:
            server.start()
        return [server.client() for server in self.servers]

    def check_list(self, crowd):
        """Every item that was acknowledged is there, once."""
        status, document = self.servers[0].client().send("GET", "/feeds/list")
        ids = [item["id"] for section in document["sections"] for item in section["items"]]
        self.assertEqual(status, 200)
        self.assertEqual(len(ids), len(set(ids)))
        for item, token in crowd.inserted.items():
            if token:
                self.assertIn(item, ids)

    def test_what_one_takes_all_serve_with_the_same_tokens(self):
        first, second, third = self.start()
        status, answer = first.send("PUT", "/feeds/news", {"items": [{"id": "a"}]})
        self.assertEqual(status, 201)
        token = answer["token"]
        # A token makes a server look, however recent it is.
        status, document = second.send("GET", f"/feeds/news?since={token}")
        self.assertEqual((status, document["kind"]), (200, "unchanged"))
        # So does a publish: it is made of the newest version.
        status, answer = third.send(
            "PATCH", "/feeds/news", {"edits": [{"insert": {"id": "b"}}]})
        self.assertEqual((status, answer["since"]), (200, token))
        status, document = first.send("GET", f"/feeds/news?since={token}",
                                      If_None_Match=f'"{answer["token"]}"')
        self.assertEqual(status, 304)
        self.assertEqual(second.send("DELETE", "/feeds/news")[0], 204)
        status, problem = first.send("PATCH", "/feeds/news", {"edits": [{"insert": {"id": "c"}}]})
        self.assertEqual(status, 404, problem)
        status, answer = third.send("PUT", "/feeds/news", {"items": []}, If_None_Match="*")
        self.assertEqual(status, 201)
        self.assertNotEqual(answer["token"].split(".")[0], token.split(".")[0])

    def test_a_lost_race_is_told_and_conditions_hold_everywhere(self):
        clients = self.start()
        status, answer = clients[0].send("PUT", "/feeds/news", {"items": [{"id": "a"}]})
        outcomes = []

        def publish(client, number):
            outcomes.append(client.send(
                "PUT", "/feeds/news", {"items": [{"id": f"b{number}"}]},
                If_Match=f'"{answer["token"]}"')[0])
        threads = [threading.Thread(target=publish, args=(client, number))
                   for number, client in enumerate(clients)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(sorted(outcomes), [200, 412, 412])

    def test_a_repeated_request_is_carried_out_once_whichever_server_gets_it(self):
        clients = self.start()
        clients[0].send("PUT", "/feeds/news", {"items": []})
        answers = [client.send("POST", "/feeds/news/items", {"id": "a"}, Idempotency_Key="k")
                   for client in clients]
        self.assertEqual([status for status, _ in answers], [201, 201, 201])
        self.assertEqual(len({answer["token"] for _, answer in answers}), 1)
        self.assertEqual(clients[2].send(
            "POST", "/feeds/news/items", {"id": "b"}, Idempotency_Key="k")[0], 422)

    def test_a_stream_and_a_wait_hear_of_what_another_server_takes(self):
        first, second, _ = self.start()
        _, answer = first.send("PUT", "/feeds/news", {"items": [{"id": "a"}]})
        second.send("GET", f"/feeds/news?since={answer['token']}")
        timer = threading.Timer(
            0.3, lambda: self.servers[0].client().send("PUT", "/feeds/news", {"items": []}))
        timer.start()
        start = time.monotonic()
        _, document = second.send("GET", f"/feeds/news?since={answer['token']}&wait=20")
        timer.join()
        self.assertIn(document["kind"], ("changes", "snapshot"))
        self.assertEqual(document["count"], 0)
        self.assertLess(time.monotonic() - start, 10)

    def test_a_forged_token_costs_a_question_and_is_answered(self):
        first, second, _ = self.start()
        _, answer = first.send("PUT", "/feeds/news", {"items": [{"id": "a"}]})
        for token, reason in ((answer["token"] + "99", "expired"), ("aaaaaaaa.7", "epoch")):
            status, document = second.send("GET", f"/feeds/news?since={token}")
            self.assertEqual((status, document["kind"]), (200, "snapshot"))
            self.assertEqual(document["reason"], reason)
            self.assertEqual(document["token"], answer["token"])

    def test_servers_that_are_killed_lose_nothing(self):
        known, draw = Knowledge(), random.Random(3)
        self.start()
        crowd = Crowd(self.servers, self.servers, known)
        for _ in range(2 * COUNT):
            time.sleep(draw.uniform(0.5, 1.5))
            server = draw.choice(self.servers)
            server.kill()
            time.sleep(draw.uniform(0, 0.3))
            server.start()
        time.sleep(0.5)
        crowd.end()
        agree(self, self.servers, known)
        self.check_list(crowd)
        self.assertEqual(known.faults, [])
        self.assertGreater(known.acknowledged, 50, crowd.statuses)

    def test_a_server_that_stood_still_goes_on_with_what_the_others_made(self):
        known = Knowledge()
        self.start()
        crowd = Crowd(self.servers[1:], self.servers, known, reading=2)
        time.sleep(0.5)
        self.servers[0].signal(signal.SIGSTOP)
        time.sleep(2)
        self.servers[0].signal(signal.SIGCONT)
        time.sleep(1)
        crowd.end()
        agree(self, self.servers, known)
        self.assertEqual(known.faults, [])

    def test_many_changes_are_kept_as_a_whole_now_and_then(self):
        clients = self.start()
        wide = [{"id": f"i{number}", "text": "x" * 200} for number in range(2000)]
        clients[0].send("PUT", "/feeds/news", {"items": wide})
        for number in range(900):
            status, answer = clients[number % 3].send(
                "PUT", f"/feeds/news/items/i{number % 50}",
                {"id": f"i{number % 50}", "text": "y" * 500, "number": number})
            self.assertEqual(status, 200, answer)
        known = Knowledge()
        known.saw("news", answer["token"], None, "the publisher")
        schema = self.address.rsplit("%3D", 1)[1]
        rows = int(self.cluster.query(f"SELECT count(*) FROM {schema}.freshet_log"))
        self.assertLess(rows, 890)
        for server in self.servers:
            server.kill()
        documents = [server.start().client().send("GET", "/feeds/news")[1]
                     for server in self.servers]
        self.assertTrue(all(document == documents[0] for document in documents))
        self.assertEqual(documents[0]["token"], answer["token"])
        items = documents[0]["sections"][0]["items"]
        self.assertEqual(next(item for item in items if item["id"] == "i49")["number"], 899)

    def test_servers_that_start_at_once_make_the_tables_once(self):
        for number in range(2 * COUNT):
            schema = f"once{number}x{time.monotonic_ns()}"
            self.cluster.query(f"CREATE SCHEMA {schema}")
            self.servers = [Server("--data", self.cluster.address(schema=schema)) for _ in range(3)]
            with concurrent.futures.ThreadPoolExecutor() as starters:
                list(starters.map(Server.start, self.servers))
            for server in self.servers:
                server.kill()

    def test_a_newer_format_is_refused(self):
        self.servers[0].start()
        self.servers[0].stop()
        schema = self.address.rsplit("%3D", 1)[1]
        self.cluster.query(f"UPDATE {schema}.freshet_note SET value = '9' WHERE name = 'format'")
        self.assertIn("a newer server", self.servers[1].start(fails=True))


class Outages(unittest.TestCase):
    def setUp(self):
        self.cluster = Cluster().make().start()
        self.servers = [Server("--data", self.cluster.address(), "--stale-after", "2s")
                        for _ in range(3)]
        for server in self.servers:
            server.start()

    def tearDown(self):
        for server in self.servers:
            server.kill()
        self.cluster.remove()

    def test_without_the_database_reads_go_on_and_publishes_are_refused(self):
        client = self.servers[0].client()
        _, answer = client.send("PUT", "/feeds/news", {"items": [{"id": "a"}]})
        self.cluster.stop("immediate")
        status, problem = until(lambda: next(
            (pair for pair in [client.send("PUT", "/feeds/news", {"items": []})]
             if pair[0] == 503), None))
        self.assertEqual(problem["type"], "/problems/not-kept")
        self.assertEqual(client.send("GET", "/feeds/news")[1]["token"], answer["token"])
        until(lambda: self.ready() == 503)
        status, problem = client.send("GET", f"/feeds/news?since={answer['token']}9")
        self.assertEqual((status, problem["type"]), (503, "/problems/behind"))
        self.cluster.start()
        until(lambda: self.ready() == 200)
        status, again = until(lambda: next(
            (pair for pair in [client.send("PUT", "/feeds/news", {"items": []})]
             if pair[0] == 200), None))
        self.assertEqual(again["since"], answer["token"])

    def ready(self):
        connection = self.servers[0].client().connection
        connection.request("GET", "/readyz")
        response = connection.getresponse()
        response.read()
        return response.status

    def test_a_database_that_crashes_under_load_loses_nothing(self):
        known, draw = Knowledge(), random.Random(7)
        crowd = Crowd(self.servers, self.servers, known)
        for _ in range(COUNT):
            time.sleep(draw.uniform(0.8, 2))
            self.cluster.stop("immediate" if draw.random() < 0.7 else "fast")
            time.sleep(draw.uniform(0, 0.5))
            self.cluster.start()
        time.sleep(3)
        crowd.end()
        agree(self, self.servers, known)
        self.assertEqual(known.faults, [])
        self.assertGreater(known.acknowledged, 50, crowd.statuses)
        epochs = {epoch for feed, epoch in known.newest if feed == "a"}
        self.assertEqual(len(epochs), 1)


if __name__ == "__main__":
    unittest.main()
