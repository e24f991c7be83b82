"""The reader before the code of tables is there, and when it comes: docs/WEB.md, "Weight"."""

import time

from feeds import rows
from harness import DESKTOP, PHONE, Held, Touches, frames
from reader_page import SHOWN, STATE, STATUS, TABLE, ReaderTest


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
        held = Held(context, "**/reader/FeedView.js")
        page = self.open(f"{self.server.url}/#{feed}", context)
        page.locator("feed-cell").first.wait_for()
        held.wait(page)
        self.assertIsNone(page.evaluate("customElements.get('table-view') ?? null"))
        return page, held.go

    def test_are_asked_for_while_the_scripts_come(self):
        self.publisher.put("early", rows(3))
        context = self.context(**DESKTOP)
        asked = []
        context.on("request", lambda request: asked.append(request.url.split("/", 3)[3])
                   if "/feeds/" in request.url else None)
        held = Held(context, "**/reader/Reader.js")
        page = context.new_page()
        page.goto(f"{self.server.url}/#early", wait_until="commit")
        self.wait(page, "self.prefetched !== undefined")
        self.wait(page, "document.readyState !== 'loading'")
        held.wait(page)
        self.assertEqual(asked, ["feeds/early?limit=60"])
        # They are shown before the reader is here, which goes on with them.
        self.wait(page, "document.querySelector('feed-cell .title')?.textContent === 'Row 0'")
        self.assertFalse(page.evaluate("'mark' in document.querySelector('table-view')"))
        page.evaluate(f"{TABLE}.mark = true")
        held.go()
        self.wait(page, SHOWN, "Row 0")
        self.wait(page, STATE, "idle")
        self.assertTrue(page.evaluate(f"{TABLE}.mark"))
        self.assertEqual(asked, ["feeds/early?limit=60"])
        # What is kept is asked for its news alone.
        context.unroute("**/reader/Reader.js")
        page.reload()
        self.wait(page, SHOWN, "Row 0")
        self.wait(page, STATE, "idle")
        self.assertRegex(" ".join(asked[1:]), r"^feeds/early\?since=\S+$")

    def test_that_are_none_or_of_another_feed_are_not_shown(self):
        self.publisher.put("one", rows(3, "one"))
        self.publisher.put("other", rows(3, "other"))
        self.publisher.put("empty", [])
        for feed, document in (("lost", None), ("empty", None), ("one", "null"), ("one", "[]"),
                               ("one", '{"sections": [{"items": [null]}]}'), ("one", "{")):
            with self.subTest(feed=feed, document=document):
                context = self.context(**DESKTOP)
                if document is not None:
                    context.route("**/feeds/one?limit=60", lambda route, _, body=document:
                                  route.fulfill(body=body, content_type="application/json"))
                page = self.read(feed, context)
                page.locator("#stage .notice").wait_for()
                self.assertEqual(page.locator("feed-cell").count(), 0)
                page.context.close()
        context = self.context(**DESKTOP)
        held = Held(context, "**/reader/Reader.js")
        page = context.new_page()
        page.goto(f"{self.server.url}/#one", wait_until="commit")
        self.wait(page, "document.querySelector('feed-cell .title')?.textContent === 'One 0'")
        page.evaluate("location.hash = 'other'")
        held.go()
        self.shows(page, "Other 0")
        self.assertEqual(page.locator("table-view").count(), 1)

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

    def test_are_as_many_as_there_is_room_for_also_of_sections_without_rows(self):
        sections = [{"id": f"s{number}", "title": f"Part {number}", "items": []}
                    for number in range(3000)]
        sections[2]["items"] = rows(3)
        self.publisher.put("hollow", sections)
        page, go_on = self.hold("hollow", **PHONE)
        self.assertLess(page.locator(".ui-section").count(), 100)
        go_on()
        self.wait_for_table(page)
        self.shows(page, "Row 0")

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
        self.assertEqual(page.locator(".first").count(), 0)

    def test_keep_the_finger_that_pulls_them(self):
        self.publisher.put("long", rows(300))
        page, go_on = self.hold("long", **PHONE)
        self.wait(page, "document.getElementById('refresh').dataset.busy === 'false'")
        self.publisher.put("long", rows(1, "late") + rows(300))
        asked = []
        page.on("request", lambda request: asked.append(request.url)
                if "/feeds/long" in request.url else None)
        touches = Touches(page)
        touches.down(200, 300)
        touches.move(0, 30)
        go_on()
        self.wait_for_table(page)
        touches.move(0, 300, 20)
        # Of a touch that the browser has taken for a scroll the page hears now and then only.
        for _ in range(200):
            if page.evaluate(f"{TABLE}.refreshControl.isRefreshing") or asked:
                break
            touches.move(0, 0.5, 1)
        touches.up()
        self.shows(page, "Late 0")
        self.assertEqual(len(asked), 1)
        self.wait(page, f"{TABLE}.contentOffset.y === 0")
        self.assertEqual(page.locator(".first").count(), 0)

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
