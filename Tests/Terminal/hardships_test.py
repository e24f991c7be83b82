"""`freshet watch` where text, size, server or shell make it hard."""
import os
import signal
import subprocess
import time
import unittest

from terminal import BINARY, PATIENCE, Server, Terminal

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
TITLES = {
    "zwj": FAMILY + " family", "flags": "\U0001f1f0\U0001f1f7\U0001f1e9\U0001f1ea flags",
    "half": "\U0001f1f0\U0001f1f7\U0001f1e9 half a flag",
    "tones": "\U0001f44d\U0001f3fd\U0001f44b\U0001f3ff tones", "keycaps": "1\ufe0f\u20e3#\ufe0f\u20e3 keycaps",
    "jamo": "\u1112\u1161\u11ab\u1100\u116e\u11a8 jamo", "syllables": "한국어 기사 제목", "arabic": "مرحبا بالعالم",
    "hebrew": "שָׁלוֹם עוֹלָם", "marks": "e" + "\u0301\u0300" * 500 + " marks", "thai": "กำลังที่นี่ thai",
    "zero": "a\u200bb\u2060c\ufeffd\u00ade zero", "controls": "\x1b[2J\x07\x9b31mcontrols\x7f", "tabs": "a\tb\tc tabs",
    "bidi": "\u200f\u202babc\u202c \u2067עברית\u2069\u200e marks", "vowels": "مُحَمَّدٌ رَسُولٌ لا إله",
    "england": "\U0001f3f4\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f flag", "text": "❤\ufe0e☎\ufe0f❤\ufe0f",
    "couple": "\U0001f468\U0001f3fd\u200d❤\ufe0f\u200d\U0001f48b\u200d\U0001f468\U0001f3ff", "variant": "葛\U000e0100城市 variant",
    "old": "\ua960\u1161\ud7cbᄀ가 ㅎㅏㄴ ﾡￂ jamo", "alone": "\u0301\u064b\u1161 alone", "long": "long " * 40_000, "emoji": FAMILY * 30, "hindi": "हिन्दी में शीर्षक"}


def numbered(count, title="Row"):
    return {"title": "Numbers", "items": [{"id": str(n), "title": f"{title} {n}"} for n in range(count)]}


class Demo(unittest.TestCase):
    def test_its_feeds_are_read_side_by_side(self):
        server = Server("0", "--demo")
        self.addCleanup(server.stop)
        terminal = Terminal("watch", "machine", "contacts", "daily", "--server", server.url, columns=70, rows=20)
        self.addCleanup(terminal.close)
        terminal.shows("(1 of 3)")
        terminal.shows("live")
        before = terminal.lines[1:18]
        terminal.until(lambda it: it.lines[1:18] != before, "the machine stands still")
        terminal.type("\t")
        terminal.shows("(2 of 3)")
        terminal.until(lambda it: it.lines[1].strip().startswith("ㄱ"), "no names")
        terminal.type("G")
        terminal.until(lambda it: any(line.startswith("#") for line in it.lines), "no end")
        terminal.type("\t")
        terminal.shows("(3 of 3)")
        terminal.until(lambda it: it.lines[2].strip() != "", "no news")
        terminal.type("q")
        self.assertEqual(os.waitstatus_to_exitcode(terminal.ends()), 0)


