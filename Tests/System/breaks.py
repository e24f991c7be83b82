"""A proxy before PostgreSQL that breaks connections at chosen messages of its protocol.

See PostgreSQL's documentation, "Message Formats": a message is a letter, its length in four bytes
which count themselves, and the rest. Only the first of a connection has no letter.
"""

import collections
import socket
import threading

# A break of a connection at a statement: the statement's text has `text` in it, and `skipped` others
# that have it come first.
#
# | how | what becomes of the statement |
# |---|---|
# | before | it does not reach the database |
# | after | it is carried out, and what comes of it does not reach the client |
# | late | as `before` for the client; it is carried out once the client looks for what became of it |
Break = collections.namedtuple("Break", "text how skipped")

# The end of a transaction that publishes.
COMMIT = "COMMIT of publishes"

# What the first statement of such a transaction begins with, and what a server asks when it wants to
# know what became of one.
BATCH = "INSERT INTO freshet_batch(id) VALUES($1::bigint)"
QUESTION = BATCH + " ON CONFLICT"


class Breaker:
    """The proxy. Connections must be neither encrypted nor asked to be."""

    def __init__(self, port):
        self.target = port
        self.lock = threading.Lock()
        self.planned = None
        self.count = 0
        # While it is set, no connection is taken.
        self.isAway = False
        # What is sent to the database when a client asks what became of it.
        self.late = None
        self.sockets = []
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def address(self, schema):
        return (f"postgres://freshet@127.0.0.1:{self.port}/postgres?sslmode=disable"
                f"&gssencmode=disable&options=-csearch_path%3D{schema}")

    def plan(self, text, how, skipped=0):
        """Has the next connection that comes to such a statement broken there."""
        with self.lock:
            self.planned = Break(text, how, skipped)

    @property
    def isDue(self):
        """Whether a break is planned that was not made yet."""
        return self.planned is not None

    def cancel(self):
        with self.lock:
            self.planned = None

    def end(self):
        self.isAway = True
        for each in [self.listener, *self.sockets]:
            shut(each)
            each.close()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            if self.isAway:
                shut(client)
                client.close()
                continue
            server = socket.create_connection(("127.0.0.1", self.target))
            self.sockets += [client, server]
            Connection(self, client, server)

    def takes(self, sql):
        """How a connection is to be broken that comes to a statement, if it is."""
        with self.lock:
            planned = self.planned
            if planned is None or planned.text not in sql:
                return None
            if planned.skipped:
                self.planned = planned._replace(skipped=planned.skipped - 1)
                return None
            self.planned = None
            self.count += 1
            return planned.how

    def asked(self):
        """Sends what was held back, since a client asks for it."""
        with self.lock:
            late, self.late = self.late, None
        if late:
            server, held = late
            server.sendall(held)


class Connection:
    """One connection, read in both directions."""

    def __init__(self, breaker, client, server):
        self.breaker, self.client, self.server = breaker, client, server
        self.statements = {}
        self.isPublishing = False
        # Set when the client is to hear nothing more; the database still is to carry something out.
        self.isSilent = False
        threading.Thread(target=self.guard, args=(self.send,), daemon=True).start()
        threading.Thread(target=self.guard, args=(self.receive,), daemon=True).start()

    def guard(self, work):
        try:
            work()
        except OSError:
            pass
        if work == self.receive or not self.isSilent:  # pylint: disable=W0143
            shut(self.client)
            shut(self.server)

    def send(self):
        """Passes on what the client sends, up to a break."""
        reader = self.client.makefile("rb")
        head = reader.read(4)
        if len(head) == 4:
            self.server.sendall(head + reader.read(int.from_bytes(head, "big") - 4))
        while message := next_message(reader):
            how = self.look(message)
            if how:
                self.break_off(how, message, reader)
                return
            self.server.sendall(message)

    def look(self, message):
        """Reads a message of the client; returns how the connection is to be broken there."""
        kind, body = message[:1], message[5:]
        if kind == b"S":
            self.isPublishing = False
        if kind == b"P":
            name, sql = body.split(b"\0")[:2]
            self.statements[name] = sql.decode()
        if kind != b"B":
            return None
        sql = self.statements[body.split(b"\0")[1]]
        if sql.startswith(QUESTION):
            self.breaker.asked()
        elif sql.startswith(BATCH):
            self.isPublishing = True
        return self.breaker.takes(COMMIT if sql == "COMMIT" and self.isPublishing else sql)

    def break_off(self, how, message, reader):
        if how == "before":
            return
        rest = message
        while message and message[:1] != b"S":
            message = next_message(reader)
            rest += message
        self.isSilent = True
        if how == "after":
            self.server.sendall(rest)
        else:
            with self.breaker.lock:
                self.breaker.late = (self.server, rest)
            shut(self.client)

    def receive(self):
        """Passes on what the database sends, until the client is to hear nothing more."""
        reader = self.server.makefile("rb")
        while message := next_message(reader):
            # "Ready for query": everything was carried out.
            if self.isSilent and message[:1] == b"Z":
                return
            if not self.isSilent:
                self.client.sendall(message)


def next_message(reader):
    """The next message, or nothing at the end."""
    head = reader.read(5)
    if len(head) < 5:
        return b""
    length = int.from_bytes(head[1:], "big") - 4
    body = reader.read(length)
    return head + body if len(body) == length else b""


def shut(each):
    try:
        each.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass
