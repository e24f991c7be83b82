"""What axe-core finds, where its package is installed; the keyboard alone, and text twice as large."""

import importlib.util
import json
import pathlib
import unittest

from feeds import Publisher, rows
from harness import DESKTOP, PHONE, BrowserTest, Freshet
from reader_page import SHOWN, STATE, TABLE

ITEMS = [{"id": letter, "title": letter, "index": letter, "items": [
    {"id": f"{letter}{number}", "title": f"{letter} {number}", "summary": "A line about it",
     "published": "2026-03-01T10:00:00Z", "url": "https://example.org/", "tags": ["one", "two"],
     "content_html": "<p>A <a href='https://example.org/'>link</a></p>"}
    for number in range(8)]} for letter in "ABC"]
AXE = importlib.util.find_spec("axe_core_python")


class ReadingTest(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = cls.enterClassContext(Freshet())
        cls.publisher = Publisher(cls.server)
        cls.publisher.put("parts", ITEMS, title="Parts")
        cls.publisher.put("empty", [], title="Empty")

    def read(self, feed="parts", **options):
        page = self.open(f"{self.server.url}/#{feed}", **options)
        if feed == "parts":
            self.wait(page, SHOWN, "A 0")
        return page


@unittest.skipUnless(AXE, "axe-core-python is not installed")
class Axe(ReadingTest):
    # Each run of axe takes seconds.
    seconds = 10

    def check(self, page, *parts, rules=None):
        """What axe finds in parts of a page, or all of it, as one line for each element."""
        session = page.context.new_cdp_session(page)
        script = pathlib.Path(AXE.origin).with_name("axe.min.js").read_text()
        session.send("Runtime.evaluate", {"expression": script})
        # A frame without scripts cannot be asked. Of what is well nothing is to be written down.
        where = {"exclude": [["iframe"]], **({"include": [[part] for part in parts]} if parts else {})}
        how = {"resultTypes": ["violations"], "selectors": False, **({"runOnly": rules} if rules else {})}
        found = session.send("Runtime.evaluate", {
            "expression": f"axe.run({json.dumps(where)}, {json.dumps(how)}).then(({{ violations }}) =>"
                          " JSON.stringify(violations.map(({ id, nodes }) => [id, nodes[0].html])))",
            "awaitPromise": True})
        self.assertEqual(json.loads(found["result"]["value"]), [])

    def test_finds_nothing_in_the_reader(self):
        # Dark, colours alone are others.
        for options, rules in ((DESKTOP, None), (PHONE, None), ({**DESKTOP, "locale": "ar"}, None),
                               ({**DESKTOP, "color_scheme": "dark"}, ["color-contrast"])):
            with self.subTest(options=str(options)):
                page = self.read(**options, reduced_motion="reduce")
                self.check(page, rules=rules)
                page.locator("feed-cell a.title").nth(1).click()
                page.locator("#item iframe").wait_for()
                # Beside the list, which was looked at, or over it.
                self.check(page, "#item", rules=rules)
                page.context.close()

    def test_finds_nothing_in_what_is_said(self):
        page = self.read("empty", **DESKTOP, reduced_motion="reduce")
        page.locator(".command code").wait_for()
        self.check(page)
        for button in ("settings", "key-button"):
            page.locator(f"#{button}").click()
            self.wait(page, "document.querySelector('dialog[open]')")
            self.check(page, "dialog[open]")
            page.keyboard.press("Escape")
        page = self.read(**DESKTOP, reduced_motion="reduce")
        page.keyboard.press("/")
        page.get_by_role("switch", name="Live").check(force=True)
        # A stream that is on its way when the network goes may come all the same, and all is well then.
        self.wait(page, STATE, "live")
        page.context.set_offline(True)
        page.keyboard.press("Escape")
        page.keyboard.press("r")
        page.locator("#banner").wait_for()
        self.check(page, "main > header", "#banner")
        page.goto("about:blank")

    def test_finds_nothing_in_the_workbench(self):
        page = self.open(f"{self.server.url}/workbench.html#key={self.server.key}",
                         **DESKTOP, reduced_motion="reduce")
        page.get_by_role("button", name="One change").click()
        self.wait(page, "document.querySelectorAll('#stories li').length === 3")
        self.check(page)

    def test_finds_nothing_in_the_gallery(self):
        page = self.open("/gallery.html", **DESKTOP, reduced_motion="reduce")
        self.wait(page, "document.documentElement.dataset.ready !== undefined")
        self.check(page)

    def test_finds_nothing_in_the_page_of_the_operator(self):
        for fragment, part in (("", "#ask"), (f"#key={self.server.key}", "#feeds tbody tr")):
            context = self.context(**DESKTOP, reduced_motion="reduce")
            page = self.open(f"{self.server.url}/admin.html{fragment}", context)
            page.locator(part).first.wait_for()
            self.check(page)

    def test_finds_nothing_in_the_page_of_the_api(self):
        page = self.open("/api.html", **DESKTOP, reduced_motion="reduce")
        page.locator("#schemas article").first.wait_for()
        # Of hundreds that are made alike the first, and the longest, after all that is around them.
        page.evaluate("""() => {
          for (const list of document.querySelectorAll("#operations, #schemas")) {
            const parts = [...list.querySelectorAll("article")];
            const longest = parts.toSorted((one, other) => other.innerText.length - one.innerText.length);
            const kept = new Set([parts[0], ...longest.slice(0, 2)]);
            for (const part of parts) if (!kept.has(part)) part.remove();
          }
          const links = [...document.querySelectorAll("#contents a")];
          for (const link of links.filter(({ hash }) => !document.getElementById(hash.slice(1)))) link.remove();
        }""")
        self.check(page)


class TheKeyboardAlone(ReadingTest):
    def test_reaches_and_does_everything(self):
        page = self.read(**DESKTOP)
        page.evaluate("document.body.focus()")
        reached = []
        for _ in range(40):
            page.keyboard.press("Tab")
            name = page.evaluate("""() => {
              const one = document.activeElement;
              const box = one.getBoundingClientRect();
              const style = getComputedStyle(one.matches("#live") ? one.nextSibling : one);
              // The ring of a table is around the row that it is at.
              const isSeen = style.outlineStyle !== "none" || one.role === "grid";
              return [one.id || one.role || one.className || one.localName, isSeen || one === document.body];
            }""")
            if name[0] == "body":
                break
            reached.append(name)
        names = [name for name, _ in reached]
        self.assertEqual([name for name, is_seen in reached if not is_seen], [])
        for name in ("settings", "key-button", "filter-button", "live", "refresh", "grid"):
            self.assertIn(name, names)
        # And the item, and back.
        page.evaluate(f"{TABLE}.focus()")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        page.locator("#item iframe").wait_for()
        page.keyboard.press("Escape")
        self.wait(page, "document.getElementById('item').hidden")
        self.wait(page, "document.activeElement.role === 'grid'")


class TextTwiceAsLarge(ReadingTest):
    def test_is_cut_off_nowhere(self):
        for options in (DESKTOP, PHONE, {"viewport": {"width": 320, "height": 568}}):
            with self.subTest(width=options["viewport"]["width"]):
                page = self.read(**options)
                page.evaluate("document.documentElement.style.fontSize = '200%'")
                self.wait(page, "parseFloat(getComputedStyle(document.body).fontSize) === 32")
                self.still(page, "table-view")
                wide = page.evaluate("""() => [...document.querySelectorAll("main *")].filter((one) => {
                  const { left, right, width } = one.getBoundingClientRect();
                  return width > 0 && one.checkVisibility() && (right > innerWidth + 1 || left < -1)
                    && !one.closest(".ui-index-bar, #item, #refresh");
                }).map((one) => one.outerHTML.slice(0, 90))""")
                self.assertEqual(wide, [])
                self.assertTrue(page.locator("feed-cell .title").first.is_visible())
                page.context.close()
