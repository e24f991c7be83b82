"""How the reader looks and speaks: docs/WEB.md, "Languages"."""

import datetime

from feeds import news, rows
from harness import DESKTOP, PHONE, Held, Touches
from reader_page import STATE, STATUS, TABLE, ReaderTest

PARTS = [{"id": letter, "title": letter, "index": letter, "items": rows(9, letter)}
         for letter in "abcdef"]


class Languages(ReaderTest):
    def test_are_the_browsers_own(self):
        self.publisher.put("news", rows(2))
        for locale, refresh, status in (
                ("de-AT", "Aktualisieren", "2 Einträge · Stand: jetzt"),
                ("ko", "새로 고침", "항목 2개 · 업데이트: 지금"),
                ("ar-EG", "تحديث", "عنصران · آخر تحديث: الآن"),
                ("fr-FR", "Refresh", "2 items · Updated now")):
            with self.subTest(locale=locale):
                page = self.read(**DESKTOP, locale=locale)
                self.shows(page, "Row 0")
                page.get_by_role("button", name=refresh).wait_for()
                self.wait(page, STATUS, status)
                page.context.close()

    def test_can_be_chosen(self):
        self.publisher.put("news", rows(2))
        page = self.read(**DESKTOP)
        self.shows(page, "Row 0")
        page.get_by_role("button", name="View").click()
        with page.expect_navigation():
            page.locator("[name=language]").select_option("de")
        page.get_by_role("button", name="Aktualisieren").wait_for()
        self.assertEqual(page.evaluate("document.documentElement.lang"), "de")

    def test_that_are_not_english_show_no_english_first(self):
        context = self.context(**DESKTOP, locale="de")
        held = Held(context, "**/words/de.js")
        self.publisher.put("news", rows(2))
        page = self.read("news", context)
        page.locator("feed-cell").first.wait_for()
        self.assertFalse(page.locator("#refresh .word").is_visible())
        held.go()
        page.get_by_role("button", name="Aktualisieren").wait_for()

    def test_from_right_to_left_mirror_the_page(self):
        self.publisher.put("parts", PARTS, title="Parts")
        page = self.read("parts", **PHONE, locale="ar")
        self.shows(page, "A 0")
        self.assertEqual(page.evaluate("document.documentElement.dir"), "rtl")
        box = page.locator(".ui-index-bar").bounding_box()
        self.assertLess(box["x"], 50)
        row = page.locator("feed-cell").nth(2).bounding_box()
        touches = Touches(page)
        # What a finger draws to the left in other languages it draws to the right.
        touches.down(150, row["y"] + 20)
        touches.move(130, 0)
        touches.up()
        page.get_by_role("button", name="مقروء").first.wait_for()
        self.assertLess(page.locator(".ui-swipe button").first.bounding_box()["x"], 195)

    def test_have_all_of_a_row_and_of_an_item_on_their_side(self):
        self.publisher.put("arabic", [{"id": "a", "title": "النهر", "summary": "كلمات", "author": "ليلى",
                                       "published": "2026-03-01T12:00:00Z", "tags": ["مدينة"], "لون": "أزرق"},
                                      {"id": "b", "title": "القطار", "author": "ليلى", "tags": ["مدينة"]}])
        page = self.read("arabic", **PHONE, locale="ar")
        self.shows(page, "النهر")
        # Each begins at the right end of the row, and the dot is there, too.
        starts = page.evaluate("""() => [...document.querySelectorAll("feed-cell")].flatMap((cell) => {
          const { right } = cell.querySelector(".ui-cell").getBoundingClientRect();
          return [".title", ".summary", ".author", ".dot"].map((name) => cell.querySelector(name))
            .filter((one) => one?.checkVisibility()).map((one) => {
              const range = document.createRange();
              range.selectNodeContents(one);
              const end = one.matches(".dot") ? one.getBoundingClientRect().left : range.getBoundingClientRect().right;
              return Math.round(end - right);
            });
        })""")
        self.assertEqual(starts, [0] * 6)
        page.locator(".title").first.tap()
        page.frame_locator("#item iframe").locator(".tags span").wait_for()
        self.wait(page, "'isLoaded' in document.querySelector('#item iframe').dataset")
        starts = page.evaluate("""() => {
          const { body } = document.querySelector("#item iframe").contentDocument;
          const right = body.clientWidth - parseFloat(getComputedStyle(body).paddingRight) + body.getBoundingClientRect().left;
          return ["h1", ".tags span", "main p", "dt"].map((name) => {
            const range = document.createRange();
            range.selectNodeContents(body.querySelector(name));
            const padding = parseFloat(getComputedStyle(body.querySelector(name)).paddingRight);
            return Math.round(range.getBoundingClientRect().right + padding - right);
          });
        }""")
        self.assertEqual(starts, [0] * 4)

    def test_have_an_item_of_another_direction_on_its_own_side(self):
        self.publisher.put("mixed", [{"id": "a", "title": "River", "author": "ليلى", "tags": ["مدينة"],
                                      "summary": "words " * 60, "published": "2026-03-01T12:00:00Z"}])
        page = self.read("mixed", **PHONE, locale="ar")
        self.shows(page, "River")
        # The sign for what is left out of a row is not cut off: it has room beside the line.
        room = page.evaluate("""() => [".title", ".summary"].map((name) => {
          const one = document.querySelector(name);
          return one.getBoundingClientRect().right - one.closest(".ui-cell").getBoundingClientRect().right >= 10;
        })""")
        self.assertEqual(room, [True, True])
        page.locator(".title").tap()
        page.frame_locator("#item iframe").locator(".tags span").wait_for()
        self.wait(page, "'isLoaded' in document.querySelector('#item iframe').dataset")
        starts = page.evaluate("""() => {
          const { body } = document.querySelector("#item iframe").contentDocument;
          return ["h1", ".by", ".tags span", "main p"].map((name) => {
            const range = document.createRange();
            range.selectNodeContents(body.querySelector(name));
            const padding = parseFloat(getComputedStyle(body.querySelector(name)).paddingLeft);
            return Math.round(range.getBoundingClientRect().left - padding);
          });
        }""")
        self.assertEqual(set(starts), {starts[0]})

    def test_have_the_pill_in_the_middle(self):
        self.publisher.put("long", rows(200))
        page = self.read("long", **PHONE, locale="ar")
        self.shows(page, "Row 0")
        page.evaluate(f"{TABLE}.setContentOffset({{ y: 3000 }})")
        self.wait(page, f"{TABLE}.contentOffset.y > 2500")
        self.wait(page, STATE, "idle")
        self.publisher.put("long", rows(3, "late") + rows(200))
        page.keyboard.press("r")
        pill = page.locator("#news")
        pill.wait_for()
        box = pill.bounding_box()
        self.assertAlmostEqual(box["x"] + box["width"] / 2, 195, delta=2)
        self.wait(page, "['3 جديد', '٣ جديد'].includes(document.getElementById('news').textContent)")


