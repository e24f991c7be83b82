"""A server, and `freshet watch` in a terminal that pyte draws."""
import fcntl
import json
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import urllib.request

import pyte

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), "..", ".."))
BINARY = os.environ.get("FRESHET_BINARY") or os.path.join(ROOT, ".build", "debug", "freshet")
PATIENCE = float(os.environ.get("PATIENCE", 60))  # seconds until something that has to happen has happened


class Server:
    """A server on a port of its own, or on that of one that is gone."""

    def __init__(self, port="0", *options):
        self.process = subprocess.Popen(
            [BINARY, "serve", "--data", "memory", "--port", port, "--key", "a-key-to-try-things-out", *options],
            stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
        for line in self.process.stderr:
            found = re.search(r"http://127\.0\.0\.1:(\d+)", line)
            if found:
                self.url = f"http://127.0.0.1:{found.group(1)}"
                break
        else:
            raise RuntimeError("the server did not start")

    def put(self, feed, document):
        self.send("PUT", feed, json.dumps(document).encode())

    def delete(self, feed):
        self.send("DELETE", feed)

    def send(self, method, feed, data=None):
        request = urllib.request.Request(
            f"{self.url}/feeds/{feed}", method=method, data=data,
            headers={"Authorization": "Bearer a-key-to-try-things-out", "Content-Type": "application/json"})
        urllib.request.urlopen(request).read()

    def stop(self, kills=False):
        (self.process.kill if kills else self.process.terminate)()
        self.process.wait()
        self.process.stderr.close()


class Terminal:
    """A program in a terminal."""

    def __init__(self, *arguments, columns=60, rows=16, home=None, program=BINARY, **environment):
        self.home = home or tempfile.mkdtemp(prefix="freshet-terminal-")
        self.screen = pyte.Screen(columns, rows)
        self.stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.pid, self.file = pty.fork()
        if self.pid == 0:
            variables = {**os.environ, "TERM": "xterm-256color", "XDG_STATE_HOME": self.home, **environment}
            # The command warns of a variable that it does not know, before anything else.
            variables.pop("FRESHET_BINARY", None)
            os.execve(program, [program, *arguments], variables)
        self.resize(columns, rows)
        self.status = None

    def resize(self, columns, rows):
        self.screen.resize(rows, columns)
        fcntl.ioctl(self.file, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        os.kill(self.pid, signal.SIGWINCH)

    def read(self, seconds=0.1):
        ready, _, _ = select.select([self.file], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.file, 65536)
        except OSError:
            return False
        self.raw += data
        self.stream.feed(data)
        return bool(data)

    def type(self, text):
        os.write(self.file, text.encode())

    @property
    def lines(self):
        return [line.rstrip() for line in self.screen.display]

    def until(self, condition, what=""):
        """Reads until the screen meets a condition."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if condition(self):
                return
            self.read()
        raise AssertionError(f"{what or 'the screen'}:\n" + "\n".join(self.lines) + f"\nlast: {self.raw[-600:]!r}")

    def shows(self, text):
        self.until(lambda it: any(text in line for line in it.lines), f"no {text!r}")

    def lacks(self, text):
        self.until(lambda it: not any(text in line for line in it.lines), f"still {text!r}")

    def ends(self):
        """Waits for the end of the program; says its status."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                while self.read(0):
                    pass
                self.pid = None
                os.close(self.file)
                return status
            self.read(0.05)
        raise AssertionError("it does not end")

    def close(self):
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
            os.close(self.file)
            self.pid = None


if __name__ == "__main__":
    sys.exit("this is for tests")
