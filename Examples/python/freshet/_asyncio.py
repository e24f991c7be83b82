"""The client for asyncio. The tasks of one event loop at a time may share it: each request under way
has its own connection.
"""

from __future__ import annotations

import asyncio
import http.client
import io
import re
import ssl
import time
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import Any

from ._protocol import (LOST, Copy, Following, Item, Mismatch, OnState, Pause, Problem, Protocol,
                        Proxy, Reply, Request, Steps, T, field, first_page, joined, segment)

HEAD_LIMIT = 65536  # bytes of a head, or of one line of a chunk's framing


async def until(reader: asyncio.StreamReader, end: bytes) -> bytes:
    try:
        return await reader.readuntil(end)
    except asyncio.LimitOverrunError as error:
        raise http.client.LineTooLong("head, or the framing of a chunk") from error


async def final_head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str], str]:
    """Reads the status, the fields and the version of an answer, and passes over interim ones."""
    while True:
        first, _, rest = (await until(reader, b"\r\n\r\n")).partition(b"\r\n")
        parts = first.decode("latin-1").split(" ", 2)
        if len(parts) < 2 or not parts[0].startswith("HTTP/1.") or not re.fullmatch(
                "[0-9]{3}", parts[1]):
            raise http.client.BadStatusLine(first.decode("latin-1"))
        if parts[1] >= "200":
            return int(parts[1]), joined(http.client.parse_headers(io.BytesIO(rest))), parts[0]