class TheList(ReaderTest):
    def test_says_what_is_unread_and_when_it_changed(self):
        self.publisher.put("news", news(3))
        page = self.read(**DESKTOP)
        self.shows(page, "Row 0")
        link = page.locator("#feeds a[href='#news/']")
        self.wait(page, "document.querySelector('#feeds a time').textContent === 'now'")
        self.wait(page, "document.querySelector('#feeds a .count').textContent === '3'")
        self.assertEqual(link.get_attribute("data-sign"), "N")
        page.keyboard.press("j")
        self.wait(page, "document.querySelector(\"#feeds a .count\").textContent === '2'")

    def test_says_nothing_where_all_was_read(self):
        self.publisher.put("news", news(1))
        page = self.read(**DESKTOP)
        self.shows(page, "Row 0")
        self.wait(page, "document.querySelector(\"#feeds a .count\").textContent === '1'")
        page.keyboard.press("j")
        self.wait(page, "document.querySelector(\"#feeds a .count\").textContent === ''")


class AnEmptyFeed(ReaderTest):
    def test_shows_the_line_that_publishes_to_it(self):
        self.publisher.put("empty", [])
        page = self.read("empty", **DESKTOP)
        line = page.locator(".command code")
        line.wait_for()
        self.assertIn(f"curl '{self.server.url}/feeds/empty/items'", line.text_content())
        self.assertNotIn(self.server.key, line.text_content())
        # It is right: what it publishes appears.
        item = line.text_content().split(" -d ")[1].strip("'")
        self.publisher.request("POST", "/feeds/empty/items", __import__("json").loads(item))
        page.keyboard.press("r")
        self.shows(page, "Hello")


