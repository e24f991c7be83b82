"""A client for Freshet, written from docs/PROTOCOL.md with the standard library alone.

    client = Client("http://127.0.0.1:8080", key=None)
    birds = client.get("birds")
    while True:
        if client.refresh(birds, wait=60) != "unchanged":
            print(birds.token, [item["id"] for item in birds.items()])

A Client holds one connection, and is for one thread at a time.
"""

import gzip
import http.client
import json
import random
import re
import time
import urllib.parse
import uuid
import zlib

RESERVED = {"kind", "feed", "token", "since", "reason", "count", "order", "total", "sections",
            "items", "changes"}
LOST = (http.client.HTTPException, OSError)  # no answer, or only a part of one


class Problem(Exception):
    """An error that the server answered. `pointer`, `offset` and `line` say where in the body."""

    def __init__(self, status, headers, body):
        try:
            about = json.loads(body)
        except ValueError:
            about = {}  # a proxy's page, or an empty body
        self.status, self.headers = status, headers
        self.type = about.get("type", "").rpartition("/")[2] or None
        self.title, self.detail = about.get("title"), about.get("detail")
        for name in ("pointer", "offset", "line", "edit", "item", "token"):
            setattr(self, name, about.get(name))
        place = f" (at {self.pointer or 'the top'}, line {self.line})" if self.line else ""
        super().__init__(f"{status} {self.title or 'no details'}: {self.detail}{place}")

    @property
    def passes(self):
        """Whether the same request may succeed later."""
        return self.status in (408, 429, 502, 503, 504) or self.type == "outcome-unknown"


class Mismatch(Exception):
    """A document does not fit the copy: the copy has to be fetched anew."""


class Copy:
    """What a client holds of a feed, or of a view of it: the same shape as a snapshot."""

    def __init__(self, feed, limit=None, sections=()):
        self.feed = feed
        self.view = [("section", id) for id in sections]
        self.view += [("limit", limit)] if limit is not None else []
        self.drop()

    def drop(self):
        """Forgets everything; the next request brings a snapshot."""
        self.token, self.total, self.members, self.sections = None, None, {}, []

    def items(self):
        return [item for section in self.sections for item in section["items"]]

    def document(self):
        """What a publisher would PUT. (It makes no sense for a view.)"""
        return {**self.members, "sections": self.sections}

    def take(self, document):
        """Applies any document that a read answers, and returns its kind.

        If it does not fit, the copy stays as it was, but without its token.
        """
        kind = document.get("kind")
        try:
            if document["feed"] != self.feed:
                raise Mismatch(f"a document of {document['feed']}")
            if kind == "missing":
                self.drop()
            elif kind == "snapshot":
                members = {k: v for k, v in document.items() if k not in RESERVED}
                self._keep(document, members, document["sections"])
            elif kind == "changes":
                if document["since"] != self.token:
                    raise Mismatch(f"changes since {document['since']}, the copy is {self.token}")
                self._keep(document, *self._apply(document["changes"]))
            elif kind == "unchanged":
                if document["token"] != self.token:
                    raise Mismatch(f"unchanged {document['token']}, the copy is {self.token}")
                self._keep(document, self.members, self.sections)
            else:
                raise Mismatch(f"a document of the kind {kind}")
        except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            self.token = None
            raise Mismatch(f"the document does not fit: {error!r}") from error
        except Mismatch:
            self.token = None
            raise
        return kind

    def _keep(self, document, members, sections):
        held, order = check(sections)
        if (held, order) != (document["count"], document["order"]):
            raise Mismatch(f"{held} items in the order {order}, "
                           f"expected {document['count']} in {document['order']}")
        self.members, self.sections = members, sections
        self.token, self.total = document["token"], document.get("total")

    def _apply(self, changes):
        """The members and sections after the changes; the copy itself is not touched."""
        of_items, of_sections = changes.get("items", {}), changes.get("sections", {})
        sections = [{**section, "items": list(section["items"])} for section in self.sections]
        # 1. Take out items.
        taken = set(of_items.get("remove", [])) | {m["id"] for m in of_items.get("move", [])}
        aside = {}
        for section in sections:
            aside.update((item["id"], item) for item in section["items"] if item["id"] in taken)
            section["items"] = [item for item in section["items"] if item["id"] not in taken]
        if taken - aside.keys():
            raise Mismatch(f"no item {min(taken - aside.keys())!r}")
        # 2. Take out sections.
        held = {section["id"]: section for section in sections}
        taken = set(of_sections.get("remove", [])) | {m["id"] for m in of_sections.get("move", [])}
        if taken - held.keys():
            raise Mismatch(f"no section {min(taken - held.keys())!r}")
        sections = [section for section in sections if section["id"] not in taken]
        # 3. and 4. Put in sections, and then items.
        place(sections, [(e["index"], {**e["section"], "items": []})
                         for e in of_sections.get("insert", [])]
              + [(e["index"], held[e["id"]]) for e in of_sections.get("move", [])])
        held = {section["id"]: section for section in sections}
        arriving = {}
        for entry in of_items.get("insert", []):
            arriving.setdefault(entry["section"], []).append((entry["index"], entry["item"]))
        for entry in of_items.get("move", []):
            arriving.setdefault(entry["section"], []).append((entry["index"], aside[entry["id"]]))
        for id, entries in arriving.items():
            place(held[id]["items"], entries)
        # 5. Update members.
        members = updated(self.members, changes.get("feed", {}))
        for entry in of_sections.get("update", []):
            section = held[entry["id"]]
            new = updated(section, entry)
            section.clear()
            section.update(new, **({"count": entry["count"]} if "count" in entry else {}))
        where = {item["id"]: (section["items"], index) for section in sections
                 for index, item in enumerate(section["items"])}
        for entry in of_items.get("update", []):
            items, index = where[entry["id"]]
            items[index] = updated(items[index], entry)
        if not self.view:
            for section in sections:
                section["count"] = len(section["items"])
        return members, sections


