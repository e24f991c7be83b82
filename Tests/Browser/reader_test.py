"""The reader with the real server: docs/WEB.md."""

import unittest

from feeds import rows
from harness import DESKTOP, PHONE, Intercepted, Touches, frames
from reader_page import CELLS, STATE, STATUS, TABLE, ReaderTest


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
        page.locator("#banner").wait_for()
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
        page.get_by_role("alert").filter(has_text="The server has not had this feed since").wait_for()
        self.shows(page, "Row 0")
        self.wait(page, STATE, "live")
        self.publisher.put("brief", rows(1, "again"))
        self.shows(page, "Again 0")
        self.wait(page, "document.getElementById('banner').hidden")

    def test_begins_when_its_code_comes_later(self):
        self.publisher.put("news", rows(3))
        context = self.context(**DESKTOP)
        context.route("**/freshet/Connection.js", lambda route: route.abort())
        page = self.read(context=context)
        self.shows(page, "Row 0")
        page.get_by_role("switch", name="Live").check(force=True)
        self.wait(page, STATE, "offline")
        context.unroute("**/freshet/Connection.js")
        page.keyboard.press("r")
        self.wait(page, STATE, "live")

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
        self.assertRegex(stream, r"^events\?(feed=news@\w+\.\d+&)?feed=other@\w+\.1(&feed=news@\w+\.\d+)?&as=changes$")


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
        banner.get_by_text("cannot be reached").wait_for()
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
        self.wait(page, STATE, "idle")
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


    def rests(self, page, name="long"):
        page.evaluate(f"{TABLE}.contentOffset = {{ y: 3000 }}")
        self.still(page, "table-view")
        self.publisher.put(name, rows(12, "new") + rows(200))

    def test_is_counted_after_a_reload_below_the_top(self):
        self.publisher.put("long", rows(200))
        page = self.read("long")
        self.shows(page, "Row 0")
        self.rests(page)
        page.reload()
        page.get_by_role("button", name="12 new").wait_for()

    def test_is_not_said_over_the_words_of_an_error(self):
        self.publisher.put("long", rows(200))
        context = self.context(**DESKTOP)
        feeds = Intercepted(context, "**/feeds**")
        page = self.read("long", context)
        self.shows(page, "Row 0")
        self.rests(page)
        page.keyboard.press("r")
        page.get_by_role("button", name="12 new").wait_for()
        feeds.abort()
        page.keyboard.press("r")
        page.locator("#banner").wait_for()
        is_over = page.evaluate("""() => {
          const [one, other] = ["banner", "news"].map((id) =>
            document.getElementById(id).getBoundingClientRect());
          return one.top < other.bottom && other.top < one.bottom;
        }""")
        self.assertFalse(is_over)

    def test_goes_with_its_feed(self):
        self.publisher.put("brief", rows(200))
        page = self.read("brief")
        self.shows(page, "Row 0")
        self.rests(page, "brief")
        page.keyboard.press("r")
        page.get_by_role("button", name="12 new").wait_for()
        self.publisher.put("brief", [])
        page.keyboard.press("r")
        self.wait(page, "document.querySelector('#stage .notice')")
        page.locator("#news").wait_for(state="hidden")


