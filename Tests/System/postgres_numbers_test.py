"""Numbers in the tables of a database may be anything: no server ends by a signal for one, and damage is named."""

import os
import random
import struct
import time
import unittest

from cluster import Cluster, until
from servers import KEY, Server

# Its path is the one that servers.py adds.
from numbers_test import WORD, adding, checksum, number, signed  # pylint: disable=wrong-import-order

COUNT = int(os.environ.get("SYSTEM_NUMBERS", 3))
INTEGERS = [-1, 0, -(1 << 63), (1 << 63) - 1, (1 << 53) + 1, 1 << 62, -(1 << 31)]
REALS = ["-1", "1e300", "-1e300", "'Infinity'", "'NaN'", "9.3e18", "253402300800"]
COLUMNS = [("feed", "id", INTEGERS), ("feed", "version", INTEGERS), ("feed", "hash", INTEGERS),
           ("feed", "published", REALS), ("feed", "writer", INTEGERS), ("base", "feed", INTEGERS),
           ("base", "version", INTEGERS), ("base", "checksum", INTEGERS), ("chunk", "feed", INTEGERS),
           ("chunk", "number", INTEGERS), ("log", "feed", INTEGERS), ("log", "version", INTEGERS),
           ("log", "published", REALS), ("answer", "time", REALS), ("batch", "id", INTEGERS)]


