"""A database that is put back to an earlier time never makes a token denote two contents."""

import os
import random
import shutil
import unittest

from cluster import Cluster, until
from servers import Knowledge, Server, apply, content

COUNT = int(os.environ.get("SYSTEM_ROLLBACKS", 4))


class Rollbacks(unittest.TestCase):
    def setUp(self):
        self.cluster = Cluster().make().start()
        self.addCleanup(self.cluster.remove)
        self.servers = [Server("--data", self.cluster.address()) for _ in range(2)]
        self.known, self.draw, self.held = Knowledge(), random.Random(3), []
        self.value = 0

    def tearDown(self):
        for server in self.servers:
            server.kill()

    def work(self):
        """Publishes to either server, and reads from both what they have."""
        for _ in range(self.draw.randrange(2, 6)):
            self.value += 1
            client = self.draw.choice(self.servers).client()
            status, answer = client.send("PUT", "/feeds/a", {"items": [{"id": "i", "value": self.value}]})
            client.connection.close()
            self.assertIn(status, (200, 201), answer)
            self.read()

    def read(self):
        for server in self.servers:
            client = server.client()
            status, document = client.send("GET", "/feeds/a")
            if status == 200:
                text = content(document)
                self.known.saw("a", document["token"], text, "a snapshot")
                for token in self.held[-8:]:
                    status, answer = client.send("GET", f"/feeds/a?since={token}")
                    if status != 200:
                        continue
                    before = self.known.contents[("a", token)]
                    after = {"unchanged": lambda: before, "snapshot": lambda: content(answer),
                             "changes": lambda: apply(before, answer["changes"])}[answer["kind"]]()
                    self.known.saw("a", answer["token"], after, f"since {token}")
                self.held.append(document["token"])
            client.connection.close()
        self.assertEqual(self.known.faults, [])

    def test_by_a_dump(self):
        """The servers go, the dump is put back, and one or both come again."""
        for server in self.servers:
            server.start()
        for _ in range(COUNT):
            self.work()
            self.cluster.run("pg_dump", "-h", "127.0.0.1", "-p", self.cluster.port, "-U", "freshet", "-Fc",
                             "-f", self.cluster.home / "dump", "postgres")
            self.work()
            for server in self.servers:
                server.stop()
            self.cluster.run("pg_restore", "-h", "127.0.0.1", "-p", self.cluster.port, "-U", "freshet",
                             "--clean", "--if-exists", "-d", "postgres", self.cluster.home / "dump")
            for server in self.servers:
                server.start()
            self.work()
        self.assertGreater(self.value, 2 * COUNT)

    def test_by_a_copy_of_its_files(self):
        """The servers run on, and connect to a database that lacks their last versions."""
        for server in self.servers:
            server.start()
        saved = self.cluster.home / "saved"
        for _ in range(COUNT):
            self.work()
            self.cluster.stop()
            shutil.rmtree(saved, ignore_errors=True)
            self.copy(self.cluster.data, saved)
            self.cluster.start()
            self.retry(self.work)
            self.cluster.stop()
            shutil.rmtree(self.cluster.data)
            self.copy(saved, self.cluster.data)
            self.cluster.start()
            self.retry(self.work)

    def copy(self, source, target):
        shutil.copytree(source, target)
        if self.cluster.user:
            for path in [target, *target.rglob("*")]:
                os.chown(path, self.cluster.user.pw_uid, self.cluster.user.pw_gid)

    def retry(self, work):
        """Does it once both servers are connected again."""
        for server in self.servers:
            until(lambda server=server: self.is_ready(server))
        work()

    @staticmethod
    def is_ready(server):
        client = server.client()
        client.connection.request("GET", "/readyz")
        text = client.connection.getresponse().read().decode()
        client.connection.close()
        return text.startswith("ready")


if __name__ == "__main__":
    unittest.main()
