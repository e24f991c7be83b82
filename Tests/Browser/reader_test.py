"""The reader with the real server: docs/WEB.md."""

import time
import unittest

from feeds import Publisher, rows
from harness import DESKTOP, PATIENCE, PHONE, BrowserTest, Freshet, Touches, frames

CELLS = "[...document.querySelectorAll('feed-cell')].map((cell) => cell.textContent)"
TABLE = "document.querySelector('table-view')"
# The first rows are there before what makes a table of them.
SHOWN = f"""(words) => {TABLE}?.visibleCells?.some(
  (cell) => cell.querySelector('.title').textContent === words)"""
STATUS = "(words) => document.getElementById('status').textContent.includes(words)"
STATE = "(state) => document.getElementById('status').dataset.state === state"


class ReaderTest(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = cls.enterClassContext(Freshet())
        cls.publisher = Publisher(cls.server)

    def read(self, feed="news", context=None, **options):
        """The reader with a feed in sight."""
        page = self.open(f"{self.server.url}/#{feed}", context, **options)
        return page

    def shows(self, page, title):
        self.wait(page, SHOWN, title)

    def top(self, page):
        """The first row that is wholly in sight, and how far from the top it is."""
        return page.evaluate(f"""() => {{
          const top = {TABLE}.getBoundingClientRect().top;
          const cells = {TABLE}.visibleCells.map((cell) =>
            [cell.querySelector(".title").textContent, cell.getBoundingClientRect().top - top]);
          return cells.find(([, y]) => y > 0);
        }}""")


class Refreshing(ReaderTest):
    def test_by_key(self):
        self.publisher.put("news", rows(3))
        page = self.read()
        self.shows(page, "Row 0")
        self.publisher.put("news", rows(1, "late") + rows(2))
        page.keyboard.press("r")
        self.shows(page, "Late 0")
        self.wait(page, STATUS, "1 new, 1 gone")
        self.still(page, "table-view")
        self.assertEqual(page.evaluate(CELLS), ["Late 0", "Row 0", "Row 1"])

    def test_by_button(self):
        self.publisher.put("news", rows(3))
        page = self.read()
        self.shows(page, "Row 0")
        self.publisher.put("news", [{"id": "row-0", "title": "Changed"}])
        page.get_by_role("button", name="Refresh").click()
        self.shows(page, "Changed")

    def test_by_pull(self):
        self.publisher.put("news", rows(30))
        page = self.read(**PHONE)
        self.shows(page, "Row 0")
        self.still(page, "table-view")
        self.publisher.put("news", rows(1, "late") + rows(30))
        Touches(page).drag(200, 300, 0, 300, 20)
        self.shows(page, "Late 0")
        self.wait(page, f"!{TABLE}.isTracking && {TABLE}.contentOffset.y === 0")

    def test_asks_with_the_token(self):
        self.publisher.put("news", rows(3))
        page = self.read()
        self.shows(page, "Row 0")
        with page.expect_response(lambda answer: "/feeds/news" in answer.url) as answer:
            page.keyboard.press("r")
        self.assertEqual(answer.value.status, 304)
        self.assertIn("since=", answer.value.url)


class Following(ReaderTest):
    def follow(self, context=None, feed="news", **options):
        page = self.read(feed, context, **options)
        page.get_by_role("switch", name="Live").check(force=True)
        self.wait(page, STATE, "live")
        return page

    def test_shows_what_is_published(self):
        self.publisher.put("news", rows(3))
        page = self.follow()
        self.publisher.put("news", rows(1, "live") + rows(3))
        self.shows(page, "Live 0")

    def test_goes_on_through_a_restart_of_the_server(self):
        self.publisher.put("news", rows(3))
        page = self.follow()
        self.server.stop()
        self.wait(page, STATE, "offline")
        self.assertTrue(page.locator("#banner").is_visible())
        self.assertIn("Row 0", page.evaluate(CELLS))
        self.server.start()
        self.publisher.put("news", rows(2, "again"))
        self.wait(page, STATE, "live")
        self.shows(page, "Again 0")
        self.wait(page, "document.getElementById('banner').hidden")

    def test_goes_offline_and_comes_back(self):
        self.publisher.put("news", rows(3))
        page = self.follow()
        page.context.set_offline(True)
        page.keyboard.press("r")
        self.wait(page, STATE, "offline")
        self.publisher.put("news", rows(1, "back") + rows(3))
        page.context.set_offline(False)
        self.shows(page, "Back 0")
        self.wait(page, STATE, "live")

    def test_in_ten_tabs(self):
        """A browser opens six connections to a server; each tab leaves the others some."""
        self.publisher.put("news", rows(3))
        context = self.context(**DESKTOP)
        pages = [self.follow(context) for _ in range(10)]
        self.publisher.put("news", rows(1, "tab") + rows(3))
        for page in pages:
            self.shows(page, "Tab 0")

    def test_says_when_a_feed_goes(self):
        self.publisher.put("brief", rows(3))
        page = self.follow(feed="brief")
        self.publisher.delete("brief")
        page.get_by_role("heading", name="There is no such feed").wait_for()
        self.publisher.put("brief", rows(1, "again"))
        self.shows(page, "Again 0")


    def test_fetches_a_feed_once_when_it_opens_live(self):
        self.publisher.put("news", rows(3))
        page = self.follow()
        self.publisher.put("other", rows(4, "other"), title="Other")
        asked = []
        page.on("request", lambda request: asked.append(request.url.split("/", 3)[3]))
        page.evaluate("location.hash = 'other'")
        self.shows(page, "Other 0")
        self.wait(page, STATE, "live")
        [stream] = [path for path in asked if path.startswith("events")]
        self.assertRegex(stream, r"^events\?feed=other@\w+\.1$")


class ComingBack(ReaderTest):
    def test_to_the_same_row(self):
        self.publisher.put("long", rows(300))
        page = self.read("long")
        self.shows(page, "Row 0")
        page.evaluate(f"{TABLE}.contentOffset = {{ y: 4000 }}")
        self.still(page, "table-view")
        before = self.top(page)
        self.publisher.put("long", rows(5, "new") + rows(300))
        page.reload()
        self.shows(page, before[0])
        self.wait(page, STATE, "idle")
        self.still(page, "table-view")
        name, distance = self.top(page)
        self.assertEqual(name, before[0])
        self.assertAlmostEqual(distance, before[1], delta=1.5)

    def test_with_what_it_knew(self):
        self.publisher.put("news", rows(3))
        page = self.read()
        self.shows(page, "Row 0")
        self.wait(page, STATE, "idle")
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.reload()
        self.shows(page, "Row 0")
        self.wait(page, STATE, "idle")
        self.assertTrue(any("/feeds/news?since=" in url for url in asked), asked)
        self.assertFalse(any(url.endswith("/feeds/news") for url in asked), asked)

    def test_without_a_network(self):
        self.publisher.put("news", rows(3))
        page = self.read()
        self.shows(page, "Row 0")
        self.wait(page, STATE, "idle")
        page.route("**/feeds**", lambda route: route.abort())
        page.reload()
        self.shows(page, "Row 0")
        self.wait(page, STATE, "offline")
        banner = page.locator("#banner")
        self.assertIn("cannot be reached", banner.text_content())
        page.unroute("**/feeds**")
        banner.get_by_role("button", name="Try again").click()
        self.wait(page, "document.getElementById('banner').hidden")


class NewAbove(ReaderTest):
    def test_is_counted_and_does_not_move_what_is_read(self):
        self.publisher.put("long", rows(200))
        page = self.read("long")
        self.shows(page, "Row 0")
        page.evaluate(f"{TABLE}.contentOffset = {{ y: 3000 }}")
        self.still(page, "table-view")
        before = self.top(page)
        self.publisher.put("long", rows(12, "new") + rows(200))
        page.keyboard.press("r")
        button = page.get_by_role("button", name="12 new")
        button.wait_for()
        self.still(page, "table-view")
        self.assertEqual(self.top(page)[0], before[0])
        self.assertAlmostEqual(self.top(page)[1], before[1], delta=1.5)
        button.click()
        self.shows(page, "New 0")
        self.wait(page, "document.getElementById('news').hidden")


class States(ReaderTest):
    def test_no_such_feed(self):
        page = self.read("nowhere")
        page.get_by_role("heading", name="There is no such feed").wait_for()
        page.get_by_role("link", name="See all feeds").wait_for()

    def test_an_empty_feed(self):
        self.publisher.put("empty", [])
        page = self.read("empty")
        page.get_by_role("heading", name="Nothing here yet").wait_for()
        self.publisher.put("empty", rows(1))
        page.keyboard.press("r")
        self.shows(page, "Row 0")

    def test_an_error(self):
        context = self.context(**DESKTOP)
        context.route("**/feeds**", lambda route: route.fulfill(
            status=500, json={"detail": "the disk is full"}))
        page = self.read("news", context)
        page.get_by_role("main").get_by_text("the disk is full").wait_for()
        page.get_by_role("main").get_by_role("button", name="Try again").wait_for()

    def test_a_key(self):
        self.publisher.put("news", rows(3))
        context = self.context(**DESKTOP)
        context.route("**/feeds**", lambda route: route.fallback() if "authorization"
                      in route.request.headers else route.fulfill(status=401, json={}))
        page = self.read("news", context)
        page.get_by_role("main").get_by_role("button", name="Enter a key").click()
        page.locator("#key").fill(self.server.key)
        page.keyboard.press("Enter")
        self.shows(page, "Row 0")


class OnAPhone(ReaderTest):
    def test_the_feeds_are_a_screen_of_their_own(self):
        self.publisher.put("news", rows(3))
        page = self.open(f"{self.server.url}/", **PHONE)
        page.get_by_role("link", name="News").tap()
        self.shows(page, "Row 0")
        page.get_by_role("link", name="Back to the feeds").tap()
        page.get_by_role("link", name="News").wait_for()
        self.wait(page, "getComputedStyle(document.querySelector('main')).visibility === 'hidden'")


class ByKeyboard(ReaderTest):
    def test_from_the_list_to_a_row(self):
        self.publisher.put("news", rows(30))
        page = self.read()
        self.shows(page, "Row 0")
        focused = "document.activeElement.textContent || document.activeElement.localName"
        for _ in range(30):
            page.keyboard.press("Tab")
            if page.evaluate("document.activeElement.role") == "grid":
                break
        else:
            self.fail(page.evaluate(focused))
        page.keyboard.press("End")
        self.shows(page, "Row 29")
        page.keyboard.press("Home")
        self.shows(page, "Row 0")

    def test_names(self):
        self.publisher.put("news", rows(2))
        page = self.read()
        self.shows(page, "Row 0")
        tree = self.accessible(page, "body")
        for part in ['navigation "Feeds"', 'heading "News"', 'switch "Live"', 'button "Refresh"',
                     'grid "News"', 'link "Workbench"']:
            self.assertIn(part, tree)


class Hostile(ReaderTest):
    def test_text_never_becomes_markup(self):
        markup = "<img src=x onerror=window.hit=1><script>window.hit=1</script><b>&amp;"
        items = [
            {"id": markup, "title": markup, "summary": markup, "value": markup, "kind": markup},
            {"id": "js", "title": "js", "url": "javascript:window.hit=1"},
            {"id": "data", "title": "data", "url": "data:text/html,<script>1</script>"},
            {"id": "spaced", "title": "spaced", "url": " \tJaVaScRiPt:window.hit=1"},
            {"id": "file", "title": "file", "url": "file:///etc/passwd"},
            {"id": "web", "title": "web", "url": "https://example.org/?a=1&b=2"},
            {"id": "mail", "title": "mail", "url": "mailto:a@example.org"},
            {"id": "__proto__", "title": {"a": [1]}, "value": ["x"], "url": {"href": "x"}},
            {"id": "constructor", "__proto__": {"hit": 1}, "toString": 1, "style": "color:red",
             "class": "hit", "onclick": "window.hit=1", "content_html": markup},
            {"id": "long", "title": "W" * 5000, "value": "W" * 500, "published": "never"},
            {"id": "bidi", "title": "\u202eevil\u202c \u2066x", "summary": "\u0000\u0007"},
        ]
        self.publisher.put("hostile", [{"id": markup, "title": markup, "index": markup,
                                        "items": items}], title=markup)
        page = self.read("hostile")
        self.wait(page, "document.querySelectorAll('feed-cell').length > 5")
        links = page.evaluate("[...document.querySelectorAll('feed-cell a')].map((a) => a.href)")
        self.assertEqual(sorted(links), ["https://example.org/?a=1&b=2", "mailto:a@example.org"])
        page.get_by_role("switch", name="Live").check(force=True)
        self.wait(page, STATE, "live")
        self.publisher.put("hostile", items[::-1], title=markup)
        self.wait(page, "document.querySelector('.title').textContent.includes('evil')")
        self.assertIsNone(page.evaluate("window.hit ?? null"))
        self.assertIsNone(page.evaluate("({}).hit ?? null"))
        self.assertEqual(page.evaluate(
            "document.querySelectorAll('main script, main img[src], main b').length"), 0)
        width = DESKTOP["viewport"]["width"]
        self.assertLessEqual(page.evaluate("document.body.scrollWidth"), width)


class FirstRows(ReaderTest):
    maxDiff = None
    """They are shown before what makes a table of them has come, which is held back here."""

    RECTANGLES = """() => [...document.querySelectorAll(
        "feed-cell .title, feed-cell .summary, feed-cell .value, .ui-header")]
      .filter((one) => one.textContent && one.getBoundingClientRect().top < innerHeight)
      .map((one) => {
        const { x, y, width, height } = one.getBoundingClientRect();
        return [one.textContent, x, y, width, height].join();
      }).sort()"""

    def hold(self, feed, **options):
        """A page with first rows, and what lets the rest come."""
        context = self.context(**options)
        held = []
        context.route("**/reader/FeedView.js", lambda route: held.append(route))
        page = self.open(f"{self.server.url}/#{feed}", context)
        page.locator("feed-cell").first.wait_for()
        deadline = time.monotonic() + PATIENCE
        while not held and time.monotonic() < deadline:
            frames(page)
        self.assertIsNone(page.evaluate("customElements.get('table-view') ?? null"))
        return page, lambda: [route.continue_() for route in held]

    def wait_for_table(self, page):
        self.wait(page, f"{TABLE}?.visibleCells?.length > 0")

    def test_are_where_the_table_has_them(self):
        items = [{"id": f"i{number}", "title": f"Item {number} " + "long " * (number % 3 * 20),
                  "summary": "words " * (number % 4 * 12), "value": str(number)}
                 for number in range(40)]
        hebrew = [{**item, "title": "שלום " + item["title"]} for item in items]
        self.publisher.put("plain", items)
        self.publisher.put("parts", [
            {"id": "a", "title": "First", "index": "F", "items": items[:3]},
            {"id": "b", "title": "Second", "index": "S", "items": items[3:]}])
        self.publisher.put("hebrew", hebrew, title="עברית")
        for feed in ("plain", "parts", "hebrew"):
            for size in (PHONE, DESKTOP):
                with self.subTest(feed=feed, width=size["viewport"]["width"]):
                    page, go_on = self.hold(feed, reduced_motion="reduce", **size)
                    before = page.evaluate(self.RECTANGLES)
                    go_on()
                    self.wait_for_table(page)
                    self.assertEqual(page.evaluate(self.RECTANGLES), before)
                    page.context.close()

    def test_keep_the_finger_that_scrolls_them(self):
        self.publisher.put("long", rows(300))
        page, go_on = self.hold("long", **PHONE)
        touches = Touches(page)
        touches.down(200, 600)
        touches.move(0, -150)
        self.wait(page, f"{TABLE}.scrollTop > 50")
        go_on()
        self.wait_for_table(page)
        before = page.evaluate(f"{TABLE}.scrollTop")
        self.assertGreater(before, 50)
        touches.move(0, -150)
        self.wait(page, f"(before) => {TABLE}.scrollTop > before + 50", before)
        touches.up()
        self.still(page, "table-view")
        # And the next one pulls.
        page.evaluate(f"{TABLE}.contentOffset = {{ y: 0 }}")
        self.still(page, "table-view")
        self.publisher.put("long", rows(1, "late") + rows(300))
        touches.drag(200, 300, 0, 300, 20)
        self.shows(page, "Late 0")

    def test_are_not_shown_where_the_reader_was_further_down(self):
        self.publisher.put("long", rows(300))
        page = self.read("long", **DESKTOP)
        self.shows(page, "Row 0")
        page.evaluate(f"{TABLE}.contentOffset = {{ y: 4000 }}")
        self.still(page, "table-view")
        page.add_init_script("""
          window.titles = new Set();
          const look = () => {
            const cell = document.querySelector("feed-cell .title");
            if (cell) titles.add(cell.textContent);
            requestAnimationFrame(look);
          };
          look();""")
        page.reload()
        self.wait_for_table(page)
        self.still(page, "table-view")
        self.assertNotIn("Row 0", page.evaluate("[...titles]"))

    def test_are_followed_by_the_table_when_its_code_did_not_come_at_first(self):
        self.publisher.put("news", rows(3))
        context = self.context(**DESKTOP)
        context.route("**/reader/FeedView.js", lambda route: route.abort())
        page = self.open(f"{self.server.url}/#news", context)
        page.locator("feed-cell").first.wait_for()
        context.unroute("**/reader/FeedView.js")
        self.publisher.put("news", rows(4))
        page.keyboard.press("r")
        self.shows(page, "Row 3")


class Quick(ReaderTest):
    def test_first_row_within_two_requests(self):
        self.publisher.put("large", rows(10_000))
        context = self.context(**DESKTOP)
        asked = []
        context.on("request", lambda request: asked.append(request.url)
                   if "/feeds/" in request.url else None)
        context.add_init_script("""
          window.shifts = 0;
          new PerformanceObserver((list) => {
            for (const { value } of list.getEntries()) window.shifts += value;
          }).observe({ type: "layout-shift", buffered: true });""")
        page = self.open(f"{self.server.url}/#large", context)
        self.shows(page, "Row 0")
        self.assertLessEqual(len(asked), 2)
        self.wait(page, STATUS, "10,000 items")
        self.wait(page, STATE, "idle")
        frames(page, 5)
        self.assertLess(page.evaluate("window.shifts"), 0.01)
        self.assertLess(page.evaluate("document.querySelectorAll('feed-cell').length"), 100)


if __name__ == "__main__":
    unittest.main()
