"""The cases of docs/ui-vectors that have a view, a test each."""

import json
import re
import subprocess
import sys
import time
import unittest

from harness import PATIENCE, PHONE, ROOT, BrowserTest, Touches, frames

FOLDER = ROOT / "docs" / "ui-vectors"


class TimedTouches(Touches):
    """Touches at the times that a case says, however long the browser takes for them."""

    now = 0
    is_down = False

    def _send(self, kind, points):
        self.is_down = kind in ("touchStart", "touchMove")
        self.session.send("Input.dispatchTouchEvent", {
            "type": kind, "touchPoints": points, "timestamp": self.now})


class Vectors(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/vectors.html", **PHONE)
        cls.touches = TimedTouches(cls.page)

    def tearDown(self):
        # A finger that a case left down would be the next one's, too.
        if self.touches.is_down:
            self.touches.cancel()
        super().tearDown()

    def run_case(self, case):
        self.page.evaluate("(view) => vectors.make(view)", case["view"])
        self.page.evaluate("""async (patience) => {
          await stage.rest(patience);
          stage.log.clear();
        }""", PATIENCE)
        frames(self.page, 2)
        self.touches.now = time.time()
        for number, step in enumerate(case["steps"]):
            wrong = self.step(step)
            if wrong:
                self.fail(f"step {number} {json.dumps(step, ensure_ascii=False)}: "
                          + "; ".join(wrong))
        self.assertEqual(self.page.evaluate("stage.source?.wrong ?? []"), [])

    def step(self, step):
        """Does a step: what is not as expected then."""
        if not {"touch", "tap", "top", "advance", "rest"} & step.keys():
            wrong = self.page.evaluate("(step) => stage.step(step)", step)
            if "drop" not in step:
                return wrong
            self.touches.session.send("HeapProfiler.collectGarbage")
            return self.soon(step.get("expect", {}))
        if "touch" in step:
            getattr(self, f"touch_{step['touch']}")(step)
        elif "tap" in step:
            self.touches.down(*self.place(step["tap"]))
            self.touches.now += 0.05
            self.touches.up()
        elif "top" in step:
            self.page.evaluate("stage.view.focus()")
            self.page.keyboard.press("Home")
        elif "advance" in step:
            self.touches.now += step["advance"] / 1000
            self.page.wait_for_timeout(step["advance"])
        if "tap" in step or "top" in step:
            frames(self.page, 2)
        if "rest" in step:
            self.page.evaluate("(patience) => stage.rest(patience)", PATIENCE)
        return self.soon(step.get("expect", {}))

    def soon(self, expect):
        """What is not as expected, however long one waits: touches take their time."""
        deadline = time.monotonic() + PATIENCE
        while wrong := self.page.evaluate("(expect) => stage.check(expect)", expect):
            if time.monotonic() > deadline:
                return wrong
            frames(self.page)
        return []

    def place(self, at):
        return self.page.evaluate("(at) => stage.place(at)", at)

    def touch_down(self, step):
        self.touches.down(*self.place(step["at"]))

    def touch_move(self, step):
        (x, y), (to_x, to_y) = self.touches.at, self.place(step["to"])
        time_over = step.get("over", 0)
        count = max(1, round(time_over / 16))
        for _ in range(count):
            self.touches.now += time_over / count / 1000
            self.touches.move((to_x - x) / count, (to_y - y) / count, 1)

    def touch_up(self, _):
        self.touches.up()

    def touch_cancel(self, _):
        self.touches.cancel()


def add_cases(name, cases):
    """Makes a class of a file's cases."""
    def method(case):
        return lambda self: self.run_case(case)

    tests = {f"test_{re.sub(r'[^a-z0-9]+', '_', case['name'].lower())}": method(case)
             for case in cases if "view" in case}
    if tests:
        title = "Vectors" + "".join(part.capitalize() for part in name.split("-"))
        globals()[title] = type(title, (Vectors,), tests)


class RandomVectors(unittest.TestCase):
    def test_they_are_what_their_script_makes(self):
        made = subprocess.run([sys.executable, FOLDER / "random-updates.py"], check=True,
                              capture_output=True, text=True).stdout
        self.assertEqual(made, (FOLDER / "random-updates.json").read_text())


for path in sorted(FOLDER.glob("*.json")):
    add_cases(path.stem, json.loads(path.read_text())["cases"])
