"""A restore that is cut off leaves the feeds that were there, or those of the backup."""

import subprocess
import unittest

from harness import BINARY, Server, Shadow


class Restoring(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.remove)
        self.file = str(self.server.home / "backup.db")

    def put(self, item):
        status, answer = self.server.client().send("PUT", "/feeds/news", {"items": [{"id": item}]})
        self.assertIn(status, (200, 201), answer)
        return answer["token"]

    def restore(self, stop):
        """Puts the backup in place, and is killed before it changes a name for the n-th time."""
        environment = Shadow.environment(self.server.home, SHADOW_STOP=str(stop))
        return subprocess.run(
            [BINARY, "restore", "--replace", self.file, str(self.server.data)], check=False,
            env={**environment, "PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True)

    def test_wherever_it_is_killed_the_folder_has_one_or_the_other_whole(self):
        self.server.start()
        saved = self.put("saved")
        subprocess.run([BINARY, "backup", str(self.server.data), self.file], check=True,
                       stdout=subprocess.DEVNULL)
        outcomes = []
        while "done" not in outcomes:
            # The log has what was published last.
            item = f"late-{len(outcomes)}"
            token = self.put(item)
            self.server.kill()
            run = self.restore(len(outcomes) + 1)
            self.server.start()
            document = self.server.client().send("GET", "/feeds/news")[1]
            self.assertEqual(list(self.server.data.glob("restored*")), [])
            items = [item["id"] for item in document["sections"][0]["items"]]
            if document["token"] == token:
                self.assertEqual(items, [item])
                outcomes.append("old")
            else:
                self.assertEqual(items, ["saved"])
                self.assertNotIn(document["token"].split(".")[0], (saved[:8], token[:8]))
                outcomes.append("new")
            if run.returncode == 0:
                self.assertEqual(outcomes[-1], "new", run.stdout)
                outcomes.append("done")
            self.assertLess(len(outcomes), 200)
        self.assertGreater(outcomes.count("old"), 2, outcomes)
        self.assertGreater(outcomes.count("new"), 3, outcomes)
        # Once the backup counts it does so for ever.
        self.assertEqual(outcomes[:-1], sorted(outcomes[:-1], reverse=True))


if __name__ == "__main__":
    unittest.main()
