"""Disks that fail and fill: reads go on, 503 means that nothing was done, and nothing is lost."""

import os
import pathlib
import random
import re
import subprocess
import time
import unittest

from harness import BINARY, Knowledge, Load, Server, Shadow, inspect


class Faults(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.server.environment = Shadow.environment(self.server.home)
        self.fault = pathlib.Path(self.server.home) / "fault"
        self.addCleanup(self.server.remove)

    def disk(self, what=None):
        """Has the disk fail from now on, or no longer."""
        if what is None:
            self.fault.unlink()
            return
        part = self.fault.with_suffix(".part")
        part.write_text(what)
        part.rename(self.fault)

    def put(self, client, items, feed="news", **headers):
        return client.send("PUT", f"/feeds/{feed}", {"items": [{"id": i} for i in items]}, **headers)

    def until_it_works(self, client, items, statuses=(200,)):
        """Publishes until the server has opened its file again."""
        for _ in range(400):
            status, answer = self.put(client, items)
            if status in statuses:
                return answer
            self.assertEqual(status, 503, answer)
            time.sleep(0.05)
        self.fail("publishes are refused for ever")
        return None

    def until_logged(self, pattern):
        """Waits for a line of the log, which tells of what is refused once a second."""
        for _ in range(400):
            if re.search(pattern, "".join(self.server.log)):
                return
            time.sleep(0.05)
        self.fail(f"the log never says {pattern}")

    def test_a_failed_sync_is_unknown_until_the_file_was_read_again(self):
        self.server.start()
        client = self.server.client()
        status, first = self.put(client, "abc")
        self.assertEqual(status, 201)
        self.disk("sync")
        status, answer = self.put(client, "abcd")
        self.assertEqual((status, answer["type"]), (500, "/problems/outcome-unknown"))
        status, answer = self.put(client, "abcde")
        self.assertEqual((status, answer["type"]), (503, "/problems/not-kept"))
        status, document = client.send("GET", "/feeds/news")
        self.assertEqual(document["token"], first["token"])
        status, _ = client.send("DELETE", "/feeds/news")
        self.assertEqual(status, 503)
        # What changes nothing, and what is refused, would be answers about a version that may be undone.
        self.assertEqual(self.put(client, "abc")[0], 503)
        self.assertEqual(client.send("DELETE", "/feeds/news/items/none")[0], 503)
        self.disk()
        answer = self.until_it_works(client, "xyz")
        # The one whose fate was unknown came to be or not, but not with other content.
        version = int(answer["token"].split(".")[1])
        self.assertIn(version, (2, 3))
        if version == 3:
            since = answer["token"][:-1] + "2"
            self.assertEqual(client.send("GET", f"/feeds/news?version={since}")[1]["count"], 4)
        self.server.kill()
        Shadow.restore(self.server.home)
        self.server.start()
        document = self.server.client().send("GET", "/feeds/news")[1]
        self.assertEqual(document["token"], answer["token"])
        self.assertEqual(document["count"], 3)

    def test_a_retry_after_an_unknown_outcome_is_carried_out_once(self):
        self.server.start()
        client = self.server.client()
        self.put(client, "abc")
        self.disk("sync")
        body = {"edits": [{"insert": {"id": "once"}}]}
        status, _ = client.send("PATCH", "/feeds/news", body, Idempotency_Key="k")
        self.assertEqual(status, 500)
        status, _ = client.send("PATCH", "/feeds/news", body, Idempotency_Key="k")
        self.assertEqual(status, 503)
        self.disk()
        for _ in range(400):
            status, answer = client.send("PATCH", "/feeds/news", body, Idempotency_Key="k")
            if status != 503:
                break
            time.sleep(0.05)
        self.assertEqual(status, 200, answer)
        self.assertEqual(answer["items"]["inserted"], 1)
        self.assertEqual(client.send("GET", "/feeds/news")[1]["count"], 4)

    def test_a_full_disk_refuses_publishes_and_takes_deletions(self):
        self.server.start()
        client = self.server.client()
        for feed in ("news", "old"):
            self.assertEqual(self.put(client, "abc", feed)[0], 201)
        self.disk("write")
        many = [f"item-{number}-{'x' * 200}" for number in range(30000)]
        status, answer = self.put(client, many)
        self.assertEqual((status, answer["type"]), (503, "/problems/not-kept"))
        self.assertIn("full", answer["detail"])
        self.assertRegex(self.server.text("/readyz"), "^degraded: publishes are refused: .*full")
        self.until_logged("publishes not kept: .*full")
        self.assertEqual(client.send("GET", "/feeds/news")[1]["count"], 3)
        self.assertEqual(client.send("DELETE", "/feeds/old")[0], 204)
        self.disk()
        answer = self.until_it_works(client, "abcd")
        self.server.kill()
        Shadow.restore(self.server.home)
        self.server.start()
        client = self.server.client()
        self.assertEqual(client.send("GET", "/feeds/news")[1]["token"], answer["token"])
        self.assertEqual(client.send("GET", "/feeds/old")[0], 404)

    def test_a_full_disk_takes_one_deletion_after_the_other(self):
        """Publishes in between do not take the room that the next deletion needs."""
        self.server.environment = Shadow.environment(self.server.home, SHADOW_ROOM=str(26 << 20))
        self.server.start()
        client = self.server.client()
        text = "x" * 200
        for number in range(30):
            self.assertEqual(self.put(client, [f"{i}{text}" for i in range(20)], f"old-{number}")[0], 201)
        taken = 0
        for number in range(30):
            for _ in range(2000):
                taken += 1
                status, answer = self.put(client, [f"{taken}-{i}{text}" for i in range(200)], f"new-{taken}")
                if status != 201:
                    break
            self.assertEqual((status, answer["type"]), (503, "/problems/not-kept"))
            self.assertEqual(client.send("DELETE", f"/feeds/old-{number}")[0], 204, number)
        # Deletions make room for publishes in the end.
        for number in range(1, taken):
            client.send("DELETE", f"/feeds/new-{number}")
        self.assertEqual(self.put(client, "abc")[0], 201)

    def test_a_disk_that_is_full_at_the_start_has_all_feeds_read(self):
        """Here room that is given up is not room that others get; a real disk takes deletions, too."""
        for stop in (self.server.kill, self.server.stop):
            self.server.start()
            client = self.server.client()
            self.disk("write")
            status, number = 201, 0
            tokens = {}
            while status in (200, 201):
                number += 1
                feed = f"{stop.__name__}-{number}"
                status, answer = self.put(client, [f"{number}-{'x' * 200}-{i}" for i in range(500)], feed)
                if status == 201:
                    tokens[feed] = answer["token"]
            self.assertEqual((status, answer["type"]), (503, "/problems/not-kept"))
            self.assertGreater(len(tokens), 3)
            stop()
            self.server.start()
            client = self.server.client()
            for feed, token in tokens.items():
                status, answer = client.send("GET", f"/feeds/{feed}?since={token}")
                self.assertEqual((status, answer["kind"]), (200, "unchanged"))
            self.disk()
            self.until_it_works(client, "abc", statuses=(200, 201))
            for feed in tokens:
                self.assertEqual(client.send("DELETE", f"/feeds/{feed}")[0], 204)
            self.server.kill()
            Shadow.restore(self.server.home)

    def test_faults_that_come_and_go_under_load_lose_nothing(self):
        known, draw = Knowledge(), random.Random(5)
        self.server.environment = Shadow.environment(self.server.home, SHADOW_SPILL="20")
        load = None
        for number in range(int(os.environ.get("CRASH_FAULTS", 4))):
            self.server.start()
            if load:
                inspect(self.server, known, load, draw)
            load = Load(self.server, known, number)
            for _ in range(3):
                time.sleep(draw.uniform(0.05, 0.2))
                self.disk(draw.choice(["sync", "write", "input"]))
                time.sleep(draw.uniform(0.05, 0.5))
                self.disk()
            time.sleep(draw.uniform(0, 0.6))
            if draw.random() < 0.5:
                self.disk("sync")
                time.sleep(draw.uniform(0, 0.05))
            self.server.kill()
            load.end()
            self.fault.unlink(missing_ok=True)
            Shadow.restore(self.server.home)
            self.assertEqual(known.faults, [])
        self.server.start()
        inspect(self.server, known, load, draw)
        self.assertEqual(known.faults, [])
        self.assertGreater(known.acknowledged, 20)

    def test_a_disk_that_fails_at_the_start_is_an_error(self):
        self.server.start()
        self.put(self.server.client(), "abc")
        self.server.kill()
        for what in ("sync", "input"):
            self.disk(what)
            text = self.server.start(fails=True)
            self.assertIn("feeds.db", text)
            self.assertRegex(text, "I/O error|Input/output error")
        self.disk()
        self.server.start()
        self.assertEqual(self.server.client().send("GET", "/feeds/news")[1]["count"], 3)

    def test_a_key_that_is_not_on_the_disk_is_told_to_nobody(self):
        """An empty file of a key would keep the next server from starting."""
        self.server.data.mkdir()
        self.disk("sync")
        key = self.server.data / "key"
        result = subprocess.run(
            [BINARY, "serve", "--port", "0", "--data", "memory", "--key-file", str(key)],
            env={**os.environ, **self.server.environment}, cwd=self.server.home,
            stderr=subprocess.PIPE, text=True, timeout=60, check=False)
        self.assertEqual(result.returncode, 1)
        self.assertIn(f"the key cannot be written to {key}: cannot sync {key}.", result.stderr)
        self.assertNotIn("the key is in", result.stderr)
        self.assertEqual(list(self.server.data.iterdir()), [])


if __name__ == "__main__":
    unittest.main()