def check(sections):
    """The number of items, and the CRC-32 over the ids in their order."""
    lines = []
    for section in sections:
        lines.append(f"#{section['id']}\n")
        lines += [f" {item['id']}\n" for item in section["items"]]
    return len(lines) - len(sections), f"{zlib.crc32(''.join(lines).encode()):08x}"


def place(list, entries):
    for index, value in sorted(entries, key=lambda entry: entry[0]):
        if not 0 <= index <= len(list):
            raise Mismatch(f"no position {index} in a list of {len(list)}")
        list.insert(index, value)


def updated(members, entry):
    kept = {name: value for name, value in members.items() if name not in entry.get("unset", [])}
    return {**kept, **entry.get("set", {})}


def segment(id):
    return urllib.parse.quote(id, safe="")


class Client:
    def __init__(self, url, key=None, tries=6, timeout=75):
        """`tries` bounds how often a request is sent; `timeout` has to be above 60 seconds."""
        self.url, self.key, self.tries, self.timeout = url.rstrip("/"), key, tries, timeout
        self.connection, self.pulled = None, {}

    def close(self):
        """Closes the connection. The next request opens another one."""
        if self.connection:
            self.connection.close()
        self.connection = None

    # Reading

    def get(self, feed, limit=None, sections=()):
        """A new copy of a feed or of a view of it."""
        copy = Copy(feed, limit, sections)
        self.refresh(copy)
        return copy

    def refresh(self, copy, wait=None):
        """Brings a copy up to date, and returns the kind of the document that did it."""
        query = copy.view + ([("wait", wait)] if wait and copy.token else [])
        query += [("since", copy.token)] if copy.token else []
        try:
            return copy.take(self.read(f"/feeds/{segment(copy.feed)}", query)[2])
        except Mismatch:
            return copy.take(self.read(f"/feeds/{segment(copy.feed)}", copy.view)[2])
        except Problem as problem:
            if problem.status == 404:
                copy.drop()
            raise

    def changed(self, copy, wait=None):
        """Whether the feed has another version than the copy; costs a 304 if not."""
        query = copy.view + ([("wait", wait)] if wait else [])
        tag = {"If-None-Match": f'"{copy.token}"'} if copy.token else {}
        return self.read(f"/feeds/{segment(copy.feed)}", query, tag)[0] != 304

    def pull(self, copies, wait=None):
        """Brings up to 100 copies with the same view up to date; returns the kinds by feed."""
        view, names = copies[0].view, tuple(copy.feed for copy in copies)
        query = [("feed", f"{c.feed}@{c.token}" if c.token else c.feed) for c in copies] + view
        remembered = (names, tuple(view))
        tag, held = self.pulled.get(remembered, (None, None))
        same = held == [copy.token for copy in copies]  # the copies that the tag stands for
        status, headers, document = self.read(
            "/pull", query + ([("wait", wait)] if wait else []),
            {"If-None-Match": tag} if same else {})
        if status == 304:
            return dict.fromkeys(names, "unchanged")
        self.pulled.pop(remembered, None)
        kinds = {}
        for copy in copies:
            try:
                kinds[copy.feed] = copy.take(document["feeds"][copy.feed])
            except Mismatch:
                kinds[copy.feed] = "mismatch"  # the next pull asks for a snapshot
        if "mismatch" not in kinds.values():
            self.pulled[remembered] = headers.get("ETag"), [copy.token for copy in copies]
        return kinds

    def follow(self, copies):
        """Yields (kind, copy) for every event of a stream, and connects again whenever it ends."""
        by_name, pause, failures = {copy.feed: copy for copy in copies}, 1, 0
        while True:
            query = [("feed", f"{c.feed}@{c.token}" if c.token else c.feed) for c in copies]
            connection = self._connect(45)  # a comment comes every 15 seconds
            try:
                query += copies[0].view
                response = self._send(connection, "GET", "/events", query, {}, None)
                if response.status != 200:
                    raise Problem(response.status, response.headers, response.read())
                for event, data, retry in events(response):
                    pause, failures = retry or pause, 0
                    if event in ("unchanged", "changes", "snapshot", "missing"):
                        document = json.loads(data)
                        copy = by_name[document["feed"]]
                        yield copy.take(document), copy
            except Problem as problem:
                if not problem.passes:
                    raise
                pause = float(problem.headers.get("Retry-After") or backoff(failures))
            except Mismatch:
                pass  # the token is gone: the next connection brings a snapshot
            except LOST:
                pause = max(pause, backoff(failures))
            finally:
                connection.close()
            failures += 1
            time.sleep(pause)

    def rows(self, feed, section=None, limit=100):
        """All rows, page by page, of one version: (id of the section, index in it, item)."""
        path = f"/feeds/{segment(feed)}/"
        path += f"sections/{segment(section)}" if section is not None else "items"
        target = f"{path}?limit={limit}"
        while target:
            page = self.read(target)[2]
            for row in page["items"]:
                yield row["in"], row["index"], row["item"]
            target = "next" in page and urllib.parse.urljoin(target, page["next"])

    def items(self, feed, ids):
        """The items with these ids that exist."""
        page = self.read(f"/feeds/{segment(feed)}/items", [("id", id) for id in ids])[2]
        return [row["item"] for row in page["items"]]

    def read(self, path, query=(), headers={}):
        """The status, header fields and JSON document of a read; 304 has no document."""
        return self._exchange("GET", path, query, headers, None)

    # Publishing

    def put(self, feed, document, **options):
        return self.publish("PUT", f"/feeds/{segment(feed)}", document, **options)

    def edit(self, feed, edits, **options):
        return self.publish("PATCH", f"/feeds/{segment(feed)}", {"edits": edits}, **options)

    def delete(self, feed, **options):
        return self.publish("DELETE", f"/feeds/{segment(feed)}", None, **options)

    def insert(self, feed, item, **options):
        """Inserts an item or a list of items; `section`, `at`, `before`, `after` say where."""
        return self.publish("POST", f"/feeds/{segment(feed)}/items", item, **options)

    def item(self, method, feed, id, body=None, **options):
        """PUT, PATCH (a merge patch) or DELETE of one item."""
        path = f"/feeds/{segment(feed)}/items/{segment(id)}"
        return self.publish(method, path, body, **options)

    def publish(self, method, path, body, match=None, create=False, dry_run=False, **place):
        """Publishes exactly once: every repetition has the same Idempotency-Key.

        `match` is the token on top of which to publish, or "*"; `create` publishes only what does
        not exist. Returns the document `published`, or None for a 204.
        """
        headers = {"Idempotency-Key": str(uuid.uuid4())}
        if match:
            headers["If-Match"] = "*" if match == "*" else f'"{match}"'
        if create:
            headers["If-None-Match"] = "*"
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = body if isinstance(body, bytes) else json.dumps(body, allow_nan=False).encode()
        query = [("dry-run", "true")] if dry_run else []
        return self._exchange(method, path, query + list(place.items()), headers, body)[2]

    # HTTP

    def _exchange(self, method, path, query, headers, body):
        headers = {"Accept-Encoding": "gzip", **headers}
        for attempt in range(self.tries):
            last = attempt == self.tries - 1
            try:
                self.connection = self.connection or self._connect(self.timeout)
                response = self._send(self.connection, method, path, query, headers, body)
                content = response.read()
                if response.headers.get("Content-Encoding") == "gzip":
                    content = gzip.decompress(content)
                if response.status < 300 or response.status == 304:
                    document = json.loads(content) if content else None
                    return response.status, response.headers, document
                problem = Problem(response.status, response.headers, content)
                if last or not problem.passes:
                    raise problem
                time.sleep(float(problem.headers.get("Retry-After") or backoff(attempt)))
            except LOST:
                self.close()
                if last:
                    raise
                if attempt:  # the first time it may be a connection that was idle for too long
                    time.sleep(backoff(attempt - 1))

    def _connect(self, timeout):
        url = urllib.parse.urlsplit(self.url)
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        return kind(url.hostname, url.port, timeout=timeout)

    def _send(self, connection, method, path, query, headers, body):
        if self.key:
            headers = {"Authorization": f"Bearer {self.key}", **headers}
        target = urllib.parse.urlsplit(self.url).path + path
        target += f"?{urllib.parse.urlencode(query)}" if query else ""
        connection.request(method, target, body, headers)
        return connection.getresponse()


def backoff(failures):
    """Seconds to wait: 1, doubled up to 60, and at random between half of it and all of it."""
    longest = min(60, 2 ** min(failures, 6))
    return random.uniform(longest / 2, longest)


def events(lines):
    """Reads server-sent events: (name, data, seconds of a retry that came before it)."""
    name, data, retry = "message", [], None
    for line in lines_of(lines):
        field, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if data:
                yield name, "\n".join(data), retry
            name, data = "message", []
        elif field == "event":
            name = value or "message"
        elif field == "data":
            data.append(value)
        elif field == "retry" and re.fullmatch("[0-9]+", value):
            retry = int(value) / 1000


def lines_of(parts):
    """The lines of a text that comes in parts, each up to a line feed; CR alone ends a line, too."""
    mark = "\ufeff"  # may stand before the first line
    for part in parts:
        *ended, _ = re.split("\r\n|\r|\n", part.decode().removeprefix(mark))
        yield from ended
        mark = ""
