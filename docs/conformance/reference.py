"""The copy that a client holds, by the six steps of "Applying changes", and a reader of streams.

The copy goes by the page word for word, is slow, and is strict: it refuses whatever the page gives a
reason to refuse.
"""

import copy
import re
import zlib

RESERVED = {"kind", "feed", "token", "since", "reason", "count", "order", "total", "sections",
            "items", "changes"}


class Refused(Exception):
    """A document does not fit the copy; what the copy held before is dropped."""


def require(condition, why):
    if not condition:
        raise Refused(why)


def order(sections):
    lines = "".join(f"#{section['id']}\n" + "".join(f" {item['id']}\n" for item in section["items"])
                    for section in sections)
    return f"{zlib.crc32(lines.encode()):08x}"


class Held:
    """A feed, or a view of it (`view` is true), as a client holds it.

    It is a copy of the feed of its first document, unless `feed` says of which.
    """

    def __init__(self, view=False, feed=None):
        self.view, self.feed = view, feed
        self.drop()

    def drop(self):
        self.token, self.total, self.members, self.sections = None, None, {}, []

    def document(self):
        """What the copy holds: the form of `holds` in the cases."""
        held = {"token": self.token, "members": self.members, "sections": self.sections}
        return held if self.total is None else {**held, "total": self.total}

    def take(self, document):
        try:
            self._take(copy.deepcopy(document))
        except (Refused, KeyError, IndexError, TypeError, AttributeError, ValueError) as error:
            self.drop()
            raise Refused(error if isinstance(error, Refused) else repr(error)) from error

    def _take(self, document):
        kind, self.feed = document["kind"], self.feed or document["feed"]
        require(document["feed"] == self.feed, f"a document of {document['feed']}")
        if kind == "missing":
            self.drop()
            return
        if kind == "snapshot":
            self.members = {name: value for name, value in document.items()
                            if name not in RESERVED}
            self.sections = document["sections"]
        elif kind == "unchanged":
            require(document["token"] == self.token, "unchanged is of another version")
        else:
            require(kind == "changes", f"a document of the kind {kind}")
            require(document["since"] == self.token, "since is not the version held")
            self._apply(document["changes"])
        count = sum(len(section["items"]) for section in self.sections)
        require(count == int(document["count"]), f"{count} items, not {document['count']}")
        check = order(self.sections)
        require(check == document["order"], f"the order is {check}, not {document['order']}")
        self.token, self.total = document["token"], document.get("total")

    def _apply(self, changes):
        of_items, of_sections = changes.get("items", {}), changes.get("sections", {})
        moved = {entry["id"]: self._take_item(entry["id"]) for entry in of_items.get("move", [])}
        for id in of_items.get("remove", []):
            self._take_item(id)
        moved_sections = {entry["id"]: self._take_section(entry["id"])
                          for entry in of_sections.get("move", [])}
        for id in of_sections.get("remove", []):
            self._take_section(id)
        put(self.sections,
            [(entry["index"], {**entry["section"], "items": []})
             for entry in of_sections.get("insert", [])]
            + [(entry["index"], moved_sections[entry["id"]])
               for entry in of_sections.get("move", [])])
        for section in self.sections:
            put(section["items"],
                [(entry["index"], entry["item"]) for entry in of_items.get("insert", [])
                 if entry["section"] == section["id"]]
                + [(entry["index"], moved[entry["id"]]) for entry in of_items.get("move", [])
                   if entry["section"] == section["id"]])
        for entry in of_items.get("insert", []) + of_items.get("move", []):
            self._section(entry["section"])
        update(self.members, changes.get("feed", {}))
        for entry in of_sections.get("update", []):
            update(self._section(entry["id"]), entry)
            if "count" in entry:
                self._section(entry["id"])["count"] = entry["count"]
        for entry in of_items.get("update", []):
            update(self._item(entry["id"]), entry)
        if not self.view:
            for section in self.sections:
                section["count"] = len(section["items"])

    def _section(self, id):
        found = [section for section in self.sections if section["id"] == id]
        require(len(found) == 1, f"no section {id!r}")
        return found[0]

    def _item(self, id):
        found = [item for section in self.sections for item in section["items"] if item["id"] == id]
        require(len(found) == 1, f"no item {id!r}")
        return found[0]

    def _take_item(self, id):
        item = self._item(id)
        for section in self.sections:
            section["items"] = [other for other in section["items"] if other is not item]
        return item

    def _take_section(self, id):
        section = self._section(id)
        self.sections = [other for other in self.sections if other is not section]
        return section


def put(list, entries):
    for index, value in sorted(entries, key=lambda entry: int(entry[0])):
        require(0 <= int(index) <= len(list), f"no position {index} in a list of {len(list)}")
        list.insert(int(index), value)


def update(members, entry):
    members.update(entry.get("set", {}))
    for name in entry.get("unset", []):
        members.pop(name, None)


class Stream:
    """Reads a stream of events from lines of bytes, each up to a line feed."""

    def __init__(self, lines):
        self.lines, self.retry = lines, None  # milliseconds

    def __iter__(self):
        """Each event: its name, its data, and its id or None."""
        event, data, id = "message", [], None
        for field, value in self.fields():
            if field is None:
                if data:
                    yield event, "\n".join(data), id
                event, data, id = "message", [], None
            elif field == "event":
                event = value or "message"
            elif field == "data":
                data.append(value)
            elif field == "id":
                id = value
            elif field == "retry" and re.fullmatch("[0-9]+", value):
                self.retry = int(value)

    def fields(self):
        """The name and value of each line that has an end; (None, None) for an empty one."""
        is_first = True
        for part in self.lines:
            *lines, _ = re.split("\r\n|\r|\n", part.decode())
            for line in lines:
                line, is_first = line.removeprefix("\ufeff") if is_first else line, False
                if line == "":
                    yield None, None
                elif not line.startswith(":"):
                    field, _, value = line.partition(":")
                    yield field, value.removeprefix(" ")