class TheSwitch(ReaderTest):
    def test_is_explained_once(self):
        self.publisher.put("news", rows(1))
        page = self.read(**DESKTOP)
        self.shows(page, "Row 0")
        switch = page.get_by_role("switch", name="Live")
        switch.check(force=True)
        note = page.locator("#live-note")
        note.wait_for()
        note.get_by_role("button", name="Got it").click()
        self.wait(page, STATE, "live")
        self.assertFalse(note.is_visible())
        switch.uncheck(force=True)
        switch.check(force=True)
        self.wait(page, STATE, "live")
        self.assertFalse(note.is_visible())


class AfterATap(ReaderTest):
    def test_nothing_looks_as_if_a_mouse_were_over_it_and_what_it_did_is_whole(self):
        self.publisher.put("news", news(30))
        page = self.read(**PHONE)
        self.shows(page, "Row 0")
        line = "(id) => getComputedStyle(document.getElementById(id)).borderTopColor"
        before = page.evaluate(line, "mark-seen")
        page.locator("#mark-seen").tap()
        page.locator("#mark-all").wait_for()
        self.equals(page, line, before, "mark-seen")
        # What can be done about it is in a line each.
        heights = page.evaluate("""() => [...document.querySelectorAll("#toast button")].map((one) => {
          const range = document.createRange();
          range.selectNodeContents(one);
          return range.getBoundingClientRect().height;
        })""")
        self.assertLess(max(heights), 30)
        self.assertLessEqual(page.locator("#toast").bounding_box()["width"], 390 - 16)


class Rows(ReaderTest):
    def test_are_many_on_a_phone_and_each_says_who_and_when_in_one_line(self):
        now = datetime.datetime.now(datetime.timezone.utc).isoformat()
        stories = [{"id": f"{number}", "title": f"{number} and as many words as a title has", "published": now,
                    "summary": "word " * 40, "author": "Somebody with a name", "tags": ["a tag of words", "b", "c"]}
                   for number in range(20)]
        self.publisher.put("many", stories)
        page = self.read("many", **PHONE)
        self.shows(page, stories[0]["title"])
        rows = page.evaluate(f"""() => {{
          const table = {TABLE}.getBoundingClientRect();
          return {TABLE}.visibleCells.map((cell) => {{
            const [all, title, meta] = [cell, ...cell.querySelectorAll(".title, .meta")]
              .map((one) => one.getBoundingClientRect());
            const tags = [...cell.querySelectorAll(".tag")].map((tag) => tag.getBoundingClientRect())
              .filter(({{ bottom }}) => bottom <= meta.bottom);
            const line = parseFloat(getComputedStyle(cell.querySelector(".meta")).lineHeight);
            return {{ isWhole: all.bottom <= table.bottom, ground: all.width - title.width,
              isOneLine: [...tags, cell.querySelector(".by").getBoundingClientRect()].every((one) => one.height <= line + 1) }};
          }});
        }}""")
        self.assertGreaterEqual(sum(row["isWhole"] for row in rows), 6)
        for row in rows:
            self.assertTrue(row["isOneLine"])
            # But for the room at both sides.
            self.assertLessEqual(row["ground"], 34)

    def test_tell_which_one_is_open_and_which_are_unread(self):
        self.publisher.put("news", news(3))
        page = self.read(**DESKTOP)
        self.shows(page, "Row 0")
        page.keyboard.press("j")
        page.keyboard.press("j")
        self.wait(page, "document.querySelectorAll('feed-cell')[1].hasAttribute('data-open')")
        looks = page.evaluate("""() => [...document.querySelectorAll("feed-cell")].map((cell) => [
          getComputedStyle(cell).backgroundColor, getComputedStyle(cell.querySelector(".title")).fontWeight,
          getComputedStyle(cell.querySelector(".dot"), "::before").visibility])""")
        self.assertEqual([look[2] for look in looks], ["hidden", "hidden", "visible"])
        self.assertNotEqual(looks[0][0], looks[1][0])
        self.assertLess(int(looks[0][1]), int(looks[2][1]))
        # The dot touches neither the title nor the window.
        dot = page.evaluate("""() => {
          const style = getComputedStyle(document.querySelector("feed-cell .dot"), "::before");
          return [style.boxSizing, style.width];
        }""")
        self.assertEqual(dot, ["border-box", "8px"])

    def test_have_times_that_are_smaller_than_their_titles(self):
        now = datetime.datetime.now(datetime.timezone.utc).isoformat()
        self.publisher.put("news", [{"id": "a", "title": "A", "published": now,
                                     "summary": "word " * 200}])
        page = self.read(viewport={"width": 1920, "height": 1080})
        self.shows(page, "A")
        sizes = page.evaluate("""() => ["time", ".title"].map((name) =>
          parseFloat(getComputedStyle(document.querySelector(`feed-cell ${name}`)).fontSize))""")
        self.assertLess(sizes[0], sizes[1])
        # A line of text has room for 68 characters at the most, as wide as a zero.
        letters = page.evaluate("""() => {
          const summary = document.querySelector("feed-cell .summary");
          const zero = document.createElement("span");
          zero.textContent = "0".repeat(68);
          summary.after(zero);
          zero.style.font = getComputedStyle(summary).font;
          return [summary.getBoundingClientRect().width, zero.getBoundingClientRect().width];
        }""")
        self.assertLessEqual(letters[0], letters[1] + 1)

    def test_show_the_letter_that_a_finger_is_at(self):
        self.publisher.put("parts", PARTS, title="Parts")
        page = self.read("parts", **PHONE)
        self.shows(page, "A 0")
        box = page.locator(".ui-index-bar span", has_text="d").bounding_box()
        touches = Touches(page)
        letter = """() => {
          const bar = document.querySelector(".ui-index-bar");
          return getComputedStyle(bar, "::after").content;
        }"""
        touches.down(box["x"] + 5, box["y"] + 5)
        self.wait(page, f"({letter})() !== 'none'")
        self.assertIn('"d"', page.evaluate(letter).replace("attr(data-letter)", '"d"'))
        touches.up()
        self.wait(page, f"({letter})() === 'none'")


