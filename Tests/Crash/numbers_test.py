"""Numbers in what is kept may be anything: no process ends by a signal for one, and damage is named."""

import json
import os
import random
import shutil
import signal
import sqlite3
import struct
import subprocess
import unittest

from harness import BINARY, Server, count

WORD = (1 << 64) - 1
EXTREMES = [-1, 0, 1, -(1 << 63), (1 << 63) - 1, (1 << 53) + 1, 1 << 62, -(1 << 31), 10**18]
REALS = [-1.0, 1e300, -1e300, float("inf"), 2.0**63, 9.3e18, 253_402_300_800.0, 1e18]


def fold(left, right):
    product = left * right
    return ((product >> 64 ^ product & WORD) + 0x9E3779B97F4A7C15) & WORD


def adding(word, state):
    return fold(state ^ word & WORD, 0xD6E8FEB86659FD93)


def checksum(data, seed=0):
    """The check that a server keeps beside bytes (Checksum.swift), so that damage passes it."""
    state = fold((seed ^ 0x9E3779B97F4A7C15) & WORD, (len(data) * 2 | 1) & WORD)
    whole = len(data) // 8 * 8
    for (word,) in struct.iter_unpack("<Q", data[:whole]):
        state = fold(state ^ word, 0xD6E8FEB86659FD93)
    return fold(state ^ int.from_bytes(data[whole:], "little"), 0x9E3779B97F4A7C15)


def signed(word):
    return word - (1 << 64) if word >> 63 else word


def number(value):
    """A number of the journal's records (RecordBytes.swift)."""
    digits = bytearray()
    while value >= 128:
        digits.append(value & 127 | 128)
        value >>= 7
    digits.append(value)
    return bytes(digits)


