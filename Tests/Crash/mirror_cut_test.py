"""A mirror whose power is cut goes on from what was synced, and comes to what the origin has."""

import random
import time
import unittest

from harness import KEY, Knowledge, Load, Server, Shadow, check, content, count

PATIENCE = 30


class MirrorCuts(unittest.TestCase):
    def setUp(self):
        self.origin, self.mirror, self.known = Server(), Server(), Knowledge()
        self.addCleanup(self.origin.remove)
        self.addCleanup(self.mirror.remove)
        self.origin.start()
        (self.mirror.home / "open.yml").write_text("open-feeds: all\n")

    def until(self, isMet, what):
        deadline = time.monotonic() + PATIENCE
        while not isMet():
            self.assertLess(time.monotonic(), deadline, what)
            time.sleep(0.01)

    def start(self, draw):
        self.mirror.environment = Shadow.environment(
            self.mirror.home, SHADOW_SEED=str(draw.randrange(1 << 30)),
            SHADOW_SPILL=str(draw.choice([0, 0, 30, 70])))
        self.mirror.start("--mirror", f"http://127.0.0.1:{self.origin.port}", "--mirror-key", KEY,
                          "--config", str(self.mirror.home / "open.yml"))
        client = self.mirror.client()
        self.until(lambda: client.send("GET", "/feeds")[0] == 200, "the mirror is never ready")

    def compare(self, draw):
        """Nobody publishes: the mirror comes to what the origin has, and every token to that."""
        origin, mirror = self.origin.client(), self.mirror.client()
        for feed in origin.send("GET", "/feeds?limit=100")[1]["feeds"]:
            name, (_, wanted) = feed["id"], origin.send("GET", f"/feeds/{feed['id']}")
            self.until(lambda: mirror.send("GET", f"/feeds/{name}")[1].get("token")
                       == wanted["token"], f"the mirror's {name} is not the origin's")
            document = mirror.send("GET", f"/feeds/{name}")[1]
            self.assertEqual(content(document), content(wanted))
            if name in Load.FEEDS:
                for _ in range(10):
                    check(mirror, self.known, name, draw, "of the mirror")
        self.until(lambda: [one["id"] for one in mirror.send("GET", "/feeds?limit=100")[1]["feeds"]]
                   == [one["id"] for one in origin.send("GET", "/feeds?limit=100")[1]["feeds"]],
                   "the mirror has other feeds than the origin")

    def test_it_goes_on_from_what_was_synced(self):
        draw = random.Random(5)
        for number in range(max(3, count("CRASH_CUTS", 12) // 3)):
            self.start(draw)
            publishing = Load(self.origin, self.known, number, publishers=4, readers=0)
            reading = Load(self.mirror, self.known, number, publishers=0, readers=3)
            time.sleep(draw.uniform(0.1, 0.6))
            self.mirror.kill()
            reading.end()
            publishing.end()
            Shadow.restore(self.mirror.home)
            self.start(draw)
            self.compare(draw)
            self.assertEqual(self.known.faults, [])
            self.mirror.kill()
            Shadow.restore(self.mirror.home)
        self.assertGreater(self.known.acknowledged, 50)


if __name__ == "__main__":
    unittest.main()
