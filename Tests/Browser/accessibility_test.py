"""What screen readers and weak eyes find: the tree that Chromium gives them, and contrast."""

from feeds import Publisher, news, rows
from harness import DESKTOP, PHONE, BrowserTest, Freshet, frames
from reader_page import STATE, TABLE

# What may be in what, by ARIA 1.2 ("required owned elements").
OWNED = {"grid": {"row", "rowgroup"}, "rowgroup": {"row"}, "row": {"gridcell", "rowheader"},
         "list": {"listitem"}}
OPERATED = {"button", "link", "textbox", "switch", "slider", "grid", "checkbox"}

ITEMS = [{"title": letter, "id": letter, "index": letter, "items": [
    {"id": f"{letter}{number}", "title": f"{letter} {number}", "value": "42", "author": "Ada",
     "summary": "A line about it", "url": "https://example.org/"} for number in range(8)]}
    for letter in "ABCDE"]

# The contrast of all text in sight with what is below it: those pairs that have too little.
FAINT = """() => {
  const pen = Object.assign(document.createElement("canvas"), { width: 1, height: 1 })
    .getContext("2d", { willReadFrequently: true });
  const rgba = (colour) => {
    pen.clearRect(0, 0, 1, 1);
    pen.fillStyle = colour;
    pen.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = pen.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], below) =>
    [r, g, b].map((one, index) => one * a + below[index] * (1 - a));
  const light = (colour) => {
    const [r, g, b] = colour.map((one) => one / 255)
      .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const seen = (element) => {
    const line = [];
    for (let at = element; at; at = at.parentElement) line.unshift(getComputedStyle(at));
    let ground = rgba("Canvas");
    let alpha = 1;
    for (const { backgroundColor, opacity } of line) {
      alpha *= Number(opacity);
      const [r, g, b, a] = rgba(backgroundColor);
      ground = over([r, g, b, a * alpha], ground);
    }
    const [r, g, b, a] = rgba(line.at(-1).color);
    return [over([r, g, b, a * alpha], ground), ground];
  };
  const faint = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node; (node = texts.nextNode());) {
    const element = node.parentElement;
    const { fontSize, fontWeight } = getComputedStyle(element);
    const isHidden = !element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
      || element.matches(":disabled, .ui-announcement, noscript");
    if (isHidden || node.data.trim() === "") continue;
    const [one, other] = seen(element).map(light).sort((a, b) => a - b);
    const size = parseFloat(fontSize);
    const isLarge = size >= 24 || size >= 18.66 && Number(fontWeight) >= 700;
    const contrast = (other + 0.05) / (one + 0.05);
    if (contrast < (isLarge ? 3 : 4.5)) {
      faint.push(`${contrast.toFixed(2)}: ${node.data.trim()} (${element.className})`);
    }
  }
  return faint;
}"""