class Connection:
    """One HTTP/1.1 connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader, self.writer = reader, writer
        self.reusable, self.closes = False, False

    async def send(self, protocol: Protocol, request: Request) -> tuple[int, dict[str, str]]:
        """Sends a request, and reads the head of its answer."""
        self.reusable = False
        headers = {"Host": protocol.address.authority, **protocol.headers(request)}
        if request.body is not None or request.method in ("PUT", "POST", "PATCH"):
            headers["Content-Length"] = str(len(request.body or b""))
        lines = [f"{request.method} {protocol.address.target(request)} HTTP/1.1"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if any(mark in line for line in lines for mark in "\r\n\0"):
            raise ValueError("a header field has a line break in it")
        self.writer.write("\r\n".join([*lines, "", ""]).encode("latin-1") + (request.body or b""))
        await self.writer.drain()
        status, fields, version = await final_head(self.reader)
        self.closes = "close" in field(fields, "Connection").lower() or version != "HTTP/1.1"
        return status, fields

    async def body(self, method: str, status: int,
                   headers: dict[str, str]) -> AsyncIterator[bytes]:
        """Yields the body in pieces as they come; RFC 9112, 6.3."""
        length = field(headers, "Content-Length")
        if method == "HEAD" or status in (204, 304):
            pass
        elif field(headers, "Transfer-Encoding").lower() == "chunked":
            while size := await self._chunk_size():
                async for piece in self._exactly(size):
                    yield piece
                if await self.reader.readexactly(2) != b"\r\n":
                    raise http.client.HTTPException("a chunk does not end where it should")
            while await until(self.reader, b"\r\n") != b"\r\n":
                pass
        elif length:
            if not re.fullmatch("[0-9]{1,18}", length):
                raise http.client.HTTPException(f"Content-Length: {length}")
            async for piece in self._exactly(int(length)):
                yield piece
        else:
            self.closes = True
            while piece := await self.reader.read(HEAD_LIMIT):
                yield piece
        self.reusable = not self.closes

    async def _chunk_size(self) -> int:
        line = (await until(self.reader, b"\r\n")).split(b";")[0].strip()
        if not line or line.strip(b"0123456789abcdefABCDEF"):
            raise http.client.HTTPException(f"a chunk of {line!r} bytes")
        return int(line, 16)

    async def _exactly(self, count: int) -> AsyncIterator[bytes]:
        while count:
            piece = await self.reader.read(min(count, HEAD_LIMIT))
            if not piece:
                raise http.client.IncompleteRead(b"", count)
            count -= len(piece)
            yield piece

    def close(self) -> None:
        self.writer.close()


class AsyncClient:
    """A client of the server at `url`, with the methods of `Client`, to be awaited.

    It is for one event loop at a time: connections are not kept from one to the next. `timeout` is
    how many seconds a request may take with all of its answer.
    `tls` is a context for https addresses of your own; the default checks certificates.
    """

    def __init__(self, url: str, key: str | None = None, tries: int = 6, timeout: float = 75,
                 tls: ssl.SSLContext | None = None) -> None:
        self.protocol, self.timeout, self.tls = Protocol(url, key, tries), timeout, tls
        self.idle: list[Connection] = []
        self.loop: asyncio.AbstractEventLoop | None = None  # that of the idle connections

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes the connections that are idle. The next request opens another one."""
        self._of_this_loop()
        for connection in self._drop_idle():
            try:
                await connection.writer.wait_closed()
            except OSError:
                pass  # it is closed in any case

    # Reading

    async def get(self, feed: str, limit: int | None = None, sections: Iterable[str] = ()) -> Copy:
        """Fetches a new copy of a feed or of a view of it."""
        copy = Copy(feed, limit, sections)
        await self.refresh(copy)
        return copy

    async def refresh(self, copy: Copy, wait: float | None = None) -> str:
        """Brings a copy up to date, and returns the kind of the document that did it."""
        return await self._run(self.protocol.refresh(copy, wait))

    async def changed(self, copy: Copy, wait: float | None = None) -> bool:
        """Says whether the feed has another version than the copy; costs a 304 if not."""
        return await self._run(self.protocol.changed(copy, wait))

    async def pull(self, copies: Sequence[Copy], wait: float | None = None) -> dict[str, str]:
        """Brings up to 100 copies with the same view up to date; returns the kinds by feed."""
        return await self._run(self.protocol.pull(copies, wait))

    async def follow(self, copies: Sequence[Copy],
                     on_state: OnState | None = None) -> AsyncIterator[tuple[str, Copy]]:
        """Yields (kind, copy) for every event of a stream, and connects again whenever it ends."""
        following = Following(self.protocol, copies, on_state)
        while True:
            connection: Connection | None = None
            error: Exception | None = None
            began = time.monotonic()
            try:
                request = following.request()
                connection = await asyncio.wait_for(self._connect(), 45)
                status, headers = await asyncio.wait_for(
                    connection.send(self.protocol, request), 45)
                body = connection.body("GET", status, headers)
                if status != 200:
                    content = await asyncio.wait_for(self._whole(body), 45)
                    raise Problem(status, headers, content)
                following.opened(status, headers)
                while True:
                    try:
                        data = await asyncio.wait_for(body.__anext__(), 45)
                    except StopAsyncIteration:
                        break
                    for event in following.feed(data):
                        yield event
            except (Problem, Mismatch, asyncio.TimeoutError, *LOST) as caught:
                timed_out = isinstance(caught, asyncio.TimeoutError)
                error = TimeoutError("nothing came for 45 s") if timed_out else caught
            finally:
                if connection:
                    connection.close()
            await asyncio.sleep(following.ended(error, time.monotonic() - began))

    async def rows(self, feed: str, section: str | None = None,
                   limit: int = 100) -> AsyncIterator[tuple[str, int, Item]]:
        """Yields all rows, page by page, of one version: (id of the section, index in it, item)."""
        target: str | None = first_page(feed, section, limit)
        while target:
            rows, target = await self._run(self.protocol.page(target))
            for row in rows:
                yield row

    async def items(self, feed: str, ids: Iterable[str]) -> list[Item]:
        """Fetches the items with these ids that exist."""
        return await self._run(self.protocol.items(feed, ids))

    # Publishing

    async def put(self, feed: str, document: Any, **options: Any) -> Any:
        return await self.publish("PUT", f"/feeds/{segment(feed)}", document, **options)

    async def edit(self, feed: str, edits: list[Any], **options: Any) -> Any:
        return await self.publish("PATCH", f"/feeds/{segment(feed)}", {"edits": edits}, **options)

    async def delete(self, feed: str, **options: Any) -> Any:
        return await self.publish("DELETE", f"/feeds/{segment(feed)}", None, **options)

    async def insert(self, feed: str, item: Item | list[Item], **options: Any) -> Any:
        """Inserts an item or a list of items; `section`, `at`, `before`, `after` say where."""
        return await self.publish("POST", f"/feeds/{segment(feed)}/items", item, **options)

    async def item(self, method: str, feed: str, id: str, body: Any = None,
                   **options: Any) -> Any:
        """Does a PUT, PATCH (a merge patch) or DELETE of one item."""
        path = f"/feeds/{segment(feed)}/items/{segment(id)}"
        return await self.publish(method, path, body, **options)

    async def versions(self, feed: str, limit: int = 20,
                       before: str | None = None) -> list[dict[str, Any]]:
        """Returns the newest versions that the server remembers; needs a key that may write."""
        return await self._run(self.protocol.versions(feed, limit, before))

    async def restore(self, feed: str, token: str, **options: Any) -> Any:
        """Makes the content of a version current again, as a new version."""
        path = f"/feeds/{segment(feed)}/restore"
        return await self.publish("POST", path, None, version=token, **options)

    async def publish(self, method: str, path: str, body: Any, **options: Any) -> Any:
        """Publishes exactly once, with the options of `Client.publish`."""
        return await self._run(self.protocol.publish(method, path, body, **options))

    # HTTP

    async def _run(self, steps: Steps[T]) -> T:
        reply: Reply | None = None
        error: Exception | None = None
        try:
            while True:
                step = steps.throw(error) if error else steps.send(reply)
                reply, error = None, None
                if isinstance(step, Pause):
                    await asyncio.sleep(step.seconds)
                    continue
                try:
                    reply = await asyncio.wait_for(self._request(step), self.timeout)
                except asyncio.TimeoutError:
                    error = TimeoutError(f"no answer within {self.timeout:g} s")
                except LOST as caught:
                    error = caught
        except StopIteration as end:
            result: T = end.value
            return result
        finally:
            steps.close()

    async def _request(self, request: Request) -> Reply:
        began = time.monotonic()
        self._of_this_loop()
        loop = self.loop
        connection = self.idle.pop() if self.idle else await self._connect()
        try:
            status, headers = await connection.send(self.protocol, request)
            content = await self._whole(connection.body(request.method, status, headers))
        except BaseException:
            connection.close()
            if self.loop is loop:
                self._drop_idle()  # what ended this connection may have ended them, too
            raise
        if connection.reusable and self.loop is loop:
            self.idle.append(connection)
        else:
            connection.close()
        return Reply(status, headers, content, time.monotonic() - began)

    def _of_this_loop(self) -> None:
        """Forgets connections of another event loop: asyncio.run makes one each time."""
        loop = asyncio.get_running_loop()
        if self.loop is not loop:
            self.idle, self.loop = [], loop

    def _drop_idle(self) -> list[Connection]:
        idle, self.idle = self.idle, []
        for connection in idle:
            connection.close()
        return idle

    async def _whole(self, body: AsyncIterator[bytes]) -> bytes:
        return b"".join([piece async for piece in body])

    async def _connect(self) -> Connection:
        address = self.protocol.address
        if address.tls and self.tls is None:
            self.tls = ssl.create_default_context()
        if address.tls and address.proxy:
            return await self._tunnel(address.proxy)
        at = address.proxy or address
        return Connection(*await asyncio.open_connection(
            at.host, at.port, ssl=self.tls if address.tls else None, limit=HEAD_LIMIT))

    async def _tunnel(self, proxy: Proxy) -> Connection:
        """Has the proxy connect to the server, and speaks TLS through it (RFC 9110, 9.3.6)."""
        loop, host = asyncio.get_running_loop(), self.protocol.address.host
        server = f"{f'[{host}]' if ':' in host else host}:{self.protocol.address.port}"
        plain, reader = (asyncio.StreamReader(HEAD_LIMIT, loop) for _ in range(2))
        transport, _ = await loop.create_connection(
            lambda: asyncio.StreamReaderProtocol(plain), proxy.host, proxy.port)
        try:
            lines = [f"{name}: {value}" for name, value in proxy.headers.items()]
            lines = [f"CONNECT {server} HTTP/1.1", f"Host: {server}", *lines, "", ""]
            transport.write("\r\n".join(lines).encode("latin-1"))
            status = (await final_head(plain))[0]
            if status >= 300:
                raise OSError(f"the proxy at {proxy.host} answers {status} to CONNECT")
            protocol = asyncio.StreamReaderProtocol(reader)
            assert self.tls
            secure = await loop.start_tls(transport, protocol, self.tls, server_hostname=host)
            assert secure
            protocol.connection_made(secure)
            return Connection(reader, asyncio.StreamWriter(secure, protocol, reader, loop))
        except BaseException:
            transport.close()
            raise
