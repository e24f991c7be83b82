"""Databases whose standby is promoted, and what it lacks."""

import os
import signal
import threading
import time
import unittest

from cluster import Cluster, until
from servers import Crowd, Knowledge, Server, agree


class Failover(unittest.TestCase):
    def setUp(self):
        self.first = Cluster().make().start()
        self.second = self.first.standby()
        self.second.start()
        address = self.first.address(self.second)
        self.servers = [Server("--data", address) for _ in range(3)]

    def tearDown(self):
        for server in self.servers:
            server.kill()
        self.second.remove()
        self.first.remove()

    def fail_over(self, known, until_stop=lambda: None):
        crowd = Crowd(self.servers, self.servers, known)
        time.sleep(2)
        until_stop()
        self.first.stop("immediate")
        self.second.promote()
        time.sleep(5)
        crowd.end()
        agree(self, self.servers, known)
        self.assertEqual(known.faults, [])
        return crowd

    def test_a_synchronous_standby_that_is_promoted_lacks_nothing(self):
        self.first.configure(synchronous_standby_names="standby")
        self.first.reload()
        until(lambda: "sync" in self.first.query("SELECT sync_state FROM pg_stat_replication"))
        for server in self.servers:
            server.start()
        self.servers[0].client().send("PUT", "/feeds/list", {"items": []})
        known = Knowledge()
        crowd = self.fail_over(known)
        self.assertGreater(known.acknowledged, 30, crowd.statuses)
        self.assertEqual(len({epoch for feed, epoch in known.newest if feed == "a"}), 1)
        ids = [item["id"] for section in
               self.servers[0].client().send("GET", "/feeds/list")[1]["sections"]
               for item in section["items"]]
        for item, token in crowd.inserted.items():
            if token:
                self.assertIn(item, ids)

    def test_versions_that_vanish_with_an_asynchronous_one_are_never_given_again(self):
        for server in self.servers:
            server.start()
        known = Knowledge()

        def fall_behind():
            # What is published from now on does not reach the standby.
            sender = self.first.query("SELECT pid FROM pg_stat_replication")
            os.kill(int(sender), signal.SIGSTOP)
            time.sleep(1)

        crowd = self.fail_over(known, fall_behind)
        self.assertGreater(known.acknowledged, 30, crowd.statuses)
        epochs = {epoch for feed, epoch in known.newest if feed == "a"}
        self.assertEqual(len(epochs), 2)

    def lose_the_standby(self, stays_synchronous):
        """Publishes one version that both have, and stops the standby; returns a client and that token."""
        self.first.configure(synchronous_standby_names="standby")
        self.first.reload()
        until(lambda: "sync" in self.first.query("SELECT sync_state FROM pg_stat_replication"))
        client = self.servers[0].start().client()
        token = client.send("PUT", "/feeds/x", {"items": [{"id": "1"}]})[1]["token"]
        note = "SELECT value FROM freshet_note WHERE name = 'synchronous'"
        until(lambda: self.first.query(note) == "yes")
        self.second.stop("fast")
        if not stays_synchronous:
            self.first.configure(synchronous_standby_names="")
            self.first.reload()
            until(lambda: self.first.query(note) == "no")
        return client, token

    def test_a_standby_that_had_been_cut_off_has_no_token_denote_two_contents(self):
        client, token = self.lose_the_standby(stays_synchronous=False)
        for version in (2, 3):
            last = client.send("PUT", "/feeds/x", {"items": [{"id": f"old{version}"}]})[1]["token"]
        self.assertEqual(last.split(".")[0], token.split(".")[0])
        self.servers[0].kill()
        self.first.stop("immediate")
        self.second.start()
        self.second.promote()
        client = self.servers[1].start().client()
        for version in (2, 3):
            new = client.send("PUT", "/feeds/x", {"items": [{"id": f"new{version}"}]})[1]["token"]
            self.assertNotEqual(new.split(".")[0], token.split(".")[0])
        status, answer = client.send("GET", f"/feeds/x?since={last}")
        self.assertEqual((status, answer["kind"]), (200, "snapshot"))

    def test_a_commit_that_did_not_wait_for_the_standby_is_not_acknowledged(self):
        client, token = self.lose_the_standby(stays_synchronous=True)
        answers = []
        thread = threading.Thread(target=lambda: answers.append(
            client.send("PUT", "/feeds/x", {"items": [{"id": "2"}]})), daemon=True)
        thread.start()
        waiting = "FROM pg_stat_activity WHERE wait_event = 'SyncRep'"
        until(lambda: self.first.query(f"SELECT pid {waiting}"))
        self.first.query(f"SELECT pg_cancel_backend(pid) {waiting}")
        thread.join(60)
        self.assertEqual((answers[0][0], answers[0][1]["type"]), (500, "/problems/outcome-unknown"))
        self.assertEqual(self.servers[0].client().send("GET", "/feeds/x")[1]["token"], token)


if __name__ == "__main__":
    unittest.main()