class AccessibilityTest(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = cls.enterClassContext(Freshet())
        cls.publisher = Publisher(cls.server)
        cls.publisher.put("contacts", ITEMS, title="Contacts")

    def read(self, feed="contacts", **options):
        page = self.open(f"{self.server.url}/#{feed}", **options)
        self.wait(page, f"() => {TABLE}?.visibleCells?.length > 4")
        return page

    def nodes(self, page):
        """The nodes of the accessibility tree that are not ignored, each with those below it."""
        session = page.context.new_cdp_session(page)
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        by_id = {node["nodeId"]: node for node in nodes}

        def role(node):
            return node.get("role", {}).get("value")

        def below(node):
            for child in (by_id[one] for one in node.get("childIds", []) if one in by_id):
                if child["ignored"] or role(child) in ("generic", "none"):
                    yield from below(child)
                else:
                    yield child

        return [(role(node), node.get("name", {}).get("value", ""), node,
                 [role(child) for child in below(node)])
                for node in nodes if not node["ignored"]]

    def check_tree(self, page):
        nodes = self.nodes(page)
        for role, name, _, below in nodes:
            if role in OWNED:
                self.assertLessEqual(set(below), OWNED[role], f"in {role} {name}")
            if role in OPERATED:
                self.assertTrue(name.strip(), f"a {role} without a name")
        return nodes


class Trees(AccessibilityTest):
    def test_the_reader(self):
        for size in (PHONE, DESKTOP):
            page = self.read(**size)
            nodes = self.check_tree(page)
            [grid] = [below for role, name, _, below in nodes
                      if (role, name) == ("grid", "Contacts")]
            self.assertIn("rowgroup", grid)
            self.assertIn(("slider", "Sections"), [(role, name) for role, name, *_ in nodes])

    def test_the_list_of_feeds(self):
        page = self.open(f"{self.server.url}/", **PHONE)
        page.get_by_role("link", name="Contacts").wait_for()
        self.check_tree(page)

    def test_the_workbench(self):
        page = self.open(f"{self.server.url}/workbench.html")
        page.locator("#key").fill(self.server.key)
        page.locator("#key").blur()
        page.get_by_role("button", name="Publish").click()
        self.check_tree(page)
        page.locator("#live .items ol li").first.wait_for()
        self.check_tree(page)

    def test_rows_are_numbered_among_all_rows_and_headers(self):
        page = self.read()
        numbers = page.evaluate("""() => [...document.querySelectorAll("[role=grid] [role=row]")]
          .map((row) => Number(row.ariaRowIndex)).sort((one, other) => one - other)""")
        self.assertEqual(numbers, list(range(1, len(numbers) + 1)))
        self.assertEqual(page.locator("[role=grid]").get_attribute("aria-rowcount"), "45")

    def test_rows_say_what_is_unread_starred_and_open(self):
        self.publisher.put("news", news(3), title="News")
        page = self.open(f"{self.server.url}/#news")
        states = """() => [...document.querySelectorAll("table-view .ui-section > feed-cell")]
          .map((cell) => [cell.querySelector(".states:not([hidden])")?.ariaLabel ?? null, cell.ariaCurrent])"""
        self.equals(page, states, [["Unread", None]] * 3)
        self.wait(page, "document.querySelector('#item .item-bar') !== null")
        page.keyboard.press("j")
        self.equals(page, states, [[None, "true"]] + [["Unread", None]] * 2)
        page.keyboard.press("f")
        page.keyboard.press("m")
        self.equals(page, states, [["Unread, Starred", "true"]] + [["Unread", None]] * 2)
        page.keyboard.press("j")
        self.equals(page, states, [["Unread, Starred", None], [None, "true"], ["Unread", None]])
        names = [name for role, name, *_ in self.nodes(page) if role == "row"]
        self.assertIn("Unread, Starred", names[0])
        self.assertNotIn("Unread", names[1])

    def test_the_focus_is_where_the_keyboard_is(self):
        page = self.read()
        page.get_by_role("grid").focus()
        for _ in range(5):
            page.keyboard.press("ArrowDown")
        active = """() => {
          const grid = document.activeElement;
          const row = document.getElementById(grid.getAttribute("aria-activedescendant"));
          return [grid.role, row && grid.contains(row) ? row.ariaRowIndex : null];
        }"""
        self.assertEqual(page.evaluate(active)[0], "grid")
        row = page.evaluate(active)[1]
        self.assertIsNotNone(row)
        # What is scrolled out of sight is no row of the keyboard's, and is one again on return.
        page.evaluate(f"{TABLE}.contentOffset = {{ y: 1e6 }}")
        self.assertEqual(page.evaluate(active), ["grid", None])
        page.evaluate(f"{TABLE}.contentOffset = {{ y: 0 }}")
        self.assertEqual(page.evaluate(active), ["grid", row])

    def test_the_focus_does_not_scroll(self):
        page = self.read()
        page.evaluate(f"{TABLE}.contentOffset = {{ y: 700 }}")
        self.still(page, "table-view")
        page.locator("#refresh").focus()
        for _ in range(4):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.role") == "grid":
                break
        self.assertEqual(page.evaluate("document.activeElement.role"), "grid")
        self.assertEqual(self.still(page, "table-view"), 700)


class Announcements(AccessibilityTest):
    def test_of_what_a_stream_brings_are_summed_up(self):
        self.publisher.put("flood", rows(3), title="Flood")
        page = self.read_flood()
        for number in range(1, 31):
            self.publisher.put("flood", rows(number, "late") + rows(3), title="Flood")
        self.wait(page, "said.length > 0 && sum() === 30")
        # However long the changes take, hardly any comes alone.
        self.assertLess(page.evaluate("said.length"), 10)

    def read_flood(self):
        page = self.open(f"{self.server.url}/#flood")
        self.wait(page, f"() => {TABLE}?.visibleCells?.length === 3")
        page.evaluate("""async () => {
          // The page's own copy of the module, below the name of its release.
          const { src } = document.querySelector("script[type=module]");
          const { announce } = await import(new URL("../ui/page.js", src));
          announce("ready");
          window.said = [];
          window.sum = () => said.reduce((sum, { words }) => sum + parseInt(words), 0);
          const region = document.querySelector(".ui-announcement");
          while (region.textContent === "") await new Promise(requestAnimationFrame);
          new MutationObserver(() => {
            if (region.textContent) said.push({ words: region.textContent });
          }).observe(region, { childList: true });
        }""")
        page.get_by_role("switch", name="Live").check(force=True)
        self.wait(page, STATE, "live")
        return page


class Contrast(AccessibilityTest):
    def check(self, page):
        frames(page, 2)
        self.assertEqual(page.evaluate(FAINT), [])

    def test_of_all_text(self):
        for scheme in ("light", "dark"):
            with self.subTest(scheme):
                page = self.read(color_scheme=scheme, reduced_motion="reduce", **DESKTOP)
                # On every ground that a change may give a row.
                page.evaluate("""() => {
                  const grounds = ["--new", "--moved", "--changed", "--tint"];
                  const cells = document.querySelectorAll("feed-cell");
                  grounds.forEach((ground, index) => {
                    cells[index].style.backgroundColor = `var(${ground})`;
                  });
                }""")
                # With what is still on its way a refresh would only wait for that.
                self.wait(page, STATE, "live")
                page.context.set_offline(True)
                page.keyboard.press("r")
                self.wait(page, STATE, "offline")
                self.check(page)
                page.context.set_offline(False)
                page.locator("#key-button").click()
                self.check(page)
                page.goto(f"{self.server.url}/#nowhere")
                page.get_by_role("heading", name="There is no such feed").wait_for()
                self.check(page)

    def test_of_the_workbench(self):
        for scheme in ("light", "dark"):
            with self.subTest(scheme):
                page = self.open(f"{self.server.url}/workbench.html", color_scheme=scheme,
                                 reduced_motion="reduce", **DESKTOP)
                page.locator("#key").fill(self.server.key)
                page.locator("#key").blur()
                page.get_by_role("button", name="Publish").click()
                page.locator("#live .items ol li").first.wait_for()
                page.locator("#publishing code").wait_for()
                self.check(page)
                page.locator("#document").fill("{")
                page.get_by_role("button", name="Publish").click()
                page.locator("#outcome.failed").wait_for()
                self.check(page)
