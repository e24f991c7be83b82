"""An older copy of the data that is put back never makes a token denote two contents."""

import os
import random
import shutil
import subprocess
import tempfile
import unittest

from harness import Knowledge, Server, apply, content, count

FEEDS = ["a", "b"]


class Reader:
    """A reader that keeps, of each feed, every version that it saw."""

    def __init__(self, known):
        self.known = known
        self.held = {feed: [] for feed in FEEDS}

    def read(self, server, feed):
        """Reads by a snapshot, and from every version of before by changes and by its tag."""
        client = server.client()
        try:
            self.compare(client, feed)
        finally:
            client.connection.close()

    def compare(self, client, feed):
        status, document = client.send("GET", f"/feeds/{feed}")
        if status != 200:
            return
        text = content(document)
        self.known.saw(feed, document["token"], text, "a snapshot")
        for token in self.held[feed][-6:]:
            status, changes = client.send("GET", f"/feeds/{feed}?since={token}")
            if status != 200:
                self.known.fault(f"{feed} since {token}: {status}")
                continue
            before = self.known.contents[(feed, token)]
            after = {"unchanged": lambda: before, "snapshot": lambda: content(changes),
                     "changes": lambda: apply(before, changes["changes"])}[changes["kind"]]()
            if after != text:
                self.known.fault(f"{feed} since {token} leads to something else ({changes['kind']})")
            status, _ = client.send("GET", f"/feeds/{feed}", If_None_Match=f'"{token}"')
            if status == 304 and before != text:
                self.known.fault(f"{feed}: 304 for {token}, which has another content")
        self.held[feed].append(document["token"])


class Rollbacks(unittest.TestCase):
    def setUp(self):
        self.server, self.known, self.draw = Server(), Knowledge(), random.Random(5)
        self.addCleanup(self.server.remove)
        self.reader = Reader(self.known)
        self.value = 0

    def publish(self):
        feed = self.draw.choice(FEEDS)
        self.value += 1
        body = {"items": [{"id": f"i{item}", "value": self.value if item == 0 else 0}
                          for item in range(self.draw.randrange(1, 6))]}
        client = self.server.client()
        status, answer = client.send("PUT", f"/feeds/{feed}", body)
        client.connection.close()
        self.assertIn(status, (200, 201), answer)

    def work(self):
        for _ in range(self.draw.randrange(1, 5)):
            self.publish()
            for feed in FEEDS:
                self.reader.read(self.server, feed)

    def end(self):
        if self.draw.random() < 0.5:
            self.server.kill()
        else:
            self.server.stop()

    def copy(self):
        """Saves the folder as `cp -a` does."""
        saved = os.path.join(tempfile.mkdtemp(dir=self.server.home, prefix="saved-"), "data")
        shutil.copytree(self.server.data, saved, ignore=shutil.ignore_patterns("*.sock"))
        return saved

    def put_back(self, saved, names=None):
        """Writes saved files over those of the folder, which stay the files they are."""
        for name in names or os.listdir(saved):
            source, target = os.path.join(saved, name), os.path.join(self.server.data, name)
            if os.path.isfile(source):
                with open(source, "rb") as old, open(target, "r+b" if os.path.exists(target) else "wb") as new:
                    new.truncate(0)
                    shutil.copyfileobj(old, new)
        if names is None:
            for name in set(os.listdir(self.server.data)) - set(os.listdir(saved)):
                os.unlink(os.path.join(self.server.data, name))

    def start_or_refuse(self):
        """Starts a server; where it refuses the folder in words, with --adopt."""
        try:
            self.server.start()
        except AssertionError as refusal:
            self.assertRegex(str(refusal), "Restore a backup|--adopt")
            try:
                self.server.start("--adopt")
            except AssertionError:
                return False
        return True

    def test_whatever_is_put_back_no_token_denotes_two_contents(self):
        saved, rolled, refused = [], 0, 0
        self.server.start()
        for _ in range(count("CRASH_ROLLBACKS", 14)):
            self.work()
            self.end()
            saved.append(self.copy())
            self.server.start()
            self.work()
            self.end()
            kept = self.copy()
            old = self.draw.choice(saved)
            names = None
            if self.draw.random() < 0.3:
                files = [name for name in os.listdir(old) if name.startswith("feeds.db")]
                names = self.draw.sample(files, self.draw.randrange(1, len(files) + 1))
            self.put_back(old, names)
            if self.start_or_refuse():
                rolled += 1
            else:
                # Damage, which is told: the operator puts the newest copy back.
                refused += 1
                shutil.rmtree(self.server.data)
                shutil.copytree(kept, self.server.data)
                self.server.start("--adopt")
            for feed in FEEDS:
                self.reader.read(self.server, feed)
            self.work()
            self.assertEqual(self.known.faults, [])
        self.assertGreater(rolled, refused)
        self.assertEqual(self.known.faults, [])

    def test_adopting_draws_new_epochs(self):
        self.server.start()
        self.publish()
        client = self.server.client()
        before = {entry["id"]: entry["token"] for entry in client.send("GET", "/feeds")[1]["feeds"]}
        self.server.stop()
        self.server.start("--adopt")
        after = self.server.client().send("GET", "/feeds")[1]["feeds"]
        self.assertEqual([entry["id"] for entry in after], list(before))
        for entry in after:
            self.assertNotEqual(entry["token"].split(".")[0], before[entry["id"]].split(".")[0])

    def test_an_older_server_is_refused_by_its_format(self):
        self.server.start()
        self.publish()
        self.server.stop()
        script = "import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute('PRAGMA user_version').fetchone()[0])"
        version = subprocess.run(["python3", "-c", script, str(self.server.data / "feeds.db")],
                                 check=True, capture_output=True, text=True).stdout.strip()
        self.assertGreaterEqual(int(version), 2)


if __name__ == "__main__":
    unittest.main()
