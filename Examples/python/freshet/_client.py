"""The client that blocks. It holds one connection, and is for one thread at a time."""

from __future__ import annotations

import http.client
import ssl
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from ._protocol import (LOST, Copy, Following, Item, Mismatch, OnState, Pause, Problem, Protocol,
                        Reply, Request, Steps, T, first_page, joined, segment)


def whole(response: http.client.HTTPResponse) -> bytes:
    """Reads an answer in pieces: its length may be beyond all memory."""
    content = b"".join(iter(lambda: response.read(65536), b""))
    if response.length:
        raise http.client.IncompleteRead(b"", response.length)
    return content


class Client:
    """A client of the server at `url`, with or without a slash at its end.

    `tries` bounds how often a request is sent; `timeout` is how many seconds nothing may come, and has
    to be above 60 for waits.
    Until the server has answered once, a connection that fails is `Unreachable` at once.
    `tls` is a context for https addresses of your own; the default checks certificates.
    """

    def __init__(self, url: str, key: str | None = None, tries: int = 6, timeout: float = 75,
                 tls: ssl.SSLContext | None = None) -> None:
        self.protocol, self.timeout, self.tls = Protocol(url, key, tries), timeout, tls
        self.connection: http.client.HTTPConnection | None = None

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connection. The next request opens another one."""
        if self.connection:
            self.connection.close()
        self.connection = None

    # Reading

    def get(self, feed: str, limit: int | None = None, sections: Iterable[str] = ()) -> Copy:
        """Fetches a new copy of a feed or of a view of it."""
        copy = Copy(feed, limit, sections)
        self.refresh(copy)
        return copy

    def refresh(self, copy: Copy, wait: float | None = None) -> str:
        """Brings a copy up to date, and returns the kind of the document that did it."""
        return self._run(self.protocol.refresh(copy, wait))

    def changed(self, copy: Copy, wait: float | None = None) -> bool:
        """Says whether the feed has another version than the copy; costs a 304 if not."""
        return self._run(self.protocol.changed(copy, wait))

    def pull(self, copies: Sequence[Copy], wait: float | None = None) -> dict[str, str]:
        """Brings up to 100 copies with the same view up to date; returns the kinds by feed."""
        return self._run(self.protocol.pull(copies, wait))

    def follow(self, copies: Sequence[Copy],
               on_state: OnState | None = None) -> Iterator[tuple[str, Copy]]:
        """Yields (kind, copy) for every event of a stream, and connects again whenever it ends.

        `on_state` is called with a `State` when the stream opens, and when it has to be retried.
        """
        following = Following(self.protocol, copies, on_state)
        while True:
            connection, error, began = self._connect(45), None, time.monotonic()
            try:
                with self._send(connection, following.request()) as response:
                    if response.status != 200:
                        raise Problem(response.status, joined(response.headers), whole(response))
                    following.opened(response.status, joined(response.headers))
                    while data := response.read1(65536):
                        yield from following.feed(data)
            except (Problem, Mismatch, *LOST) as caught:
                error = caught
            finally:
                connection.close()
            time.sleep(following.ended(error, time.monotonic() - began))

    def rows(self, feed: str, section: str | None = None,
             limit: int = 100) -> Iterator[tuple[str, int, Item]]:
        """Yields all rows, page by page, of one version: (id of the section, index in it, item)."""
        target: str | None = first_page(feed, section, limit)
        while target:
            rows, target = self._run(self.protocol.page(target))
            yield from rows

    def items(self, feed: str, ids: Iterable[str]) -> list[Item]:
        """Fetches the items with these ids that exist."""
        return self._run(self.protocol.items(feed, ids))

    # Publishing

    def put(self, feed: str, document: Any, **options: Any) -> Any:
        return self.publish("PUT", f"/feeds/{segment(feed)}", document, **options)

    def edit(self, feed: str, edits: list[Any], **options: Any) -> Any:
        return self.publish("PATCH", f"/feeds/{segment(feed)}", {"edits": edits}, **options)

    def delete(self, feed: str, **options: Any) -> Any:
        return self.publish("DELETE", f"/feeds/{segment(feed)}", None, **options)

    def insert(self, feed: str, item: Item | list[Item], **options: Any) -> Any:
        """Inserts an item or a list of items; `section`, `at`, `before`, `after` say where."""
        return self.publish("POST", f"/feeds/{segment(feed)}/items", item, **options)

    def item(self, method: str, feed: str, id: str, body: Any = None, **options: Any) -> Any:
        """Does a PUT, PATCH (a merge patch) or DELETE of one item."""
        path = f"/feeds/{segment(feed)}/items/{segment(id)}"
        return self.publish(method, path, body, **options)

    def versions(self, feed: str, limit: int = 20, before: str | None = None) -> list[dict[str, Any]]:
        """Returns the newest versions that the server remembers; needs a key that may write."""
        return self._run(self.protocol.versions(feed, limit, before))

    def restore(self, feed: str, token: str, **options: Any) -> Any:
        """Makes the content of a version current again, as a new version."""
        path = f"/feeds/{segment(feed)}/restore"
        return self.publish("POST", path, None, version=token, **options)

    def publish(self, method: str, path: str, body: Any, **options: Any) -> Any:
        """Publishes exactly once: every repetition has the same Idempotency-Key.

        `match` is the token on top of which to publish, or "*"; `create` publishes only what does
        not exist; `dry_run` only counts; `removals="any"` removes any number of items, though the
        feed's guard lets fewer go; `idempotency_key` is one of your own. Returns the document
        `published`, or None for a 204.
        """
        return self._run(self.protocol.publish(method, path, body, **options))

    # HTTP

    def _run(self, steps: Steps[T]) -> T:
        reply: Reply | None = None
        error: Exception | None = None
        try:
            while True:
                step = steps.throw(error) if error else steps.send(reply)
                reply, error = None, None
                if isinstance(step, Pause):
                    time.sleep(step.seconds)
                    continue
                try:
                    reply = self._request(step)
                except LOST as caught:
                    error = caught
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            steps.close()

    def _request(self, request: Request) -> Reply:
        began = time.monotonic()
        self.connection = self.connection or self._connect(self.timeout)
        try:
            with self._send(self.connection, request) as response:
                content = whole(response)
        except BaseException:
            self.close()  # there may be more of this answer to come
            raise
        return Reply(response.status, joined(response.headers), content, time.monotonic() - began)

    def _connect(self, timeout: float) -> http.client.HTTPConnection:
        address = self.protocol.address
        at = address.proxy or address
        if not address.tls:
            return http.client.HTTPConnection(at.host, at.port, timeout=timeout)
        connection = http.client.HTTPSConnection(at.host, at.port, timeout=timeout, context=self.tls)
        if address.proxy:
            connection.set_tunnel(address.host, address.port, address.proxy.headers)
        return connection

    def _send(self, connection: http.client.HTTPConnection,
              request: Request) -> http.client.HTTPResponse:
        connection.request(request.method, self.protocol.address.target(request), request.body,
                           self.protocol.headers(request))
        return connection.getresponse()