class States(ReaderTest):
    def said(self, page):
        """What the page says of a feed that fails: in its place, and in its bar."""
        self.wait(page, "document.querySelector('main .notice h2')")
        return page.locator("main .notice").inner_text()

    def test_a_malformed_document(self):
        for name, body in {
            "no JSON": "<p>Hello", "a null item": '{"kind":"snapshot","token":"a.1","count":1,'
            '"sections":[{"id":"a","items":[null]}]}', "an item without an id":
            '{"kind":"snapshot","token":"a.1","count":1,"sections":[{"id":"a","items":[{}]}]}',
        }.items():
            with self.subTest(name):
                context = self.context(**DESKTOP)
                context.route("**/feeds/*", lambda route: route.fulfill(body=body))
                said = self.said(self.read("news", context))
                self.assertIn("That did not work", said)
                self.assertIn("is no document of a feed", said)
                self.assertNotIn("cannot be reached", said)

    def test_a_list_with_null_in_it(self):
        context = self.context(**DESKTOP)
        context.route("**/feeds", lambda route: route.fulfill(json={"feeds": [None]}))
        self.assertIn("is no document of a feed", self.said(self.open(f"{self.server.url}/",
                                                                      context)))

    def test_a_key_that_cannot_be_one(self):
        page = self.open(f"{self.server.url}/")
        page.evaluate("sessionStorage.setItem('freshet key', 'schlüssel→')")
        page.reload()
        said = self.said(page)
        self.assertIn("The key does not fit", said)

    def test_an_error_when_there_are_rows_is_not_called_offline(self):
        self.publisher.put("news", rows(3))
        context = self.context(**DESKTOP)
        feed = Intercepted(context, "**/feeds/*")
        page = self.read(context=context)
        self.shows(page, "Row 0")
        self.wait(page, STATE, "idle")
        feed.answer = lambda route: route.fulfill(
            status=500, json={"detail": "the disk is full"})
        page.keyboard.press("r")
        self.wait(page, "document.getElementById('banner').textContent.includes('is full')")
        self.assertNotIn("Offline", page.locator("#status").text_content())
        feed.abort()
        page.keyboard.press("r")
        self.wait(page, STATUS, "Offline")

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

    def test_an_empty_feed_is_refreshed_by_touch(self):
        self.publisher.put("empty", [])
        page = self.read("empty", **PHONE)
        page.get_by_role("heading", name="Nothing here yet").wait_for()
        page.get_by_role("switch", name="Live").uncheck(force=True)
        self.publisher.put("empty", rows(1))
        page.locator(".notice").get_by_role("button", name="Refresh").tap()
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


    def test_a_feed_that_is_opened_again_is_asked_for_again(self):
        self.publisher.put("news", rows(3))
        page = self.open(f"{self.server.url}/", **PHONE)
        page.get_by_role("link", name="News").tap()
        self.shows(page, "Row 0")
        page.get_by_role("link", name="Back to the feeds").tap()
        self.wait(page, "document.getElementById('app').dataset.screen === 'feeds'")
        self.publisher.put("news", rows(1, "late") + rows(3))
        page.get_by_role("link", name="News").tap()
        self.shows(page, "Late 0")


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


class Quick(ReaderTest):
    def test_first_row_within_two_requests(self):
        self.publisher.put("large", rows(10_000))
        context = self.context(**DESKTOP)
        context.add_init_script("""
          new MutationObserver((_, observer) => {
            if (!document.querySelector("feed-cell")) return;
            observer.disconnect();
            window.asked = performance.getEntriesByType("resource").map(({ name }) => name)
              .filter((name) => /\\/(feeds|pull|events)/.test(name));
          }).observe(document, { childList: true, subtree: true });
          window.shifts = 0;
          new PerformanceObserver((list) => {
            for (const { value } of list.getEntries()) window.shifts += value;
          }).observe({ type: "layout-shift", buffered: true });""")
        page = self.open(f"{self.server.url}/#large", context)
        self.shows(page, "Row 0")
        # Of the list of feeds, and of the first items: the rest comes after them.
        asked = page.evaluate("asked")
        self.assertLessEqual(len(asked), 2, asked)
        self.assertTrue(any(url.endswith("/feeds/large?limit=60") for url in asked), asked)
        self.wait(page, STATUS, "10,000 items")
        self.wait(page, STATE, "idle")
        frames(page, 5)
        self.assertLess(page.evaluate("window.shifts"), 0.01)
        self.assertLess(page.evaluate("document.querySelectorAll('feed-cell').length"), 100)


if __name__ == "__main__":
    unittest.main()
