"""Items that are read in `freshet watch`."""
import os
import re
import stat
import tempfile
import time
import unittest

from terminal import PATIENCE, Server, Terminal

ARTICLE = """
<h2>At the lake</h2><p>A <b>grebe</b> with <a href="/grebe">two chicks</a> &amp; a <em>coot</em>.
<ul><li>one<li>two</ul><blockquote><p>They dive.</blockquote><pre>  a  b</pre>
<img src="https://birds.example/big%20grebe.jpg"><script>alert(1)</script>
""" + "".join(f"<p>Line {n} of the text." for n in range(60))
ITEMS = [
    {"id": "grebe", "title": "A grebe", "author": "Ann", "published": "2026-01-31T10:00:00Z",
     "url": "https://birds.example/1", "content_html": ARTICLE},
    {"id": "coot", "title": "A coot", "published": "2026-01-30T10:00:00Z", "summary": "It <calls>.\n\nLoudly."},
    {"id": "swan", "title": "A swan", "value": "7 %"},
    {"id": "evil", "title": "Evil", "published": "2026-01-29T10:00:00Z", "content_html":
     "<p>\x1b[2J\x07&#27;]0;title&#7;\x9b31m&#x202e;seen<a href='javascript:x'>js</a>"
     "<a href='https://birds.example/\x1b]8;;x'>link</a><img alt='\x1b[41m' src=https://birds.example/a.png>"
     + "<ul><li>" * 5_000 + "end"}]


class Reading(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def setUp(self):
        self.server.put("birds", {"title": "Birds", "items": ITEMS})

    def watch(self, **options):
        terminal = Terminal("watch", "birds", "--server", self.server.url, **options)
        self.addCleanup(terminal.close)
        terminal.shows("A grebe")
        terminal.shows("live")
        return terminal

    def row(self, terminal, text):
        return next(row for row, line in enumerate(terminal.lines) if text in line)

    def test_rows_tell_values_ages_and_what_is_unread(self):
        now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() - 200))
        self.server.put("birds", {"items": [{**ITEMS[0], "published": now}, *ITEMS[1:3]]})
        terminal = self.watch(columns=80, rows=24)
        terminal.until(lambda it: it.lines[1].endswith("Ann  3 min. ago"), "no age")
        self.assertTrue(terminal.lines[2].endswith("2026-01-30"))
        self.assertTrue(terminal.lines[3].endswith("7 %"))
        terminal.until(lambda it: it.lines[2].startswith("• A coot") and it.lines[3].startswith("  A swan"))
        self.assertTrue(terminal.screen.buffer[2][4].bold)
        self.assertFalse(terminal.screen.buffer[3][4].bold)

    def test_an_item_is_read(self):
        terminal = self.watch(columns=80, rows=24)
        terminal.type("j\r")
        terminal.shows("Line 0 of")
        self.assertEqual([line.strip() for line in terminal.lines[1:14]], [
            "A grebe", "Ann · 2026-01-31 10:00 UTC", "", "At the lake", "",
            "A grebe with two chicks\u00a0[1] & a coot.", "", "• one", "• two", "", "│ They dive.", "", "a  b"])
        self.assertTrue(terminal.screen.buffer[4][2].bold)
        terminal.shows("[big grebe.jpg]")
        terminal.type("G")
        terminal.shows("[1] https://birds.example/grebe")
        terminal.shows("[o] https://birds.example/1")
        terminal.type("/line 30\r")
        terminal.shows("Line 30 of")
        terminal.type("j")
        terminal.shows("Loudly.")
        terminal.shows("It <calls>.")
        terminal.type("q")
        terminal.shows("A swan")
        terminal.until(lambda it: it.screen.buffer[2][0].reverse and "A coot" in it.lines[2])

    def test_nothing_in_an_item_is_obeyed(self):
        terminal = self.watch(columns=80, rows=24)
        terminal.type("/Evil\r")
        terminal.until(lambda it: it.screen.buffer[4][0].reverse)
        before = len(terminal.raw)
        terminal.type("\r")
        terminal.shows("seen")
        for sign in ["\x07", "\x9b", "\u202e", "\x1b]0", "\x1b[41m", "\x1b[31m"]:
            self.assertNotIn(sign.encode(), terminal.raw[before:])
        for link in re.findall(rb"\x1b\]8;;([^\x1b]+)", terminal.raw[before:]):
            self.assertTrue(link.startswith(b"https://"), link)
        terminal.type("o")
        terminal.shows("no address")

    def test_a_browser_opens_pages_of_the_web(self):
        folder = tempfile.mkdtemp(prefix="freshet-open-")
        opened = os.path.join(folder, "opened")
        with open(os.path.join(folder, "xdg-open"), "w", encoding="utf-8") as script:
            script.write(f'#!/bin/sh\necho "$@" >> {opened}\n')
        os.chmod(script.name, stat.S_IRWXU)
        terminal = self.watch(PATH=f"{folder}:{os.environ['PATH']}")

        def has(*addresses):
            end = time.monotonic() + PATIENCE
            while time.monotonic() < end:
                terminal.read()
                if os.path.exists(opened):
                    with open(opened, encoding="utf-8") as file:
                        if file.read().split() == list(addresses):
                            return
            self.fail(f"not {addresses}")
        terminal.type("jo")
        has("https://birds.example/1")
        terminal.type("\r1o")
        has("https://birds.example/1", "https://birds.example/grebe")

    def test_what_was_read_is_known_at_the_next_start(self):
        terminal = self.watch()
        terminal.until(lambda it: it.lines[1].startswith("• A grebe"))
        terminal.type("j\r")
        terminal.shows("At the lake")
        terminal.type("qq")
        self.assertEqual(os.waitstatus_to_exitcode(terminal.ends()), 0)
        again = self.watch(home=terminal.home)
        again.until(lambda it: it.lines[1].startswith("  A grebe") and it.lines[2].startswith("• A coot"))
        again.type("jm")
        again.until(lambda it: it.lines[1].startswith("• A grebe"))

    def test_an_item_that_goes_or_changes_stays_in_sight(self):
        terminal = self.watch(columns=80, rows=24)
        terminal.type("j\r  ")
        terminal.shows("Line 20 of")
        first = terminal.lines[1]
        self.server.put("birds", {"title": "Birds", "items": [{**ITEMS[0], "title": "A great grebe"}, *ITEMS[1:]]})
        terminal.type("g")
        terminal.shows("A great grebe")
        terminal.type("  ")
        terminal.until(lambda it: it.lines[1] == first)
        self.server.put("birds", {"title": "Birds", "items": ITEMS[1:]})
        terminal.shows("no more")
        self.assertEqual(terminal.lines[1], first)
        terminal.type("j")
        terminal.shows("Loudly.")

    def test_wide_windows_have_the_item_beside_the_rows(self):
        terminal = self.watch(columns=120, rows=40)
        terminal.type("j")
        terminal.shows("Line 5 of")
        self.assertIn("A coot", terminal.lines[2])
        self.assertEqual(terminal.lines[1].index("A grebe", 40), 50)
        terminal.type("j")
        terminal.shows("Loudly.")
        terminal.lacks("Line 5 of")
        terminal.type("k\r ")
        terminal.shows("Line 25 of")
        self.assertIn("A coot", terminal.lines[2])
        terminal.resize(80, 24)
        terminal.until(lambda it: "A coot" not in "".join(it.lines) and "of the text" in it.lines[2])
        terminal.type("q")
        terminal.shows("A coot")


if __name__ == "__main__":
    unittest.main()
