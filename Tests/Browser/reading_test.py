"""Reading items in the reader: docs/WEB.md, "The pages that come with it"."""

import json
import pathlib
import re

from feeds import news, rows
from harness import DESKTOP, PHONE, Held, Touches, frames
from reader_page import SHOWN as SHOWN_ROW, STATE, STATUS, TABLE, ReaderTest

ITEM = "(words) => document.querySelector('#item iframe')?.title === words"
LOADED = "'isLoaded' in document.querySelector('#item iframe').dataset"
HIDDEN = "document.getElementById('item').hidden"
READ = """() => [...document.querySelectorAll("feed-cell[data-read] .title")]
  .map((title) => title.textContent)"""
SHOWN = """(rows) => String(document.querySelector("table-view").visibleCells
  .map((cell) => cell.querySelector(".title").textContent)) === String(rows)"""


def stories(count):
    return [{**row, "url": f"https://example.org/{row['id']}", "tags": [f"tag {number % 2}"],
             "content_html": f"<p>Words of {row['title']}</p>"}
            for number, row in enumerate(news(count, "story"))]


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
        self.equals(page, "location.hash", "#news/story-1")

    def test_from_one_to_the_next_is_no_entry_of_the_history(self):
        page = self.open_feed()
        length = page.evaluate("history.length")
        page.keyboard.press("j")
        self.wait(page, ITEM, "Story 0")
        page.get_by_role("button", name="Next item").click()
        self.wait(page, ITEM, "Story 1")
        page.keyboard.press("k")
        self.wait(page, ITEM, "Story 0")
        self.wait(page, "document.querySelector('#item .previous').disabled")
        self.assertEqual(page.evaluate("history.length"), length + 1)
        page.go_back()
        self.wait(page, HIDDEN)
        self.equals(page, "location.hash", "#news/")

    def test_an_item_that_is_closed_can_be_opened_again_at_once(self):
        page = self.open_feed()
        page.keyboard.press("j")
        self.wait(page, ITEM, "Story 0")
        for _ in range(2):
            # The browser goes back only later, and tells the page so when it did.
            page.evaluate("""() => {
              const isBack = new Promise((done) => addEventListener("hashchange", done, { once: true }));
              for (const [key, code] of [["Escape", "Escape"], ["o", "KeyO"]])
                document.activeElement.dispatchEvent(
                  new KeyboardEvent("keydown", { key, code, bubbles: true, cancelable: true }));
              return isBack.then(() => null);
            }""")
            frames(page)
            self.wait(page, f"!{HIDDEN}")
            self.wait(page, ITEM, "Story 0")
            self.equals(page, "location.hash", "#news/story-0")
        page.keyboard.press("Escape")
        self.wait(page, HIDDEN)
        self.equals(page, "location.hash", "#news/")

    def test_an_item_that_is_closed_leaves_the_focus_in_the_list(self):
        page = self.open_feed()
        for close in (["Escape"], ["Tab", "Escape"], ["Tab", "Enter"]):
            with self.subTest(close=close):
                page.keyboard.press("j")
                self.wait(page, f"!{HIDDEN}")
                page.evaluate(f"{TABLE}.focus()")
                for key in close:
                    page.keyboard.press(key)
                self.wait(page, HIDDEN)
                self.equals(page, "location.hash", "#news/")
                frames(page, 3)
                self.assertEqual(page.evaluate("document.activeElement.role"), "grid")

    def test_tables_keep_their_words_whole_and_scroll_by_themselves(self):
        cells = "".join(f"<td>Column {number}</td>" for number in range(12))
        self.publisher.put("tables", [{"id": "a", "title": "A", "content_html":
                                       f"<table><tr>{cells}</tr></table><p>{'x' * 300}</p>"}])
        page = self.read("tables/a", **PHONE)
        page.frame_locator("#item iframe").get_by_text("Column 11").wait_for(state="attached")
        self.assertEqual(page.evaluate("""() => {
          const page = document.querySelector("#item iframe").contentDocument;
          const [table, cell] = ["table", "td"].map((name) => page.querySelector(name));
          // Two lines at most, of the word and its number.
          const isWhole = cell.getBoundingClientRect().height < 80;
          return [isWhole, table.scrollWidth > table.clientWidth,
            page.documentElement.scrollWidth <= page.documentElement.clientWidth];
        }"""), [True, True, True])

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

    def test_what_it_lies_over_is_out_of_reach(self):
        long = [{**story, "content_html": "<p>words</p>" * 200} for story in stories(5)]
        beside = {"viewport": {"width": 900, "height": 700}}
        for options, hidden in ((PHONE, ["back", "live", "ui-grid"]), (beside, ["ui-grid"])):
            with self.subTest(width=options["viewport"]["width"]):
                self.publisher.put("over", long, title="Over")
                page = self.read("over", **options)
                self.shows(page, "Story 0")
                page.locator("[role=grid]").focus()
                page.keyboard.press("j")
                self.wait(page, ITEM, "Story 1")
                self.assertTrue(page.evaluate("document.activeElement.id === 'item'"))
                # The space bar pages it from there.
                self.wait(page, LOADED)
                page.keyboard.press("Space")
                self.wait(page, """document.querySelector("#item iframe").contentDocument
                  .scrollingElement.scrollTop > 300""")
                reached = set()
                for _ in range(30):
                    page.keyboard.press("Tab")
                    reached.add(page.evaluate("document.activeElement.id || document.activeElement.className"))
                self.assertEqual(reached & set(hidden), set())
                self.assertIn("sign next", reached)
                self.assertEqual(page.get_by_role("grid").count(), 0)
                # Who goes on by a button stays at it.
                page.get_by_role("button", name="Next item").press("Enter")
                self.wait(page, ITEM, "Story 2")
                self.assertEqual(page.evaluate("document.activeElement.className"), "sign next")
                page.keyboard.press("Escape")
                self.wait(page, HIDDEN)
                self.equals(page, "document.activeElement.role", "grid")

    def test_what_is_over_rows_is_heard_below_it_and_not_reached(self):
        for options, count in ((PHONE, 0), ({"viewport": {"width": 900, "height": 700}}, 1)):
            with self.subTest(width=options["viewport"]["width"]):
                page = self.open_feed("over", **options)
                page.keyboard.press("/")
                page.locator("#filter-words").fill("Story")
                page.locator(".title").nth(1).click()
                self.wait(page, ITEM, "Story 1")
                # Beside the feeds words to look for stand above the item.
                self.assertEqual(page.get_by_role("searchbox", name="Filter by words").count(), count)
                page.context.set_offline(True)
                page.keyboard.press("r")
                page.get_by_role("alert").get_by_text("cannot be reached").wait_for()
                self.assertEqual(page.get_by_role("button", name="Try again").count(), 0)
                page.keyboard.press("Escape")
                self.wait(page, HIDDEN)
                page.get_by_role("button", name="Try again").wait_for()

    def test_the_keyboard_is_at_what_is_in_sight(self):
        focused = "document.activeElement.id || document.activeElement.role"
        for options in (PHONE, {"viewport": {"width": 900, "height": 700}}):
            with self.subTest(width=options["viewport"]["width"]):
                page = self.open_feed("around", 3, **options)
                page.locator("[role=grid]").focus()
                page.keyboard.press("j")
                self.wait(page, ITEM, "Story 1")
                page.go_back()
                self.wait(page, HIDDEN)
                frames(page, 3)
                self.assertEqual(page.evaluate(focused), "grid")
                page.go_forward()
                self.wait(page, ITEM, "Story 1")
                frames(page, 3)
                self.assertEqual(page.evaluate(focused), "item")
                # At the last item there is no next one, and no button for it.
                page.get_by_role("button", name="Next item").press("Enter")
                self.wait(page, ITEM, "Story 2")
                frames(page, 3)
                self.assertEqual(page.evaluate(focused), "item")
                page.evaluate("document.activeElement.blur()")
                page.go_back()
                self.wait(page, HIDDEN)
                frames(page, 3)
                self.assertEqual(page.evaluate(focused), "grid")

    def test_a_window_that_becomes_narrow_has_the_keyboard_in_the_item(self):
        focused = "document.activeElement.id || document.activeElement.role"
        page = self.open_feed()
        for width, place in ((900, "[role=grid]"), (390, "#refresh")):
            with self.subTest(width=width):
                page.set_viewport_size({"width": 1200, "height": 700})
                page.locator("[role=grid]").focus()
                page.keyboard.press("j")
                self.wait(page, f"!{HIDDEN}")
                page.locator(place).focus()
                page.set_viewport_size({"width": width, "height": 700})
                frames(page, 3)
                self.assertEqual(page.evaluate(focused), "item")

    def test_an_address_of_an_item_opens_it(self):
        self.publisher.put("news", stories(5))
        page = self.read("news/story-3")
        self.wait(page, ITEM, "Story 3")
        page.keyboard.press("Escape")
        self.wait(page, HIDDEN)
        self.equals(page, "location.hash", "#news/")

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
        # The rows after the first ones may still be on their way.
        self.wait(page, STATE, "idle")
        self.publisher.put("long", items, title="Long")
        page.keyboard.press("r")
        self.content(page).get_by_text("Other words").wait_for()
        self.assertEqual(self.top(page)[0], before[0])

    def test_an_item_that_changes_does_so_where_it_is_read(self):
        def story(*added, changed="word"):
            text = "".join(f"<p>{added} paragraph</p>" for added in added) + "".join(
                f"<p>Paragraph {number} of many words, with one {changed if number == 29 else 'word'} and more.</p>"
                for number in range(60))
            return [{**stories(1)[0], "content_html": text + "<details><summary>More</summary><p>Hidden</p></details>"}]
        self.publisher.put("changing", story(), title="Changing")
        page = self.read("changing")
        self.shows(page, "Story 0")
        page.keyboard.press("j")
        self.content(page).get_by_text("Paragraph 30 ").wait_for()
        top = page.evaluate("""() => {
          const { contentDocument: shown, contentWindow: window } = document.querySelector("#item iframe");
          self.frameBefore = document.querySelector("#item iframe");
          self.mark = [...shown.querySelectorAll("main p")].find((one) => one.textContent.startsWith("Paragraph 30 "));
          shown.querySelector("details").open = true;
          shown.scrollingElement.scrollTop = mark.getBoundingClientRect().top - 100;
          const range = shown.createRange();
          range.setStart(mark.firstChild, 10);
          range.setEnd(mark.nextSibling.firstChild, 12);
          window.getSelection().addRange(range);
          return mark.getBoundingClientRect().top;
        }""")
        self.publisher.put("changing", story("An added", "Another added", changed="other"), title="Changing New")
        page.keyboard.press("r")
        self.content(page).get_by_text("Another added").wait_for()
        now = page.evaluate("""() => {
          const frame = document.querySelector("#item iframe");
          const { contentDocument: shown } = frame;
          return [frame === frameBefore && mark.isConnected, mark.getBoundingClientRect().top,
            String(frame.contentWindow.getSelection()), shown.querySelector("details").open,
            [...shown.querySelectorAll("main > p")].slice(0, 3).map((one) => one.textContent.slice(0, 11)),
            shown.body.textContent.includes("one other and")];
        }""")
        self.assertTrue(now[0])
        self.assertAlmostEqual(now[1], top, delta=1)
        self.assertTrue(now[2].startswith(" of many") or now[2].startswith("30 of") or "Paragraph 31" not in now[2])
        self.assertTrue(now[2].replace("\n", "").endswith("Paragraph 31"[:12]), now[2])
        self.assertEqual(now[3:], [True, ["An added pa", "Another add", "Paragraph 0"], True])

    def test_an_item_becomes_another_version_of_itself_by_any_change(self):
        import random
        chance = random.Random(5)
        def markup():
            return "".join(chance.choice(["<p>a</p>", "<p>b <b>c</b></p>", "<h2>d</h2>", "text", "<ul><li>e</li><li>f</li></ul>",
                "<p>g</p>", f"<p>{chance.randint(0, 9)}</p>", "<pre>h\n i</pre>"]) for _ in range(chance.randint(0, 12)))
        page = self.open_feed()
        page.keyboard.press("j")
        self.content(page).get_by_text("Words of Story 0").wait_for()
        wrong = page.evaluate("""async (all) => {
          const { changeArticle } = await import(new URL("reader/ItemPane.js", document.baseURI));
          const frame = document.querySelector("#item iframe");
          const policy = trustedTypes.createPolicy("test", { createHTML: (text) => text });
          const parsed = (page) => new DOMParser().parseFromString(policy.createHTML(page), "text/html");
          return all.filter((text) => {
            const page = `<!doctype html><html dir="ltr"><body><main>${text}</main></body></html>`;
            changeArticle(frame, page);
            return frame.contentDocument.body.innerHTML
              !== parsed(page).body.innerHTML;
          });
        }""", [markup() for _ in range(300)])
        self.assertEqual(wrong, [])

    def test_an_item_that_is_removed_keeps_its_text_and_says_so(self):
        page = self.open_feed("going", 6)
        for _ in range(3):
            page.keyboard.press("j")
        self.wait(page, ITEM, "Story 2")
        self.content(page).get_by_text("Words of Story 2").wait_for()
        left = [story for number, story in enumerate(stories(6)) if number not in (2, 3)]
        self.publisher.put("going", left, title="Going")
        page.keyboard.press("r")
        page.locator("#item .gone").wait_for()
        self.assertIn("removed", page.locator("#item .gone").text_content())
        self.content(page).get_by_text("Words of Story 2").wait_for()
        page.keyboard.press("j")
        self.wait(page, ITEM, "Story 4")
        page.locator("#item .gone").wait_for(state="hidden")
        # The way back works, too, and where all items go the text still stays.
        page.keyboard.press("k")
        self.wait(page, ITEM, "Story 1")
        self.publisher.put("going", [], title="Going")
        page.keyboard.press("r")
        page.locator("#item .gone").wait_for()
        self.wait(page, ITEM, "Story 1")
        page.keyboard.press("j")
        page.keyboard.press("Escape")
        self.wait(page, HIDDEN)

    def test_a_chosen_row_that_is_removed_leaves_its_place(self):
        page = self.open_feed("places", 30)
        for _ in range(20):
            page.keyboard.press("n")
        self.publisher.put("places", [story for number, story in enumerate(stories(30)) if number != 19],
                           title="Places")
        page.keyboard.press("r")
        self.wait(page, STATUS, "29 items")
        page.keyboard.press("j")
        self.wait(page, ITEM, "Story 20")

    def test_the_space_bar_pages_the_item_wherever_the_keyboard_is(self):
        long = [{**story, "content_html": "<p>words</p>" * 200} for story in stories(3)]
        self.publisher.put("pages", long, title="Pages")
        page = self.read("pages")
        self.shows(page, "Story 0")
        top = "(more) => document.querySelector('#item iframe').contentDocument?.scrollingElement?.scrollTop > more"
        page.locator(".summary, .title").first.click()
        self.wait(page, ITEM, "Story 0")
        for keys in (["j", "k"], ["Escape", "o"]):
            for key in keys:
                page.keyboard.press(key)
            self.content(page).get_by_text("words").first.wait_for()
            self.wait(page, LOADED)
            page.keyboard.press("Space")
            self.wait(page, top, 300)
            page.keyboard.press("Shift+Space")
            self.wait(page, "!(" + top + ")(1)")
            self.assertFalse(page.evaluate(HIDDEN))

    def test_keys_work_in_the_item_too(self):
        page = self.open_feed()
        page.keyboard.press("j")
        self.wait(page, LOADED)
        self.content(page).get_by_text("Words of Story 0").click()
        page.keyboard.press("j")
        self.wait(page, ITEM, "Story 1")

    def test_waits_for_what_opens_them(self):
        self.publisher.put("early", stories(3))
        for act in (lambda page: page.keyboard.press("j"),
                    lambda page: page.locator("feed-cell .title").first.click()):
            context = self.context(**DESKTOP)
            held = Held(context, "**/reader/ItemController.js")
            page = self.read("early", context)
            self.wait(page, SHOWN_ROW, "Story 0")
            held.wait(page)
            act(page)
            held.go()
            self.wait(page, ITEM, "Story 0")

    def test_hands_keys_that_are_not_for_it_on(self):
        self.publisher.put("news", stories(2))
        page = self.read(**DESKTOP)
        self.shows(page, "Story 0")
        page.keyboard.press("j")
        self.wait(page, ITEM, "Story 0")
        self.wait(page, LOADED)
        page.locator("#item iframe").click()
        with page.expect_request("**/feeds/news*"):
            page.keyboard.press("r")
        page.keyboard.press("?")
        page.get_by_role("heading", name="Keys").wait_for()

    def test_is_not_opened_or_marked_behind_a_phones_list_of_feeds(self):
        page = self.open_feed("behind", **PHONE)
        page.get_by_role("link", name="Back to the feeds").tap()
        self.wait(page, "location.hash === ''")
        for key in "jnomaAbfu/":
            page.keyboard.press(key)
        frames(page, 3)
        self.assertEqual(page.evaluate("""[location.hash, document.getElementById("item").hidden,
          document.getElementById("filter").hidden, localStorage["freshet read behind"] ?? null]"""),
                         ["", True, True, None])

    def test_takes_keys_before_its_pictures_are_there(self):
        self.publisher.put("pictured", [{**story, "image": "/slow.png"} for story in stories(2)])
        context = self.context(**DESKTOP)
        held = Held(context, "**/slow.png")
        page = self.read("pictured", context)
        self.shows(page, "Story 0")
        page.keyboard.press("j")
        self.wait(page, ITEM, "Story 0")
        held.wait(page)
        self.content(page).get_by_text("Words of Story 0").click()
        page.keyboard.press("j")
        self.wait(page, ITEM, "Story 1")
        held.go()


