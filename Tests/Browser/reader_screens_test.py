"""What the reader's screens say, and where the focus and the history are: docs/WEB.md."""

import re

from feeds import news, rows
from harness import DESKTOP, PHONE, Freshet, Held, Intercepted
from reader_page import STATE, STATUS, TABLE, ReaderTest

ACTIVE = "(id) => document.activeElement.id === id"
SCREEN = "(name) => document.getElementById('app').dataset.screen === name"
FEEDS = "[...document.querySelectorAll('#feeds a > :first-child')].map((name) => name.textContent)"


class OnAPhone(ReaderTest):
    def start(self):
        self.publisher.put("news", rows(3))
        page = self.open(f"{self.server.url}/", **PHONE)
        page.get_by_role("link", name="News").tap()
        self.shows(page, "Row 0")
        return page

    def test_the_focus_goes_to_the_screen_that_comes(self):
        page = self.start()
        self.wait(page, ACTIVE, "title")
        page.get_by_role("link", name="Back to the feeds").tap()
        self.wait(page, "document.activeElement.hash === '#news/'")

    def test_a_feed_may_be_called_as_a_part_of_the_page_is(self):
        names = ("title", "status", "live", "back", "search-words")
        for name in names:
            self.publisher.put(name, rows(3), title=f"Feed {name}")
            self.addCleanup(self.publisher.delete, name)
        place = """() => [document.querySelector("main").getBoundingClientRect().left,
          document.activeElement.id]"""
        for name in names:
            with self.subTest(name=name):
                page = self.open(f"{self.server.url}/", **PHONE)
                page.get_by_role("link", name=f"Feed {name}").tap()
                self.shows(page, "Row 0")
                self.equals(page, place, [0, "title"])
                # As an address that came from elsewhere.
                page = self.open(f"{self.server.url}/#{name}", **PHONE)
                self.shows(page, "Row 0")
                self.equals(page, "location.hash", f"#{name}/")
                self.assertEqual(page.evaluate(place)[0], 0)

    def test_the_focus_goes_there_before_all_of_the_page_is_there(self):
        self.publisher.put("news", rows(3))
        for isBack in (False, True):
            with self.subTest(isBack=isBack):
                context = self.context(**PHONE)
                held = Held(context, "**/reader/KeyboardShortcuts.js")
                page = self.open(f"{self.server.url}/", context)
                page.get_by_role("link", name="News").tap()
                self.wait(page, SCREEN, "feed")
                if isBack:
                    page.get_by_role("link", name="Back to the feeds").tap()
                    self.wait(page, SCREEN, "feeds")
                held.go()
                if isBack:
                    self.wait(page, "document.activeElement.hash === '#news/'")
                else:
                    self.wait(page, ACTIVE, "title")

    def test_the_focus_does_not_stay_on_what_another_screen_hid(self):
        context = self.context(**PHONE)
        held = Held(context, "**/reader/KeyboardShortcuts.js")
        self.publisher.put("news", rows(3))
        page = self.open(f"{self.server.url}/", context)
        page.get_by_role("link", name="News").tap()
        self.wait(page, SCREEN, "feed")
        # As in browsers that leave it there, and in all until they draw again.
        page.evaluate("""() => {
          const back = document.getElementById("back");
          // The feed's link may have kept it, and would not come to have it.
          document.activeElement.blur();
          Object.defineProperty(document, "activeElement", { configurable: true, value: back });
          addEventListener("focusin", () => delete document.activeElement);
        }""")
        page.go_back()
        self.wait(page, SCREEN, "feeds")
        held.wait(page)
        held.go()
        self.wait(page, "document.activeElement.hash === '#news/'")

    def test_the_title_is_that_of_the_screen(self):
        page = self.start()
        self.wait(page, "document.title === 'News – Freshet'")
        page.get_by_role("link", name="Back to the feeds").tap()
        self.wait(page, "document.title === 'Freshet'")

    def test_back_is_the_way_that_one_came(self):
        page = self.start()
        length = page.evaluate("history.length")
        for _ in range(2):
            page.get_by_role("link", name="Back to the feeds").tap()
            self.wait(page, SCREEN, "feeds")
            self.equals(page, "location.href", f"{self.server.url}/")
            page.get_by_role("link", name="News").tap()
            self.wait(page, SCREEN, "feed")
            self.assertEqual(page.evaluate("history.length"), length)
        page.go_back()
        self.wait(page, SCREEN, "feeds")
        page.go_forward()
        self.wait(page, SCREEN, "feed")
        self.wait(page, "document.title === 'News – Freshet'")

    def test_back_from_where_one_began_leads_to_the_list(self):
        self.publisher.put("news", rows(3))
        page = self.read(**PHONE)
        self.shows(page, "Row 0")
        length = page.evaluate("history.length")
        page.get_by_role("link", name="Back to the feeds").tap()
        self.wait(page, SCREEN, "feeds")
        self.assertEqual(page.evaluate("history.length"), length)

    def test_back_never_leads_out_of_the_page(self):
        page = self.read("nowhere", **PHONE)
        page.get_by_role("link", name="See all feeds").tap()
        self.wait(page, SCREEN, "feeds")
        page.go_back()
        self.wait(page, SCREEN, "feed")
        page.get_by_role("link", name="Back to the feeds").tap()
        self.wait(page, SCREEN, "feeds")
        self.assertTrue(page.url.startswith(self.server.url))

    def test_nothing_moves_while_it_loads(self):
        parts = [{"id": letter, "title": letter, "index": letter, "items": rows(9, letter)}
                 for letter in "abcdef"]
        self.publisher.put("parts", parts, title="Parts")
        context = self.context(**PHONE)
        context.add_init_script("""
          window.shifts = [];
          new PerformanceObserver((list) => shifts.push(...list.getEntries().map(
            ({ value, sources }) => [value, sources.map(({ node }) => node?.className)])))
            .observe({ type: "layout-shift", buffered: true });""")
        page = self.read("parts", context)
        self.shows(page, "A 0")
        self.wait(page, STATE, "idle")
        self.wait(page, "document.querySelector('index-bar').clientHeight > 100")
        self.assertEqual(page.evaluate("shifts"), [])

    def test_all_that_is_touched_is_large_enough(self):
        page = self.start()
        small = """() => [...document.querySelectorAll("a, button, label")]
          .filter((one) => one.checkVisibility({ visibilityProperty: true })
            && !one.matches("feed-cell a, #refresh, .brand")
            && one.getBoundingClientRect().height < 43.9).map((one) => one.outerHTML)"""
        self.assertEqual(page.evaluate(small), [])
        page.get_by_role("link", name="Back to the feeds").tap()
        self.wait(page, "document.activeElement.hash === '#news/'")
        self.assertEqual(page.evaluate(small), [])

    def test_the_list_is_fetched_anew_on_return(self):
        page = self.start()
        self.publisher.put("other", rows(1), title="Another feed")
        page.get_by_role("link", name="Back to the feeds").tap()
        page.get_by_role("link", name="Another feed").wait_for()


