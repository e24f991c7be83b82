"""Reading items in the reader: docs/WEB.md, "The pages that come with it"."""

from feeds import rows
from harness import DESKTOP, PHONE, Touches
from reader_page import STATUS, TABLE, ReaderTest

ITEM = "(words) => document.querySelector('#item iframe')?.title === words"
HIDDEN = "document.getElementById('item').hidden"
READ = """() => [...document.querySelectorAll("feed-cell[data-read] .title")]
  .map((title) => title.textContent)"""
SHOWN = """(rows) => String(document.querySelector("table-view").visibleCells
  .map((cell) => cell.querySelector(".title").textContent)) === String(rows)"""


def stories(count):
    return [{**row, "url": f"https://example.org/{row['id']}", "tags": [f"tag {number % 2}"],
             "content_html": f"<p>Words of {row['title']}</p>"}
            for number, row in enumerate(rows(count, "story"))]


class Opening(ReaderTest):
    def open_feed(self, feed="news", count=5, **options):
        self.publisher.put(feed, stories(count), title=feed.title())
        page = self.read(feed, **(options or DESKTOP))
        self.shows(page, "Story 0")
        return page

    def content(self, page):
        return page.frame_locator("#item iframe")

    def test_a_click_shows_the_item_beside_the_list(self):
        page = self.open_feed()
        page.locator(".title").nth(1).click()
        self.wait(page, ITEM, "Story 1")
        self.content(page).get_by_text("Words of Story 1").wait_for()
        list_, item = page.evaluate("""() => [".pane", "#item"].map((name) =>
          document.querySelector(name).getBoundingClientRect().toJSON())""")
        self.assertGreaterEqual(item["left"] + 0.5, list_["right"])
        self.assertEqual(page.get_by_role("link", name="Open original").get_attribute("href"),
                         "https://example.org/story-1")
        self.assertTrue(page.url.endswith("#news/story-1"))

    def test_from_one_to_the_next_is_no_entry_of_the_history(self):
        page = self.open_feed()
        length = page.evaluate("history.length")
        page.keyboard.press("j")
        self.wait(page, ITEM, "Story 0")
        page.get_by_role("button", name="Next item").click()
        self.wait(page, ITEM, "Story 1")
        page.keyboard.press("k")
        self.wait(page, ITEM, "Story 0")
        self.assertTrue(page.get_by_role("button", name="Previous item").is_disabled())
        self.assertEqual(page.evaluate("history.length"), length + 1)
        page.go_back()
        self.wait(page, HIDDEN)
        self.assertTrue(page.url.endswith("#news"))

    def test_on_a_phone_it_is_a_screen_and_back_leads_to_the_list(self):
        page = self.open_feed(**PHONE)
        page.locator(".title").nth(1).tap()
        self.wait(page, ITEM, "Story 1")
        self.assertEqual(page.evaluate("""() => {
          const place = document.getElementById("item").getBoundingClientRect();
          return [place.top, place.left, place.width, place.height];
        }"""), [0, 0, 390, 760])
        small = """[...document.querySelectorAll("#item a, #item button")].filter((one) =>
          one.checkVisibility() && one.getBoundingClientRect().height < 43.9).length"""
        self.assertEqual(page.evaluate(small), 0)
        page.get_by_role("button", name="Close").tap()
        self.wait(page, HIDDEN)
        self.wait(page, "document.getElementById('app').dataset.screen === 'feed'")

    def test_an_address_of_an_item_opens_it(self):
        self.publisher.put("news", stories(5))
        page = self.read("news/story-3")
        self.wait(page, ITEM, "Story 3")
        page.keyboard.press("Escape")
        self.wait(page, HIDDEN)
        self.assertTrue(page.url.endswith("#news"))

    def test_an_item_that_changes_is_shown_as_it_is_now(self):
        page = self.open_feed()
        page.keyboard.press("j")
        self.content(page).get_by_text("Words of Story 0").wait_for()
        items = stories(5)
        items[0]["content_html"] = "<p>Other words</p>"
        self.publisher.put("news", items)
        page.keyboard.press("r")
        self.content(page).get_by_text("Other words").wait_for()

    def test_what_comes_does_not_move_the_list_from_where_it_is_read(self):
        page = self.open_feed("long", 80)
        page.keyboard.press("j")
        self.wait(page, ITEM, "Story 0")
        page.evaluate(f"{TABLE}.setContentOffset({{ y: 2000 }})")
        self.still(page, "table-view")
        before = self.top(page)
        items = stories(80)
        items[0]["content_html"] = "<p>Other words</p>"
        self.publisher.put("long", items, title="Long")
        page.keyboard.press("r")
        self.content(page).get_by_text("Other words").wait_for()
        self.assertEqual(self.top(page)[0], before[0])

    def test_keys_work_in_the_item_too(self):
        page = self.open_feed()
        page.keyboard.press("j")
        self.content(page).get_by_text("Words of Story 0").click()
        page.keyboard.press("j")
        self.wait(page, ITEM, "Story 1")