class Marks(ReaderTest):
    def test_are_kept_on_the_device(self):
        self.publisher.put("marks", stories(5), title="Marks")
        page = self.read("marks")
        self.shows(page, "Story 0")
        count = "document.querySelector('#feeds [aria-current] .count').textContent"
        self.wait(page, f"{count} === '5'")
        page.keyboard.press("j")
        self.wait(page, f"{count} === '4'")
        self.equals(page, READ, ["Story 0"])
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
        self.equals(page, READ, ["Story 0", "Story 1"])
        # A refresh that is under way may have been answered before.
        self.wait(page, STATE, "idle")
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
        page.locator("#filter").wait_for()
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
        self.equals(page, READ, ["Story 1"])
        box = page.locator("feed-cell").nth(2).bounding_box()
        Touches(page).drag(330, box["y"] + 20, -150, 0, 12)
        page.get_by_role("button", name="All to here").click()
        self.wait(page, "() => document.querySelectorAll('feed-cell[data-read]').length === 3")
        self.assertTrue(page.evaluate(HIDDEN))


    COUNT = "document.querySelector('#feeds [aria-current] .count').textContent"

    def test_of_many_are_of_what_was_seen_and_can_be_taken_back(self):
        self.publisher.put("many", stories(60), title="Many")
        page = self.read("many", **DESKTOP)
        self.shows(page, "Story 0")
        self.wait(page, f"{self.COUNT} === '60'")
        page.keyboard.press("a")
        toast = page.locator("#toast")
        toast.wait_for()
        self.wait(page, f"({self.COUNT}) !== '60'")
        left = int(page.evaluate(self.COUNT))
        self.assertGreater(left, 30)
        toast.get_by_text(f"{60 - left} marked as read").wait_for()
        page.keyboard.press("z")
        self.wait(page, f"{self.COUNT} === '60'")
        # All of them are another button, which is taken back as a whole.
        page.locator("#mark-seen").click()
        page.get_by_role("button", name="Mark all").click()
        self.wait(page, f"{self.COUNT} === ''")
        page.get_by_role("button", name="Undo").click()
        self.wait(page, f"{self.COUNT} === '60'")

    def test_leave_out_what_came_above_and_was_never_seen(self):
        self.publisher.put("above", stories(60), title="Above")
        page = self.read("above", **DESKTOP)
        self.shows(page, "Story 0")
        page.evaluate(f"{TABLE}.setContentOffset({{ y: 2000 }})")
        self.still(page, "table-view")
        title = page.evaluate(f"{TABLE}.visibleCells[3].querySelector('.title').textContent")
        number = int(title.split()[1])
        # By a click on what opens nothing else.
        page.locator("feed-cell", has_text=title).locator(".meta time").click()
        self.wait(page, ITEM, title)
        page.keyboard.press("Escape")
        self.wait(page, HIDDEN)
        self.publisher.put("above", stories(60)[:2] + news(4, "late") + stories(60)[2:], title="Above")
        page.keyboard.press("r")
        self.wait(page, STATUS, "64 items")
        page.keyboard.press("a")
        # Those above it when it was chosen, it, and none that came since.
        self.wait(page, f"{self.COUNT} === '{64 - number - 1}'")
        marks = page.evaluate("JSON.parse(localStorage['freshet read above'])")
        self.assertFalse([id for id in marks if id.startswith("late")])

    def test_stay_where_the_browser_has_no_room_for_them(self):
        self.publisher.put("full", stories(4), title="Full")
        page = self.read("full", **DESKTOP)
        self.shows(page, "Story 0")
        page.keyboard.press("j")
        self.wait(page, f"{self.COUNT} === '3'")
        page.evaluate("""() => {
          Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };
        }""")
        page.keyboard.press("j")
        page.keyboard.press("j")
        self.wait(page, f"{self.COUNT} === '1'")

    def test_are_made_with_a_mouse(self):
        self.publisher.put("mouse", stories(4), title="Mouse")
        page = self.read("mouse", **DESKTOP)
        self.shows(page, "Story 0")
        row = page.locator("feed-cell").nth(2)
        before = row.evaluate("(one) => getComputedStyle(one).backgroundColor")
        row.hover()
        ground = "(before) => getComputedStyle(document.querySelectorAll('feed-cell')[2]).backgroundColor !== before"
        self.wait(page, ground, before)
        self.assertEqual(row.evaluate("(one) => getComputedStyle(one).cursor"), "pointer")
        for texts in (["Story 2"], []):
            row.locator(".dot").click()
            self.wait(page, f"(texts) => String(({READ})()) === String(texts)", texts)
            self.assertTrue(page.evaluate(HIDDEN))
        page.locator(".title").first.click()
        self.wait(page, ITEM, "Story 0")
        page.get_by_role("button", name="Unread", exact=True).click()
        self.wait(page, f"({READ})().length === 0")
        page.get_by_role("button", name="Keys").click()
        page.get_by_role("heading", name="Keys").wait_for()
        page.keyboard.press("?")
        self.wait(page, "!document.querySelector('dialog[open]')")

    def test_are_made_on_keyboards_of_other_scripts(self):
        self.publisher.put("scripts", stories(4), title="Scripts")
        page = self.read("scripts", **DESKTOP)
        self.shows(page, "Story 0")
        def press(key, code, shift=False):
            page.evaluate("""([key, code, shiftKey]) => document.body.dispatchEvent(new KeyboardEvent(
              "keydown", { key, code, shiftKey, bubbles: true, cancelable: true }))""", [key, code, shift])
        for number, key in enumerate(("ㅓ", "о", "ت", "Process")):
            press(key, "KeyJ")
            self.wait(page, ITEM, f"Story {number}")
        press("ь", "KeyM")
        self.wait(page, f"({READ})().length === 3")
        press("؟", "Slash", True)
        page.get_by_role("heading", name="Keys").wait_for()
        page.keyboard.press("Escape")
        # Letters that are Latin stand for themselves wherever they are.
        press("n", "KeyJ")
        self.wait(page, ITEM, "Story 3")
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        press("ㄱ", "KeyR")
        self.wait(page, STATUS, "Nothing new")
        self.assertTrue(any("/feeds/scripts" in url for url in asked))

    def test_are_none_of_values_and_directories(self):
        self.publisher.put("values", [{"id": "a", "title": "A", "published": "2026-03-01", "value": 4}])
        page = self.read("values", **DESKTOP)
        self.shows(page, "A")
        self.assertEqual(page.locator("feed-cell[data-news], feed-cell .dot").count(), 0)
        self.assertEqual(page.evaluate(self.COUNT), "")


