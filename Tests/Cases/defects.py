"""Servers that err: a proxy before a real one, with one defect at a time."""

import http.client
import http.server
import json
import re
import threading
import urllib.parse

HOP = {"connection", "transfer-encoding", "content-length", "keep-alive"}


class Number(str):
    """A number by its spelling, which a server keeps."""


def parse(text):
    return json.loads(text, parse_int=Number, parse_float=Number)


def spell(value):
    if isinstance(value, Number):
        return str(value)
    if isinstance(value, dict):
        return "{" + ",".join(f"{json.dumps(k)}:{spell(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(spell, value)) + "]"
    return json.dumps(value)


class Answer:
    """A response on its way; `document` is its JSON, if it has any."""

    def __init__(self, method, target, status, fields, content):
        self.method, self.target, self.status = method, target, status
        self.fields, self.content, self.document = fields, content, None
        if "json" in self.field("Content-Type") and content and not self.field("Content-Encoding"):
            self.document = parse(content)

    def field(self, name):
        return next((value for key, value in self.fields if key.lower() == name.lower()), "")

    def drop(self, name):
        self.fields = [(key, value) for key, value in self.fields if key.lower() != name.lower()]

    def set(self, name, value):
        self.drop(name)
        self.fields.append((name, value))

    @property
    def bytes(self):
        return self.content if self.document is None else spell(self.document).encode()


class Defect:
    """What a server does wrong, and some of the cases that say so."""

    def __init__(self, name, only, request=None, answer=None, document=None, event=None):
        self.name, self.only = name, only
        self.request, self.answer, self.event = request, answer, event
        self.document = document

    def __repr__(self):
        return self.name


# Requests that are not taken as they are meant

def without(*names):
    """A server that does not know these parameters."""
    def change(method, target, fields):
        path, _, query = target.partition("?")
        kept = [part for part in query.split("&") if part and part.partition("=")[0] not in names]
        return path + ("?" + "&".join(kept) if kept else ""), fields
    return change


def deaf(*names):
    """A server that does not know these fields."""
    wanted = {name.lower() for name in names}
    return lambda method, target, fields: (
        target, [(key, value) for key, value in fields if key.lower() not in wanted])


def without_tokens(route):
    """A server that takes no notice of what clients have."""
    def change(method, target, fields):
        return (re.sub(r"@[a-z2-7]{8}\.\d+", "", target) if target.startswith(route) else target), fields
    return change


# Answers

def where(holds, change):
    """The change of an answer, where something holds."""
    return lambda answer: change(answer) if holds(answer) else None


def status(old, new):
    def change(answer):
        answer.status = new
    return where(lambda answer: answer.status == old, change)


def no_field(name):
    return lambda answer: answer.drop(name)


def edit(pattern, replacement, name):
    """Another value of a field."""
    def change(answer):
        if answer.field(name):
            answer.set(name, re.sub(pattern, replacement, answer.field(name)))
    return change


def of_kind(kind, change):
    """The change of each document of a kind, also within a pull and in events."""
    def walk(document):
        if isinstance(document, dict):
            if document.get("kind") == kind:
                change(document)
            if document.get("kind") == "pull":
                for member in document["feeds"].values():
                    walk(member)
    return walk


def removing(*names):
    def change(document):
        for name in names:
            document.pop(name, None)
    return change


def setting(name, value):
    def change(document):
        document[name] = value(document) if callable(value) else value
    return change


def of_items(change):
    """The change of the items' part of changes."""
    return of_kind("changes", lambda document: change(document["changes"].get("items", {})))


def of_problems(change):
    return lambda document: change(document) if "status" in document and "type" in document else None


def swap_moves(items):
    for entry in items.get("move", []):
        entry["index"] = Number(int(entry["index"]) + 1)


def no_unset(items):
    for entry in items.get("update", []):
        entry.pop("unset", None)


def merge_null(items):
    for entry in items.get("update", []):
        entry["set"] = {k: v for k, v in entry.get("set", {}).items() if v is not None}