class Numbers(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.remove)
        self.database = self.server.data / "feeds.db"
        self.backup = self.server.home / "backup.db"
        self.source = self.server.home / "source.json"
        self.source.write_text('{"items":[{"id":"s"}]}')
        config = self.server.home / "freshet.yaml"
        config.write_text(f"feeds: {{sourced: {{source: {{file: {self.source}, every: 1h}}}}}}\n"
                          f"source-folder: {self.server.home}\n")
        self.arguments = ("--config", str(config))
        self.server.start(*self.arguments)
        client = self.server.client()
        many = {"items": [{"id": f"i{number}", "text": "x" * 200} for number in range(400)]}
        for feed, document in (("small", {"sections": [{"id": "a", "items": [{"id": "1"}]}]}),
                               ("large", many), ("gone", {"items": []})):
            for version in range(4):
                document["title"] = str(version)
                status, answer = client.send("PUT", f"/feeds/{feed}", document,
                                             Idempotency_Key=f'"{feed}{version}"')
                self.assertIn(status, (200, 201), answer)
        document = {"sections": [{"id": "b", "items": [{"id": str(n)} for n in range(9)]}]}
        self.assertEqual(client.send("PUT", "/feeds/small", document)[0], 200)
        client.send("DELETE", "/feeds/gone")
        subprocess.run([BINARY, "backup", str(self.server.data), str(self.backup)], check=True,
                       stdout=subprocess.DEVNULL)
        self.server.stop()
        self.files = {path: path.read_bytes() for path in self.server.data.iterdir()
                      if path.is_file()}
        self.kept = self.backup.read_bytes()

    def put_back(self):
        """The files as they were; in place, since another file would be a copy."""
        for path in self.server.data.iterdir():
            if path not in self.files and path.is_file():
                path.unlink()
        for path, data in self.files.items():
            with open(path, "r+b" if path.exists() else "wb") as file:
                file.truncate(0)
                file.write(data)

    def run_command(self, *arguments):
        """What a command says, and its status."""
        run = subprocess.run([BINARY, *arguments], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                             timeout=60, check=False)
        self.assertGreaterEqual(run.returncode, 0, run.stdout[-2000:])
        return run.returncode, run.stdout.decode()

    def serve(self):
        """Starts a server and stops it again if it comes up; what it says."""
        process = subprocess.Popen(
            [BINARY, "serve", "--port", "0", "--key", "k", "--data", str(self.server.data),
             *self.arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            cwd=self.server.home)
        said = ""
        for line in process.stderr:
            said += line
            if "listening on" in line:
                process.send_signal(signal.SIGTERM)
        process.wait(30)
        process.stderr.close()
        self.assertIn(process.returncode, (0, 1, 2), said[-2000:])
        return process.returncode, said

    def everything(self, change, *, damages=False):
        """Does `change` to the database of the folder, and of the backup, and tries all commands."""
        self.put_back()
        connection = sqlite3.connect(self.database)
        with connection:
            change(connection)
        connection.close()
        status, said = self.run_command("check", str(self.server.data))
        if damages:
            self.assertNotEqual(status, 0, said)
        if status:
            self.assertIn("is damaged", said)
        self.run_command("doctor", "--data", str(self.server.data), "--port", "0")
        self.serve()
        self.backup.write_bytes(self.kept)
        connection = sqlite3.connect(self.backup)
        with connection:
            change(connection)
        connection.close()
        # Into another folder: the one above would have another database.
        restored = self.server.home / "restored"
        status, said = self.run_command("restore", "--replace", str(self.backup), str(restored))
        if damages:
            self.assertNotEqual(status, 0, said)
        if status:
            self.assertIn("is damaged", said)
        shutil.rmtree(restored, ignore_errors=True)

    def test_columns(self):
        columns = [("base", "version", EXTREMES), ("log", "version", EXTREMES),
                   ("log", "id", EXTREMES), ("log", "feed", EXTREMES), ("log", "published", REALS),
                   ("feed", "id", EXTREMES), ("base", "feed", EXTREMES), ("chunk", "id", EXTREMES),
                   ("answer", "id", EXTREMES), ("answer", "time", REALS)]
        generator = random.Random(7)
        cases = [(table, column, value) for table, column, values in columns for value in values]
        for table, column, value in generator.sample(cases, min(len(cases), count("CRASH_NUMBERS", 24))):
            with self.subTest(f"{table}.{column} = {value}"):
                self.everything(lambda database, row=(table, column, value): database.execute(
                    f"UPDATE OR IGNORE {row[0]} SET {row[1]} = ? WHERE rowid IN "
                    f"(SELECT max(rowid) FROM {row[0]})", (row[2],)))

    def test_notes(self):
        for value in (1e300, float("nan"), float("inf"), -5.0):
            bits = str(struct.unpack("<Q", struct.pack("<d", value))[0])
            # A restore notes its own time of adoption.
            for name, damages in (("deleted", True), ("adopted", False)):
                with self.subTest(f"{name} = {value}"):
                    self.everything(lambda database, row=(name, bits): database.execute(
                        "INSERT OR REPLACE INTO note VALUES(?, ?)", row), damages=damages)

    def rewrite(self, database, feed, base, rows):
        """Puts other records in place, with checks that are right."""
        identifier, = database.execute("SELECT id FROM feed WHERE name = ?", (feed,)).fetchone()
        version, state, data = database.execute(
            "SELECT version, hash, data FROM base WHERE feed = ?", (identifier,)).fetchone()
        state &= WORD
        version, data = base(version, data)
        database.execute("UPDATE base SET version = ?, data = ?, checksum = ? WHERE feed = ?",
                         (version, data, signed(checksum(data, (state ^ version) & WORD)), identifier))
        for row, number_, published, bytes_ in database.execute(
                "SELECT id, version, published, data FROM log WHERE feed = ? ORDER BY id",
                (identifier,)).fetchall():
            number_, published, bytes_ = rows(number_, published, bytes_)
            bits = struct.unpack("<Q", struct.pack("<d", published))[0]
            state = checksum(bytes_, adding(bits, adding(number_, state)))
            database.execute("UPDATE log SET version = ?, published = ?, data = ?, hash = ? WHERE id = ?",
                             (number_, published, bytes_, signed(state), row))

    def test_the_checks_are_those_of_the_server(self):
        """Or the records below would be refused before their numbers are read."""
        self.put_back()
        database = sqlite3.connect(self.database)
        before = database.execute("SELECT hash, data FROM log ORDER BY id").fetchall()
        with database:
            for feed in ("small", "large"):
                self.rewrite(database, feed, lambda *base: base, lambda *row: row)
        self.assertEqual(database.execute("SELECT hash, data FROM log ORDER BY id").fetchall(), before)
        database.close()
        status, said = self.run_command("check", str(self.server.data))
        self.assertEqual(status, 0, said)

    def test_versions_and_times_with_right_checks(self):
        cases = [(lambda version, data, value=value: (value, data), lambda *row: row)
                 for value in (-1, 0, (1 << 63) - 1, -(1 << 63))]
        cases += [(lambda *base: base,
                   lambda version, published, data, value=value: (version, value, data))
                  for value in (1e300, float("inf"), -1e300)]
        for index, (base, rows) in enumerate(cases):
            with self.subTest(index):
                self.everything(lambda database, pair=(base, rows): self.rewrite(
                    database, "small", *pair), damages=True)

    def test_records_with_right_checks(self):
        """Numbers within records: at any place, one of any size stands for what was there."""
        generator = random.Random(int(os.environ.get("CRASH_SEED", 11)))

        def damaged(data):
            place = generator.randrange(len(data))
            value = generator.choice([(1 << 62) - 1, (1 << 63) - 1, 1 << 53, 1 << 32, 255, 128])
            kept = data[place + generator.choice([0, 1, 1]):]
            return data[:place] + number(value) + kept

        for turn in range(count("CRASH_RECORDS", 24)):
            feed = generator.choice(["small", "large"])
            part = generator.choice(["base", "log"])
            with self.subTest(turn=turn, feed=feed, part=part):
                self.everything(lambda database, case=(feed, part): self.rewrite(
                    database, case[0],
                    lambda version, data: (version, damaged(data) if case[1] == "base" else data),
                    lambda version, published, data: (
                        version, published, damaged(data) if case[1] == "log" else data)))

    def query(self, sql, *values):
        """Runs a statement on the folder's database; returns the rows."""
        database = sqlite3.connect(self.database)
        with database:
            rows = database.execute(sql, values).fetchall()
        database.close()
        return rows

    def test_states_of_sources(self):
        path = self.server.data / "sources.json"
        rows = dict(self.query("SELECT name, data FROM source"))
        self.assertIn("sourced", rows, "no state was kept")
        form, known = rows["sourced"][:1], json.loads(rows["sourced"][1:])
        numbers = [name for name in sorted(known) if type(known[name]) is int]
        self.assertGreater(len(numbers), 3)
        for name in numbers + ["asked", "rhythm"]:
            for value in ((1 << 63) - 1, -(1 << 63), 10**30):
                state = json.dumps({**known, name: value})
                with self.subTest(f"{name} = {value}"):
                    self.put_back()
                    self.query("UPDATE source SET data = ?", form + state.encode())
                    said = self.serve()[1]
                    self.assertIn('the kept state of feed "sourced" is damaged', said)
                    self.assertIn("listening on", said)
                with self.subTest(f"{name} = {value}, in the file of an earlier server"):
                    self.put_back()
                    self.query("DELETE FROM source")
                    path.write_text(f'{{"sourced": {state}}}')
                    said = self.serve()[1]
                    self.assertIn("sources.json is damaged", said)
                    self.assertIn("listening on", said)
                    self.assertFalse(path.exists())

    def test_the_lock_file(self):
        path = self.server.data / "lock"
        for value in (-1, (1 << 63) - 1, -(1 << 63), 10**30):
            with self.subTest(value):
                self.put_back()
                path.write_text(f"process 1\nlog {value}\n")
                self.serve()
                self.run_command("check", str(self.server.data))


if __name__ == "__main__":
    unittest.main()