class Filtering(ReaderTest):
    def test_by_words_and_by_a_tag(self):
        self.publisher.put("news", stories(4))
        page = self.read()
        self.shows(page, "Story 0")
        page.keyboard.press("/")
        page.keyboard.type("STORY 2")
        self.wait(page, SHOWN, ["Story 2"])
        self.equals(page, "document.getElementById('filter-count').textContent", "1 of 4")
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
        # The list's other feeds are counted meanwhile.
        page.on("request", lambda request: asked.append(request.url) if "/feeds" in request.url else None)
        page.keyboard.press("/")
        page.keyboard.type("rrr")
        self.wait(page, "document.getElementById('filter-count').textContent === '0 of 4'")
        self.assertEqual(asked, [])


class Stars(ReaderTest):
    FOUND = "() => [...document.querySelectorAll('#found a')].map((one) => one.firstChild.textContent)"

    def test_keep_items_on_the_device_and_are_a_list_of_their_own(self):
        for feed in ("one", "other"):
            self.publisher.put(feed, stories(3), title=feed.title())
        context = self.context(**DESKTOP)
        sent = []
        context.on("request", lambda request: sent.append((request.method, request.post_data)))
        page = self.read("one", context)
        self.shows(page, "Story 0")
        page.keyboard.press("n")
        page.keyboard.press("f")
        self.wait(page, "document.querySelector('feed-cell[data-star] .title')?.textContent === 'Story 0'")
        page.evaluate("location.hash = '#other/story-1'")
        self.wait(page, ITEM, "Story 1")
        page.get_by_role("button", name="Star", exact=True).click()
        page.get_by_role("button", name="Remove the star").wait_for()
        page.reload()
        self.wait(page, ITEM, "Story 1")
        page.get_by_role("button", name="Remove the star").wait_for()
        # An item that a feed loses is still there.
        self.publisher.put("one", stories(3)[1:], title="One")
        page.locator("#list-starred").click()
        self.wait(page, f"String(({self.FOUND})()) === 'Story 1,Story 0'")
        page.locator("#found a").nth(1).click()
        page.frame_locator("#item iframe").get_by_text("Words of Story 0").wait_for()
        with page.expect_download() as download:
            page.get_by_role("button", name="Export").click()
        exported = json.loads(pathlib.Path(download.value.path()).read_text())
        self.assertEqual([(item["id"], item["_freshet"]["feed"], item["content_html"]) for item in exported["items"]],
                         [("story-1", "other", "<p>Words of Story 1</p>"), ("story-0", "one", "<p>Words of Story 0</p>")])
        self.assertIn("story-1", exported["_freshet"]["read"]["other"])
        self.assertEqual({method for method, _ in sent}, {"GET"})
        # The same button leads back to the feeds.
        page.locator("#list-starred").click()
        self.wait(page, "document.getElementById('found').hidden")

    def test_are_those_of_all_pages_of_the_browser(self):
        self.publisher.put("one", stories(2), title="One")
        context = self.context(**DESKTOP)
        starred = "String([...document.querySelectorAll('feed-cell[data-star] .title')].map((one) => one.textContent))"
        one, other = self.read("one", context), self.read("one", context)
        for page in (one, other):
            self.shows(page, "Story 0")
            # What has a star is known once it was looked up.
            page.keyboard.press("n")
        one.keyboard.press("f")
        self.equals(one, starred, "Story 0")
        self.equals(other, starred, "Story 0")
        other.keyboard.press("f")
        self.equals(other, starred, "")
        self.equals(one, starred, "")

    def test_for_which_there_is_no_room_last_as_long_as_the_page(self):
        self.publisher.put("one", stories(2), title="One")
        page = self.read("one")
        self.shows(page, "Story 0")
        page.evaluate("""() => {
          IDBObjectStore.prototype.put = () => { throw new DOMException("", "QuotaExceededError"); };
        }""")
        page.keyboard.press("n")
        page.keyboard.press("f")
        self.wait(page, "document.querySelector('feed-cell[data-star]') !== null")
        page.locator("#list-starred").click()
        self.wait(page, f"String(({self.FOUND})()) === 'Story 0'")

    def test_for_which_there_is_no_room_stay_when_another_page_stars_something(self):
        self.publisher.put("one", stories(3), title="One")
        without_room = """IDBObjectStore.prototype.put = IDBObjectStore.prototype.delete = () => {
          throw new DOMException("", "QuotaExceededError");
        };"""
        # Some browsers find that out only when all of it is to be written to the disk.
        late = """for (const name of ["put", "delete"]) {
          const act = IDBObjectStore.prototype[name];
          IDBObjectStore.prototype[name] = function (...all) {
            const { transaction } = this;
            const request = act.apply(this, all);
            if (transaction.db.name === "freshet stars") {
              request.addEventListener("success", () => setTimeout(() => transaction.abort()));
              const goOn = () => { this.get("").onsuccess = goOn; };
              goOn();
            }
            return request;
          };
        }"""
        for lack in (without_room, late, "IDBFactory.prototype.open = () => { throw new DOMException(); };"):
            with self.subTest(lack):
                context = self.context(**DESKTOP)
                starred = """String([...document.querySelectorAll('feed-cell[data-star] .title')]
                  .map((one) => one.textContent))"""
                full, other = context.new_page(), self.read("one", context)
                full.add_init_script(lack)
                full.goto(f"{self.server.url}/#one")
                for page in (full, other):
                    self.shows(page, "Story 0")
                    page.keyboard.press("n")
                full.keyboard.press("f")
                self.equals(full, starred, "Story 0")
                full.evaluate("""() => addEventListener("storage", ({ key }) => {
                  if (key === "freshet starred") document.body.dataset.heard = "";
                })""")
                other.keyboard.press("n")
                other.keyboard.press("f")
                self.equals(other, starred, "Story 1")
                self.wait(full, "'heard' in document.body.dataset")
                # What the other page starred is seen where it can be read.
                seen = "Story 0,Story 1" if lack in (without_room, late) else "Story 0"
                self.equals(full, starred, seen)
                frames(full, 10)
                self.equals(full, starred, seen)
                if lack in (without_room, late):
                    # A star that cannot be taken away for good is away from this page.
                    full.keyboard.press("n")
                    full.keyboard.press("f")
                    self.equals(full, starred, "Story 0")
                    other.keyboard.press("n")
                    other.keyboard.press("f")
                    self.equals(full, starred, "Story 0,Story 2")

    def test_that_a_key_opened_go_with_it(self):
        self.publisher.put("one", stories(2), title="One")
        page = self.read("one")
        self.shows(page, "Story 0")
        page.locator("#key-button").click()
        page.locator("#key").fill(self.server.key)
        page.keyboard.press("Enter")
        self.wait(page, "!document.querySelector('dialog[open]')")
        self.shows(page, "Story 0")
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press("n")
        page.keyboard.press("f")
        self.wait(page, "document.querySelector('feed-cell[data-star]') !== null")
        self.assertIn("Words of Story 0", page.evaluate("sessionStorage['freshet stars']"))
        page.locator("#key-button").click()
        page.get_by_role("button", name="Remove it").click()
        self.wait(page, "sessionStorage['freshet stars'] === ''")
        page.locator("#list-starred").click()
        page.get_by_role("heading", name="Nothing starred yet").wait_for()

    def test_are_listed_on_a_phone_before_a_feed_is_opened(self):
        self.publisher.put("one", stories(2), title="One")
        page = self.open(f"{self.server.url}/", **PHONE)
        page.get_by_role("link", name="One").wait_for()
        page.locator("#list-starred").tap()
        page.get_by_role("heading", name="Nothing starred yet").wait_for()

    def test_have_a_list_of_all_unread_beside_them(self):
        for feed in ("one", "other"):
            self.publisher.put(feed, stories(3), title=feed.title())
        page = self.read("one")
        self.shows(page, "Story 0")
        page.keyboard.press("n")
        page.keyboard.press("b")
        self.wait(page, f"String(({READ})()) === 'Story 1,Story 2'")
        page.locator("#list-unread").click()
        self.wait(page, f"String(({self.FOUND})()) === 'Story 0,Story 0,Story 1,Story 2'")
        page.locator("#search-words").fill("story 2")
        self.wait(page, f"String(({self.FOUND})()) === 'Story 2'")
        page.locator("#search-words").press("Escape")
        self.wait(page, "document.getElementById('found').hidden")