class Motion(ReaderTest):
    def test_is_none_where_less_is_asked_for(self):
        self.publisher.put("news", rows(3))
        context = self.context(**DESKTOP, reduced_motion="reduce")
        page = self.read("news", context)
        self.shows(page, "Row 0")
        page.get_by_role("switch", name="Live").check(force=True)
        page.locator("#live-note").wait_for()
        # A stream that is on its way when the network goes may come all the same, and all is well then.
        self.wait(page, STATE, "live")
        page.context.set_offline(True)
        page.keyboard.press("r")
        page.locator("#banner").wait_for()
        moving = page.evaluate("""() => document.getAnimations().filter(({ effect }) =>
          effect.getKeyframes().some((frame) => frame.translate ?? frame.transform ?? frame.rotate))
          .map(({ effect }) => effect.target.outerHTML.slice(0, 80))""")
        self.assertEqual(moving, [])


class ColoursOfTheSystem(ReaderTest):
    """Where the system chooses colours, what is told by a ground elsewhere has a line."""

    def lines(self, page, selector):
        return page.locator(selector).first.evaluate("""(one) => {
          const { outlineStyle, borderTopWidth, textDecorationLine } = getComputedStyle(one);
          return outlineStyle !== "none" || parseFloat(borderTopWidth) > 0
            || textDecorationLine === "underline";
        }""")

    def test_tell_what_is_chosen(self):
        self.publisher.put("news", [{"id": "a", "title": "A", "tags": ["one"]}, *rows(3)])
        page = self.read(**DESKTOP, forced_colors="active")
        self.shows(page, "A")
        page.keyboard.press("j")
        page.locator("#item iframe").wait_for()
        for selector in (".tag", "#feeds a[aria-current]", "feed-cell[data-active]"):
            self.assertTrue(self.lines(page, selector), selector)
        ground = "getComputedStyle(document.querySelector('#live + i')).backgroundColor"
        before = page.evaluate(ground)
        page.get_by_role("switch", name="Live").check(force=True)
        self.wait(page, f"(before) => {ground} !== before", before)

    def test_tell_which_page_this_is(self):
        for name in ("workbench", "gallery", "api"):
            page = self.open(f"/{name}.html", **DESKTOP, forced_colors="active")
            self.assertTrue(self.lines(page, "nav [aria-current]"), name)


