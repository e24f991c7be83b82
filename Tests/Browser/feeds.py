"""Publishing to the real server, and feeds to publish."""

import json
import random
import urllib.error
import urllib.request


class Publisher:
    """Sends feeds to a server."""

    def __init__(self, server):
        self.server = server

    def request(self, method, path, body=None):
        request = urllib.request.Request(
            self.server.url + path, method=method,
            data=None if body is None else json.dumps(body).encode(),
            headers={"Authorization": f"Bearer {self.server.key}",
                     "Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=30) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def put(self, feed, items, title="News", **members):
        """Publishes items as one section, or sections when they come with `items`."""
        is_sections = bool(items) and "items" in items[0]
        return self.request("PUT", f"/feeds/{feed}", {
            "title": title, "sections" if is_sections else "items": items, **members})

    def delete(self, feed):
        self.request("DELETE", f"/feeds/{feed}")

    def snapshot(self, feed):
        return self.request("GET", f"/feeds/{feed}")


def rows(count, prefix="row", start=0):
    """Items with a title that says which they are."""
    return [{"id": f"{prefix}-{number}", "title": f"{prefix.title()} {number}"}
            for number in range(start, start + count)]


def news(count, prefix="row", start=0):
    """Rows that were published, and are therefore read or unread."""
    return [{**row, "published": "2026-03-01T12:00:00Z"} for row in rows(count, prefix, start)]


class RandomFeed:
    """A feed that changes at random, in every way that a feed can."""

    def __init__(self, seed):
        self.random = random.Random(seed)
        self.sections = [{"id": "a", "title": "A", "items": rows(6)}]
        self.made = 6

    def change(self):
        for _ in range(self.random.randint(1, 6)):
            self.random.choice([self._insert, self._insert, self._remove, self._move, self._update,
                                self._section, self._move_section])()
        return self.sections

    def _any(self):
        return self.random.choice(self.sections)

    def _place(self, items):
        return self.random.randint(0, len(items))

    def _insert(self):
        items = self._any()["items"]
        items.insert(self._place(items), *rows(1, "made", self.made))
        self.made += 1

    def _take(self):
        items = self._any()["items"]
        return items.pop(self.random.randrange(len(items))) if items else None

    def _remove(self):
        self._take()

    def _move(self):
        item = self._take()
        if item:
            items = self._any()["items"]
            items.insert(self._place(items), item)

    def _update(self):
        items = self._any()["items"]
        if items:
            item = self.random.choice(items)
            item["value"] = str(self.random.randint(1, 99))

    def _section(self):
        if len(self.sections) < 4 and self.random.random() < 0.6:
            self.made += 1
            place = self._place(self.sections)
            self.sections.insert(place, {"id": f"s{self.made}", "title": "Made", "items": []})
        elif len(self.sections) > 1:
            self.sections.remove(self._any())

    def _move_section(self):
        section = self._any()
        self.sections.remove(section)
        self.sections.insert(self._place(self.sections), section)
