"""A feed that is taken back to a version has what that version had, also after the server was killed."""

import bisect
import json
import random
import time
import unittest

from harness import KEY, Server, content, count

GUARD = """feeds: {news: {guard: 50%}}
"""
KEPT = """feeds: {news: {guard: 50%, keep-versions: 10000}}
"""


def draw_feed(draw):
    """A feed of a few sections with some of forty items in any order."""
    numbers = draw.sample(range(40), draw.randrange(1, 40))
    sections = [{"id": f"s{number}", "items": []} for number in range(draw.randrange(1, 4))]
    for number in numbers:
        section = draw.choice(sections)
        section["items"].append({"id": f"i{number}", "n": draw.randrange(3)})
    return {"title": draw.choice(["a", "b"]), "sections": sections}


def places(text):
    """Where each item of a content is: its section, and its place there."""
    return {item["id"]: (section["id"], place) for section, items in json.loads(text)[1]
            for place, item in enumerate(items)}


def fewest(old, new):
    """How many items must come, go and move at least."""
    before, after = places(old), places(new)
    staying = [name for name in before if name in after]
    still = 0
    for section in {section for section, _ in after.values()}:
        order = [after[name][1] for name in sorted(staying, key=lambda name: before[name])
                 if before[name][0] == section and after[name][0] == section]
        longest = []
        for place in order:
            at = bisect.bisect_left(longest, place)
            longest[at:at + 1] = [place]
        still += len(longest)
    return {"inserted": len(after.keys() - before.keys()),
            "removed": len(before.keys() - after.keys()), "moved": len(staying) - still}


class Versions(unittest.TestCase):
    def setUp(self):
        self.server, self.draw, self.known, self.current = Server(), random.Random(7), {}, None
        self.addCleanup(self.server.remove)
        self.configuration = self.server.home / "freshet.yaml"
        self.configuration.write_text(GUARD)
        self.restored, self.keeps, self.forgotten = 0, False, None

    def start(self):
        self.server.start("--config", str(self.configuration))
        return self.server.client()

    def listed(self, client):
        status, document = client.send("GET", "/feeds/news/versions?limit=1000",
                                       Authorization="Bearer " + KEY)
        self.assertEqual(status, 200)
        return [version["token"] for version in document["versions"]]

    def look(self, client):
        """Compares all that is remembered with what was published."""
        tokens = self.listed(client)
        self.assertEqual(tokens[0], self.current)
        if self.keeps:
            self.assertEqual(tokens[::-1], list(self.known))
        self.assertGreaterEqual(len(tokens), min(8, len(self.known)))
        for token in tokens:
            status, document = client.send("GET", f"/feeds/news?version={token}",
                                           Authorization="Bearer " + KEY)
            self.assertEqual(status, 200)
            self.assertEqual(content(document), self.known[token])

    def publish(self, client):
        status, answer = client.send("PUT", "/feeds/news?removals=any", draw_feed(self.draw))
        self.assertIn(status, (200, 201))
        self.current = answer["token"]
        self.known[self.current] = content(client.send("GET", "/feeds/news")[1])

    def take_back(self, client):
        token = self.draw.choice(self.listed(client))
        status, answer = client.send("POST", f"/feeds/news/restore?version={token}",
                                     If_Match=f'"{self.current}"')
        self.assertEqual(status, 200, answer)
        now = content(client.send("GET", "/feeds/news")[1])
        self.assertEqual(now, self.known[token])
        counts = fewest(self.known[self.current], now)
        self.assertEqual({name: answer["items"][name] for name in counts}, counts)
        self.current = answer["token"]
        self.known[self.current] = now
        self.restored += 1

    def cut_off(self, client):
        """Kills the server while it publishes; what it shows next is the one or the other."""
        feed = draw_feed(self.draw)
        client.connection.request("PUT", "/feeds/news?removals=any", json.dumps(feed),
                                  {"Authorization": "Bearer " + KEY, "Content-Type": "application/json"})
        time.sleep(self.draw.uniform(0, 0.004))
        self.server.kill()
        client.connection.close()
        client = self.start()
        document = client.send("GET", "/feeds/news")[1]
        token, shown = document["token"], content(document)
        if token != self.current:
            sections = [[{"id": section["id"]}, section["items"]] for section in feed["sections"]]
            expected = json.dumps([{"title": feed["title"]}, sections], sort_keys=True)
            self.assertEqual(shown, expected)
            self.assertNotIn(token, self.known)
            self.current, self.known[token] = token, shown
        return client

    def test_what_is_taken_back_is_what_was_there(self):
        client = self.start()
        self.publish(client)
        for _ in range(count("CRASH_KILLS", 8)):
            for _ in range(30):
                if self.draw.random() < 0.5:
                    self.publish(client)
                else:
                    self.take_back(client)
            self.look(client)
            client = self.cut_off(client)
            self.look(client)
        self.assertGreater(self.restored, 50)

    def forget(self, client):
        """Forgets a version that is not current, and looks for it everywhere."""
        token = self.draw.choice(self.listed(client)[1:])
        self.assertEqual(self.forget_once(client, token), 204)
        self.assertEqual(client.send("DELETE", f"/feeds/news/versions/{token}")[0], 410)
        del self.known[token]
        self.forgotten = token

    def forget_once(self, client, token):
        return client.send("DELETE", f"/feeds/news/versions/{token}", Idempotency_Key=token)[0]

    def test_what_is_kept_outlives_kills(self):
        self.configuration.write_text(KEPT)
        self.keeps = True
        client = self.start()
        self.publish(client)
        for _ in range(count("CRASH_KILLS", 8)):
            for _ in range(30):
                chance = self.draw.random()
                if chance < 0.1 and len(self.known) > 5:
                    self.forget(client)
                elif chance < 0.6:
                    self.publish(client)
                else:
                    self.take_back(client)
            self.look(client)
            client = self.cut_off(client)
            self.look(client)
            # Sent again, as if the answer had been lost.
            if self.forgotten:
                self.assertEqual(self.forget_once(client, self.forgotten), 204)
        self.assertGreater(self.restored, 50)
        self.assertTrue(self.forgotten)

    def test_a_guard_holds_after_a_kill(self):
        client = self.start()
        self.publish(client)
        items = [{"id": f"x{number}"} for number in range(20)]
        client.send("PUT", "/feeds/news?removals=any", {"items": items})
        self.server.kill()
        client = self.start()
        status, problem = client.send("PUT", "/feeds/news", {"items": items[:10]})
        self.assertEqual((status, problem["type"]), (409, "/problems/too-many-removed"))
        self.assertEqual((problem["removed"], problem["count"], problem["limit"]), (10, 20, 9))
        self.assertEqual(client.send("PUT", "/feeds/news", {"items": items[:11]})[0], 200)


if __name__ == "__main__":
    unittest.main()
