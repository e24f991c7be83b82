"""A server that is killed under load loses nothing that it acknowledged or showed."""

import random
import time
import unittest

from harness import Knowledge, Load, Server, count, inspect


class Kills(unittest.TestCase):
    def test_a_killed_server_comes_back_with_everything(self):
        server, known, draw = Server(), Knowledge(), random.Random(1)
        try:
            load = None
            for number in range(count("CRASH_KILLS", 8)):
                server.start()
                if load:
                    inspect(server, known, load, draw)
                    self.assertEqual(known.faults, [], f"after kill {number}")
                load = Load(server, known, number)
                time.sleep(draw.uniform(0.1, 0.6))
                server.kill()
                load.end()
            server.start()
            inspect(server, known, load, draw)
            self.assertEqual(known.faults, [])
            self.assertGreater(known.acknowledged, 50)
            server.stop()
            server.start()
            inspect(server, known, load, draw)
            self.assertEqual(known.faults, [])
        finally:
            server.remove()


if __name__ == "__main__":
    unittest.main()
