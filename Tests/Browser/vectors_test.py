"""The cases of docs/ui-vectors that have a view, a test each."""

import json
import re
import time

from harness import PATIENCE, PHONE, ROOT, BrowserTest, Touches, frames

FOLDER = ROOT / "docs" / "ui-vectors"


class Vectors(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.page = cls.open("/pages/vectors.html", **PHONE)
        cls.touches = Touches(cls.page)

    def run_case(self, case):
        self.page.evaluate("(view) => vectors.make(view)", case["view"])
        self.page.evaluate("""async (patience) => {
          await stage.rest(patience);
          stage.log.clear();
        }""", PATIENCE)
        frames(self.page, 2)
        for number, step in enumerate(case["steps"]):
            wrong = self.step(step)
            if wrong:
                self.fail(f"step {number} {json.dumps(step, ensure_ascii=False)}: "
                          + "; ".join(wrong))
        self.assertEqual(self.page.evaluate("stage.source?.wrong ?? []"), [])

    def step(self, step):
        """Does a step: what is not as expected then."""
        if not {"touch", "tap", "top", "advance", "rest"} & step.keys():
            return self.page.evaluate("(step) => stage.step(step)", step)
        if "touch" in step:
            getattr(self, f"touch_{step['touch']}")(step)
        elif "tap" in step:
            self.touches.tap(*self.place(step["tap"]))
        elif "top" in step:
            self.page.evaluate("stage.view.focus()")
            self.page.keyboard.press("Home")
        elif "advance" in step:
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
        self.touches.move(to_x - x, to_y - y, max(1, round(step.get("over", 0) / 16)))

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


for path in sorted(FOLDER.glob("*.json")):
    add_cases(path.stem, json.loads(path.read_text())["cases"])