def shown_counts(document):
    for section in document["sections"]:
        section["count"] = Number(len(section["items"]))


def no_missing(document):
    if document.get("kind") == "pull":
        document["feeds"] = {k: v for k, v in document["feeds"].items() if v["kind"] != "missing"}


def respelled(value):
    """Numbers as JavaScript would write them."""
    if isinstance(value, Number):
        number = float(value)
        return Number(int(number)) if number.is_integer() and abs(number) < 1e15 else Number(number)
    if isinstance(value, dict):
        for name in value:
            value[name] = respelled(value[name])
    elif isinstance(value, list):
        value[:] = [respelled(element) for element in value]
    return value


def reversed_items(document):
    for section in document["sections"]:
        section["items"].reverse()


def as_remove_and_insert(document):
    """Moves as what goes and comes, which loses what only the client has."""
    items = document["changes"].get("items", {})
    for entry in items.pop("move", []):
        items.setdefault("remove", []).append(entry["id"])
        items.setdefault("insert", []).append(
            {"section": entry["section"], "index": entry["index"], "item": {"id": entry["id"]}})


# Events

def own_id(event):
    """The id of each event names only its own feed."""
    feed = event["data"].get("feed")
    event["id"] = ",".join(part for part in (event["id"] or "").split(",")
                           if part.startswith(f"{feed}@"))


def no_id(event):
    event["id"] = None


def named_message(event):
    event["event"] = "message"


def no_retry(event):
    event["retry"] = None


def retry_in_seconds(event):
    event["retry"] = event["retry"] and event["retry"][0]


def late_retry(event):
    event["behind"], event["retry"] = event["retry"], None


def twice(event):
    event["times"] = 2


def gone(event):
    if event["event"] == "missing":
        event["event"] = None


