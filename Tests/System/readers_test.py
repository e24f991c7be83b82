"""Feed readers of Debian read a server's feeds over rounds of changes, and send what saves a transfer."""

import html
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import tempfile
import unittest

from servers import Server

ROUNDS = int(os.environ.get("READER_ROUNDS", "12"))
FORMATS = ("atom", "rss")


def item(number, version):
    return {
        "id": f"item {number} & <é>", "title": f"Title {number}, version {version}: a < b & c",
        "url": f"https://example.com/{number}?a=1&b=2", "summary": f"Summary {version}",
        "content_html": f"<p>Content <em>{number}</em> in version {version} &amp; more</p>", "author": "Ann & Bo",
        "published": f"2024-01-{number % 28 + 1:02}T03:04:05Z", "tags": ["x & y", "z"],
        "attachments": [{"url": f"https://example.com/{number}.mp3", "mime_type": "audio/mpeg", "size_in_bytes": 5}],
    }


def rounds():
    """What a feed has, round by round: new items, changed ones, ones that go, and the same again."""
    numbers, versions = list(range(6)), {}
    for number in range(ROUNDS):
        if number % 4 == 1:
            numbers.insert(0, number + 10)
        elif number % 4 == 2:
            versions[numbers[-1]] = number
        elif number % 4 == 3 and len(numbers) > 4:
            del numbers[2]
        yield [item(one, versions.get(one, 0)) for one in numbers]


