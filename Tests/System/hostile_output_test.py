"""What a hostile server sends reaches no terminal: commands print nothing that one would obey."""

import http.server
import json
import re
import socketserver
import subprocess
import threading
import unittest
from servers import BINARY

# A title, a colour, an 8-bit control, a mark of direction, a next line, a carriage return.
BAD = "\x1b]0;x\x07\x1b[31m\x9b31m\x7f\u202eX\x85\r"
OBEYED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069]")


class Hostile(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    raw = False

    def log_message(self, *arguments):
        pass

    def answer(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        status, path = 200, self.path.split("?")[0]
        if path == "/feeds":
            document = {"kind": "feeds", "feeds": [
                {"id": "a" + BAD, "title": BAD, "token": "abcdefgh.1" + BAD, "count": 1,
                 "changed": "2026-01-01T00:00:00Z" + BAD}]}
        elif path.startswith("/feeds/problem") or path == "/pull":
            status, document = 400, {"type": "/problems/x" + BAD, "title": BAD, "status": 400,
                                     "detail": BAD, "message": BAD}
        elif path == "/readyz":
            status, document = 503, {"status": "x" + BAD, "state": BAD, "detail": BAD, "title": BAD}
        else:
            document = {"kind": "snapshot", "feed": "news", "token": "abcdefgh.1", "count": 1,
                        "title": BAD, "changed": True, "order": "0", "sections": [
                            {"id": "main" + BAD, "items": [{"id": "1" + BAD, "title": BAD}]}],
                        "counts": {}}
        body = json.dumps(document, ensure_ascii=not self.raw).encode("utf-8", "surrogatepass")
        if self.raw:
            body = body.replace(b"\\u001b", b"\x1b").replace(b"\\u0007", b"\x07") + b"\x9b\x1bc"
        self.send_response(status)
        kind = "application/json" if status < 400 else "application/problem+json"
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_GET = do_POST = do_PUT = do_PATCH = do_DELETE = answer


class Raw(Hostile):
    raw = True


class Server(socketserver.ThreadingMixIn, http.server.HTTPServer):
    daemon_threads = True

    def handle_error(self, request, client_address):
        """A command that is stopped resets its connection."""


class Output(unittest.TestCase):
    COMMANDS = [
        ["get", "news"], ["get", "--pretty", "news"], ["get", "problem"], ["list"], ["list", "--json"],
        ["health"], ["publish", "news", "-"], ["publish", "problem", "-"], ["delete", "problem"],
        ["remove", "problem", "1"], ["watch", "--lines", "news"], ["watch", "--json", "news"],
        ["watch", "--lines", "problem"], ["watch", "--json", "problem"],
    ]

    def test_has_nothing_that_a_terminal_obeys(self):
        printed = 0
        for handler in (Hostile, Raw):
            server = Server(("127.0.0.1", 0), handler)
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.addCleanup(server.server_close)
            self.addCleanup(server.shutdown)
            address = f"http://127.0.0.1:{server.server_port}"
            for command in self.COMMANDS:
                with self.subTest(command=command, raw=handler.raw):
                    process = subprocess.Popen(
                        [BINARY, *command, "--server", address, "--key", "k"],
                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    try:
                        output, _ = process.communicate(b'{"items":[]}', 2)
                    except subprocess.TimeoutExpired:
                        process.terminate()  # It follows until it is stopped.
                        output, _ = process.communicate()
                    self.assertGreaterEqual(process.returncode, 0, output)
                    printed += len(output)
                    # What is no UTF-8 is no text: 9B alone is a control of 8-bit terminals.
                    found = OBEYED.search(output.decode())
                    self.assertIsNone(found, (found, output))
        self.assertGreater(printed, 1000, "nothing was printed")


if __name__ == "__main__":
    unittest.main()