DEFECTS = [
    Defect("since is ignored", "changes: ", without("since")),
    Defect("limit is ignored", "views: ", without("limit")),
    Defect("section is ignored", "views: ", without("section")),
    Defect("wait is ignored", "waits: ", without("wait")),
    Defect("Prefer is ignored", "waits: ", deaf("Prefer")),
    Defect("dry-run is ignored", "publishing: ", without("dry-run")),
    Defect("as is ignored", "changes: ", without("as")),
    Defect("format is ignored", "publishing: ", without("format")),
    Defect("version is ignored", "rows: ", without("version")),
    Defect("offset is ignored", "rows: ", without("offset")),
    Defect("the ids of rows are ignored", "rows: ", without("id")),
    Defect("the place of an item is ignored", "publishing: ", without("after", "before", "at")),
    Defect("unknown parameters are let pass", "publishing: ", without("nonsense", "x", "dryrun")),
    Defect("If-None-Match is ignored", "snapshots: ", deaf("If-None-Match")),
    Defect("If-Match is ignored", "publishing: ", deaf("If-Match")),
    Defect("Idempotency-Key is ignored", "publishing: ", deaf("Idempotency-Key")),
    Defect("Last-Event-ID is ignored", "streams: ", deaf("Last-Event-ID")),
    Defect("lastEventId is ignored", "streams: ", without("lastEventId")),
    Defect("Accept-Encoding is ignored", "snapshots: ", deaf("Accept-Encoding")),
    Defect("streams do not begin where the client is", "streams: ", without_tokens("/events")),
    Defect("pulls do not begin where the client is", "pull: ", without_tokens("/pull")),
    Defect("a snapshot has no check", "snapshots: ", document=of_kind("snapshot", removing("order"))),
    Defect("the check is another", "snapshots: ",
           document=of_kind("snapshot", setting("order", "00000000"))),
    Defect("the check is in capitals", "snapshots: ", document=of_kind(
        "snapshot", setting("order", lambda document: document["order"].upper()))),
    Defect("the count is one too many", "changes: ", document=of_kind(
        "changes", setting("count", lambda document: Number(int(document["count"]) + 1)))),
    Defect("changes do not say since when", "changes: ", document=of_kind("changes", removing("since"))),
    Defect("changes name the old version", "changes: ", document=of_kind(
        "changes", setting("token", lambda document: document["since"]))),
    Defect("moves lead one place too far", "changes: ", document=of_items(swap_moves)),
    Defect("moves are forgotten", "changes: ", document=of_items(removing("move"))),
    Defect("moves are removals and insertions", "changes: ",
           document=of_kind("changes", as_remove_and_insert)),
    Defect("members that go are forgotten", "changes: ", document=of_items(no_unset)),
    Defect("null is no value", "changes: ", document=of_items(merge_null)),
    Defect("why it is a snapshot is not said", "changes: ",
           document=of_kind("snapshot", removing("reason"))),
    Defect("items are reversed", "snapshots: ", document=of_kind("snapshot", reversed_items)),
    Defect("numbers are spelled anew", "snapshots: ", document=respelled),
    Defect("sections of a view count what is shown", "views: ",
           document=of_kind("snapshot", shown_counts)),
    Defect("a view has no total", "views: ", document=of_kind("snapshot", removing("total"))),
    Defect("feeds that are missing are left out of a pull", "pull: ", document=no_missing),
    Defect("a dry run does not say that it was one", "publishing: ", document=removing("dryRun")),
    Defect("a publish does not say what it changed", "publishing: ",
           document=of_kind("published", removing("items"))),
    Defect("a problem does not say where", "mistakes: ",
           document=of_problems(removing("pointer", "path", "offset", "line"))),
    Defect("all problems are of one type", "mistakes: ",
           document=of_problems(setting("type", "/problems/malformed"))),
    Defect("problems are plain JSON", "mistakes: ", answer=where(
        lambda answer: "problem" in answer.field("Content-Type"),
        lambda answer: answer.set("Content-Type", "application/json"))),
    Defect("a feed that is made is 200", "publishing: ", answer=status(201, 200)),
    Defect("what was deleted is 200", "publishing: ", answer=status(204, 200)),
    Defect("what is missing is 403", "snapshots: ", answer=status(404, 403)),
    Defect("a failed condition is 409", "publishing: ", answer=status(412, 409)),
    Defect("there is no ETag", "snapshots: ", answer=no_field("ETag")),
    Defect("the ETag is weak", "snapshots: ", answer=edit('^"', 'W/"', "ETag")),
    Defect("all codings have one ETag", "snapshots: ", answer=edit("-gzip", "", "ETag")),
    Defect("Vary is not said", "snapshots: ", answer=no_field("Vary")),
    Defect("caches may keep what needs a key", "snapshots: ", answer=no_field("Cache-Control")),
    Defect("what depends on a key may be kept for another", "rows: ",
           answer=where(lambda answer: answer.target.startswith("/feeds?"), no_field("Vary"))),
    Defect("documents have a date", "snapshots: ", answer=where(
        lambda answer: answer.field("ETag"),
        lambda answer: answer.set("Last-Modified", "Sat, 14 Mar 2026 09:26:53 GMT"))),
    Defect("QUERY is not known", "pull: ",
           answer=where(lambda answer: answer.method == "QUERY", status(200, 501))),
    Defect("what a QUERY gets may be kept", "pull: ",
           answer=where(lambda answer: answer.method == "QUERY", no_field("Cache-Control"))),
    Defect("405 has no Allow", "mistakes: ", answer=no_field("Allow")),
    Defect("401 has no challenge", "mistakes: ", answer=no_field("WWW-Authenticate")),
    Defect("preflights do not say what is allowed", "mistakes: ",
           answer=no_field("Access-Control-Allow-Headers")),
    Defect("events have no name", "streams: ", event=named_message),
    Defect("events have no id", "streams: ", event=no_id),
    Defect("an event's id is of its feed alone", "streams: ", event=own_id),
    Defect("a stream does not say when to connect again", "streams: ", event=no_retry),
    Defect("a stream says in seconds when to connect again", "streams: ", event=retry_in_seconds),
    Defect("a stream says behind its first event when to connect again", "streams: ", event=late_retry),
    Defect("events come twice", "streams: ", event=twice),
    Defect("a stream does not say that a feed is missing", "streams: ", event=gone),
]