class Narrow(ReaderTest):
    def test_the_bar_leaves_room_for_the_title(self):
        self.publisher.put("news", rows(3), title="News of the day")
        page = self.read(viewport={"width": 720, "height": 700})
        self.shows(page, "Row 0")
        title, status = page.evaluate("""() => ["title", "status"].map((id) => {
          const part = document.getElementById(id);
          return Math.max(part.scrollWidth - part.clientWidth, part.scrollHeight - part.clientHeight);
        })""")
        self.assertEqual((title, status), (0, 0))
        self.assertLess(page.locator(".bar").bounding_box()["height"], 120)
        page.get_by_role("button", name="Refresh").click()
        self.wait(page, STATUS, "Nothing new")

    def test_the_words_of_a_swipe_are_whole_in_any_language(self):
        self.publisher.put("news", news(5))
        for locale in ("en", "de", "ko", "ar"):
            with self.subTest(locale=locale):
                page = self.read(**PHONE, locale=locale)
                self.shows(page, "Row 0")
                way = 150 if locale == "ar" else -150
                Touches(page).drag(195, page.locator("feed-cell").nth(1).bounding_box()["y"] + 20, way, 0)
                page.locator(".ui-swipe").wait_for()
                self.assertEqual(page.evaluate("""() => [...document.querySelectorAll(".ui-swipe > button")]
                  .filter((one) => one.scrollWidth > one.clientWidth || one.scrollHeight > one.clientHeight)
                  .map((one) => one.textContent)"""), [])
                page.context.close()

    def test_a_name_that_is_longer_than_a_row_leaves_room_for_the_time(self):
        self.publisher.put("news", [{**news(1)[0], "author": "Ada Okoye, " * 20}])
        page = self.read(**PHONE)
        self.shows(page, "Row 0")
        time = page.locator("feed-cell time").bounding_box()
        self.assertLessEqual(time["x"] + time["width"], 390)

    def test_what_is_offered_after_marks_is_in_sight_and_over_nothing(self):
        self.publisher.put("news", news(60))
        for width in (320, 390):
            with self.subTest(width=width):
                page = self.read(**{**PHONE, "viewport": {"width": width, "height": 700}}, locale="de")
                self.shows(page, "Row 0")
                page.context.set_offline(True)
                page.keyboard.press("r")
                page.locator("#banner button").wait_for()
                page.locator("#mark-seen").tap()
                # Where it is once it has risen.
                self.equals(page, """() => {
                  const [toast, banner, ...buttons] = ["#toast", "#banner", "#undo", "#mark-all"]
                    .map((name) => document.querySelector(name).getBoundingClientRect());
                  return [banner.bottom <= toast.top, ...buttons.map(({ right }) => right <= toast.right)];
                }""", [True, True, True])

    def test_pages_lead_to_each_other_within_the_window(self):
        page = self.open("/api.html", **{**PHONE, "viewport": {"width": 320, "height": 568}})
        self.assertEqual(page.evaluate("""() => [...document.querySelectorAll(".top nav a")].filter((one) =>
          one.getBoundingClientRect().right > innerWidth).map((one) => one.textContent)"""), [])

    def test_rows_have_most_of_a_window_that_is_magnified_four_times(self):
        self.publisher.put("news", rows(9), title="News of the day and of the night before it")
        page = self.read(viewport={"width": 320, "height": 256})
        self.shows(page, "Row 0")
        self.assertGreater(page.evaluate("document.querySelector('table-view').clientHeight"), 128)
        for name in ("Back to the feeds", "Filter", "Refresh"):
            button = page.locator("main > .bar").get_by_label(name)
            box = button.bounding_box()
            self.assertGreaterEqual(box["x"], 0, name)
            self.assertLessEqual(box["x"] + box["width"], 320, name)

    def test_nothing_is_cut_off_where_text_is_twice_as_large(self):
        self.publisher.put("news", rows(3))
        page = self.open(f"{self.server.url}/", **PHONE)
        page.locator("#list-starred").wait_for()
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        self.assertEqual(page.evaluate("""() => {
          document.getElementById("settings-dialog").showModal();
          return [...document.querySelectorAll(".lists button, dialog[open] select")].filter((one) =>
            one.getBoundingClientRect().right > one.parentElement.getBoundingClientRect().right + .5)
            .map((one) => one.textContent);
        }"""), [])

    def test_all_of_what_an_item_is_operated_by_is_in_sight(self):
        self.publisher.put("news", [{"id": "a", "title": "A", "url": "https://example.org/"}])
        # Words take more room in some languages and typefaces.
        for language in ("en", "de"):
            with self.subTest(language):
                looks = {**PHONE, "viewport": {"width": 320, "height": 568}, "locale": language}
                page = self.read("news/a", **looks)
                original = page.locator("#item .original")
                original.wait_for()
                box = original.bounding_box()
                self.assertLessEqual(box["x"] + box["width"], 320)
                self.assertGreaterEqual(box["x"], 0)


