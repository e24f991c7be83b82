"""`freshet watch` on the whole screen of a terminal."""
import os
import re
import signal
import unittest

from terminal import Server, Terminal

BIRDS = {"title": "Birds seen", "sections": [
    {"id": "lake", "title": "At the lake", "index": "L",
     "items": [{"id": f"l{n}", "title": f"Lake bird {n}"} for n in range(20)]},
    {"id": "woods", "title": "In the woods", "index": "W",
     "items": [{"id": f"w{n}", "title": f"Wood bird {n}", "url": f"https://birds.example/{n}"} for n in range(20)]}]}


class Watch(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def setUp(self):
        self.server.put("birds", BIRDS)
        self.terminals = []

    def tearDown(self):
        for terminal in self.terminals:
            terminal.close()

    def watch(self, *arguments, **options):
        terminal = Terminal("watch", *(arguments or ("birds",)), "--server", self.server.url, **options)
        self.terminals.append(terminal)
        return terminal

    def test_shows_title_header_rows_and_index(self):
        terminal = self.watch()
        terminal.shows("Lake bird 12")
        self.assertIn("Birds seen", terminal.lines[0])
        self.assertEqual(terminal.lines[1].split()[:3], ["At", "the", "lake"])
        self.assertIn("Lake bird 0", terminal.lines[2])
        self.assertEqual(terminal.lines[1][-1], "L")
        self.assertTrue(any(line.endswith("W") for line in terminal.lines))
        terminal.shows("live")

    def test_headers_stick(self):
        terminal = self.watch()
        terminal.shows("Lake bird 12")
        terminal.type("G")
        terminal.shows("Wood bird 19")
        self.assertTrue(terminal.lines[1].startswith("In the woods"))
        terminal.type("g")
        terminal.shows("Lake bird 0")

    def test_keys_move_select_and_search(self):
        terminal = self.watch()
        terminal.shows("Lake bird 12")
        terminal.type("j")
        terminal.until(lambda it: it.screen.buffer[2][0].reverse)
        terminal.type("j")
        terminal.until(lambda it: it.screen.buffer[3][0].reverse and not it.screen.buffer[2][0].reverse)
        terminal.type("/wood bird 7\r")
        terminal.shows("Wood bird 7")
        terminal.until(lambda it: any(
            it.screen.buffer[row][0].reverse and "Wood bird 7" in it.lines[row] for row in range(1, 15)))
        terminal.type("n")
        terminal.type("/none at all\r")
        terminal.shows("nothing has")

    def test_changes_come_by_themselves_with_color_and_without_a_jump(self):
        terminal = self.watch()
        terminal.shows("Lake bird 12")
        terminal.shows("live")
        terminal.type("jjj" + " ")
        terminal.shows("In the woods")
        first = terminal.lines[2]
        changed = {**BIRDS, "sections": [
            {**BIRDS["sections"][0], "items": [{"id": "new", "title": "Never seen"}, *BIRDS["sections"][0]["items"]]},
            BIRDS["sections"][1]]}
        self.server.put("birds", changed)
        terminal.shows("1 new above")
        self.assertEqual(terminal.lines[2], first)
        terminal.type("g")
        terminal.shows("Never seen")
        terminal.lacks("new above")
        row = next(row for row, line in enumerate(terminal.lines) if "Never seen" in line)
        self.assertEqual(terminal.screen.buffer[row][0].fg, "green")

    def test_no_colors_where_they_are_not_wanted(self):
        terminal = self.watch(NO_COLOR="1")
        terminal.shows("Lake bird 12")
        terminal.shows("live")
        self.server.put("birds", {**BIRDS, "sections": BIRDS["sections"][1:]})
        terminal.lacks("Lake bird")
        self.assertNotRegex(terminal.raw, rb"\x1b\[[0-9;]*3[0-7]m")

    def test_the_key_and_the_wheel_refresh(self):
        terminal = self.watch()
        terminal.shows("Lake bird 12")
        terminal.type("R")
        terminal.shows("nothing new")
        terminal.lacks("nothing new")
        terminal.type("\x1b[<64;5;5M" * 6)
        terminal.shows("nothing new")
        terminal.until(lambda it: "Lake bird 0" in it.lines[2])

    def test_the_place_is_found_again(self):
        terminal = self.watch()
        terminal.shows("Lake bird 12")
        terminal.type(" ")
        terminal.shows("Wood bird 3")
        first = terminal.lines[2]
        terminal.type("q")
        self.assertEqual(os.waitstatus_to_exitcode(terminal.ends()), 0)
        again = self.watch(home=terminal.home)
        again.until(lambda it: it.lines[2] == first, f"not at {first!r}")

    def test_the_terminal_is_given_back(self):
        for end in ["q", signal.SIGTERM, signal.SIGSEGV]:
            terminal = self.watch()
            terminal.shows("Lake bird 12")
            if end == "q":
                terminal.type(end)
            else:
                os.kill(terminal.pid, end)
            terminal.ends()
            self.assertIn(b"\x1b[?1049l", terminal.raw, end)
            self.assertIn(b"\x1b[?25h", terminal.raw, end)

    def test_it_can_be_resized(self):
        terminal = self.watch()
        terminal.shows("Lake bird 12")
        terminal.resize(30, 8)
        terminal.until(lambda it: "Lake bird 4" in "".join(it.lines) and "Lake bird 6" not in "".join(it.lines))
        terminal.resize(70, 30)
        terminal.shows("Wood bird 4")

    def test_wide_and_joined_characters_shift_nothing(self):
        self.server.put("scripts", {"sections": [{"id": "all", "items": [
            {"id": "1", "title": "한국어 기사", "author": "END1"},
            {"id": "2", "title": "👩‍👩‍👧 family 🏳️‍🌈", "author": "END2"},
            {"id": "3", "title": "مرحبا بالعالم", "author": "END3"},
            {"id": "4", "title": "日本語の長い見出しがここにあります。そしてまだ続きます。とても長い。", "author": "END4"},
            {"id": "5", "title": "evil \u001b[31m\u202e\u0007 text", "author": "END5"}]}]})
        terminal = self.watch("scripts")
        terminal.shows("END5")
        rows = [line for line in terminal.screen.display if "END" in line]
        self.assertEqual(len(rows), 5)
        for row, line in enumerate(terminal.screen.display):
            if "END" in line:
                cells = [terminal.screen.buffer[row][column].data for column in range(60)]
                self.assertEqual("".join(cells[55:59])[:3], "END", line)
        self.assertNotIn(b"\x1b[31m\xe2", terminal.raw)
        self.assertNotIn("\u202e".encode(), terminal.raw)

    def test_titles_of_items_with_an_address_are_links(self):
        self.server.put("links", {"items": [
            {"id": "1", "title": "A page", "url": "https://birds.example/1"},
            {"id": "2", "title": "A trick", "url": "javascript:alert(1)"},
            {"id": "3", "title": "Another trick", "url": "https://birds.example/\u001b]0;x\u0007"}]})
        terminal = self.watch("links")
        terminal.shows("Another trick")
        self.assertIn(b"\x1b]8;;https://birds.example/1\x1b\\A page\x1b]8;;\x1b\\", terminal.raw)
        self.assertEqual(len(re.findall(rb"\x1b\]8;;[^\x1b]", terminal.raw)),
                         len(re.findall(rb"\x1b\]8;;https://birds.example/1\x1b", terminal.raw)))
        self.assertIn("  A page", terminal.lines[1] + terminal.lines[2])
        console = self.watch("links", TERM="linux")
        console.shows("Another trick")
        self.assertNotIn(b"\x1b]8;", console.raw)

    def test_lines_where_there_is_no_terminal(self):
        terminal = self.watch("birds", TERM="dumb")
        terminal.shows("40 items, 2 sections")
        self.assertNotIn(b"\x1b[?1049h", terminal.raw)


if __name__ == "__main__":
    unittest.main()