class AtFirst(ReaderTest):
    def test_the_feed_that_changed_last_is_shown(self):
        feeds = [{"id": name, "title": f"The {name}", "token": "", "count": 3,
                  "changed": f"2026-11-2{day}T08:00:00Z"}
                 for name, day in (("a", 1), ("b", 3), ("c", 2))]
        self.publisher.put("b", rows(3), title="The b")
        context = self.context(**DESKTOP)
        context.route(re.compile("/feeds([?]|$)"),
                      lambda route: route.fulfill(json={"kind": "feeds", "feeds": feeds}))
        page = self.open(f"{self.server.url}/", context)
        self.wait(page, "document.title === 'The b – Freshet'")


class TheList(ReaderTest):
    def test_keeps_the_focus_where_a_feed_comes(self):
        self.publisher.put("news", rows(3))
        page = self.read()
        self.shows(page, "Row 0")
        page.locator("#feeds a[href='#news/']").focus()
        self.publisher.put("before", rows(1), title="A feed before")
        self.addCleanup(self.publisher.delete, "before")
        page.keyboard.press("r")
        page.get_by_role("link", name="A feed before").wait_for()
        self.assertEqual(page.evaluate("document.activeElement.hash"), "#news/")

    def test_is_in_the_order_of_its_names(self):
        for feed, title in (("a", "Zebra"), ("b", "apple 10"), ("c", "Apple 2"), ("d", " ")):
            self.publisher.put(feed, rows(1), title=title)
        page = self.open(f"{self.server.url}/")
        names = ["Apple 2", "apple 10", "d", "Zebra"]
        self.wait(page, f"(names) => String({FEEDS}.filter((one) => names.includes(one))) "
                  "=== String(names)", names)

    def test_counts_as_the_feed_in_sight(self):
        self.publisher.put("news", news(3))
        page = self.read()
        self.shows(page, "Row 0")
        page.get_by_role("switch", name="Live").check(force=True)
        self.wait(page, STATE, "live")
        self.publisher.put("news", news(5))
        self.wait(page, STATUS, "5 items")
        self.wait(page, "document.querySelector('#feeds [aria-current] .count').textContent === '5'")

    def test_follows_every_feed_by_one_stream_unless_that_was_turned_off(self):
        for feed in ("one", "other"):
            self.publisher.put(feed, news(2), title=feed)
        self.publisher.put("values", [{"id": "a", "published": "2026-03-01", "value": 5}, {"id": "b"}])
        self.publisher.put("people", [{"id": "a", "name": "Ann", "published": "2026-03-01"}],
                           collate={"by": "name", "locale": "en"})
        context = self.context(live=True)
        streams = []
        context.on("request", lambda request: streams.append(request.url)
                   if "/events" in request.url else None)
        page = self.read("one", context)
        self.wait(page, STATE, "live")
        self.wait(page, "document.getElementById('live').checked")
        count = """([id, text]) => document.querySelector(`#feeds a[href='#${id}/'] .count`).textContent === text"""
        self.wait(page, count, ["other", "2"])
        self.publisher.put("other", news(5), title="other")
        self.wait(page, count, ["other", "5"])
        self.assertTrue(all(page.evaluate(count, [id, ""]) for id in ("values", "people")))
        self.assertEqual(page.evaluate("localStorage['freshet live'] ?? null"), None)
        for url in streams[1:]:
            self.assertIn("feed=one", url)
            self.assertIn("feed=other", url)
        self.assertLessEqual(len(streams), 2)

    def test_counts_on_a_phone_before_a_feed_is_opened(self):
        self.publisher.put("news", news(3))
        for live in (False, True):
            with self.subTest(live=live):
                page = self.open(f"{self.server.url}/", self.context(live=live, **PHONE))
                self.wait(page, "document.querySelector(\"#feeds a[href='#news/'] .count\")?.textContent === '3'")

    def test_counts_no_marks_of_items_that_are_gone(self):
        for feed in ("one", "other"):
            self.publisher.put(feed, news(4), title=feed)
        context = self.context(**DESKTOP)
        page = self.read("other", context)
        self.shows(page, "Row 0")
        for _ in range(3):
            page.keyboard.press("j")
        counts = """(text) => String(["one", "other"].map((id) =>
          document.querySelector(`#feeds a[href='#${id}/'] .count`).textContent)) === text"""
        self.wait(page, counts, "4,1")
        # All that was read goes, in sight and out of sight.
        self.publisher.put("other", news(3, "late"), title="other")
        page.keyboard.press("r")
        self.wait(page, counts, "4,3")
        page.evaluate("location.hash = '#one'")
        self.shows(page, "Row 0")
        self.publisher.put("other", news(2, "later"), title="other")
        page.keyboard.press("r")
        self.wait(page, counts, "4,2")


