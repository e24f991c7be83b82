"""Servers for the tests: a real one, and one that says what a test has it say."""

import atexit
import os
import re
import socket
import ssl
import subprocess
import tempfile
import threading

KEY = "python-tests"
for name in [name for name in os.environ if name.lower().endswith("_proxy")]:
    del os.environ[name]  # which the clients would use


def address():
    """The address and key of a server that runs, or None; FRESHET_BINARY is started as one."""
    if "FRESHET_URL" in os.environ or "FRESHET_BINARY" not in os.environ:
        return os.environ.get("FRESHET_URL"), os.environ.get("FRESHET_KEY")
    process, url = start()
    os.environ["FRESHET_URL"], os.environ["FRESHET_KEY"] = url, KEY
    atexit.register(stop, process)
    return url, KEY


def start(*options, port=0):
    """Starts FRESHET_BINARY; returns it and its address."""
    process = subprocess.Popen(
        [os.environ["FRESHET_BINARY"], "serve", "--data", "memory", "--port", str(port), "--key", KEY, *options],
        cwd=tempfile.gettempdir(), stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    said = []
    for line in process.stderr:
        said.append(line)
        if "listening on " in line:
            threading.Thread(target=process.stderr.read, daemon=True).start()
            return process, line.split("listening on ")[1].strip()
    raise RuntimeError("the server ended: " + "".join(said))


def stop(process):
    process.terminate()
    process.wait()
    process.stderr.close()


class Fake:
    """Answers each request on a free port by `answer(head, number)`: bytes, or pieces of bytes.

    Each answer closes its connection. None answers nothing until the server is closed.
    `tls` is a context, for a server of https.
    """

    def __init__(self, answer, tls=None):
        self.answer, self.heads, self.tls = answer, [], tls
        self.over = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self.listener.getsockname()[1]}"
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def _run(self):
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection):
        if self.tls:
            try:
                connection = self.tls.wrap_socket(connection, server_side=True)
            except OSError:
                return  # the client does not trust it
        with connection:
            head = b""
            while b"\r\n\r\n" not in head:
                piece = connection.recv(4096)
                if not piece:
                    return
                head += piece
            head, _, body = head.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: (\d+)", head)
            while length and len(body) < int(length[1]):
                body += connection.recv(65536)
            self.heads.append(head.decode("latin-1"))
            pieces = self.answer(self.heads[-1], len(self.heads))
            if pieces is None:
                self.over.wait()
                return
            try:
                connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                for piece in [pieces] if isinstance(pieces, bytes) else pieces:
                    connection.sendall(piece)
            except OSError:
                pass  # the client has had enough

    def close(self):
        self.over.set()
        self.listener.shutdown(socket.SHUT_RDWR)
        self.listener.close()
        self.thread.join()


class Tunnel(Fake):
    """A proxy that connects whoever asks to the server at `port`."""

    def __init__(self, port):
        self.port = port
        super().__init__(None)

    def _serve(self, connection):
        with connection, socket.create_connection(("127.0.0.1", self.port)) as server:
            head = b""
            while b"\r\n\r\n" not in head:
                head += connection.recv(1)
            self.heads.append(head.decode("latin-1"))
            connection.sendall(b"HTTP/1.1 200 Connected\r\nA: b\r\n\r\n")
            there = threading.Thread(target=self._pass, args=(connection, server), daemon=True)
            there.start()
            self._pass(server, connection)
            there.join()

    def _pass(self, source, target):
        try:
            while data := source.recv(65536):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            pass  # one of them has left


def certificate(folder, host):
    """Makes a certificate of this host and its key; returns a server's context and a client's."""
    cert, key = (os.path.join(folder, name) for name in ("cert.pem", "key.pem"))
    subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={host}",
                    "-addext", f"subjectAltName=DNS:{host}", "-keyout", key, "-out", cert],
                   check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context, ssl.create_default_context(cafile=cert)


def refused():
    """An address where nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return f"http://127.0.0.1:{listener.getsockname()[1]}"
