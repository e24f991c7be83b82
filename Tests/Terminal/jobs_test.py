"""`freshet watch` among the jobs of a shell: stopped, continued, in the background, and while nothing happens."""
import os
import re
import signal
import termios
import unittest

from terminal import BINARY, Server, Terminal

ROWS = {"title": "Numbers", "items": [{"id": str(n), "title": f"Row {n}"} for n in range(100)]}


class Jobs(unittest.TestCase):
    def setUp(self):
        self.server = Server()
        self.addCleanup(self.server.stop)
        self.server.put("numbers", ROWS)
        self.command = f"{BINARY} watch numbers --server {self.server.url}"

    def watch(self, **options):
        terminal = Terminal("watch", "numbers", "--server", self.server.url, **options)
        self.addCleanup(terminal.close)
        terminal.shows("live")
        terminal.shows("Row 12")
        return terminal

    def shell(self):
        terminal = Terminal("--norc", "--noprofile", "-i", program="/bin/bash", PS1="prompt> ")
        self.addCleanup(terminal.close)
        terminal.shows("prompt>")
        return terminal

    def is_raw(self, terminal):
        return not termios.tcgetattr(terminal.file)[3] & termios.ICANON

    def job(self, shell):
        with open(f"/proc/{shell.pid}/task/{shell.pid}/children") as children:
            return int(children.read().split()[0])

    def continues(self, terminal):
        drawn = terminal.raw.count(b"\x1b[?1049h")
        terminal.type("fg\r")
        terminal.until(lambda it: it.raw.count(b"\x1b[?1049h") > drawn, "the screen was not taken again")
        terminal.until(lambda it: "Row" in it.lines[14] and "quit" in it.lines[-1], "it was not drawn anew")
        self.assertTrue(self.is_raw(terminal))
        self.assertRegex(terminal.raw, rb"(?s)fg.*\x1b\[\?2004h")
        terminal.type("/Row 77\r")
        terminal.shows("Row 77")
        terminal.type("g")
        terminal.shows("Row 0")

    def leaves(self, terminal):
        terminal.type("q")
        terminal.until(lambda it: it.raw.endswith(b"prompt> "), "no prompt")
        self.assertEqual(terminal.raw.count(b"\x1b[22;0t"), terminal.raw.count(b"\x1b[23;0t"))
        self.assertEqual(terminal.raw.count(b"\x1b[?2004h") > 0, b"\x1b[?2004l" in terminal.raw)

    def test_it_takes_the_terminal_again_after_any_stop(self):
        for stop in ["\x1a", signal.SIGTSTP, signal.SIGSTOP]:
            with self.subTest(stop=stop):
                terminal = self.shell()
                terminal.type(self.command + "\r")
                terminal.shows("live")
                for _ in range(2):
                    stops = terminal.raw.count(b"Stopped")
                    if stop == "\x1a":
                        terminal.type(stop)
                    else:
                        os.kill(self.job(terminal), stop)
                    terminal.until(lambda it: it.raw.count(b"Stopped") > stops, "it was not stopped")
                    terminal.type("stty sane; reset -I 2> /dev/null; clear\r")
                    terminal.until(lambda it: it.raw.endswith(b"prompt> "), "no prompt")
                    self.continues(terminal)
                self.leaves(terminal)

    def test_it_waits_in_the_background_and_comes_back(self):
        terminal = self.shell()
        terminal.type(self.command + "\r")
        terminal.shows("live")
        terminal.type("\x1a")
        for count in range(5):
            self.prompts(terminal, b"Stopped")
            # What comes while it is stopped is drawn when the terminal is its own again.
            self.server.put("numbers", {**ROWS, "title": f"Numbers {count}"})
            os.kill(self.job(terminal), signal.SIGWINCH)
            seen = len(terminal.raw)
            terminal.type("bg\r")
            # The shell says that it was stopped again before one of its next prompts.
            terminal.until(lambda it: it.type("\r") or b"Stopped" in it.raw[seen:], "it was not stopped again")
            for drawn in [b"Numbers", b"Row", b"\x1b[?1049h"]:
                self.assertNotIn(drawn, terminal.raw[seen:])
        self.continues(terminal)
        self.leaves(terminal)

    def prompts(self, shell, text):
        """Waits for a text, and the prompt after it."""
        shell.until(lambda it: it.raw.rpartition(text)[1] and b"prompt> " in it.raw.rpartition(text)[2], "no prompt")

    def test_a_stopped_one_can_be_ended(self):
        terminal = self.shell()
        terminal.type(self.command + "\r")
        terminal.shows("live")
        terminal.type("\x1a")
        terminal.until(lambda it: b"Stopped" in it.raw)
        terminal.type("kill %1; wait; echo ov''er\r")
        terminal.until(lambda it: b"over" in it.raw, "it does not end")

    def test_a_start_in_the_background_is_refused_in_words(self):
        for mode in ["-tostop", "tostop"]:
            with self.subTest(mode=mode):
                terminal = self.shell()
                terminal.type(f"stty {mode}; {self.command} & wait $!; echo status $?\r")
                terminal.until(lambda it: b"status 1" in it.raw, "it does not end")
                self.assertIn(b"in the background", terminal.raw)
                self.assertIn(b"--lines", terminal.raw)
                self.assertNotIn(b"\x1b[?1049h", terminal.raw)

    def switches(self, pid):
        count = 0
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/status") as status:
                count += int(re.search(r"\nvoluntary_ctxt_switches:\s*(\d+)", status.read())[1])
        return count

    def test_it_sleeps_while_nothing_happens(self):
        terminal = self.watch()
        while terminal.read(1):
            pass
        before = self.switches(terminal.pid)
        self.assertFalse(terminal.read(3))
        # Fifty-millisecond ticks would be sixty.
        self.assertLess(self.switches(terminal.pid) - before, 12)


class Keys(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.server = Server()
        cls.server.put("numbers", ROWS)

    @classmethod
    def tearDownClass(cls):
        cls.server.stop()

    def setUp(self):
        self.terminal = Terminal("watch", "numbers", "--server", self.server.url)
        self.addCleanup(self.terminal.close)
        self.terminal.shows("live")
        self.terminal.shows("Row 12")

    def first(self, text):
        self.terminal.until(lambda it: it.lines[1].strip() == text, f"not {text}")

    def test_half_pages(self):
        for key, text in [("\x04", "Row 7"), ("\x04", "Row 14"), ("\x15", "Row 7"), ("\x06", "Row 20"), ("\x02", "Row 7")]:
            self.terminal.type(key)
            self.first(text)

    def test_the_screen_is_drawn_anew(self):
        self.terminal.screen.reset()
        self.terminal.type("\x0c")
        self.terminal.shows("Row 12")

    def test_a_paste_is_text_and_no_keys(self):
        self.terminal.type("\x1b[200~qGq\r\x1b[201~")
        self.terminal.shows("/ and then")
        self.terminal.type("/\x1b[200~Row\n77\x1b[201~")
        self.terminal.until(lambda it: it.lines[-1].startswith("/Row 77"), "no text")
        self.terminal.type("\r")
        self.terminal.until(lambda it: any("Row 77" in line for line in it.lines[1:-1]), "not found")

    def test_a_search_can_be_begun_anew(self):
        self.terminal.type("/abc\x15Row 55\r")
        self.terminal.shows("Row 55")


if __name__ == "__main__":
    unittest.main()