class Formats(ReaderTest):
    LINKS = """[...document.querySelectorAll("link[rel=alternate][data-feed]")].map(
      (link) => `${link.getAttribute("href")} ${link.type} ${link.title}`)"""

    def test_of_all_feeds_are_named_with_the_one_in_sight_first(self):
        self.publisher.put("news", rows(2), title="News")
        self.publisher.put("other", rows(2), title="Other & more")
        page = self.read()
        first = [
            "feeds/news.atom application/atom+xml News (Atom)",
            "feeds/news.rss application/rss+xml News (RSS)",
            "feeds/news.json application/feed+json News (JSON Feed)",
        ]
        self.wait(page, f"(first) => String(({self.LINKS}).slice(0, 3)) === String(first)", first)
        self.wait(page, f"""({self.LINKS}).length
          === 3 * document.querySelectorAll("#feeds a").length""")
        self.assertIn("feeds/other.atom application/atom+xml Other & more (Atom)",
                      page.evaluate(self.LINKS))
        page.evaluate("location.hash = '#other'")
        self.wait(page, f"({self.LINKS})[0].startsWith('feeds/other.atom')")


class Keys(ReaderTest):
    """Of a server that shows its feeds to nobody without one."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.publisher.put("news", rows(3))

    def setUp(self):
        super().setUp()
        self.context_ = self.context(**DESKTOP)
        self.asked = []
        self.context_.route(re.compile("/(feeds|events)"), self.guard)

    def guard(self, route):
        key = route.request.headers.get("authorization")
        self.asked.append(key)
        if key == f"Bearer {self.server.key}":
            return route.fallback()
        return route.fulfill(status=401, json={})

    def give(self, page, key):
        page.get_by_role("main").get_by_role("button", name="key").click()
        page.locator("#key").fill(key)
        page.keyboard.press("Enter")

    def test_that_is_wrong(self):
        page = self.read("news", self.context_)
        self.give(page, "wrong")
        page.get_by_role("main").get_by_role("heading", name="The key does not fit").wait_for()
        self.give(page, self.server.key)
        self.shows(page, "Row 0")
        self.wait(page, ACTIVE, "title")

    def test_that_is_wrong_hides_what_the_right_one_showed(self):
        page = self.read("news", self.context_)
        self.give(page, self.server.key)
        self.shows(page, "Row 0")
        self.wait(page, f"{FEEDS}.length > 0")
        page.locator("#key-button").click()
        page.locator("#key").fill("wrong")
        page.keyboard.press("Enter")
        page.get_by_role("main").get_by_role("heading", name="The key does not fit").wait_for()
        self.wait(page, f"{FEEDS}.length === 0")
        page.locator("feed-cell").first.wait_for(state="detached")

    def test_that_is_not_given(self):
        page = self.read("news", self.context_)
        self.give(page, self.server.key)
        self.shows(page, "Row 0")
        self.wait(page, STATE, "idle")
        page.locator("#key-button").click()
        # It is there a moment later.
        page.locator("#key").fill("another")
        page.keyboard.press("Escape")
        self.wait(page, ACTIVE, "key-button")
        self.asked.clear()
        page.keyboard.press("r")
        self.wait(page, STATUS, "Nothing new")
        self.assertEqual(set(self.asked), {f"Bearer {self.server.key}"})


class Names(ReaderTest):
    def test_are_what_says_something(self):
        self.publisher.put("blank", [
            {"id": "a", "title": "", "items": [
                {"id": "one", "title": None, "headline": " ", "summary": None, "author": None},
                {"id": "two", "title": "", "name": "Two", "value": ""}]},
            {"id": "b", "items": rows(1)}], title="")
        page = self.read("blank")
        self.shows(page, "one")
        texts = "(selector) => [...document.querySelectorAll(selector)].map((one) => one.textContent)"
        self.equals(page, texts, ["one", "Two", "Row 0"], "feed-cell")
        self.equals(page, texts, ["a", "b"], ".ui-header")
        self.equals(page, texts, ["blank"], "#title")
        self.equals(page, "document.title", "blank – Freshet")

    def test_are_of_any_kind(self):
        strange = {"toString": 1, "valueOf": 1}
        self.publisher.put("strange", [
            {"id": "first", "title": strange, "headline": strange, "name": strange,
             "value": strange, "summary": strange, "author": strange, "url": strange},
            {"id": "second", "published": strange, "updated": strange, "image": strange},
            {"id": "third", "title": "W" * 1_000_000, "summary": "w " * 500_000}])
        page = self.read("strange")
        self.shows(page, '{"toString":1,"valueOf":1}')
        self.assertLess(page.evaluate("document.body.textContent.length"), 20_000)

    def test_of_authors_are_words_and_other_members_wait_in_the_item(self):
        self.publisher.put("authors", [
            {"id": "a", "author": {"name": None}}, {"id": "b", "author": {"name": "Ann"}},
            {"id": "c", "author": "Bea", "colour": "red", "size": {"x": 1}},
            {"id": "d", "author": {}}])
        page = self.read("authors")
        self.shows(page, "a")
        self.assertEqual(page.locator("feed-cell").all_text_contents(), ["a", "bAnn", "cBea", "d"])
        page.locator("feed-cell").nth(2).click()
        text = page.frame_locator("#item iframe").locator("dl")
        text.wait_for()
        self.assertEqual(text.text_content(), 'colourredsize{"x":1}')

    def test_do_not_push_each_other_away(self):
        word = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerk"
        self.publisher.put("wide", [
            {"id": word, "title": word, "index": word, "items": [
                {"id": "a", "title": word * 3, "value": word * 3},
                {"id": "b", "title": "Short", "value": "42"}]},
            {"id": "c", "title": "C", "index": "C", "items": rows(2)}], title=word * 3)
        for size in (PHONE, DESKTOP):
            page = self.read("wide", **size)
            self.shows(page, "Short")
            self.assertEqual(page.evaluate("""() => {
              const right = Math.max(...[...document.querySelectorAll("main *")]
                .map((one) => one.getBoundingClientRect().right));
              return right > innerWidth ? right : 0;
            }"""), 0)
            self.assertGreater(page.evaluate(
                "document.querySelector('feed-cell .title').getBoundingClientRect().width"), 140)
            page.context.close()

    def test_beside_an_index_have_their_lines_end_where_they_do(self):
        self.publisher.put("indexed", [{"id": letter, "title": letter, "index": letter, "items":
                                        [{"id": f"{letter}-{number}", "title": letter} for number in range(2)]}
                                       for letter in "ABCDEFGHIJKL"])
        for size in (PHONE, {"viewport": {"width": 1440, "height": 900}}):
            page = self.read("indexed", **size)
            self.shows(page, "A")
            ends = page.evaluate("""() => {
              const cell = document.querySelector("feed-cell");
              return [getComputedStyle(cell).paddingInlineEnd, getComputedStyle(cell, "::before").insetInlineEnd];
            }""")
            self.assertEqual(ends[0], ends[1])

    def test_and_values_end_where_the_bar_above_does(self):
        self.publisher.put("parts", [
            {"id": letter, "index": letter, "items": [{"id": letter, "value": "42"}]}
            for letter in "ABC"])
        page = self.read("parts", viewport={"width": 1440, "height": 900})
        self.shows(page, "A")
        ends = page.evaluate("""() => [".value", "#refresh"].map((name) =>
          document.querySelector(name).getBoundingClientRect().right)""")
        self.assertAlmostEqual(*ends, delta=1)


class Failing(ReaderTest):
    def test_is_heard_once(self):
        self.publisher.put("news", rows(3))
        context = self.context(**DESKTOP)
        asked = Intercepted(context, "**/feeds**")
        page = self.read("news", context)
        self.shows(page, "Row 0")
        page.evaluate("""() => {
          const last = new Map();
          window.heard = [];
          new MutationObserver(() => {
            for (const part of document.querySelectorAll(".ui-announcement, #banner")) {
              const words = part.checkVisibility() ? part.textContent : "";
              if (words.includes("cannot be reached") && words !== last.get(part)) heard.push(words);
              last.set(part, words);
            }
          }).observe(document.body, { subtree: true, childList: true, attributes: true });
        }""")
        asked.abort()
        page.keyboard.press("r")
        self.wait(page, "heard.length > 0")
        page.wait_for_timeout(300)
        self.assertEqual(len(page.evaluate("heard")), 1)
        # The banner is as it was, and says nothing to who asks again.
        page.keyboard.press("r")
        self.wait(page, "heard.length > 1")
        self.assertEqual(page.evaluate("heard[1]"), "The server cannot be reached.")

    def test_is_heard_where_the_banner_says_the_same_of_another(self):
        self.publisher.put("news", rows(3))
        context = self.context(live=True, **DESKTOP)
        asked, streams = Intercepted(context, "**/feeds**"), Intercepted(context, re.compile("/events[?]"))
        streams.answer = lambda route: route.fulfill(content_type="text/event-stream", body="")
        page = self.read("news", context)
        # The server ended the stream.
        self.wait(page, "!document.getElementById('banner').hidden")
        streams.answer = lambda route: None
        asked.abort()
        page.keyboard.press("r")
        self.wait(page, "document.querySelector('.ui-announcement')?.textContent"
                        " === 'The server cannot be reached.'")

    def test_is_heard_where_there_are_no_rows(self):
        page = self.read("nowhere")
        self.wait(page, "document.querySelector('.ui-announcement')?.textContent === 'There is no such feed'")

    def test_is_not_covered_by_what_else_is_said(self):
        self.publisher.put("news", news(30))
        context = self.context(**PHONE)
        asked = Intercepted(context, "**/feeds**")
        page = self.read("news", context)
        self.shows(page, "Row 0")
        asked.abort()
        page.keyboard.press("r")
        page.keyboard.press("a")
        page.evaluate("document.getElementById('release').hidden = false")
        page.locator("#banner").wait_for()
        page.locator("#toast").wait_for()
        places = """() => ["banner", "release", "toast"].map((id) => document.getElementById(id))
          .filter((part) => part.checkVisibility()).map((part) => part.getBoundingClientRect())
          .every((one, index, all) => index === 0 || all[index - 1].bottom <= one.top)"""
        for hidden in ("none", "release", "toast"):
            with self.subTest(hidden=hidden):
                page.evaluate("""(hidden) => {
                  for (const id of ["release", "toast"]) document.getElementById(id).hidden = id === hidden;
                }""", hidden)
                self.wait(page, places)

    def test_says_what_answered_in_place_of_the_server(self):
        self.publisher.put("news", rows(3))
        context = self.context(**DESKTOP)
        asked = Intercepted(context, "**/feeds**")
        page = self.read("news", context)
        self.shows(page, "Row 0")
        asked.answer = lambda route: route.fulfill(
            status=502, content_type="text/html", body="<h1>Bad Gateway</h1>")
        page.keyboard.press("r")
        self.wait(page, "!document.getElementById('banner').hidden")
        words = page.locator("#banner span").text_content()
        self.assertTrue(words.startswith("That did not work (502) This is"), words)

    def test_keeps_the_focus(self):
        context = self.context(**DESKTOP)
        context.route("**/feeds**", lambda route: route.abort())
        page = self.read("news", context)
        page.get_by_role("main").get_by_role("button", name="Try again").click()
        self.wait(page, ACTIVE, "title")

    def test_takes_the_place_of_what_came_before_it(self):
        self.publisher.put("news", rows(3))
        page = self.read()
        self.shows(page, "Row 0")
        page.keyboard.press("r")
        self.wait(page, STATUS, "Nothing new")
        page.context.set_offline(True)
        page.keyboard.press("r")
        self.wait(page, STATE, "offline")
        self.wait(page, STATUS, "3 items · Offline, updated")

    def test_says_of_a_feed_that_is_gone_no_more_than_that(self):
        with Freshet() as server:
            page = self.open(f"{server.url}/#nowhere")
            page.get_by_role("heading", name="There is no such feed").wait_for()
            page.get_by_role("switch", name="Live").check(force=True)
            self.wait(page, STATE, "live")
            self.assertEqual(page.evaluate(
                "getComputedStyle(document.getElementById('status'), '::after').content"), "none")


class First(ReaderTest):
    def test_rows_that_are_not_there_yet_are_in_the_page_itself(self):
        context = self.context(**DESKTOP, java_script_enabled=False)
        page = context.new_page()
        page.goto(self.server.url)
        self.assertEqual(page.locator("#stage .skeleton i").count(), 9)
        self.assertFalse(page.locator("#stage .skeleton").is_visible())
        self.assertTrue(page.locator("noscript .notice").is_visible())

    def test_a_table_takes_their_place(self):
        self.publisher.put("news", rows(3))
        page = self.read()
        self.shows(page, "Row 0")
        page.locator(".skeleton").first.wait_for(state="detached")
        self.assertTrue(page.evaluate(f"{TABLE}.parentNode.id === 'stage'"))

    def test_all_that_the_pages_name_is_there(self):
        self.publisher.put("news", rows(1))
        for path in ("", "workbench.html"):
            context = self.context(**DESKTOP)
            said = []
            context.on("console", lambda message: said.append(message.text)
                       if "blocked by Playwright" not in message.text else None)
            page = self.open(f"{self.server.url}/{path}", context)
            self.wait(page, "document.querySelector('feed-cell, .dot[data-state=live]')")
            files = page.evaluate("""() => [...document.querySelectorAll("[href], [src]")]
              .map((one) => one.href || one.src).filter((url) => !url.includes("#"))""")
            self.assertGreater(len(files), 20)
            for url in {*files}:
                self.assertEqual(context.request.get(url).status, 200, url)
            self.assertTrue(page.locator("meta[name=description]").get_attribute("content"))
            manifest = context.new_cdp_session(page).send("Page.getAppManifest")
            self.assertEqual(manifest["errors"], [])
            self.assertIn("Freshet", manifest["data"])
            self.assertEqual(said, [])