class Hardships(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(lambda: self.server.stop())

    def watch(self, feed, **options):
        terminal = Terminal("watch", feed, "--server", self.server.url, **options)
        self.addCleanup(terminal.close)
        return terminal

    def test_no_title_shifts_or_covers_what_is_beside_it(self):
        self.server.put("titles", {"items": [
            {"id": id, "title": title, "author": f"END{n:02}"} for n, (id, title) in enumerate(TITLES.items())]})
        for columns in [80, 41, 24]:
            terminal = self.watch("titles", columns=columns, rows=len(TITLES) + 4)
            terminal.shows(f"END{len(TITLES) - 1:02}")
            ends = [
                "".join(terminal.screen.buffer[row][column].data for column in range(columns - 6, columns - 1))
                for row in range(1, len(TITLES) + 3)]
            self.assertEqual([end for end in ends if end.strip()], [f"END{n:02}" for n in range(len(TITLES))])
            self.assertNotIn(b"\x1b[2J\x07", terminal.raw)
            self.assertNotIn("\u200b".encode(), terminal.raw)

    def test_a_terminal_that_joins_nothing_has_room_for_all_of_a_sequence(self):
        self.server.put("family", {"items": [{"id": "1", "title": f"{FAMILY}x"}]})
        terminal = self.watch("family")
        terminal.until(lambda it: f"{FAMILY}\x1b[2;9Hx".encode() in it.raw)

    def test_every_size_shows_what_it_has_room_for(self):
        self.server.put("numbers", numbered(50))
        terminal = self.watch("numbers")
        terminal.shows("Row 12")
        terminal.shows("live")
        terminal.resize(60, 1)
        terminal.until(lambda it: "Numbers" in it.lines[0] and "live" in it.lines[0], "no title")
        terminal.resize(60, 2)
        terminal.until(lambda it: "Numbers" in it.lines[0] and "quit" in it.lines[1], "no status")
        terminal.resize(60, 3)
        terminal.until(lambda it: "Row 0" in it.lines[1] and "quit" in it.lines[2], "no row")
        terminal.type("?")
        terminal.until(lambda it: "next and previous" in it.lines[1] and "more keys" in it.lines[2], "no help")
        terminal.type("?")
        for columns, rows in [(1, 1), (2, 1), (1, 5), (3, 3), (2, 40)]:
            terminal.resize(columns, rows)
            terminal.type("jk Gg/a\r")
        terminal.resize(60, 16)
        terminal.type("g")
        terminal.until(lambda it: "Row 0" in it.lines[1] and "Row 12" in it.lines[13])

    def test_a_pull_in_a_window_of_three_rows_covers_no_status(self):
        self.server.put("numbers", numbered(50))
        terminal = self.watch("numbers", columns=44, rows=3)
        # The word and the rows come one after the other.
        terminal.shows("live")
        terminal.shows("Row 0")
        status = terminal.lines[2]
        self.assertIn("quit", status)
        terminal.type("\x1b[<64;5;2M" * 3)
        terminal.until(lambda it: "refresh" in it.lines[1], "no pull")
        self.assertEqual(terminal.lines[2], status)
        terminal.until(lambda it: "Row 0" in it.lines[1], "no rows")
        terminal.type("\x1b[<64;5;2M" * 6)
        terminal.shows("nothing new")
        terminal.until(lambda it: "Row 0" in it.lines[1] and it.lines[2] == "nothing new")

    def test_a_window_may_change_its_size_during_a_pull(self):
        self.server.put("numbers", numbered(50))
        terminal = self.watch("numbers")
        terminal.shows("live")
        terminal.shows("Row 0")
        for columns, rows in [(40, 24), (60, 3), (30, 1), (12, 6), (60, 16)]:
            terminal.type("\x1b[<64;5;5M" * 2)
            terminal.resize(columns, rows)
            terminal.type("\x1b[<64;5;2M" * 4)
        terminal.shows("nothing new")
        terminal.until(lambda it: [line.strip() for line in it.lines[1:15]] == [f"Row {n}" for n in range(14)])

    def test_a_feed_may_be_emptied_and_filled_again(self):
        self.server.put("numbers", numbered(200))
        terminal = self.watch("numbers")
        terminal.shows("live")
        terminal.shows("Row 0")
        terminal.type("Gk")
        terminal.shows("Row 199")
        for empty in [{"title": "Numbers", "items": []}, {"title": "Numbers", "sections": []}]:
            self.server.put("numbers", empty)
            terminal.shows("Nothing yet.")
            terminal.lacks("Row")
            terminal.type("jkGgo \x1b[<64;5;5M?")
            # The keys before it were taken.
            terminal.shows("these keys")
            terminal.type("?")
            terminal.lacks("these keys")
            self.server.put("numbers", numbered(30, "Again"))
            terminal.shows("Again 0")
            terminal.lacks("Nothing yet.")

    def test_an_index_has_what_it_leads_to_on_every_line(self):
        letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        self.server.put("letters", {"sections": [
            {"id": letter, "title": f"Letter {letter}", "index": letter,
             "items": [{"id": f"{letter}{n}", "title": f"{letter} {n}"} for n in range(20)]} for letter in letters]})
        terminal = self.watch("letters", columns=30, rows=12)
        terminal.shows("Letter A")
        shown = {row: terminal.lines[row][28] for row in range(1, 11) if terminal.lines[row][28:29].strip()}
        self.assertGreater(len(shown), 5)
        for row, letter in shown.items():
            terminal.type(f"\x1b[<0;29;{row + 1}M\x1b[<0;29;{row + 1}m")
            terminal.until(lambda it, letter=letter: it.lines[1].startswith(f"Letter {letter}"), letter)

    def test_an_index_of_wide_signs_is_shown(self):
        signs = ["한", "\U0001f44d\U0001f3fd", "\U0001f1f0\U0001f1f7"]
        self.server.put("signs", {"sections": [
            {"id": str(n), "index": sign, "items": [{"id": f"{n}-{row}", "title": f"Row {n} {row}", "author": "END"}
                                                    for row in range(4)]} for n, sign in enumerate(signs)]})
        terminal = self.watch("signs", columns=40, rows=18)
        terminal.shows("Row 2 3")
        for sign in signs:
            self.assertIn(sign.encode() + b"\x1b", terminal.raw)
        rows = [line for line in terminal.lines if line.lstrip().startswith("Row")]
        self.assertEqual({line.index("END") for line in rows}, {31})

    def test_what_cannot_be_seen_is_no_title(self):
        self.server.put("blank", {"title": "\u200b\u2800", "sections": [
            {"id": "first", "title": "\u3164", "index": "\u200d",
             "items": [{"id": "a", "title": "\u2800"}, {"id": "b", "title": "\u115f\u1160"}]},
            {"id": "second", "items": []}]})
        terminal = self.watch("blank", columns=40)
        terminal.until(lambda it: [line.strip() for line in it.lines[1:4]] == ["first", "a", "b"])
        self.assertTrue(terminal.lines[0].startswith(" blank"))

    def test_a_window_too_narrow_for_an_index_has_none(self):
        self.server.put("letters", {"sections": [
            {"id": id, "index": id, "items": [{"id": f"{id}1", "title": f"{id} 1"}]} for id in "AB"]})
        terminal = self.watch("letters", columns=30)
        terminal.shows("A 1")
        terminal.type("j")
        for columns in [2, 1, 5]:
            terminal.resize(columns, 5)
            terminal.type("jk")
        terminal.resize(30, 10)
        terminal.shows("B 1")

    def test_a_feed_without_items_says_so(self):
        for feed, document in [("none", {"sections": []}), ("empty", {"items": []})]:
            self.server.put(feed, document)
            terminal = self.watch(feed)
            terminal.shows("Nothing yet.")
        terminal = self.watch("missing")
        terminal.shows("There is no such feed.")
        terminal.type("R")
        terminal.shows("there is no such feed")

    def test_a_new_title_of_the_feed_is_shown(self):
        self.server.put("numbers", numbered(3))
        terminal = self.watch("numbers")
        terminal.shows("live")
        self.server.put("numbers", {**numbered(3), "title": "Figures"})
        terminal.until(lambda it: it.lines[0].startswith(" Figures"), "the old title")

    def test_very_many_changes_move_nothing_and_have_colors(self):
        self.server.put("numbers", numbered(3_000))
        terminal = self.watch("numbers")
        terminal.shows("live")
        terminal.shows("Row 0")
        terminal.type("/Row 1500\rjjj")
        terminal.shows("Row 1503")
        line = next(n for n, text in enumerate(terminal.lines) if "Row 1500" in text)
        new = [{"id": f"new{n}", "title": f"New {n}"} for n in range(1_500)]
        changed = [{**item, "title": item["title"] + "!"} if int(item["id"]) > 1_500 else item
                   for item in numbered(3_000)["items"]]
        self.server.put("numbers", {"title": "Numbers", "items": new + changed})
        terminal.shows("1500 new above")
        terminal.until(lambda it: "~ Row 1501!" in it.lines[line + 1], "no sign of a change")
        self.assertIn("Row 1500", terminal.lines[line])
        self.assertTrue(terminal.screen.buffer[line + 3][0].reverse, "no longer selected")
        terminal.type("g")
        terminal.shows("+ New 0")

    def test_a_key_that_is_refused_is_said_after_the_screen_is_left(self):
        terminal = Terminal("watch", "numbers", "--server", self.server.url, "--key", "another")
        self.addCleanup(terminal.close)
        self.assertEqual(os.waitstatus_to_exitcode(terminal.ends()), 1)
        self.assertIn(b"not known", terminal.raw.rsplit(b"\x1b[?1049l", 1)[1])

    def test_the_place_is_kept_when_the_window_is_closed(self):
        self.server.put("numbers", numbered(100))
        terminal = self.watch("numbers")
        terminal.shows("live")
        terminal.shows("Row 0")
        terminal.type("/Row 70\r")
        terminal.shows("Row 70")
        os.kill(terminal.pid, signal.SIGHUP)
        terminal.ends()
        self.watch("numbers", home=terminal.home).shows("Row 70")

    def test_a_terminal_that_takes_nothing_does_not_keep_it(self):
        self.server.put("numbers", numbered(200))
        terminal = self.watch("numbers", columns=200, rows=60)
        terminal.shows("live")
        for round in range(100):
            self.server.put("numbers", numbered(200, f"{'x' * 150} {round}"))
        os.kill(terminal.pid, signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        while os.waitpid(terminal.pid, os.WNOHANG)[0] == 0:
            self.assertLess(time.monotonic(), deadline, "it waits for the terminal")
            time.sleep(0.05)
        os.close(terminal.file)
        terminal.pid = None

    def test_the_end_of_a_long_search_is_seen(self):
        self.server.put("numbers", numbered(3))
        terminal = self.watch("numbers", columns=30)
        terminal.shows("live")
        terminal.type("/" + "a" * 50 + "end")
        terminal.until(lambda it: it.lines[-1].endswith("aend█"), "no end")

    def test_all_keys_can_be_read_in_a_small_window(self):
        self.server.put("numbers", numbered(3))
        terminal = self.watch("numbers", rows=6)
        terminal.shows("live")
        terminal.type("?")
        terminal.shows("next and previous row")
        terminal.type("j" * 10)
        terminal.shows("leave")
        terminal.type("?")
        terminal.shows("Row 2")

    def test_it_goes_on_when_the_server_was_killed(self):
        self.server.put("numbers", numbered(3))
        terminal = self.watch("numbers")
        terminal.shows("live")
        port = self.server.url.rsplit(":", 1)[1]
        self.server.stop(kills=True)
        terminal.shows("offline")
        self.assertTrue(any("Row 2" in line for line in terminal.lines))
        self.server = Server(port)
        self.server.put("numbers", numbered(3, "Again"))
        terminal.type("R")
        terminal.shows("Again 2")
        terminal.lacks("Row 2")
        terminal.shows("live")

    def test_a_feed_may_go_and_come_back(self):
        self.server.put("numbers", numbered(3))
        terminal = self.watch("numbers")
        terminal.shows("live")
        self.server.delete("numbers")
        # What everybody may read stays for a day.
        terminal.shows("not on the server since")
        terminal.shows("Row 2")
        self.server.put("numbers", numbered(3, "Again"))
        terminal.shows("Again 2")
        terminal.lacks("not on the server")

    def test_many_rows_and_many_changes(self):
        self.server.put("numbers", numbered(10_000))
        terminal = self.watch("numbers")
        terminal.shows("live")
        terminal.shows("Row 0")
        terminal.type("G")
        terminal.shows("Row 9999")
        terminal.type("g")
        for round in range(100):
            self.server.put("numbers", numbered(20, f"Round {round}, row"))
            terminal.read(0)
        terminal.shows("Round 99, row 12")
        terminal.lacks("Round 98")
        terminal.type("q")
        self.assertEqual(os.waitstatus_to_exitcode(terminal.ends()), 0)

    def test_a_hundred_thousand_rows(self):
        self.server.put("numbers", numbered(100_000))
        terminal = self.watch("numbers")
        terminal.shows("Row 12")
        terminal.type("G")
        terminal.shows("Row 99999")
        terminal.type("/row 77777\r")
        terminal.until(lambda it: any("Row 77777" in line for line in it.lines))
        items = numbered(100_000)["items"]
        self.server.put("numbers", {"title": "Numbers", "items": [{"id": "new", "title": "New"}, *items[:-1]]})
        terminal.shows("1 new above")
        self.assertTrue(any("Row 77777" in line for line in terminal.lines))
        terminal.type("q")
        self.assertEqual(os.waitstatus_to_exitcode(terminal.ends()), 0)

    def test_output_that_cannot_be_written_is_said_in_words(self):
        self.server.put("numbers", numbered(3))
        # What is opened when the numbers 0 to 2 are free must not be taken for them.
        for redirection, reason in [(">&-", "Bad file descriptor"), ("<&- >&-", "Bad file descriptor"),
                                    (">/dev/full", "No space left on device")]:
            for words in ["watch", "get"]:
                done = subprocess.run(
                    ["sh", "-c", f"exec {BINARY} {words} numbers --server {self.server.url} {redirection}"],
                    stderr=subprocess.PIPE, text=True, timeout=PATIENCE, check=False)
                self.assertEqual((done.returncode, done.stderr),
                                 (1, f"freshet: standard output cannot be written: {reason}\n"))

    def test_a_storm_of_sizes_leaves_what_fits_the_last(self):
        self.server.put("numbers", numbered(50))
        terminal = self.watch("numbers")
        terminal.shows("live")
        for number in range(400):
            terminal.resize(1 + number * 37 % 150, 1 + number * 17 % 60)
            if number % 7 == 0:
                terminal.type("j")
                terminal.read(0)
        terminal.resize(44, 9)
        terminal.type("g")
        terminal.until(lambda it: [line.strip() for line in it.lines[1:8]] == [f"Row {n}" for n in range(7)]
                       and "quit" in it.lines[8] and "live" in it.lines[0])

    def test_it_can_be_suspended(self):
        self.server.put("numbers", numbered(3))
        terminal = Terminal("--norc", "--noprofile", "-i", program="/bin/bash", PS1="prompt> ")
        self.addCleanup(terminal.close)
        terminal.shows("prompt>")
        terminal.type(f"{BINARY} watch numbers --server {self.server.url}\r")
        terminal.shows("live")
        terminal.type("\x1a")
        terminal.until(lambda it: b"\x1b[?1049l" in it.raw and b"Stopped" in it.raw)
        self.server.put("numbers", numbered(3, "Meanwhile"))
        # The shell has the terminal as it was: what is typed is seen, and a line at a time.
        terminal.type("stty -a | tr ' ' '\\n' | grep -x -e icanon -e echo | sort | xargs echo modes\r")
        terminal.until(lambda it: b"modes echo icanon" in it.raw)
        terminal.type("fg\r")
        terminal.shows("Meanwhile 2")
        terminal.type("q")
        terminal.until(lambda it: it.raw.count(b"\x1b[?1049l") >= 2)
        terminal.type("echo ov''er\r")
        terminal.until(lambda it: b"over" in it.raw)

    def test_lines_have_a_time_and_whole_emoji(self):
        self.server.put("numbers", numbered(3))
        terminal = self.watch("numbers", TERM="dumb", columns=120)
        terminal.shows("3 items, 1 section")
        self.server.put("numbers", {"title": "Numbers", "items": [
            *numbered(3)["items"], {"id": "new", "title": f"{FAMILY} \x1b[31m\u202ered"}]})
        terminal.until(lambda it: (FAMILY + " [31mred").encode() in it.raw)
        changes = [line for line in terminal.raw.decode().splitlines() if not line.startswith(" ")]
        self.assertEqual(len(changes), 2)
        for line in changes:
            self.assertRegex(line, r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ numbers ")


if __name__ == "__main__":
    unittest.main()
