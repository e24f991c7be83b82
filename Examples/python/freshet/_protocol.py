"""The protocol without I/O: copies of feeds, requests, retries, and the reading of streams.

Operations are generators: they yield a `Request` or a `Pause`, and are sent the `Reply`. A client
drives them with sockets of its own kind.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import email.utils
import functools
import gzip
import http.client
import json
import math
import random
import re
import time
import urllib.parse
import urllib.request
import uuid
import zlib
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from email.message import Message
from typing import Any, TypeVar, Union

from ._events import Events

RESERVED = {"kind", "feed", "token", "since", "reason", "count", "order", "total", "sections",
            "items", "changes"}
LOST = (http.client.HTTPException, OSError, EOFError, zlib.error)  # no answer, or a part of one
MOST_PULLED = 100  # feeds in a pull; more are a 400
LONGEST_TARGET = 8000  # bytes that every server and proxy takes (RFC 9110, 4.1)
LONGEST_PAUSE = 60  # seconds that a request waits before it is sent again
KEPT = 24 * 60 * 60  # seconds that an open feed's content outlives a 404
Query = list[tuple[str, Any]]
Item = dict[str, Any]


class Unreachable(ConnectionError):
    """No answer came in all the tries; or in the first one, if none ever came before."""


class Problem(Exception):
    """An error that the server answered. `pointer`, `offset` and `line` say where in the body."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        try:
            about = json.loads(body)
        except (ValueError, RecursionError):
            about = {}  # a proxy's page, or an empty body
        if not isinstance(about, dict):
            about = {}
        self.status, self.headers = status, headers
        self.type = str(about.get("type", "")).rpartition("/")[2] or None
        self.moved = 300 <= status < 400  # said by something before the server, which never does
        where = f"it leads to {field(headers, 'Location')}" if self.moved else None
        self.title, self.detail = about.get("title"), about.get("detail", where)
        self.pointer, self.offset = about.get("pointer"), about.get("offset")
        self.line, self.edit = about.get("line"), about.get("edit")
        self.item, self.token = about.get("item"), about.get("token")
        place = f" (at {self.pointer or 'the top'}, line {self.line})" if self.line else ""
        super().__init__(f"{status} {self.title or 'no details'}: {self.detail}{place}")
        self._made_of = status, headers, body

    def __reduce__(self) -> Any:
        return Problem, self._made_of

    @property
    def passes(self) -> bool:
        """Whether the same request may succeed later."""
        return self.moved or self.status in (408, 429, 500, 502, 503, 504)


class Mismatch(Exception):
    """A document does not fit the copy, which has to be fetched anew; or it has too large a number."""