class OneHead(ReaderTest):
    """All pages lead to all others in the same way, and begin at the same places."""

    PAGES = ["workbench.html", "gallery.html", "api.html", "admin.html"]
    # The workbench leads to the feed that it publishes to.
    LINKS = "(part) => [...document.querySelectorAll(part)].map((link) => link.getAttribute('href').split('#')[0])"
    # Where the head and what is below it begin and end.
    SIDES = """() => [".top", ".top + *"].map((name) => {
      const one = document.querySelector(name);
      const { left, right } = one.getBoundingClientRect();
      const { paddingLeft, paddingRight } = getComputedStyle(one);
      return [left + parseFloat(paddingLeft), right - parseFloat(paddingRight)].map(Math.round);
    })"""

    def test_is_that_of_every_page(self):
        widths = (390, 1024, 1440, 2200)
        sides = {width: set() for width in widths}
        context = self.context(**DESKTOP)
        for name in self.PAGES:
            page = self.open(f"{self.server.url}/{name}", context)
            self.assertEqual(page.evaluate(self.LINKS, ".top nav a"), ["./", *self.PAGES])
            self.assertEqual(page.evaluate(self.LINKS, ".top nav [aria-current]"), [name])
            self.assertEqual(page.locator(".top .brand").get_attribute("href"), "./")
            for width in widths:
                page.set_viewport_size({"width": width, "height": 800})
                self.wait(page, "(width) => innerWidth === width", width)
                sides[width] |= {str(side) for side in page.evaluate(self.SIDES)}
            page.close()
        # One left and one right side for each width.
        self.assertEqual({width: len(found) for width, found in sides.items()}, dict.fromkeys(widths, 1), sides)

    def test_leads_from_the_reader_to_the_same_places(self):
        page = self.open(f"{self.server.url}/", **DESKTOP)
        self.assertEqual(page.evaluate(self.LINKS, ".side nav.pages a"), self.PAGES)


class OtherPages(ReaderTest):
    """The workbench, the gallery and the page of the API in the reader's languages."""

    HEADINGS = {"workbench": {"de": "Die ganze Liste", "ko": "전체 목록을", "ar": "انشر القائمة"},
                "gallery": {"de": "Jede Klasse", "ko": "모든 클래스를", "ar": "كل صنف"},
                "api": {"de": "API", "ko": "API", "ar": "API"}}

    seconds = 10

    def test_are_in_the_browsers_language(self):
        for language in ("de", "ko", "ar"):
            # A phone's window, which is then made wider.
            context = self.context(**PHONE, locale=language)
            for name, headings in self.HEADINGS.items():
                page = self.open(f"/{name}.html", context)
                self.equals(page, "document.documentElement.lang", language)
                self.assertIn(headings[language], page.locator("h1").first.text_content())
                self.assertEqual(page.evaluate("document.documentElement.dir"),
                                 "rtl" if language == "ar" else "ltr")
                self.assertNotIn("Workbench", page.locator("nav").first.text_content())
                for size in (PHONE, DESKTOP):
                    page.set_viewport_size(size["viewport"])
                    self.wait(page, "(width) => innerWidth === width", size["viewport"]["width"])
                    wide = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                    self.assertLessEqual(wide, 0, (name, language, size))
                page.close()
            context.close()

    def test_say_what_comes_of_a_publish_in_it(self):
        page = self.open(f"{self.server.url}/workbench.html#key={self.server.key}", **DESKTOP,
                         locale="de")
        page.get_by_role("button", name="Veröffentlichen").click()
        self.wait(page, "document.getElementById('outcome').textContent"
                  " === 'Veröffentlicht: 200 neu.'")
        page.get_by_role("button", name="Eine Änderung").click()
        page.get_by_text("Ein Eintrag hat sich geändert.").wait_for()
