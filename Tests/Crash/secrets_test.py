"""What passwords and keys reach, and who may order backups."""

import os
import socket
import stat
import subprocess
import unittest

from harness import BINARY, Server

SECRETS = ["pass-of-url", "pass-of-source", "pass-of-proxy", "pass-of-hub", "pass-of-data", "query-of-url",
           "key-of-field"]


class Secrets(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.remove)
        self.config = self.server.home / "freshet.yaml"

    def write(self, *lines):
        self.config.write_text("\n".join(lines) + "\n")

    def test_no_message_about_a_configuration_repeats_them(self):
        self.write(
            "feeds:",
            "  a: {source: {url: 'ftp://u:pass-of-url@h/?k=query-of-url', "
            "proxy: 'u:pass-of-proxy@h', private-hub: 'gopher://u:pass-of-hub@h'}}",
            "  b: {source: 'http//u:pass-of-source@h'}",
            "  c: {source: {url: 'http://u:pass-of-url@h h/', headers: {X-Key: \"key-of-field\\n\"}}}",
            "data: 'mysql://u:pass-of-data@h/x'", "public-url: 'http://u:pass-of-url@h/?'")
        wrong = self.config.read_text()
        said = ""
        for arguments in (["check", self.config], ["doctor", "--config", self.config],
                          ["serve", "--port", "0", "--config", self.config],
                          ["fetch", "http://u:pass-of-url@127.0.0.1:1/?k=1"],
                          ["serve", "--port", "0", "--mirror", "htp:/u:pass-of-url@h"],
                          ["serve", "--port", "0", "--data", "mysql://u:pass-of-data@h/x"]):
            run = subprocess.run([BINARY, *map(str, arguments)], stdout=subprocess.PIPE,
                                 stderr=subprocess.STDOUT, timeout=60, check=False, text=True)
            self.assertNotEqual(run.returncode, 0, run.stdout)
            said += run.stdout
        self.assertIn("must be an address of http or https", said)
        # And at a reload.
        self.write("feeds: {}")
        self.server.start("--config", str(self.config), "--access-log")
        self.config.write_text(wrong)
        self.server.process.send_signal(1)
        self.server.client().send("POST", "/websub/" + "5" * 48)
        while not any("the configuration is not valid" in line for line in self.server.log):
            self.assertIsNone(self.server.process.poll())
        self.server.stop()
        said += "".join(self.server.log)
        for secret in SECRETS:
            self.assertNotIn(secret, said)
        self.assertNotIn("5" * 20, said)

    def order(self, line):
        """What the server says to an order."""
        with socket.socket(socket.AF_UNIX) as connection:
            connection.connect(str(self.server.data / "control.sock"))
            connection.sendall(line + b"\n")
            return connection.recv(4096)

    def test_orders_name_files_and_nothing_else(self):
        previous = os.umask(0o002)
        try:
            self.server.start()
        finally:
            os.umask(previous)
        mode = (self.server.data / "control.sock").stat().st_mode
        self.assertEqual(stat.S_IMODE(mode), 0o600)
        database = self.server.data / "feeds.db"
        before = database.read_bytes()
        other = self.server.home / "other"
        other.write_text("mine")
        folder = str(self.server.home).encode()
        for line in (str(database).encode() + b"\0x", b"replace " + str(database).encode() + b"\0x",
                     str(database).encode(), b"replace " + str(database).encode(), b"relative",
                     b"replace relative", b"replace  " + folder + b"/x", folder + b"/\xff",
                     folder + b"/other", b"replace " + folder + b"/other"):
            with self.subTest(line):
                self.assertTrue(self.order(line).startswith(b"error "), line)
        self.assertEqual(database.read_bytes(), before)
        self.assertEqual(other.read_text(), "mine")
        self.assertTrue(self.order(folder + b"/new").startswith(b"ok "))
        self.assertTrue(self.order(folder + b"/new").startswith(b"error "))
        self.assertTrue(self.order(b"replace " + folder + b"/new").startswith(b"ok "))
        self.assertEqual(self.server.client().send("PUT", "/feeds/a", {"items": []})[0], 201)
        self.server.stop()


if __name__ == "__main__":
    unittest.main()