class WhereThereIsNothing(ReaderTest):
    NOTHING = "(words) => { const place = document.getElementById('nothing'); return !place.hidden && place.innerText.includes(words); }"

    def test_to_a_filter_it_is_said_with_the_way_out(self):
        self.publisher.put("news", stories(3))
        page = self.read()
        self.shows(page, "Story 0")
        page.keyboard.press("/")
        page.keyboard.type("qqq")
        self.wait(page, self.NOTHING, "No item has these words")
        page.get_by_role("button", name="Show all").click()
        self.wait(page, SHOWN, ["Story 0", "Story 1", "Story 2"])
        self.wait(page, "document.getElementById('nothing').hidden")

    def test_unread_it_is_said_until_something_comes(self):
        self.publisher.put("unread", stories(2), title="Unread")
        page = self.read("unread")
        self.shows(page, "Story 0")
        page.keyboard.press("A")
        page.keyboard.press("u")
        self.wait(page, self.NOTHING, "All read")
        self.publisher.put("unread", news(1, "late") + stories(2), title="Unread")
        page.keyboard.press("r")
        self.wait(page, SHOWN, ["Late 0"])
        self.wait(page, "document.getElementById('nothing').hidden")

    def test_at_an_address_it_is_said_once_all_is_here(self):
        self.publisher.put("some", stories(150), title="Some")
        page = self.read("some/nowhere")
        self.wait(page, "document.getElementById('toast').innerText.includes('not in the feed any more')")
        # One that comes with the rest is shown.
        other = self.read("some/story-140")
        self.wait(other, ITEM, "Story 140")

    def test_yet_no_id_is_the_title_and_a_pull_says_that_it_refreshes(self):
        self.publisher.put("some-id", stories(3), title="Its name")
        context = self.context(**PHONE)
        held = Held(context, re.compile("/feeds"))
        page = self.read("some-id", context)
        held.wait(page)
        self.assertEqual(page.evaluate("document.getElementById('title').textContent.trim()"), "")
        self.assertEqual(page.title(), "Freshet")
        held.go()
        self.shows(page, "Story 0")
        self.wait(page, "document.getElementById('title').textContent === 'Its name'")
        self.wait(page, "document.querySelector('refresh-control').attributedTitle.startsWith('Updated')")
        again = Held(context, re.compile("/feeds/some-id"))
        page.evaluate("window.words = () => document.querySelector('refresh-control').attributedTitle")
        frames(page, 3)
        page.keyboard.press("r")
        self.wait(page, "words() === 'Refreshing'")
        again.go()
        self.wait(page, "words().startsWith('Updated')")


