"""What must hold behind every proxy whose configuration we give."""

import email.utils
import http.client
import http.server
import json
import os
import pathlib
import shutil
import ssl
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.parse

import proxies
from cluster import Cluster, until
from servers import BINARY, KEY, ROOT, Server

BEARER = {"Authorization": f"Bearer {KEY}"}
PUBLISH = {**BEARER, "Content-Type": "application/json"}

ODD_IDS = ["a/b", "/", "a b", "a+b", "ä ö/ü", "50%", "%2F", "a?b=c&d", "a#b", "a..", "日本/語", "a;b,c", "//x//",
           "\"quoted\"", "a\\b"]


class Origin:
    """A server that counts what it gets. What is not safe, it drops after reading it, or refuses."""

    def __init__(self, refuses=False):
        self.got = []
        origin = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def log_message(self, *_):
                pass

            def answer(self):
                length = int(self.headers.get("Content-Length") or 0)
                self.rfile.read(length)
                if self.path not in ("/healthz", "/readyz"):
                    origin.got.append((self.command, self.path, self.headers))
                is_read = self.command in ("GET", "HEAD", "OPTIONS")
                if not is_read and not refuses:
                    self.close_connection = True
                    return
                content = b"{}"
                self.send_response(200 if is_read else 503)
                self.send_header("Content-Type", "application/json")
                self.send_header("Cache-Control", "no-store")
                if not is_read:
                    self.send_header("Retry-After", "7")
                self.send_header("Content-Length", str(len(content)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(content)

            do_GET = do_HEAD = do_OPTIONS = do_PUT = do_POST = do_PATCH = do_DELETE = answer

        class Listener(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 64

            def handle_error(self, *_):
                pass  # A proxy has closed its connection.

        self.server = Listener(("127.0.0.1", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def stop(self):
        self.server.shutdown()
        self.server.server_close()


def all_at_once(*works):
    """Does several things at the same moment; returns what they came to, or raises what they raise."""
    results, barrier = [None] * len(works), threading.Barrier(len(works))

    def run(index, work):
        try:
            barrier.wait()
            results[index] = work()
        except BaseException as error:  # pylint: disable=broad-except
            results[index] = error
    threads = [threading.Thread(target=run, args=item) for item in enumerate(works)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for result in results:
        if isinstance(result, BaseException):
            raise result
    return results


def setUpModule():
    folder = pathlib.Path(tempfile.mkdtemp(prefix="freshet-public-"))
    # Not compressible, so that it is sent as it is; and a page whose tag a proxy might change.
    (folder / "film.bin").write_bytes(bytes(range(256)) * 4096)
    # A date of now would not be sent yet.
    os.utime(folder / "film.bin", (1_700_000_000, 1_700_000_000))
    (folder / "small.js").write_text("export const answer = 42\n", encoding="utf8")
    (folder / "folder").mkdir()
    (folder / "folder/index.html").write_text("a page\n", encoding="utf8")
    Shared.folder = folder
    Shared.server = Server("--public", str(folder)).start()


def tearDownModule():
    Shared.server.kill()
    shutil.rmtree(Shared.folder, ignore_errors=True)


class Shared:
    """The server behind the proxies."""

    folder = server = None


class BelowAPath:
    """What must hold also where the proxy has the server below a path."""

    proxy_type = None

    @classmethod
    def setUpClass(cls):
        cls.proxy = cls.proxy_type(Shared.server.port)
        cls.client = Shared.server.client()
        cls.request = cls.proxy.request

    @classmethod
    def tearDownClass(cls):
        cls.proxy.stop()

    def put(self, count=3, feed=None, **members):
        """Publishes a feed of this test directly; returns its token."""
        self.feed = feed or f"{self.proxy_type.__name__.lower()}-{self._testMethodName[5:50].replace('_', '-')}"
        items = [{"id": f"i{number}", "text": "words " * 20} for number in range(count)]
        status, answer = self.client.send("PUT", f"/feeds/{self.feed}", {"items": items, **members})
        self.assertIn(status, (200, 201))
        return answer["token"]

    def test_odd_ids_arrive_as_they_are(self):
        prefix = self.proxy.prefix
        self.put(0)
        for number, name in enumerate(ODD_IDS):
            path = f"{prefix}/feeds/{self.feed}/items"
            status, fields, content = self.request(
                path, "POST", json.dumps({"id": name, "number": number}), **PUBLISH)
            self.assertEqual(status, 201, (name, content))
            # An address stands for itself, or for the place of the request.
            location = urllib.parse.urljoin(f"http://proxy{path}", fields["Location"])
            address = f"{path}/" + urllib.parse.quote(name, safe="").replace(".", "%2E")
            for place in (address, urllib.parse.urlsplit(location)._replace(scheme="", netloc="").geturl()):
                status, _, content = self.request(place)
                self.assertEqual(status, 200, (name, place))
                self.assertIn(f'"number":{number}', content.decode().replace(": ", ":"), (name, place))
            self.assertEqual(self.request(f"{prefix}/feeds/{self.feed}?section=" + urllib.parse.quote_plus(name))[0],
                             200, name)
            status, _, content = self.request(address, "DELETE", **BEARER)
            self.assertEqual(status, 204, (name, content))
            self.assertEqual(self.request(address)[0], 404, name)

    def test_a_folder_leads_to_its_page(self):
        for path in ("/folder", "/folder/"):
            place = self.proxy.prefix + path
            status, fields, content = self.request(place)
            if path == "/folder":
                self.assertEqual(status, 308)
                location = urllib.parse.urlsplit(urllib.parse.urljoin(f"http://proxy{place}", fields["Location"]))
                self.assertEqual(location.path, place + "/")
            else:
                self.assertEqual((status, content), (200, b"a page\n"))


class Behind(BelowAPath):
    """The suite."""

    def stream(self, path, **headers):
        connection = http.client.HTTPConnection("127.0.0.1", self.proxy.port, timeout=20)
        self.addCleanup(connection.close)
        connection.request("GET", path, None, headers)
        response = connection.getresponse()
        self.assertEqual(response.status, 200)
        self.assertIn("text/event-stream", response.headers["Content-Type"])
        return response

    def event(self, response):
        """The document of a stream's next event."""
        while True:
            line = response.readline()
            if line.startswith(b"data: "):
                return json.loads(line[6:])
            self.assertTrue(line, "the stream has ended")

    def test_a_poll_gets_the_newest_version_and_with_its_token_the_changes(self):
        for count in (3, 4):
            token = self.put(count)
            for coding in ("identity", "gzip"):
                status, fields, content = self.request(f"/feeds/{self.feed}", Accept_Encoding=coding)
                self.assertEqual((status, json.loads(content)["count"]), (200, count))
                self.assertIn(token, fields["ETag"])
        old = token
        self.put(5)
        _, _, content = self.request(f"/feeds/{self.feed}?since={old}&as=changes")
        self.assertEqual((json.loads(content)["kind"], json.loads(content)["count"]), ("changes", 5))
        status, fields, content = self.request(f"/feeds/{self.feed}", "HEAD")
        self.assertEqual((status, content), (200, b""))

    def test_conditions_reach_the_server(self):
        token = self.put(200)
        for coding in ("identity", "gzip", "gzip, br, zstd"):
            tag = self.request(f"/feeds/{self.feed}", Accept_Encoding=coding)[1]["ETag"]
            status, _, content = self.request(
                f"/feeds/{self.feed}", Accept_Encoding=coding, If_None_Match=tag)
            self.assertEqual((status, content), (304, b""), (coding, tag))
        for headers in ({}, BEARER, {"Prefer": "return=minimal"}):
            self.assertEqual(self.request(
                f"/feeds/{self.feed}", If_None_Match=f'"{token}"', **headers)[0], 304, headers)
        self.put(3, feed=f"{self.feed}-2", maxAge=60)
        for _ in range(2):
            self.assertEqual(self.request(f"/feeds/{self.feed}", If_Match='"aaaaaaaa.1"')[0], 412)
            self.assertEqual(self.request(f"/feeds/{self.feed}")[0], 200)
        self.assertEqual(self.request(f"/feeds/{self.feed}", If_None_Match='"aaaaaaaa.1"')[0], 200)
        self.assertEqual(self.request(f"/feeds/{self.feed}", If_Match='"aaaaaaaa.1"')[0], 412)
        # JSON has no date: a version of this very second is news.
        for headers in ({}, BEARER):
            now = email.utils.formatdate(time.time(), usegmt=True)
            self.assertEqual(self.request(
                f"/feeds/{self.feed}", If_Modified_Since=now, **headers)[0], 200, headers)

    def test_a_cached_version_that_is_too_old_never_answers_another_tag(self):
        # The server's 304 to a client's tag says nothing of an older version that is stored.
        if not self.proxy.caches:
            self.skipTest("it stores nothing")
        first = self.put(3, maxAge=1)
        self.request(f"/feeds/{self.feed}")
        second = self.put(4, maxAge=1)
        time.sleep(2.1)
        status, _, content = self.request(f"/feeds/{self.feed}", If_None_Match=f'"{second}"')
        self.assertEqual((status, content), (304, b""))
        for tag in (f'"{first}"', '"aaaaaaaa.1"'):
            status, fields, content = self.request(f"/feeds/{self.feed}", If_None_Match=tag)
            self.assertEqual((status, json.loads(content)["count"]), (200, 4))

    def test_a_wait_by_condition_lasts_until_there_is_news(self):
        token = self.put(3)
        quick = self.request(f"/feeds/{self.feed}?wait=1", If_None_Match=f'"{token}"')
        self.assertEqual(quick[0], 304)
        ends = []

        def wait(path, **headers):
            content = self.request(path, **headers)[2]
            ends.append(time.monotonic())
            return json.loads(content)["count"]

        def publish():
            until(lambda: self.waiting() >= 3, 10)
            self.assertEqual(ends, [])
            self.put(4)
            return time.monotonic()
        path = f"/feeds/{self.feed}"
        counts = all_at_once(
            lambda: wait(f"{path}?wait=30", If_None_Match=f'"{token}"'),
            lambda: wait(f"{path}?wait=30&since={token}"),
            lambda: wait(f"{path}?since={token}", Prefer="wait=30"), publish)
        self.assertEqual(counts[:3], [4] * 3)
        self.assertLess(max(ends) - counts[3], 3)

    def waiting(self):
        """How many requests wait at the server."""
        connection = http.client.HTTPConnection("127.0.0.1", Shared.server.port, timeout=20)
        connection.request("GET", "/metrics", headers=BEARER)
        text = connection.getresponse().read().decode()
        connection.close()
        return int(float(next(line.split()[-1] for line in text.splitlines()
                              if line.startswith("freshet_long_polls"))))

    def test_parts_and_conditions_of_files(self):
        whole = (Shared.folder / "film.bin").read_bytes()
        status, fields, content = self.request("/film.bin")
        self.assertEqual((status, content), (200, whole))
        tag, date = fields["ETag"], fields["Last-Modified"]
        self.assertEqual(self.request("/film.bin", If_None_Match=tag)[0], 304)
        self.assertEqual(self.request("/film.bin", If_Modified_Since=date)[0], 304)
        self.assertEqual(self.request("/film.bin", If_Match='"other"')[0], 412)
        for _ in range(2):
            status, fields, content = self.request("/film.bin", Range="bytes=1000-2999")
            self.assertEqual((status, content), (206, whole[1000:3000]))
            self.assertEqual(fields["Content-Range"], f"bytes 1000-2999/{len(whole)}")
        status, _, content = self.request("/film.bin", Range="bytes=-5", If_Range=tag)
        self.assertEqual((status, content), (206, whole[-5:]))
        status, _, content = self.request("/film.bin", Range="bytes=-5", If_Range='"other"')
        self.assertEqual((status, len(content)), (200, len(whole)))
        self.assertEqual(self.request("/film.bin", Range=f"bytes={len(whole)}-")[0], 416)
        for headers in ({}, BEARER):
            self.assertIn(
                self.request("/film.bin", Range="bytes=0-3,9-12", **headers)[0], (200, 206))
            self.put(3)
            self.assertEqual(self.request(
                f"/feeds/{self.feed}", Range="bytes=0-3,9-12", **headers)[0], 200)
        # After all that the whole is whole.
        self.assertEqual(self.request("/film.bin")[2], whole)
        tag = self.request("/small.js", Accept_Encoding="gzip")[1]["ETag"]
        self.assertEqual(self.request("/small.js", Accept_Encoding="gzip", If_None_Match=tag)[0], 304)

    def test_streams_come_as_they_are_sent(self):
        token, times = self.put(1), []
        for path, headers in ((f"/events?feed={self.feed}", {}),
                              (f"/feeds/{self.feed}/events", {"Accept-Encoding": "gzip;q=0"}),
                              (f"/feeds/{self.feed}/events?since={token}", {"Authorization": f"Bearer {KEY}"})):
            response = self.stream(path, **headers)
            self.event(response)
            for count in (2, 3):
                start = time.monotonic()
                self.put(count)
                self.assertEqual(self.event(response)["count"], count)
                times.append(time.monotonic() - start)
            response.close()
            self.put(1)
        self.assertLess(max(times), 3)
        # A proxy that holds back parts that are not full does so each time.
        self.assertLess(min(times), 0.15, times)

    def test_twenty_readers_at_once_do_not_wait_for_each_other(self):
        self.put(50)

        def read():
            start = time.monotonic()
            status = self.request(f"/feeds/{self.feed}?limit=7")[0]
            return status, time.monotonic() - start
        answers = all_at_once(*[read] * 20)
        self.assertEqual({status for status, _ in answers}, {200})
        times = sorted(duration for _, duration in answers)
        self.assertLess(times[10], 1)
        self.assertLess(times[-1], 3)

    def test_publishes_have_their_conditions_and_are_carried_out_once(self):
        token = self.put(1)
        body = json.dumps({"items": [{"id": "b"}]})
        for condition, expected in (('"aaaaaaaa.1"', 412), (f'"{token}"', 200), (f'"{token}"', 412)):
            self.assertEqual(self.request(f"/feeds/{self.feed}", "PUT", body, If_Match=condition,
                                          **PUBLISH)[0], expected)
        self.assertEqual(self.request(f"/feeds/{self.feed}", "PUT", body, If_None_Match="*",
                                      **PUBLISH)[0], 412)
        large = json.dumps({"items": [{"id": str(n), "text": "x" * 100} for n in range(20_000)]})
        self.assertEqual(self.request(f"/feeds/{self.feed}", "PUT", large, **PUBLISH)[0], 200)
        self.assertEqual(self.request(f"/feeds/{self.feed}", "DELETE", **BEARER)[0], 204)

    def test_long_addresses_pass(self):
        query = "&".join("feed=" + f"{number:03}".ljust(100, "x") for number in range(100))
        status, _, content = self.request(f"/pull?{query}", **BEARER)
        self.assertEqual((status, len(json.loads(content)["feeds"])), (200, 100))


def fakes(test, count=3, **options):
    origins = [Origin(**options) for _ in range(count)]
    for origin in origins:
        test.addCleanup(origin.stop)
    proxy = test.proxy_type(*[origin.port for origin in origins])
    test.addCleanup(proxy.stop)
    return proxy, origins


class BehindFakes:
    """What proxies do when servers fail: the servers here count what they get."""

    proxy_type = None

    def test_a_publish_that_a_server_drops_is_sent_once_and_reads_go_on(self):
        proxy, origins = fakes(self)
        for number in range(3):
            for method in ("PUT", "DELETE", "POST", "PATCH"):
                # Connections that are kept open must not lead to another try, either.
                self.assertEqual(proxy.request("/before")[0], 200)
                path = f"/feeds/{method}-{number}"
                body = None if method == "DELETE" else "{}"
                try:
                    self.assertIn(proxy.request(path, method, body, **PUBLISH)[0], (502, 503, 504))
                except (http.client.HTTPException, OSError):
                    pass  # The proxy has closed the connection as well.
                got = [item for origin in origins for item in origin.got if item[1] == path]
                # A proxy may leave out servers that dropped the ones before.
                self.assertIn(len(got), (1,) if path == "/feeds/PUT-0" else (0, 1), path)
                for read in range(3):
                    self.assertEqual(proxy.request(f"/feeds/news?{number}{method}{read}")[0], 200)

    def test_a_publish_that_is_refused_takes_no_server_from_readers(self):
        proxy, origins = fakes(self, refuses=True)
        for number in range(6):
            for method in ("PUT", "POST"):
                status, fields, _ = proxy.request(f"/feeds/news?{number}", method, "{}", **PUBLISH)
                self.assertEqual((status, fields["Retry-After"]), (503, "7"))
                for read in range(3):
                    self.assertEqual(proxy.request(f"/feeds/news?{number}{method}{read}")[0], 200)

    def test_a_client_cannot_say_that_it_is_somebody_else(self):
        proxy, origins = fakes(self, 1, refuses=True)
        for method in ("GET", "PUT"):
            proxy.request("/feeds/claim", method, X_Forwarded_For="203.0.113.7", Forwarded="for=203.0.113.7")
            fields = origins[0].got[-1][2]
            self.assertEqual(fields["X-Forwarded-For"], "127.0.0.1")
            self.assertFalse(fields["Forwarded"])

    def test_a_server_that_is_gone_is_not_missed(self):
        proxy, origins = fakes(self)
        if len(proxy.origins) == 1:
            return
        for origin in origins[:2]:
            origin.stop()
        until(lambda: proxy.request("/feeds/warm")[0] == 200)
        statuses = [proxy.request(f"/feeds/news?{number}")[0] for number in range(10)]
        self.assertEqual(statuses, [200] * 10)


def setup_database():
    cluster = Cluster().make().start()
    return cluster, [Server("--data", cluster.address(), "--stale-after", "1s").start() for _ in range(3)]


def is_stale(server):
    """Whether a server says that it has been cut off for too long."""
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)
    connection.request("GET", "/readyz")
    status = connection.getresponse().status
    connection.close()
    return status == 503


class DatabaseAway(unittest.TestCase):
    """The database goes away: reads go on behind every proxy, publishes are refused in the server's words."""

    def test_reads_go_on_and_publishes_are_refused(self):
        cluster, servers = setup_database()
        self.addCleanup(cluster.remove)
        for server in servers:
            self.addCleanup(server.kill)
        ports = [server.port for server in servers]
        stacks = [kind(*ports) for kind in proxies.ALL]
        for proxy in stacks:
            self.addCleanup(proxy.stop)
        status, answer = servers[0].client().send("PUT", "/feeds/news", {"items": [{"id": "a"}]})
        self.assertEqual(status, 201)
        for server in servers:
            until(lambda: server.client().send("GET", "/feeds/news")[0] == 200)
        cluster.stop("immediate")
        # From here on /readyz is 503 at all servers.
        for server in servers:
            until(lambda: is_stale(server))

        def watch(proxy):
            def publish():
                return [proxy.request("/feeds/news", "PUT", '{"items": []}', **PUBLISH)[:2]
                        for _ in range(3)]

            def read():
                end, statuses = time.monotonic() + 4, []
                while time.monotonic() < end:
                    statuses.append(proxy.request(f"/feeds/news?{len(statuses)}")[0])
                    statuses.append(proxy.request(f"/feeds/news?since={answer['token']}")[0])
                    time.sleep(0.05)
                return statuses
            refused, statuses = all_at_once(publish, read)
            return proxy, refused, statuses
        for proxy, refused, statuses in all_at_once(*[lambda proxy=proxy: watch(proxy) for proxy in stacks]):
            name = type(proxy).__name__
            self.assertEqual(set(statuses), {200}, name)
            for status, fields in refused:
                self.assertEqual(status, 503, name)
                self.assertIn("Retry-After", fields, name)
        cluster.start()
        for proxy in stacks:
            until(lambda: proxy.request("/feeds/news", "PUT", '{"items": []}', **PUBLISH)[0] == 200)


for kind in proxies.ALL + proxies.BELOW:
    for suite in (BelowAPath,) if kind.prefix else (Behind, BehindFakes):
        name = suite.__name__ + kind.__name__.removesuffix("Below")
        globals()[name] = type(name, (suite, unittest.TestCase), {"proxy_type": kind, "__module__": __name__})
del kind, suite, name


class ProtocolBehindProxies(unittest.TestCase):
    def test_the_cases_of_the_protocol_pass_behind_each(self):
        stacks = [kind(Shared.server.port) for kind in proxies.ALL]
        for proxy in stacks:
            self.addCleanup(proxy.stop)
        runs = [subprocess.Popen(
            [BINARY, "conformance", f"http://127.0.0.1:{proxy.port}", "--key", KEY,
             "--prefix", f"{type(proxy).__name__.lower()}-", "--cases", str(ROOT / "docs/conformance/cases")],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for proxy in stacks]
        outputs = [run.communicate(timeout=100)[0] for run in runs]
        for proxy, run, output in zip(stacks, runs, outputs):
            with self.subTest(type(proxy).__name__):
                self.assertEqual(run.returncode, 0, "\n".join(
                    line for line in output.splitlines() if not line.startswith("ok ")))


class WithTLS(unittest.TestCase):
    def test_nginx_has_the_certificate_and_leads_to_it(self):
        proxy = proxies.NginxTLS(Shared.server.port)
        self.addCleanup(proxy.stop)
        self.assertEqual(proxy.request("/feeds/secure?limit=1", "PUT", "{}")[1]["Location"],
                         "https://127.0.0.1/feeds/secure?limit=1")
        context = ssl.create_default_context(cafile=proxy.home / "fullchain.pem")
        connection = http.client.HTTPSConnection("localhost", proxy.secure, timeout=20, context=context)
        for method, path, body, expected in (("PUT", "/feeds/secure", '{"items": [{"id": "a"}]}', 201),
                                             ("GET", "/feeds/secure", None, 200), ("GET", "/film.bin", None, 200)):
            connection.request(method, path, body, PUBLISH)
            response = connection.getresponse()
            response.read()
            self.assertEqual(response.status, expected)
        connection.close()


class Hook(unittest.TestCase):
    """The hook for certbot, with a system of its own."""

    def test_gives_the_server_each_new_certificate(self):
        home = pathlib.Path(tempfile.mkdtemp(prefix="freshet-hook-"))
        self.addCleanup(shutil.rmtree, home)
        for name, text in (("systemctl", '#!/bin/sh\necho "$@" >>"$HOME/asked"\n'),
                           ("hook", proxies.block("OPERATIONS.md", "sh", "RENEWED_LINEAGE"))):
            # There is no group "freshet" here.
            (home / name).write_text(text.replace("-g freshet ", ""), encoding="utf8")
            (home / name).chmod(0o755)
        to = home / "to"
        for number in range(2):
            lineage = home / str(number)
            lineage.mkdir()
            for name in ("privkey.pem", "fullchain.pem"):
                (lineage / name).write_text(f"{name} {number}", encoding="utf8")
            subprocess.run([home / "hook"], check=True, env={
                "PATH": f"{home}:{os.environ['PATH']}", "HOME": str(home), "RENEWED_LINEAGE": str(lineage),
                "FRESHET_TLS_FOLDER": str(to)})
            self.assertEqual(sorted(path.name for path in to.iterdir()), ["fullchain.pem", "privkey.pem"])
            for path in to.iterdir():
                self.assertEqual(path.read_text(), f"{path.name} {number}")
                self.assertEqual(path.stat().st_mode & 0o777, 0o640)
        self.assertEqual((home / "asked").read_text(), "reload freshet\n" * 2)


class ConfigurationFiles(unittest.TestCase):
    def test_the_cache_of_the_compose_file_answers_as_the_one_for_one_machine(self):
        def rules(path):
            text = (ROOT / path).read_text(encoding="utf8")
            lines = text[text.index("# A cached response that is too old"):].splitlines()
            text = "\n".join(line.strip() for line in lines if line.strip()).rstrip("}\n")
            return text.replace("proxy_cache freshet;", "proxy_cache feeds;").replace(
                "--trusted-proxies", "FRESHET_TRUSTED_PROXIES")
        self.assertEqual(rules("packaging/proxies/nginx.conf"), rules("packaging/compose/nginx.conf"))


if __name__ == "__main__":
    unittest.main()