class Marks(ReaderTest):
    def test_are_kept_on_the_device(self):
        self.publisher.put("marks", stories(5), title="Marks")
        page = self.read("marks")
        self.shows(page, "Story 0")
        count = "document.querySelector('#feeds [aria-current] .count').textContent"
        self.wait(page, f"{count} === '5'")
        page.keyboard.press("j")
        self.wait(page, f"{count} === '4'")
        self.assertEqual(page.evaluate(READ), ["Story 0"])
        page.keyboard.press("Escape")
        for _ in range(2):
            page.keyboard.press("n")
        page.keyboard.press("a")
        self.wait(page, f"{count} === '2'")
        page.keyboard.press("m")
        self.wait(page, f"{count} === '3'")
        page.reload()
        self.shows(page, "Story 0")
        self.wait(page, f"{count} === '3'")
        self.assertEqual(page.evaluate(READ), ["Story 0", "Story 1"])
        self.publisher.put("marks", stories(5)[1:], title="Marks")
        page.keyboard.press("r")
        self.wait(page, SHOWN, [f"Story {number}" for number in range(1, 5)])

    def test_leave_the_unread_alone_to_be_shown(self):
        self.publisher.put("unread", stories(4), title="Unread")
        page = self.read("unread")
        self.shows(page, "Story 0")
        page.keyboard.press("j")
        page.keyboard.press("Escape")
        page.keyboard.press("u")
        self.wait(page, SHOWN, ["Story 1", "Story 2", "Story 3"])
        self.assertTrue(page.locator("#filter").is_visible())
        # What is read now stays until it is asked for anew.
        page.keyboard.press("j")
        self.wait(page, "() => document.querySelectorAll('feed-cell[data-read]').length === 1")
        self.wait(page, SHOWN, ["Story 1", "Story 2", "Story 3"])
        page.keyboard.press("Escape")
        page.keyboard.press("u")
        self.wait(page, SHOWN, [f"Story {number}" for number in range(4)])

    def test_are_made_by_a_swipe(self):
        self.publisher.put("swiped", stories(4), title="Swiped")
        page = self.read("swiped", **PHONE)
        self.shows(page, "Story 0")
        self.still(page, "table-view")
        box = page.locator("feed-cell").nth(1).bounding_box()
        Touches(page).drag(330, box["y"] + 20, -300, 0, 12)
        self.wait(page, "() => document.querySelectorAll('feed-cell[data-read]').length === 1")
        self.assertEqual(page.evaluate(READ), ["Story 1"])
        box = page.locator("feed-cell").nth(2).bounding_box()
        Touches(page).drag(330, box["y"] + 20, -150, 0, 12)
        page.get_by_role("button", name="All to here").click()
        self.wait(page, "() => document.querySelectorAll('feed-cell[data-read]').length === 3")
        self.assertTrue(page.evaluate(HIDDEN))