class Printing(ReaderTest):
    def prints(self, page):
        """What is on paper."""
        page.emulate_media(media="print", color_scheme="dark")
        page.evaluate("dispatchEvent(new Event('beforeprint'))")
        text = page.evaluate("document.body.innerText")
        colour = page.evaluate("getComputedStyle(document.querySelector('.print')).color")
        heights = page.evaluate("[document.documentElement.scrollHeight, document.querySelector('.print').scrollHeight]")
        page.evaluate("dispatchEvent(new Event('afterprint'))")
        page.emulate_media(media="screen")
        self.assertEqual(page.locator(".print").count(), 0)
        self.assertGreaterEqual(heights[0] + 1, heights[1])
        return text, colour

    def test_is_of_the_whole_list(self):
        self.publisher.put("long", [{"id": "a", "title": "Part A", "items": stories(200)},
                                    {"id": "b", "title": "Part B", "items": news(1, "last")}], title="Long")
        page = self.read("long")
        self.shows(page, "Story 0")
        self.wait(page, STATUS, "201 items")
        text, colour = self.prints(page)
        for words in ("Long", "Part A", "Part B", "Last 0", *(f"Story {number}\n" for number in range(200))):
            self.assertIn(words, text)
        for words in ("Live", "Refresh", "Workbench"):
            self.assertNotIn(words, text)
        self.assertEqual(colour, "rgb(18, 33, 32)")

    def test_is_of_the_whole_article(self):
        self.publisher.put("news", [{**stories(1)[0], "content_html": "".join(
            f"<p>Paragraph {number}.</p>" for number in range(300))}, *stories(3)[1:]])
        page = self.read()
        self.shows(page, "Story 0")
        page.keyboard.press("j")
        page.frame_locator("#item iframe").get_by_text("Paragraph 299.").wait_for()
        text, _ = self.prints(page)
        self.assertIn("Story 0", text)
        self.assertIn("example.org", text)
        self.assertNotIn("Story 1", text)
        self.assertNotIn("Close", text)
        for number in range(300):
            self.assertIn(f"Paragraph {number}.", text)


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
        self.equals(page, "getComputedStyle(document.documentElement).fontSize", "19px")
        page.get_by_label("Text").select_option("small")
        page.keyboard.press("Escape")
        for _ in range(2):
            self.shows(page, "Story 0")
            self.wait(page, "(was) => document.querySelector('feed-cell').offsetHeight < was", before)
            self.equals(page, "getComputedStyle(document.documentElement).colorScheme", "dark")
            self.equals(page, "getComputedStyle(document.documentElement).fontSize", "14px")
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
        self.wait(page, "document.querySelector('#item .item-bar') !== null")
        page.clock.run_for(180_000)
        self.wait(page, f"{time} === '5 min. ago'")

    def test_the_sheet_of_keys(self):
        self.publisher.put("news", stories(2))
        # A phone has some, too, with a keyboard.
        page = self.read(**PHONE)
        self.shows(page, "Story 0")
        page.keyboard.press("?")
        page.get_by_role("heading", name="Keys").wait_for()
        self.assertTrue(page.locator(".keys kbd").first.is_visible())
        # In a window that is too low for it, or magnified, it begins with its beginning.
        page.set_viewport_size({"width": 640, "height": 300})
        page.keyboard.press("Escape")
        self.wait(page, "!document.querySelector('dialog[open]')")
        page.keyboard.press("?")
        self.equals(page, "document.querySelector('dialog[open]')?.scrollTop", 0)
        page.keyboard.press("j")
        page.keyboard.press("Escape")
        self.wait(page, "!document.querySelector('dialog[open]')")
        self.assertTrue(page.evaluate(HIDDEN))

    def test_no_key_is_lost_right_after_the_sheet_of_keys(self):
        self.publisher.put("news", stories(2))
        page = self.read()
        self.shows(page, "Story 0")
        page.keyboard.press("?")
        page.get_by_role("heading", name="Keys").wait_for()
        for key in "?j":
            page.evaluate("""(key) => {
              document.querySelector("dialog[open]").close();
              document.activeElement.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true }));
            }""", key)
            self.assertEqual(page.get_by_role("heading", name="Keys").is_visible(), key == "?")
        self.wait(page, ITEM, "Story 0")

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
