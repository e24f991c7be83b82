"""The reading of server-sent events, without I/O."""

from __future__ import annotations

import codecs
import re
from collections.abc import Generator


class Events:
    """Reads server-sent events from bytes that come in any pieces."""

    def __init__(self) -> None:
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.rest: list[str] = []  # pieces of a line that has not ended
        self.started, self.after_cr = False, False
        self.name = "message"
        self.retry: float | None = None
        self.data: list[str] = []

    def feed(self, data: bytes) -> list[tuple[str, str, float | None]]:
        """The events that end here: name, data, seconds of a retry that came before them."""
        text = self.decoder.decode(data)
        if text and not self.started:
            self.started, text = True, text.removeprefix("\ufeff")
        if not text:
            return []
        # A CR ends its line at once; the LF that may follow belongs to it.
        joined = text[1:] if self.after_cr and text[0] == "\n" else text
        self.after_cr = text[-1] == "\r"
        *lines, rest = re.split("\r\n|\r|\n", joined)
        if lines:
            lines[0], self.rest = "".join([*self.rest, lines[0]]), []
        self.rest.append(rest)
        return [event for line in lines for event in self._line(line)]

    def _line(self, line: str) -> Generator[tuple[str, str, float | None], None, None]:
        name, _, value = line.partition(":")
        value = value.removeprefix(" ")
        if not line:
            if self.data:
                yield self.name, "\n".join(self.data), self.retry
            self.name, self.data = "message", []
        elif name == "event":
            self.name = value or "message"
        elif name == "data":
            self.data.append(value)
        elif name == "retry" and re.fullmatch("[0-9]{1,9}", value):
            self.retry = int(value) / 1000
