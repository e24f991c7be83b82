"""Whole data folders with anything in their files: no command ends by a signal or hangs, and damage is named."""

import os
import random
import shutil
import signal
import sqlite3
import subprocess
import unittest

from harness import BINARY, Client, Server, count

# What stands for a part of a file: runs of bytes, numbers that cannot be, and words of the formats.
PARTS = [b"", b"\0" * 16, b"\xff" * 16, b"\x80" * 10, b"\x7f" + b"\xff" * 7, b"-1", b"1e999", b"nan", b"99999999999999999999",
         b"[", b"{}", b"null", b'"', b"\\ud800", b"SQLite format 3\0", b"\r\n", "é".encode()]
# What is said of a folder or a file that cannot be used.
WORDS = ("is damaged|is no backup|has no feeds|is empty, though|publishes that were acknowledged may be lost|"
         "was copied|without its database")


class Folders(unittest.TestCase):
    """One folder of each kind of file, of which every test makes copies."""

    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.remove)
        source = self.server.home / "source.json"
        source.write_text('{"items":[{"id":"s","title":"t"}]}')
        config = self.server.home / "freshet.yaml"
        config.write_text(f"feeds: {{sourced: {{source: {{file: {source}, every: 1h}}}}}}\n"
                          f"source-folder: {self.server.home}\n")
        self.arguments = ("--config", str(config))
        self.server.start(*self.arguments)
        client = self.server.client()
        self.published = {"small": [], "large": []}
        for version in range(5):
            for feed, number in (("small", 3), ("large", 300)):
                items = [{"id": f"i{place}", "text": "x" * (version + place % 50)} for place in range(number)]
                status, answer = client.send("PUT", f"/feeds/{feed}", {"title": f"{version}", "items": items},
                                             Idempotency_Key=f'"{feed}{version}"')
                self.assertIn(status, (200, 201), answer)
                self.published[feed].append((f"{version}", items))
        self.assertEqual(client.send("PUT", "/feeds/gone", {"items": []})[0], 201)
        self.assertEqual(client.send("DELETE", "/feeds/gone")[0], 204)
        self.backup = self.server.home / "backup.db"
        self.assertEqual(self.run_command("backup", str(self.server.data), str(self.backup))[0], 0)
        self.kept = self.backup.read_bytes()
        # As a crash leaves it: what is newest is in the file of SQLite's log.
        self.server.kill()
        self.files = {path.name: path.read_bytes() for path in self.server.data.iterdir() if path.is_file()}
        self.assertIn("feeds.db", self.files)

    def run_command(self, *arguments):
        run = subprocess.run([BINARY, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, timeout=60,
                             check=False, cwd=self.server.home)
        self.assertIn(run.returncode, (0, 1, 2), run.stdout[-2000:])
        return run.returncode, run.stdout.decode(errors="replace")

    def put_back(self, folder, files):
        """Fills a folder; in place, since other files would be a copy, which a server refuses."""
        folder.mkdir(mode=0o700, exist_ok=True)
        aside = folder.with_suffix(".aside")
        aside.mkdir(exist_ok=True)
        for path in folder.iterdir():
            if files.get(path.name) is None:
                # The database that comes back later is to be this one.
                path.rename(aside / path.name)
        for name, content in files.items():
            if content is not None:
                if (aside / name).exists() and not (folder / name).exists():
                    (aside / name).rename(folder / name)
                with open(folder / name, "r+b" if (folder / name).exists() else "wb") as file:
                    file.truncate(0)
                    file.write(content)

    def serve(self):
        """Starts a server, reads its feeds and stops it again if it comes up; what it says."""
        process = subprocess.Popen(
            [BINARY, "serve", "--port", "0", "--key", "k", "--data", str(self.server.data), *self.arguments],
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace", cwd=self.server.home)
        said = ""
        for line in process.stderr:
            said += line
            if "listening on" in line:
                self.read(Client(int(line.rsplit(":", 1)[1])))
                process.send_signal(signal.SIGTERM)
        process.wait(30)
        process.stderr.close()
        self.assertIn(process.returncode, (0, 1, 2), said[-2000:])
        return process.returncode, said

    def read(self, client):
        """What is served was published, whatever became of its files."""
        for feed, published in self.published.items():
            status, document = client.send("GET", f"/feeds/{feed}", Authorization="Bearer k")
            self.assertIn(status, (200, 404), document)
            if status == 200:
                items = [item for section in document["sections"] for item in section["items"]]
                self.assertIn((document.get("title"), items), published)

    def everything(self, files, backup=None):
        """Tries all commands on a folder with these files, and on a backup."""
        self.put_back(self.server.data, files)
        data = str(self.server.data)
        status, said = self.run_command("check", data)
        if status:
            self.assertRegex(said, WORDS)
        self.run_command("doctor", "--data", data, "--port", "0")
        self.put_back(self.server.data, files)
        status, said = self.serve()
        if status:
            self.assertRegex(said, WORDS)
        # It may have mended what it could: what is left is whole, or is damaged still.
        self.run_command("check", data)
        if backup is not None:
            self.backup.write_bytes(backup)
            restored = self.server.home / "restored"
            status, said = self.run_command("restore", "--replace", str(self.backup), str(restored))
            if status:
                self.assertRegex(said, WORDS)
            shutil.rmtree(restored, ignore_errors=True)

    def mutated(self, draw, content):
        """A file with one to four changes anywhere."""
        for _ in range(draw.randint(1, 4)):
            place = draw.randrange(len(content) + 1)
            kind = draw.random()
            if kind < 0.4 and place < len(content):
                content = content[:place] + bytes([content[place] ^ 1 << draw.randrange(8)]) + content[place + 1:]
            elif kind < 0.7:
                part = draw.choice(PARTS)
                content = content[:place] + part + content[place + draw.choice([0, len(part), len(part)]):]
            elif kind < 0.8:
                content = content[:place]
            elif kind < 0.9 and content:
                other = draw.randrange(len(content))
                length = draw.choice([1, 8, 512, 4096])
                content = content[:place] + content[other:other + length] + content[place + length:]
            else:
                content = content[:place] + draw.randbytes(draw.choice([1, 4, 64])) + content[place:]
        return content

    def seeds(self, turns):
        first = int(os.environ.get("CRASH_SEED", 5))
        return range(first, first + turns)

    def test_files_with_anything_in_them(self):
        for seed in self.seeds(count("CRASH_FOLDERS", 20)):
            draw = random.Random(seed)
            with self.subTest(seed=seed):
                files = dict(self.files)
                for name in draw.sample(sorted(files), draw.choice([1, 1, 1, 2])):
                    files[name] = self.mutated(draw, files[name])
                self.everything(files, self.mutated(draw, self.kept))

    def test_files_that_are_gone_empty_or_of_each_other(self):
        names = sorted(self.files)
        cases = [(name, None) for name in names] + [(name, b"") for name in names]
        cases += [(name, self.files[other]) for name in names for other in names if name != other]
        draw = random.Random(next(iter(self.seeds(1))))
        for name, content in draw.sample(cases, min(len(cases), count("CRASH_FOLDERS", 20))):
            with self.subTest(name=name, count=None if content is None else len(content)):
                self.everything({**self.files, name: content}, content)

    def test_rows_with_anything_in_them(self):
        """Whatever the tables let in: a database that is whole for SQLite, and wrong for a server."""
        draw = random.Random(next(iter(self.seeds(1))))
        whole = self.server.home / "whole"
        values = [-1, 0, (1 << 63) - 1, -(1 << 63), 1e300, -1e300, float("inf"), "", "x", "999", b"", b"\xff" * 9, "é\0"]
        for turn in range(count("CRASH_FOLDERS", 20)):
            self.put_back(whole, self.files)
            database = sqlite3.connect(whole / "feeds.db")
            said = []
            with database:
                tables = [name for (name,) in database.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
                for _ in range(draw.randint(1, 3)):
                    table = draw.choice(sorted(tables))
                    columns = [row[1] for row in database.execute(f"PRAGMA table_info({table})")]
                    column, value = draw.choice(columns), draw.choice(values)
                    key = "name" if table == "note" else "rowid"
                    said.append((table, column, value))
                    order = draw.choice([f"UPDATE OR IGNORE {table} SET {column} = ? WHERE {key} IN "
                                         f"(SELECT {key} FROM {table} ORDER BY random() LIMIT 1)",
                                         f"UPDATE OR IGNORE {table} SET {column} = ?",
                                         f"DELETE FROM {table} WHERE {column} <> ?"])
                    try:
                        database.execute(order, (value,))
                    except sqlite3.IntegrityError:
                        pass  # The table does not let it in.
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            database.close()
            with self.subTest(turn=turn, said=said):
                content = (whole / "feeds.db").read_bytes()
                self.everything({"feeds.db": content}, content)


if __name__ == "__main__":
    unittest.main()