class Proxy:
    """A server with a defect, before one that has none."""

    def __init__(self, upstream, defect):
        self.upstream, self.defect = urllib.parse.urlsplit(upstream), defect
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def handle_any(self):
                proxy.handle(self)

        for method in ("GET", "HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE", "QUERY"):
            setattr(Handler, f"do_{method}", Handler.handle_any)

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True
            request_queue_size = 128

            def handle_error(self, *_):
                pass  # a client that left

        self.server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        self.thread = threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True)
        self.thread.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()

    def handle(self, client):
        fields = [(key, value) for key, value in client.headers.items() if key.lower() not in HOP]
        length = client.headers.get("Content-Length")
        content = None if length is None else client.rfile.read(int(length))
        target = client.path
        if self.defect.request:
            target, fields = self.defect.request(client.command, target, fields)
        connection = http.client.HTTPConnection(self.upstream.hostname, self.upstream.port, timeout=60)
        try:
            connection.putrequest(client.command, target, skip_host=True, skip_accept_encoding=True)
            for key, value in fields:
                connection.putheader(key, value)
            if content is not None:
                connection.putheader("Content-Length", str(len(content)))
            connection.endheaders(content)
            self.answer(client, connection.getresponse())
        finally:
            connection.close()

    def answer(self, client, response):
        fields = [(key, value) for key, value in response.getheaders() if key.lower() not in HOP]
        is_stream = response.getheader("Content-Type", "").startswith("text/event-stream")
        content = b"" if is_stream else response.read()
        answer = Answer(client.command, client.path, response.status, fields, content)
        if self.defect.document and answer.document is not None:
            answer.document = self.defect.document(answer.document) or answer.document
        if self.defect.answer:
            self.defect.answer(answer)
        client.send_response_only(answer.status)
        for key, value in answer.fields:
            client.send_header(key, value)
        client.close_connection = True
        client.send_header("Connection", "close")
        if is_stream:
            client.end_headers()
            self.stream(client, response)
            return
        length = response.getheader("Content-Length")
        if client.command == "HEAD":
            if length is not None:
                client.send_header("Content-Length", length)
        elif answer.status not in (204, 304):
            client.send_header("Content-Length", str(len(answer.bytes)))
        client.end_headers()
        if client.command != "HEAD" and answer.status not in (204, 304):
            client.wfile.write(answer.bytes)

    def stream(self, client, response):
        """Passes events on, each changed as the defect says."""
        lines = []
        client.wfile.flush()
        while line := response.readline():
            lines.append(line)
            if line.strip():
                continue
            client.wfile.write(self.event(b"".join(lines)))
            client.wfile.flush()
            lines = []

    def event(self, text):
        found = dict(re.findall(r"^(event|data|id|retry): ?(.*)$", text.decode(), re.M))
        if "data" not in found:
            return text
        event = {"event": found.get("event"), "data": parse(found["data"]), "id": found.get("id"),
                 "retry": found.get("retry")}
        if self.defect.document:
            event["data"] = self.defect.document(event["data"]) or event["data"]
        if self.defect.event:
            self.defect.event(event)
        if event["event"] is None:
            return b":\n\n"
        lines = [f"event: {event['event']}", f"data: {spell(event['data'])}"]
        if event["id"] is not None:
            lines.append(f"id: {event['id']}")
        if event["retry"] is not None:
            lines.insert(0, f"retry: {event['retry']}")
        if event.get("behind"):
            lines += ["", f"retry: {event['behind']}"]
        return ("\n".join(lines) + "\n\n").encode() * event.get("times", 1)