class Numbers(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster().make().start()
        cls.cluster.query("CREATE SCHEMA feeds")
        cls.cluster.query("CREATE SCHEMA kept")
        cls.address = cls.cluster.address(schema="feeds")
        server = Server("--data", cls.address).start()
        client = server.client()
        many = {"items": [{"id": f"i{place}", "text": "x" * 200} for place in range(400)]}
        for feed, document in (("small", {"items": [{"id": "1"}]}), ("large", many)):
            for version in range(4):
                document["title"] = str(version)
                status, answer = client.send("PUT", f"/feeds/{feed}", document, Idempotency_Key=f"{feed}{version}")
                assert status in (200, 201), answer
        client.send("PUT", "/feeds/gone", {"items": []})
        client.send("DELETE", "/feeds/gone")
        server.stop()
        cls.tables = cls.cluster.query(
            "SELECT tablename FROM pg_tables WHERE schemaname = 'feeds' ORDER BY tablename").split()
        for table in cls.tables:
            cls.cluster.query(f"CREATE TABLE kept.{table} AS SELECT * FROM feeds.{table}")

    @classmethod
    def tearDownClass(cls):
        cls.cluster.remove()

    def put_back(self):
        self.cluster.query("".join(f"TRUNCATE feeds.{table}; INSERT INTO feeds.{table} SELECT * FROM kept.{table};"
                                   for table in self.tables))

    def use(self, server):
        """Reads and publishes; a feed that is damaged is told as a fault of the server."""
        client = server.client()
        for feed in ("small", "large", "gone"):
            for method, body in (("GET", None), ("PUT", {"items": [{"id": "new"}]}), ("GET", None)):
                status, answer = client.send(method, f"/feeds/{feed}", body, Authorization=f"Bearer {KEY}",
                                             **({"Idempotency_Key": "small0"} if body else {}))
                self.assertIn(status, (200, 201, 404, 412, 422, 500, 503), answer)

    def serve(self, change):
        """Starts a server on a database that `change` has damaged, and one that is damaged while it runs."""
        self.put_back()
        change()
        server = Server("--data", self.address)
        said = ""
        try:
            server.start()
        except AssertionError as error:
            said = str(error)
            self.assertRegex(said, "is damaged|a newer server made its tables")
        else:
            self.use(server)
            server.stop()
            said = "".join(server.log)
        self.assertIn(server.process.returncode, (0, 1, 2), said[-2000:])
        return said

    def test_columns(self):
        draw = random.Random(int(os.environ.get("SYSTEM_SEED", 3)))
        for table, column, values in COLUMNS:
            for value in draw.sample(values, min(COUNT, len(values))):
                with self.subTest(f"{table}.{column} = {value}"):
                    self.serve(lambda row=(table, column, value): self.cluster.query(
                        f"UPDATE feeds.freshet_{row[0]} AS t SET {row[1]} = {row[2]} WHERE ctid = "
                        f"(SELECT max(ctid) FROM feeds.freshet_{row[0]})"))

    def test_versions_and_times_are_named(self):
        for table, column, value in (
                ("base", "version", -1), ("log", "version", -(1 << 63)), ("log", "published", "'Infinity'"),
                ("log", "published", "-1e300"), ("base", "version", (1 << 63) - 1)):
            with self.subTest(f"{table}.{column} = {value}"):
                said = self.serve(lambda row=(table, column, value): self.cluster.query(
                    f"UPDATE feeds.freshet_{row[0]} SET {row[1]} = {row[2]} WHERE ctid = "
                    f"(SELECT max(ctid) FROM feeds.freshet_{row[0]})"))
                self.assertIn("is damaged", said)

    def test_notes(self):
        names = self.cluster.query("SELECT name FROM kept.freshet_note ORDER BY name").split("\n")
        self.assertGreater(len(names), 1)
        for name in sorted({*names, "deleted", "adopted"}):
            for value in ("-1", "x", "", "99999999999999999999", "1e300", "nan",
                          str(struct.unpack("<Q", struct.pack("<d", 1e300))[0])):
                with self.subTest(f"{name} = {value}"):
                    self.serve(lambda row=(name, value): self.cluster.query(
                        f"INSERT INTO feeds.freshet_note VALUES('{row[0]}', '{row[1]}') "
                        f"ON CONFLICT(name) DO UPDATE SET value = '{row[1]}'"))

    def rewrite(self, feed, base, rows):
        """Puts other records in place, with checks that are right, as `base` and `rows` make them."""
        identifier = self.cluster.query(f"SELECT id FROM feeds.freshet_feed WHERE name = '{feed}'")
        version, state, data = self.cluster.query(
            f"SELECT version, hash, encode(data, 'hex') FROM feeds.freshet_base WHERE feed = {identifier}").split("|")
        state = int(state) & WORD
        version, data = base(int(version), bytes.fromhex(data))
        orders = [f"UPDATE feeds.freshet_base SET version = {version}, data = '\\x{data.hex()}', checksum = "
                  f"{signed(checksum(data, (state ^ version) & WORD))} WHERE feed = {identifier}"]
        listed = self.cluster.query("SELECT version, published, encode(data, 'hex') FROM feeds.freshet_log "
                                    f"WHERE feed = {identifier} ORDER BY version").split("\n")
        for line in filter(None, listed):
            before, published, content = line.split("|")
            after, published, content = rows(int(before), float(published), bytes.fromhex(content))
            bits = struct.unpack("<Q", struct.pack("<d", published))[0]
            state = checksum(content, adding(bits, adding(after, state)))
            orders.append(f"UPDATE feeds.freshet_log SET version = {after}, published = '{published}', "
                          f"data = '\\x{content.hex()}', hash = {signed(state)} "
                          f"WHERE feed = {identifier} AND version = {before}")
        orders.append(f"UPDATE feeds.freshet_feed SET hash = {signed(state)} WHERE name = '{feed}'")
        self.cluster.query(";".join(orders))

    def test_the_checks_are_those_of_the_server(self):
        """Or the records below would be refused before their numbers are read."""
        self.put_back()
        for feed in ("small", "large"):
            self.rewrite(feed, lambda *base: base, lambda *row: row)
        for table in ("base", "log", "feed"):
            columns = "feed, hash" if table != "feed" else "id, hash"
            self.assertEqual(*(self.cluster.query(f"SELECT {columns} FROM {schema}.freshet_{table} ORDER BY 1, 2")
                               for schema in ("feeds", "kept")))
        said = self.serve(lambda: self.rewrite("small", lambda *base: base, lambda *row: row))
        self.assertNotIn("damaged", said)

    def test_records_with_right_checks(self):
        """Numbers within records: at any place, one of any size stands for what was there."""
        draw = random.Random(int(os.environ.get("SYSTEM_SEED", 11)))

        def damaged(data):
            place = draw.randrange(len(data))
            value = draw.choice([(1 << 62) - 1, (1 << 63) - 1, 1 << 53, 1 << 32, 255, 128])
            return data[:place] + number(value) + data[place + draw.choice([0, 1, 1]):]

        for turn in range(COUNT * 8):
            feed, part = draw.choice(["small", "large"]), draw.choice(["base", "log"])
            with self.subTest(turn=turn, feed=feed, part=part):
                self.serve(lambda case=(feed, part): self.rewrite(
                    case[0], lambda version, data: (version, damaged(data) if case[1] == "base" else data),
                    lambda version, published, data: (
                        version, published, damaged(data) if case[1] == "log" else data)))

    def test_a_server_that_runs_goes_on(self):
        """What is damaged under a server that serves: that feed is told, and the others go on."""
        for table, column, value in (("feed", "version", "-1, change = pg_current_xact_id()"),
                                     ("feed", "published", "1e300, change = pg_current_xact_id()"),
                                     ("feed", "id", f"{(1 << 63) - 1}, change = pg_current_xact_id()")):
            with self.subTest(f"{table}.{column} = {value}"):
                self.put_back()
                server = Server("--data", self.address).start()
                self.addCleanup(server.kill)
                self.cluster.query(f"UPDATE feeds.freshet_{table} SET {column} = {value} WHERE name = 'small'")
                self.cluster.query("NOTIFY freshet")
                until(lambda: server.client().send(
                    "PUT", "/feeds/other", {"items": [{"id": str(time.monotonic_ns())}]})[0] in (200, 201))
                self.use(server)
                self.assertIsNone(server.process.poll(), "".join(server.log)[-2000:])
                server.stop()
                self.assertIn(server.process.returncode, (0, 1, 2))


if __name__ == "__main__":
    unittest.main()