@contextlib.contextmanager
def fitting() -> Iterator[None]:
    """Raises a Mismatch if a document has not the shape that it is read in."""
    try:
        yield
    except (KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
        raise Mismatch(f"the document does not fit: {error!r}") from error


class Copy:
    """A copy of a feed, or of a view of it, in the shape of a snapshot."""

    def __init__(self, feed: str, limit: int | None = None,
                 sections: Iterable[str] = ()) -> None:
        if isinstance(sections, str):
            raise TypeError("sections is a list of ids, not one of them")
        self.feed = feed
        self.view: Query = [("section", id) for id in sections]
        self.view += [("limit", limit)] if limit is not None else []
        self.token: str | None = None
        self.private = False  # whether the last answer depended on a key
        self.missing_since: float | None = None
        self.early, self.asked, self.answered = 0, 0, 0
        self.drop()

    def ask(self) -> int:
        """Numbers a request for this copy."""
        self.asked += 1
        return self.asked

    def late(self, number: int) -> bool:
        """Whether an answer to a later request is held already; if not, this one is now."""
        if number < self.answered:
            return True
        self.answered = number
        return False

    def missing(self, now: float) -> None:
        """Takes that the server does not have the feed.

        What was read with a key goes at once; else it stays for a day, with `missing_since`.
        """
        since = self.missing_since if self.missing_since is not None else now
        if self.private or now - since >= KEPT:
            self.drop()
        self.token, self.missing_since = None, since

    def drop(self) -> None:
        """Forgets everything; the next request brings a snapshot."""
        self.token = None
        self.total: int | None = None
        self.members: dict[str, Any] = {}
        self.sections: list[dict[str, Any]] = []

    def items(self) -> list[Item]:
        return [item for section in self.sections for item in section["items"]]

    def document(self) -> dict[str, Any]:
        """The document that a publisher would PUT. (It makes no sense for a view.)"""
        return {**self.members, "sections": self.sections}

    def take(self, document: Any) -> str:
        """Applies any document that a read answers, and returns its kind.

        If it does not fit, the copy stays as it was, but without its token.
        """
        try:
            with fitting():
                return self._take(document)
        except Mismatch:
            self.token = None
            raise

    def _take(self, document: Any) -> str:
        kind: str = document["kind"]
        if document["feed"] != self.feed:
            raise Mismatch(f"a document of {document['feed']}")
        if kind == "missing":
            self.missing(time.time())
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
        return kind

    def _keep(self, document: Any, members: dict[str, Any],
              sections: list[dict[str, Any]]) -> None:
        held, order = check(sections)
        if (held, order) != (document["count"], document["order"]):
            raise Mismatch(f"{held} items in the order {order}, "
                           f"expected {document['count']} in {document['order']}")
        if not re.fullmatch("[!#-~]+", document["token"]):
            raise Mismatch("a token that no field takes")
        self.members, self.sections = members, sections
        self.token, self.total = document["token"], document.get("total")
        self.missing_since = None

    def _apply(self, changes: Any) -> tuple[dict[str, Any], list[dict[str, Any]]]:
        """The members and sections after the changes; the copy itself is not touched."""
        of_items, of_sections = changes.get("items", {}), changes.get("sections", {})
        sections = [{**section, "items": list(section["items"])} for section in self.sections]
        # 1. Take out items.
        taken = set(of_items.get("remove", [])) | {m["id"] for m in of_items.get("move", [])}
        aside: dict[str, Item] = {}
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
        arriving: dict[str, list[tuple[int, Item]]] = {}
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


def check(sections: list[dict[str, Any]]) -> tuple[int, str]:
    """The number of items, and the CRC-32 over the ids in their order."""
    lines = []
    for section in sections:
        lines.append(f"#{section['id']}\n")
        lines += [f" {item['id']}\n" for item in section["items"]]
    return len(lines) - len(sections), f"{zlib.crc32(''.join(lines).encode()):08x}"


def place(list: list[Any], entries: Iterable[tuple[int, Any]]) -> None:
    for index, value in sorted(entries, key=lambda entry: entry[0]):
        if not 0 <= index <= len(list):
            raise Mismatch(f"no position {index} in a list of {len(list)}")
        list.insert(index, value)


def updated(members: dict[str, Any], entry: dict[str, Any]) -> dict[str, Any]:
    kept = {name: value for name, value in members.items() if name not in entry.get("unset", [])}
    return {**kept, **entry.get("set", {})}


def parsed(text: str | bytes) -> Any:
    """The JSON; what is none did not come from the server."""
    try:
        return json.loads(text, parse_float=finite, parse_constant=no_constant)
    except (json.JSONDecodeError, UnicodeDecodeError, RecursionError) as error:
        raise http.client.HTTPException(f"an answer that is no JSON: {error}") from error
    except ValueError as error:
        raise Mismatch(f"the document has a number that Python does not hold: {error}") from error


def finite(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise ValueError(text[:40])
    return value


def no_constant(text: str) -> None:
    raise json.JSONDecodeError("not in JSON", text, 0)


def segment(id: str) -> str:
    return urllib.parse.quote(id, safe="")


@dataclasses.dataclass
class Request:
    """A request below the base address."""

    method: str
    path: str
    query: Query = dataclasses.field(default_factory=list)
    headers: dict[str, str] = dataclasses.field(default_factory=dict)
    body: bytes | None = None


@dataclasses.dataclass
class Reply:
    """An answer, with the seconds that it took."""

    status: int
    headers: Mapping[str, str]
    content: bytes
    took: float = 0.0

    @functools.cached_property
    def document(self) -> Any:
        return parsed(self.content) if self.content else None

    def decoded(self) -> Reply:
        """The answer without its content coding."""
        if field(self.headers, "Content-Encoding").lower() != "gzip":
            return self
        return dataclasses.replace(self, content=gzip.decompress(self.content))


@dataclasses.dataclass
class Pause:
    """Asks the client to wait."""

    seconds: float


@dataclasses.dataclass
class State:
    """How following goes: `live`, or `retrying` with the reason and the seconds until then."""

    name: str
    reason: Exception | None = None
    retry_in: float = 0.0


T = TypeVar("T")
Steps = Generator[Union[Request, Pause], Union[Reply, None], T]
OnState = Callable[[State], object]


def joined(message: Message) -> dict[str, str]:
    """The fields of a head; several of one name are a list (RFC 9110, 5.3)."""
    return {name: ", ".join(message.get_all(name, [])) for name in message.keys()}


def field(headers: Mapping[str, str], name: str) -> str:
    return next((v for k, v in headers.items() if k.lower() == name.lower()), "")


def retry_after(headers: Mapping[str, str]) -> float:
    """The seconds of Retry-After, or until its date; 0 if it does not say to wait."""
    value = field(headers, "Retry-After")
    try:
        seconds = (float(value) if re.fullmatch("[0-9]+", value) else
                   email.utils.parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return 0
    return min(max(0, seconds), 24 * 60 * 60)


@dataclasses.dataclass
class Proxy:
    """A proxy that is asked by http://, with the fields that it needs."""

    host: str
    port: int
    headers: dict[str, str]

    @staticmethod
    def of(scheme: str, authority: str) -> Proxy | None:
        """The proxy that HTTP_PROXY, HTTPS_PROXY or ALL_PROXY names, unless NO_PROXY names the server.

        It is that of urllib: on some systems their settings name one, too.
        """
        known = urllib.request.getproxies()
        url = known.get(scheme) or known.get("all")
        if not url or urllib.request.proxy_bypass(authority):
            return None
        parts = urllib.parse.urlsplit(url if "://" in url else f"http://{url}")
        if parts.scheme != "http" or not parts.hostname:
            raise ValueError("a proxy is taken by http:// alone, and the environment names another")
        user = urllib.parse.unquote(f"{parts.username}:{parts.password or ''}").encode()
        headers = {"Proxy-Authorization": f"Basic {base64.b64encode(user).decode()}"}
        return Proxy(parts.hostname, parts.port or 80, headers if parts.username else {})


class Address:
    """The base address of a server."""

    def __init__(self, url: str) -> None:
        parts = urllib.parse.urlsplit(url)
        if parts.scheme not in ("http", "https") or "://" not in url:
            raise ValueError(f"the address {url!r} has no http:// or https:// before it")
        if not parts.hostname:
            raise ValueError(f"the address {url!r} names no host")
        if parts.query or parts.fragment:
            raise ValueError(f"the address {url!r} has a query or a fragment")
        self.tls, self.host = parts.scheme == "https", parts.hostname
        if not self.host.isascii():
            self.host = self.host.encode("idna").decode()
        self.port = parts.port or (443 if self.tls else 80)
        self.path = urllib.parse.quote(parts.path.rstrip("/"), safe="/%:@!$&'()*+,;=")
        host = f"[{self.host}]" if ":" in self.host else self.host
        self.authority = f"{host}:{parts.port}" if parts.port else host
        self.url = f"{parts.scheme}://{self.authority}{self.path}"
        self.proxy = Proxy.of(parts.scheme, self.authority)

    def target(self, request: Request) -> str:
        query = f"?{urllib.parse.urlencode(request.query)}" if request.query else ""
        through = f"http://{self.authority}" if self.proxy and not self.tls else ""
        return through + self.path + request.path + query


class Protocol:
    """All that a client asks for, as steps."""

    def __init__(self, url: str, key: str | None, tries: int) -> None:
        if key and not re.fullmatch("[!-~]+", key):
            raise ValueError("the key has a character that no field takes, such as a line break at its end")
        self.address, self.key, self.tries = Address(url), key, tries
        self.reached = False  # whether the server has answered since the client was made
        self.pulled: dict[Any, tuple[str, list[str | None]]] = {}
        self.names_in_target = False  # whether something on the way does not know QUERY

    def headers(self, request: Request) -> dict[str, str]:
        key = {"Authorization": f"Bearer {self.key}"} if self.key else {}
        proxy = self.address.proxy
        return {**key, **request.headers, **(proxy.headers if proxy and not self.address.tls else {})}

    def unreachable(self, error: Exception) -> Unreachable:
        return Unreachable(f"no answer from {self.address.url}: {error}")

    def exchange(self, request: Request) -> Steps[Reply]:
        """Sends a request until it is answered, and raises what will not pass."""
        request.headers.setdefault("Accept-Encoding", "gzip")
        for attempt in range(self.tries):
            last = attempt == self.tries - 1
            try:
                reply = yield request
                assert reply is not None
                reply = reply.decoded()
                if reply.status < 300:
                    _ = reply.document  # what is no JSON is lost here
                if reply.status < 300 or reply.status == 304:
                    self.reached = True
                    return reply
            except LOST as error:
                if last or not self.reached:
                    raise self.unreachable(error) from error
                if attempt:  # the first time it may be a connection that was idle for too long
                    yield Pause(backoff(attempt - 1))
                continue
            problem = Problem(reply.status, reply.headers, reply.content)
            self.reached = self.reached or not problem.moved
            wait = retry_after(reply.headers)
            if last or not problem.passes or not self.reached or wait > LONGEST_PAUSE:
                raise problem
            yield Pause(wait or backoff(attempt))
        raise ValueError("a request needs at least one try")

    def private(self, headers: Mapping[str, str]) -> bool:
        """Whether an answer was read with a key that it depends on."""
        return self.key is not None and "authorization" in field(headers, "Vary").lower()

    def refresh(self, copy: Copy, wait: float | None = None) -> Steps[str]:
        yield from self.calm([copy], wait)
        held, put_back = copy.token, None
        try:
            return (yield from self.ask(copy, wait))
        except Mismatch:
            copy.token = None
        except Problem as problem:
            put_back = without_tokens([copy], problem) if copy.token == held else None
            if not put_back:
                raise
        try:
            return (yield from self.ask(copy, None))
        except BaseException:
            if put_back:
                put_back()
            raise

    def ask(self, copy: Copy, wait: float | None) -> Steps[str]:
        """Asks once for what is new since the copy's token, or for all of the feed."""
        number, waited = copy.ask(), bool(wait and copy.token)
        query = copy.view + ([("wait", math.ceil(wait))] if wait and waited else [])
        query += [("since", copy.token)] if copy.token else []
        path, held = f"/feeds/{segment(copy.feed)}", copy.token
        tag: dict[str, str] = {"If-None-Match": f'"{held}"'} if held else {}
        try:
            reply = yield from self.exchange(Request("GET", path, query, tag))
        except Problem as problem:
            if problem.status == 404 and not copy.late(number):
                copy.missing(time.time())
            raise
        if copy.late(number):
            return "late"
        copy.private = self.private(reply.headers)
        if reply.status != 304:
            kind = copy.take(reply.document)
        elif held and held == copy.token:
            kind = "unchanged"
        else:
            raise Mismatch(f"unchanged {held}, the copy is {copy.token}")
        self.note([copy], wait if waited else None, reply, kind != "unchanged")
        return kind

    def calm(self, copies: Sequence[Copy], wait: float | None) -> Steps[None]:
        """Pauses where answers to the last waits came without news, and sooner than asked."""
        early = min(copy.early for copy in copies)
        if wait and early >= 3:
            yield Pause(backoff(early - 3))

    def note(self, copies: Sequence[Copy], wait: float | None, reply: Reply, news: bool) -> None:
        soon = bool(wait) and not news and reply.took < (wait or 0) / 2
        for copy in copies:
            copy.early = copy.early + 1 if soon else 0

    def changed(self, copy: Copy, wait: float | None = None) -> Steps[bool]:
        yield from self.calm([copy], wait)
        query = copy.view + ([("wait", math.ceil(wait))] if wait else [])
        tag: dict[str, str] = {"If-None-Match": f'"{copy.token}"'} if copy.token else {}
        reply = yield from self.exchange(
            Request("GET", f"/feeds/{segment(copy.feed)}", query, tag))
        self.note([copy], wait, reply, reply.status != 304)
        return reply.status != 304

    def naming(self, path: str, copies: Sequence[Copy], query: Query,
               headers: Mapping[str, str]) -> Request:
        """A request for several feeds: names too long for its target go in a body (RFC 10008)."""
        names: Query = [("feed", f"{copy.feed}@{copy.token}" if copy.token else copy.feed)
                        for copy in copies]
        request = Request("GET", path, names + query, dict(headers))
        if self.names_in_target or len(self.address.target(request)) <= LONGEST_TARGET:
            return request
        body = json.dumps({"feeds": {copy.feed: copy.token for copy in copies}}).encode()
        return Request("QUERY", path, query, {**headers, "Content-Type": "application/json"}, body)

    def must_name_in_target(self, request: Request, problem: Problem) -> bool:
        """Whether something on the way does not know QUERY; then it is not sent again."""
        if request.method != "QUERY":
            return False
        of_proxy = problem.status in (400, 403) and problem.type is None
        self.names_in_target = problem.status in (405, 501) or of_proxy
        return self.names_in_target

    def pull(self, copies: Sequence[Copy], wait: float | None = None) -> Steps[dict[str, str]]:
        view, names = view_of(copies), tuple(copy.feed for copy in copies)
        remembered = (names, tuple(view))
        yield from self.calm(copies, wait)
        tag, held = self.pulled.get(remembered, ("", []))
        same = bool(tag) and held == [copy.token for copy in copies]
        query = view + ([("wait", math.ceil(wait))] if wait else [])
        numbers = [copy.ask() for copy in copies]
        headers = {"If-None-Match": tag} if same else {}
        request, put_back = self.naming("/pull", copies, query, headers), None
        try:
            reply = yield from self.exchange(request)
        except Problem as problem:
            if not self.must_name_in_target(request, problem):
                headers = {}
                put_back = without_tokens(copies, problem) if len(copies) <= MOST_PULLED else None
                if not put_back:
                    raise
            try:
                reply = yield from self.exchange(self.naming("/pull", copies, query, headers))
            except BaseException:
                if put_back:
                    put_back()
                raise
        if reply.status == 304:
            self.note(copies, wait, reply, False)
            return dict.fromkeys(names, "unchanged")
        self.pulled.pop(remembered, None)
        kinds, document = {}, reply.document
        for copy, number in zip(copies, numbers):
            if copy.late(number):
                kinds[copy.feed] = "late"
                continue
            copy.private = self.private(reply.headers)
            try:
                with fitting():
                    part = document["feeds"][copy.feed]
                kinds[copy.feed] = copy.take(part)
            except Mismatch:
                copy.token, kinds[copy.feed] = None, "mismatch"  # the next pull asks for a snapshot
        self.note(copies, wait, reply, bool({"changes", "snapshot"} & set(kinds.values())))
        if not {"mismatch", "late"} & set(kinds.values()):
            tag = field(reply.headers, "ETag")
            self.pulled[remembered] = tag, [copy.token for copy in copies]
        return kinds

    def page(self, target: str) -> Steps[tuple[list[tuple[str, int, Item]], str | None]]:
        """The rows of one page, and the target of the next."""
        path, _, query = target.partition("?")
        asked = urllib.parse.parse_qsl(query, keep_blank_values=True)
        page = (yield from self.exchange(Request("GET", path, list(asked)))).document
        with fitting():
            rows = [(row["in"], row["index"], row["item"]) for row in page["items"]]
            return rows, urllib.parse.urljoin(target, page["next"]) if "next" in page else None

    def items(self, feed: str, ids: Iterable[str]) -> Steps[list[Item]]:
        request = Request("GET", f"/feeds/{segment(feed)}/items", [("id", id) for id in ids])
        page = (yield from self.exchange(request)).document
        with fitting():
            return [row["item"] for row in page["items"]]

    def versions(self, feed: str, limit: int, before: str | None) -> Steps[list[dict[str, Any]]]:
        query: Query = [("limit", str(limit))] + ([("before", before)] if before else [])
        request = Request("GET", f"/feeds/{segment(feed)}/versions", query)
        document = (yield from self.exchange(request)).document
        with fitting():
            return [dict(version) for version in document["versions"]]

    def publish(self, method: str, path: str, body: Any, match: str | None = None,
                create: bool = False, dry_run: bool = False, idempotency_key: str | None = None,
                **place: Any) -> Steps[Any]:
        headers = {"Idempotency-Key": idempotency_key or str(uuid.uuid4())}
        if match is not None:
            headers["If-Match"] = "*" if match == "*" else f'"{match}"'
        if create:
            headers["If-None-Match"] = "*"
        if body is not None:
            headers["Content-Type"] = "application/json"
            body = body if isinstance(body, bytes) else json.dumps(body, allow_nan=False).encode()
        query: Query = [("dry-run", "true")] if dry_run else []
        request = Request(method, path, query + list(place.items()), headers, body)
        return (yield from self.exchange(request)).document


def view_of(copies: Sequence[Copy]) -> Query:
    """The view that is asked for, which is that of all copies."""
    if not copies or any(copy.view != copies[0].view for copy in copies):
        raise ValueError("copies of one view are asked for together, and at least one")
    return copies[0].view


def without_tokens(copies: Sequence[Copy], problem: Problem) -> Callable[[], None] | None:
    """Drops the tokens if one of them may be damaged, and returns how to put them back."""
    if problem.status != 400 or all(copy.token is None for copy in copies):
        return None
    held = [(copy, copy.token, copy.sections) for copy in copies]
    for copy in copies:
        copy.token = None

    def put_back() -> None:
        for copy, token, sections in held:
            # Each goes with its content, which another answer may have replaced or dropped.
            if copy.token is None and copy.missing_since is None and copy.sections is sections:
                copy.token = token
    return put_back


def first_page(feed: str, section: str | None, limit: int) -> str:
    path = f"sections/{segment(section)}" if section is not None else "items"
    return f"/feeds/{segment(feed)}/{path}?limit={limit}"


class Following:
    """A stream that is opened again whenever it ends: what to ask, and how long to wait."""

    def __init__(self, protocol: Protocol, copies: Sequence[Copy],
                 on_state: OnState | None) -> None:
        self.protocol, self.copies, self.on_state = protocol, copies, on_state
        self.view = view_of(copies)
        self.by_name = {copy.feed: copy for copy in copies}
        self.pause, self.failures, self.news = 1.0, 0, False
        self.events = Events()
        self.asked = Request("GET", "/events")
        self.put_back: Callable[[], None] | None = None  # while it is asked for without tokens

    def request(self) -> Request:
        self.events, self.news = Events(), False
        self.asked = self.protocol.naming("/events", self.copies, self.view,
                                          {"Accept": "text/event-stream"})
        return self.asked

    def opened(self, status: int, headers: Mapping[str, str]) -> None:
        kind = field(headers, "Content-Type")
        if not kind.lower().startswith("text/event-stream"):
            raise http.client.HTTPException(f"an answer that is no stream: {kind}")
        self.protocol.reached, self.put_back = True, None
        for copy in self.copies:
            copy.private = self.protocol.private(headers)
        if self.on_state:
            self.on_state(State("live"))

    def feed(self, data: bytes) -> Generator[tuple[str, Copy], None, None]:
        """Yields what each event did to its copy."""
        for name, text, retry in self.events.feed(data):
            self.pause = self.pause if retry is None else min(max(1.0, retry), LONGEST_PAUSE)
            if name in ("unchanged", "changes", "snapshot", "missing"):
                document = parsed(text)
                with fitting():
                    copy = self.by_name[document["feed"]]
                kind = copy.take(document)
                self.news = self.news or kind in ("changes", "snapshot")
                yield kind, copy

    def ended(self, error: Exception | None, lived: float) -> float:
        """Takes the end of a stream, and returns the seconds to wait; raises what stays."""
        wait, put_back, self.put_back = 0.0, self.put_back, None
        if put_back:
            put_back()
        if isinstance(error, Problem):
            if self.protocol.must_name_in_target(self.asked, error):
                return 0
            self.put_back = None if put_back else without_tokens(self.copies, error)
            if self.put_back:
                return 0
            if not error.passes:
                raise error
            wait = retry_after(error.headers)
        # A stream without news that ends soon counts as a failure from the third in a row.
        self.failures = 0 if self.news or lived >= 20 else self.failures + 1
        if not wait:
            lost = error is not None and not isinstance(error, Mismatch)
            slow = backoff(self.failures) if lost or self.failures >= 3 else 0
            wait = max(self.pause, slow)
        if self.on_state:
            self.on_state(State("retrying", error, wait))
        return wait


def backoff(failures: int) -> float:
    """Seconds to wait: at random between nothing and 1, doubled up to 60 ("full jitter")."""
    return random.uniform(0, min(LONGEST_PAUSE, 2 ** min(failures, 6)))