class Filtering(ReaderTest):
    def test_by_words_and_by_a_tag(self):
        self.publisher.put("news", stories(4))
        page = self.read()
        self.shows(page, "Story 0")
        page.keyboard.press("/")
        page.keyboard.type("STORY 2")
        self.wait(page, SHOWN, ["Story 2"])
        self.assertEqual(page.locator("#filter-count").text_content(), "1 of 4")
        page.keyboard.press("Escape")
        self.wait(page, SHOWN, [f"Story {number}" for number in range(4)])
        page.locator(".tag", has_text="tag 1").first.click()
        self.wait(page, SHOWN, ["Story 1", "Story 3"])
        self.assertTrue(page.evaluate(HIDDEN))
        self.publisher.put("news", rows(1, "other") + stories(4))
        page.keyboard.press("Tab")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("r")
        self.wait(page, "document.getElementById('filter-count').textContent === '2 of 5'")
        self.wait(page, SHOWN, ["Story 1", "Story 3"])

    def test_goes_on_where_items_change_that_it_leaves_out(self):
        for feed, options in (("some", {}), ("many", {"title": "Other"})):
            self.publisher.put(feed, stories(4))
            page = self.read(feed)
            self.shows(page, "Story 0")
            page.keyboard.press("/")
            page.keyboard.type("story 2")
            self.wait(page, SHOWN, ["Story 2"])
            changed = stories(5)
            changed[1]["summary"], changed[2]["summary"] = "left out", "shown"
            self.publisher.put(feed, changed, **options)
            page.evaluate("document.activeElement.blur()")
            page.keyboard.press("r")
            self.wait(page, "document.getElementById('filter-count').textContent === '1 of 5'")
            self.wait(page, f"{TABLE}.visibleCells[0].textContent.includes('shown')")

    def test_refreshes_nothing_by_the_letters_of_a_word(self):
        self.publisher.put("news", stories(4))
        page = self.read()
        self.shows(page, "Story 0")
        self.wait(page, STATUS, "Updated")
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.keyboard.press("/")
        page.keyboard.type("rrr")
        self.wait(page, "document.getElementById('filter-count').textContent === '0 of 4'")
        self.assertEqual(asked, [])


class Looks(ReaderTest):
    def test_are_chosen_and_kept(self):
        self.publisher.put("news", stories(4))
        page = self.read()
        self.shows(page, "Story 0")
        page.get_by_role("button", name="View").click()
        before = page.evaluate("document.querySelector('feed-cell').offsetHeight")
        page.get_by_label("Theme").select_option("dark")
        page.locator("[name=density]").select_option("compact")
        page.get_by_label("Text").select_option("large")
        self.assertEqual(page.evaluate("getComputedStyle(document.documentElement).fontSize"), "19px")
        page.get_by_label("Text").select_option("small")
        page.keyboard.press("Escape")
        for _ in range(2):
            self.shows(page, "Story 0")
            self.wait(page, "(was) => document.querySelector('feed-cell').offsetHeight < was", before)
            self.assertEqual(page.evaluate("getComputedStyle(document.documentElement).colorScheme"),
                             "dark")
            self.assertEqual(page.evaluate("getComputedStyle(document.documentElement).fontSize"),
                             "14px")
            page.reload()

    def test_times_tick(self):
        context = self.context(**DESKTOP)
        page = context.new_page()
        page.clock.install(time="2026-03-01T12:00:00Z")
        self.publisher.put("news", [{"id": "a", "published": "2026-03-01T11:58:00Z"}])
        page.goto(f"{self.server.url}/#news")
        time = "document.querySelector('feed-cell time')?.textContent"
        page.clock.run_for(3000)
        self.wait(page, f"{time} === '2 min. ago'")
        page.clock.run_for(180_000)
        self.wait(page, f"{time} === '5 min. ago'")

    def test_the_sheet_of_keys(self):
        self.publisher.put("news", stories(2))
        page = self.read()
        self.shows(page, "Story 0")
        page.keyboard.press("?")
        page.get_by_role("heading", name="Keys").wait_for()
        page.keyboard.press("j")
        page.keyboard.press("Escape")
        self.wait(page, "!document.querySelector('dialog[open]')")
        self.assertTrue(page.evaluate(HIDDEN))

    def test_lines_are_no_longer_than_one_can_read(self):
        self.publisher.put("news", [{"id": "a", "title": "A", "summary": "words " * 80,
                                     "content_html": "words " * 400}])
        page = self.read(viewport={"width": 2400, "height": 900})
        self.shows(page, "A")
        measure = """(element) => {
          const ruler = element.ownerDocument.createElement("span");
          ruler.textContent = "0".repeat(68);
          element.append(ruler);
          const { width } = ruler.getBoundingClientRect();
          ruler.remove();
          return element.getBoundingClientRect().width - width;
        }"""
        self.assertLessEqual(page.locator(".summary").evaluate(measure), 1)
        page.keyboard.press("j")
        # With its style sheets.
        self.wait(page, """(({ contentDocument: shown } = {}) =>
          shown?.querySelector("main") && shown.readyState === "complete")(
            document.querySelector("#item iframe") ?? undefined)""")
        paragraph = page.frame_locator("#item iframe").locator("main")
        self.assertLessEqual(paragraph.evaluate(measure), 1)
