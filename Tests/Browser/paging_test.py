"""Feeds that are too long to be taken whole: the reader loads their rows as they are scrolled."""

from feeds import rows
from harness import DESKTOP, frames
from reader_page import SHOWN, STATE, TABLE, ReaderTest

COUNT = f"{TABLE}.dataSource.sections.reduce((sum, {{ items }}) => sum + items.length, 0)"
# As long as the table has no rows below those in sight, and is not at rest.
BOTTOM = f"""() => {{
  const table = {TABLE};
  table.setContentOffset({{ y: table.contentSize.height - table.offsetHeight }});
}}"""


def long_rows(count, prefix="row", start=0):
    """Items of two thousand signs each: 3,000 of them are too long."""
    return [{**item, "content_text": "word " * 400} for item in rows(count, prefix, start)]


class LongFeeds(ReaderTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.items = long_rows(3000)
        cls.publisher.put("long", cls.items)
        cls.publisher.put("short", rows(3000))
        cls.publisher.put("names", [
            {"id": letter, "index": letter, "title": letter, "items": long_rows(120, f"name-{letter}")}
            for letter in "abcdefghijklmnopqrstuvwxyz"])

    def reading(self, feed, context=None):
        """A page with a feed, and the paths of what it asked for."""
        context = context or self.context(**DESKTOP)
        asked = []
        context.on("request", lambda request: asked.append(request.url.split("/", 3)[3])
                   if "/feeds/" in request.url else None)
        page = self.read(feed, context)
        self.wait(page, f"{TABLE}?.visibleCells?.length > 0")
        self.wait(page, STATE, "idle")
        return page, asked, context

    def test_load_more_as_their_end_comes_near(self):
        page, asked, _ = self.reading("long")
        self.wait(page, f"{COUNT} >= 120")
        self.assertNotIn("feeds/long", asked)
        self.assertLess(page.evaluate(COUNT), 500)
        for _ in range(3):
            before = page.evaluate(COUNT)
            page.evaluate(BOTTOM)
            self.wait(page, f"(before) => {COUNT} > before", before)
        self.assertTrue(all(path.startswith("feeds/long/items?offset=") for path in asked[1:]))
        # No row twice, none left out, in the feed's order.
        ids = page.evaluate(f"{TABLE}.dataSource.sections[0].items.map(({{ id }}) => id)")
        self.assertEqual(ids, [item["id"] for item in self.items[:len(ids)]])
        # What was loaded is there again, and goes on.
        held = len(ids)
        page.evaluate(f"{TABLE}.scrollToRow({TABLE}.indexPathsForVisibleRows[0], 'top')")
        self.still(page, "table-view")
        top = self.top(page)
        asked.clear()
        page.reload()
        self.wait(page, f"(held) => {TABLE}?.dataSource && {COUNT} >= held", held)
        self.wait(page, STATE, "idle")
        self.assertRegex(asked[0], rf"^feeds/long\?since=\S+&limit={held}")
        self.assertEqual(self.top(page)[0], top[0])

    def test_stay_right_while_they_change(self):
        items = long_rows(3000, "item")
        self.publisher.put("busy", items)
        page, asked, _ = self.reading("busy")
        page.get_by_role("switch", name="Live").check(force=True)
        self.wait(page, STATE, "live")
        for number in range(6):
            before = page.evaluate(COUNT)
            page.evaluate(BOTTOM)
            items.insert(number * 7, {"id": f"new-{number}", "title": f"New {number}"})
            items.remove(items[-number - 40])
            self.publisher.put("busy", items)
            self.wait(page, f"(before) => {COUNT} > before", before)
        self.wait(page, f"(id) => {TABLE}.dataSource.sections[0].items.some((one) => one.id === id)",
                  "new-5")
        ids = page.evaluate(f"{TABLE}.dataSource.sections[0].items.map(({{ id }}) => id)")
        self.assertEqual(ids, [item["id"] for item in items[:len(ids)]])
        self.assertNotIn("feeds/busy", asked)

    def test_are_taken_whole_where_they_are_not_so_long(self):
        page, asked, _ = self.reading("short")
        self.wait(page, f"{COUNT} === 3000")
        self.assertIn("feeds/short", asked)
        self.assertFalse(any("offset" in path for path in asked))

    def test_are_searched_to_their_end(self):
        page, _, _ = self.reading("long")
        page.keyboard.press("/")
        page.locator("#filter-words").fill("row 2999")
        self.wait(page, SHOWN, "Row 2999")
        self.assertEqual(page.evaluate(COUNT), 1)

    def test_show_a_section_that_the_index_names(self):
        page, asked, _ = self.reading("names")
        box = page.locator(".ui-index-bar").bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] - 4)
        self.wait(page, f"""{TABLE}.indexPathsForVisibleRows[0]?.section === 25""")
        self.wait(page, SHOWN, "Name-Z 0")
        self.assertNotIn("feeds/names", asked)

    def test_fill_what_is_in_sight_where_only_headers_were(self):
        page, asked, _ = self.reading("names")
        page.evaluate(BOTTOM)
        self.wait(page, f"{TABLE}.indexPathsForVisibleRows.length > 5")
        self.assertNotIn("feeds/names", asked)

    def test_show_an_item_that_was_not_loaded(self):
        page, asked, _ = self.reading("long/row-2500")
        self.wait(page, "document.querySelector('#item').ariaLabel === 'Row 2500'")
        self.assertIn("feeds/long/items/row-2500", asked)
        self.assertLess(page.evaluate(COUNT), 500)
        # What marks it as read does so without its row.
        page.get_by_role("button", name="Unread", exact=True).click()
        page.locator("#item").get_by_role("button", name="Read", exact=True).wait_for()
        self.assertNotIn("row-2500", page.evaluate("localStorage['freshet read long']"))

    def test_try_again_no_sooner_than_the_server_says(self):
        context = self.context(**DESKTOP)
        asked = []

        def refuse(route):
            asked.append(route.request.url)
            return route.fulfill(status=503, headers={"Retry-After": "600"})

        context.route("**/items?offset=*", refuse)
        page = context.new_page()
        page.clock.install()
        page.goto(f"{self.server.url}/#long")
        while not asked:
            page.clock.run_for(100)
        for _ in range(10):
            page.clock.run_for(50_000)
            frames(page)
        self.assertEqual(len(asked), 1)
        page.clock.run_for(200_000)
        while len(asked) < 2:
            page.clock.run_for(100)

    def test_try_again_where_rows_could_not_be_loaded(self):
        context = self.context(**DESKTOP)
        failed = []

        def fail(route):
            if failed:
                return route.continue_()
            failed.append(route.request.url)
            return route.abort()

        context.route("**/items?offset=*", fail)
        page, _, _ = self.reading("long", context)
        self.wait(page, f"{COUNT} >= 120")
        self.assertEqual(len(failed), 1)
