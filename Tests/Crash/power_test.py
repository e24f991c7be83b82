"""A power cut leaves everything that was acknowledged or shown."""

import random
import tempfile
import time
import unittest

from harness import Knowledge, Load, Server, Shadow, count, inspect


def cut(server, known, draw, cuts, **settings):
    """Cuts the power under load, again and again; returns what went wrong."""
    load = None
    for number in range(cuts):
        server.environment = Shadow.environment(
            server.home, SHADOW_SEED=str(draw.randrange(1 << 30)),
            SHADOW_SPILL=str(draw.choice([0, 0, 30, 70])), **settings)
        server.start()
        if load:
            inspect(server, known, load, draw)
        if known.faults:
            return
        load = Load(server, known, number)
        time.sleep(draw.uniform(0.1, 0.6))
        server.kill()
        load.end()
        Shadow.restore(server.home)
    server.start()
    inspect(server, known, load, draw)


class PowerCuts(unittest.TestCase):
    def test_what_was_synced_is_all_that_counts(self):
        server, known = Server(), Knowledge()
        try:
            cut(server, known, random.Random(2), count("CRASH_CUTS", 12))
            self.assertEqual(known.faults, [])
            self.assertGreater(known.acknowledged, 50)
        finally:
            server.remove()

    def test_slow_syncs_show_nothing_early(self):
        server, known = Server(), Knowledge()
        try:
            cut(server, known, random.Random(3), count("CRASH_CUTS", 12) // 3, SHADOW_SLOW="20000")
            self.assertEqual(known.faults, [])
        finally:
            server.remove()

    def test_a_log_that_is_not_synced_would_be_noticed(self):
        """The test of the test: with synchronous=NORMAL, publishes are lost."""
        server, known = Server(tempfile.mkdtemp(prefix="freshet-crash-")), Knowledge()
        try:
            try:
                cut(server, known, random.Random(4), 6, SHADOW_DROP="log")
            except AssertionError as error:
                # The server itself saw that its log has holes.
                known.fault(str(error))
            self.assertNotEqual(known.faults, [])
        finally:
            server.remove()


if __name__ == "__main__":
    unittest.main()
