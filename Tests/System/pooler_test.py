"""A pooler before the database: sessions may be pooled, transactions may not."""

import http.client
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

from cluster import Cluster, free_port, until
from servers import BINARY, KEY

PROGRAM = shutil.which("pgbouncer") or "/usr/sbin/pgbouncer"


class Pooler:
    """PgBouncer before a cluster."""

    def __init__(self, cluster, mode):
        self.port = free_port()
        self.home = pathlib.Path(tempfile.mkdtemp(prefix="freshet-pooler-"))
        (self.home / "users").write_text('"freshet" ""\n', encoding="utf8")
        settings = self.home / "settings"
        settings.write_text(
            f"[databases]\n* = host=127.0.0.1 port={cluster.port}\n[pgbouncer]\n"
            f"listen_addr = 127.0.0.1\nlisten_port = {self.port}\nunix_socket_dir =\n"
            f"auth_type = trust\nauth_file = {self.home}/users\npool_mode = {mode}\n"
            f"logfile = {self.home}/log\n", encoding="utf8")
        user = []
        if os.getuid() == 0:
            user = ["-u", "nobody"]
            for path in (self.home, *self.home.iterdir()):
                shutil.chown(path, "nobody")
        self.process = subprocess.Popen([PROGRAM, "-q", *user, settings])

    def address(self, schema):
        return f"postgres://freshet@127.0.0.1:{self.port}/postgres?application_name={schema}"

    def stop(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)


class BehindAPooler(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.cluster = Cluster().make().start()

    @classmethod
    def tearDownClass(cls):
        cls.cluster.remove()

    def start(self, mode):
        """Starts a server behind a pooler that is up."""
        pooler = Pooler(self.cluster, mode)
        self.addCleanup(pooler.stop)
        until(lambda: subprocess.run(["bash", "-c", f"exec 3<>/dev/tcp/127.0.0.1/{pooler.port}"],
                                     check=False, stderr=subprocess.DEVNULL).returncode == 0)
        return subprocess.Popen(
            [BINARY, "serve", "--port", "0", "--key", KEY, "--data", pooler.address(mode)],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)

    def test_transactions_are_refused_in_words(self):
        for mode in ("transaction", "statement"):
            with self.subTest(mode):
                process = self.start(mode)
                output = process.communicate(timeout=60)[1]
                self.assertNotEqual(process.returncode, 0)
                self.assertIn("pool_mode = session", output)

    def test_sessions_are_taken(self):
        process = self.start("session")
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)
        port = next(line.rsplit(":", 1)[1] for line in process.stderr if "listening on" in line)
        connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=60)
        connection.request("PUT", "/feeds/news", '{"items": [{"id": "a"}]}',
                           {"Authorization": f"Bearer {KEY}", "Content-Type": "application/json"})
        self.assertEqual(connection.getresponse().status, 201)


if __name__ == "__main__":
    unittest.main()