class Reader(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.log = open(self.folder / "access.log", "w+", encoding="utf-8")  # pylint: disable=R1732
        self.addCleanup(self.log.close)
        self.server = Server("--access-log", output=self.log).start()
        self.addCleanup(self.server.kill)

    def put(self, items):
        status, answer = self.server.client().send("PUT", "/feeds/rounds", {"title": "Rounds & more", "items": items})
        self.assertIn(status, (200, 201), answer)

    def url(self, kind):
        return f"http://127.0.0.1:{self.server.port}/feeds/rounds.{kind}"

    def statuses(self, kind):
        """What the server answered, as its log has it."""
        if self.server.process.poll() is None:
            self.server.stop()  # Then all is in the log.
        self.log.seek(0)
        return re.findall(rf'"GET /feeds/rounds\.{kind}[^"]*" (\d+)', self.log.read())

    def run_tool(self, *command, **options):
        return subprocess.run(command, capture_output=True, text=True, check=True, timeout=60, cwd=self.folder,
                              env={**os.environ, "HOME": str(self.folder), "LC_ALL": "C.UTF-8"}, **options).stdout


class Feedparser(Reader):
    def parse(self, *arguments):
        script = pathlib.Path(__file__).with_name("feedparser_read.py")
        return json.loads(self.run_tool("/usr/bin/python3", str(script), *arguments))

    def check(self, found, expected, kind):
        self.assertEqual(found["fault"], "")
        self.assertEqual(found["title"], "Rounds & more")
        self.assertEqual(len(found["entries"]), len(expected))
        for entry, one in zip(found["entries"], expected):
            # Titles are HTML here, and what could be HTML in a title of RSS is written as HTML.
            plain = html.unescape(entry["title"])
            self.assertEqual(html.unescape(plain) if kind == "rss" else plain, one["title"])
            self.assertEqual(entry["link"], one["url"])
            self.assertEqual(entry["content"], one["content_html"])
            self.assertEqual(entry["summary"], one["summary"])
            self.assertEqual(entry["tags"], one["tags"])
            self.assertEqual(entry["author"], one["author"])
            self.assertEqual(entry["files"], [one["attachments"][0]["url"]])
            self.assertEqual(entry["published"][:6], [2024, 1, int(one["published"][8:10]), 3, 4, 5])
        ids = [entry["id"] for entry in found["entries"]]
        self.assertEqual(len(set(ids)), len(ids))

    def test_reads_what_was_published(self):
        for items in rounds():
            self.put(items)
            for kind in FORMATS:
                self.check(self.parse(self.url(kind)), items, kind)

    def test_is_sent_nothing_or_what_is_new(self):
        known = {kind: ("", "") for kind in FORMATS}
        ids = {}
        for items in rounds():
            self.put(items)
            for kind in FORMATS:
                found = self.parse(self.url(kind), *known[kind])
                if found["status"] == 200:
                    self.check(found, items, kind)
                elif found["status"] == 226:
                    self.assertLess(len(found["entries"]), len(items))
                known[kind] = (found["etag"] or known[kind][0], found["modified"] or known[kind][1])
                again = self.parse(self.url(kind), *known[kind])
                self.assertEqual(again["status"], 304)
                self.assertEqual(again["entries"], [])
                # An entry keeps its id.
                for entry in found["entries"]:
                    self.assertEqual(ids.setdefault((kind, entry["link"]), entry["id"]), entry["id"])
        for kind in FORMATS:
            self.assertEqual(set(self.statuses(kind)), {"200", "226", "304"})


class Newsboat(Reader):
    def reload(self):
        self.run_tool("newsboat", "-q", "-u", "urls", "-c", "cache.db", "-C", "config", "-x", "reload",
                      stdin=subprocess.DEVNULL)
        with sqlite3.connect(self.folder / "cache.db") as cache:
            return cache.execute(
                "SELECT guid, title, author, url, pubDate, content FROM rss_item WHERE deleted = 0").fetchall()

    def test_reads_rounds(self):
        for kind in FORMATS:
            with self.subTest(kind):
                self.setUp()
                (self.folder / "urls").write_text(self.url(kind) + "\n", encoding="utf-8")
                (self.folder / "config").write_text("suppress-first-reload yes\n", encoding="utf-8")
                seen = {}
                for items in rounds():
                    self.put(items)
                    for _ in range(2):
                        rows = self.reload()
                        shown = {url: (title, author, content) for _, title, author, url, _, content in rows}
                        seen.update({one["url"]: one for one in items})
                        for one in items:
                            title, author, content = shown[one["url"]]
                            self.assertIn(f"version {one['title'].split()[3][:-1]}", title)
                            self.assertEqual(author, one["author"])
                            self.assertIn(one["content_html"][3:20], content)
                        # No article twice, and none that never was.
                        self.assertEqual(len(rows), len(shown))
                        self.assertLessEqual(set(shown), set(seen))
                statuses = self.statuses(kind)
                self.assertEqual(statuses[0], "200")
                self.assertIn("304", statuses)
                self.assertIn("226", statuses)
                self.assertLessEqual(set(statuses), {"200", "226", "304"})


class Sfeed(Reader):
    CONFIGURATION = """
sfeedpath="{folder}/feeds"
fetch() {{
    curl -s -f -H 'A-IM: feed' --etag-compare "{folder}/etag" --etag-save "{folder}/etag" "$2"
}}
feeds() {{
    feed "rounds" "{url}"
}}
"""

    def update(self):
        self.run_tool("sfeed_update", str(self.folder / "sfeedrc"))
        lines = (self.folder / "feeds/rounds").read_text(encoding="utf-8").splitlines()
        return [line.split("\t") for line in lines]

    def test_reads_rounds(self):
        for kind in FORMATS:
            with self.subTest(kind):
                self.setUp()
                (self.folder / "sfeedrc").write_text(
                    self.CONFIGURATION.format(folder=self.folder, url=self.url(kind)), encoding="utf-8")
                seen = set()
                for items in rounds():
                    self.put(items)
                    for _ in range(2):
                        rows = self.update()
                        # Not what could be HTML, either.
                        titles = {html.unescape(row[1]) for row in rows}
                        seen |= {one["title"] for one in items}
                        self.assertLessEqual({one["title"] for one in items}, titles)
                        self.assertLessEqual(titles, seen)
                        for row in rows:
                            self.assertRegex(row[2], r"^https://example\.com/\d+\?a=1&b=2$")
                            self.assertEqual(row[6], "Ann & Bo")
                            self.assertEqual(row[7], row[2].split("?")[0] + ".mp3")
                statuses = self.statuses(kind)
                self.assertIn("304", statuses)
                self.assertIn("226", statuses)


if __name__ == "__main__":
    unittest.main()
