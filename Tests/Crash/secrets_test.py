"""What passwords and keys reach, and who may order backups."""

import http.client
import http.server
import os
import queue
import re
import socket
import stat
import subprocess
import threading
import unittest
import urllib.parse

from harness import BINARY, KEY, Server

SECRETS = ["pass-of-url", "pass-of-source", "pass-of-proxy", "pass-of-hub", "pass-of-data", "query-of-url",
           "key-of-field"]


class Sources:
    """A site whose documents are right, wrong and of every kind of failure, and its hub."""

    PATHS = ["ok", "page", "gone", "pause", "broken", "circle", "downgrade", "private", "coded", "odd", "json"]

    def __init__(self):
        site = self
        # What hubs were told, which nobody else may know.
        self.told = []
        self.asked = threading.Event()

        class Handler(http.server.BaseHTTPRequestHandler):
            def answer(self, status, body=b"", **fields):
                self.send_response(status)
                for name, value in fields.items():
                    self.send_header(name.replace("_", "-"), value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                name = self.path.split("?")[0].strip("/")
                feed = (b"<rss version='2.0'><channel><title>T</title><item><guid>g</guid><title>x</title></item>"
                        b"</channel></rss>")
                hub = f'<http://127.0.0.1:{site.port}/hub?key=pass-of-hub>; rel="hub", <{self.path}>; rel="self"'
                answers = {
                    "ok": (200, feed, {"Link": hub}), "page": (200, b"<!doctype html><title>x</title>", {}),
                    "gone": (410, b"", {}), "pause": (429, b"", {"Retry-After": "1"}),
                    "broken": (200, b"\x1f\x8b\x08", {"Content-Encoding": "gzip"}),
                    "circle": (302, b"", {"Location": self.path}), "odd": (200, feed.replace(b"</title>", b""), {}),
                    "downgrade": (302, b"", {"Location": "ftp://u:pass-of-url@h/?k=query-of-url"}),
                    "private": (302, b"", {"Location": "http://u:pass-of-url@10.0.0.1/?k=query-of-url"}),
                    "coded": (200, feed, {"Content-Encoding": "br"}), "json": (200, b"{", {})}
                status, body, fields = answers.get(name, (404, b"", {}))
                self.answer(status, body, **fields)

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"])).decode()
                site.told.append(urllib.parse.parse_qs(body))
                site.asked.set()
                self.answer(500)

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def secrets(self):
        """The secrets and the addresses that the hub was told."""
        return [value for told in self.told for name in ("hub.secret", "hub.callback") for value in told.get(name, [])]

    def end(self):
        self.server.shutdown()
        self.server.server_close()


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

    def test_no_output_of_a_run_repeats_them(self):
        """All that a server and the commands say, log and answer, of a run that is full of secrets."""
        sources = Sources()
        self.addCleanup(sources.end)
        at = f"u:pass-of-source@127.0.0.1:{sources.port}"
        fields = self.server.home / "fields"
        fields.write_text("Cookie: session=cookie-of-file\n")
        lines = ["open-feeds: [open]", "public-url: http://feeds.example", "feeds:"]
        for path in Sources.PATHS:
            lines.append(f"  {path}: {{source: {{url: 'http://{at}/{path}?token=query-of-url&n=query-of-url', "
                         f"every: 1s, allow-private: true, headers: {{X-Key: key-of-field}}, headers-file: {fields}, "
                         f"private-hub: 'http://127.0.0.1:{sources.port}/hub?key=pass-of-hub'}}}}")
        lines += [f"  closed: {{source: {{url: 'http://{at[:-len(str(sources.port))]}1/?token=query-of-url', "
                  "every: 1s, allow-private: true}}",
                  "  inside: {source: 'http://u:pass-of-source@127.0.0.1:1/?token=query-of-url'}",
                  "  nowhere: {source: 'http://u:pass-of-source@nowhere.invalid/?token=query-of-url'}",
                  f"  secure: {{source: {{url: 'https://{at}/?token=query-of-url', allow-private: true}}}}",
                  "  proxied: {source: {url: 'http://a.invalid/?token=query-of-url', "
                  "proxy: 'http://u:pass-of-proxy@127.0.0.1:1'}}"]
        self.write(*lines)
        for form in ("text", "json"):
            said = self.run_of(form, sources)
            for feed in (*Sources.PATHS, "closed", "inside", "nowhere", "secure", "proxied"):
                self.assertIn(feed, said)
            for secret in [*SECRETS, "cookie-of-file", "key-of-mirror", "pass-of-server", KEY, *sources.secrets()]:
                with self.subTest(form=form, secret=secret):
                    place = said.find(secret)
                    self.assertEqual(place, -1, said[max(0, place - 300):place + 100])

    def run_of(self, form, sources):
        """Everything that is said and answered while a server and a mirror of it run."""
        log = open(self.server.home / f"access-{form}", "w+b")  # pylint: disable=consider-using-with
        self.addCleanup(log.close)
        with socket.create_server(("127.0.0.1", 0)) as listener:
            admin = listener.getsockname()[1]
        server = subprocess.Popen(
            [BINARY, "serve", "--port", "0", "--config", str(self.config), "--data", str(self.server.home / form), "--admin",
             f"127.0.0.1:{admin}", "--log-format", form, "--log-level", "trace", "--access-log"], stdout=log,
            stderr=subprocess.PIPE, text=True, cwd=self.server.home, env={**os.environ, "FRESHET_KEY": KEY})
        said = []
        ports = queue.Queue()

        def drain():
            for line in server.stderr:
                said.append(line)
                if found := re.search(r"listening on http://127.0.0.1:(\d+)", line):
                    ports.put(int(found[1]))
            ports.put(None)
        reader = threading.Thread(target=drain, daemon=True)
        reader.start()
        try:
            self.assertIsNotNone(port := ports.get(timeout=30), "".join(said))
            sources.asked.wait(30)
            answers = self.answers(port, admin)
            if form == "text":
                answers += self.commands(port, sources.port)
        finally:
            server.send_signal(15)
            server.wait(30)
            reader.join(30)
            server.stderr.close()
        self.assertEqual(server.returncode, 0, "".join(said)[-2000:])
        self.assertIn("a source failed", "".join(said))
        log.seek(0)
        return answers + "".join(said) + log.read().decode()

    def answers(self, port, admin):
        """What the server answers to those who may see all, and to those who may not."""
        found = ""
        refreshes = [("POST", f"/feeds/{feed}/refresh") for feed in (
            *Sources.PATHS, "closed", "inside", "nowhere", "secure", "proxied")]
        reads = [("GET", path) for path in (
            "/feeds", "/feeds.opml", "/feeds/ok", "/feeds/ok.atom", "/feeds/ok.rss", "/feeds/ok.json", "/admin/server",
            "/admin/feeds", "/admin/sources", "/admin/sources?failing=true", "/admin/keys", "/metrics", "/readyz",
            "/healthz", "/feeds/none", "/feeds?x=1", "/websub/" + "0" * 48)]
        for method, path in refreshes + reads:
            for at, fields in ((port, {"Authorization": "Bearer " + KEY}), (port, {"Authorization": "Bearer wrong"}),
                               (port, {}), (admin, {})):
                connection = http.client.HTTPConnection("127.0.0.1", at, timeout=90)
                connection.request(method, path, headers=fields)
                response = connection.getresponse()
                found += f"{method} {path} {response.headers} {response.read().decode()}\n"
                connection.close()
        return found

    def commands(self, port, site):
        """What the commands say, of servers that take their keys and of those that do not."""
        found = ""
        for address in (f"http://u:pass-of-server@127.0.0.1:{port}", "http://u:pass-of-server@127.0.0.1:1",
                        "http://u:pass-of-server@nowhere.invalid", "http://u:pass-of-server@h h", "u:pass-of-server@h"):
            for arguments in (["get", "none"], ["list"], ["health"], ["watch", "none", "--json"], ["publish", "a", "-"],
                              ["insert", "a", "-"], ["delete", "none"], ["doctor"]):
                found += self.command(*arguments, "--server", address)
        address = f"http://u:pass-of-url@127.0.0.1:{site}/none?token=query-of-url#query-of-url"
        data = "postgres://u:pass-of-data@127.0.0.1:1/x?password=pass-of-data"
        for arguments in (
                ["fetch", address], ["fetch", address, "--allow-private"], ["discover", address],
                ["discover", address, "--allow-private"], ["fetch", "http://u:pass?query-of-url@127.0.0.1/"],
                ["fetch", "--config", self.config, "--feed", "missing"],
                ["fetch", "--config", self.config, "--feed", "nowhere"], ["check", self.config],
                ["doctor", "--config", self.config], ["serve", "--port", "0", "--data", data], ["check", data],
                ["backup", data, self.server.home / "b.db"], ["restore", self.server.home / "b.db", data],
                ["serve", "--port", "0", "--mirror", f"http://127.0.0.1:{port}/?key=query-of-url"],
                ["serve", "--port", "0", "--mirror", f"http://u:pass-of-url@127.0.0.1:{port}"],
                ["conformance", "http://u:pass-of-server@127.0.0.1:1/?x=query-of-url"],
                ["conformance", f"http://u:pass-of-server@127.0.0.1:{site}/ok?x=query-of-url"],
                ["serve", "--port", "x", "--mirror", f"http://127.0.0.1:{port}", "--mirror-key", "key-of-mirror"]):
            found += self.command(*arguments)
        return found

    def command(self, *arguments):
        arguments = list(map(str, arguments))
        process = subprocess.Popen([BINARY, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT, env={**os.environ, "FRESHET_KEY": KEY})
        try:
            said, _ = process.communicate(b"{}", timeout=60 if arguments[0] != "watch" else 2)
        except subprocess.TimeoutExpired:
            # It waits for a server to come back.
            self.assertEqual(arguments[0], "watch")
            process.terminate()
            said, _ = process.communicate(timeout=60)
        self.assertIn(process.returncode, (0, 1, 2, 64, -15), said[-2000:])
        return f"{arguments[0]}: {said.decode(errors='replace')}\n"

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
