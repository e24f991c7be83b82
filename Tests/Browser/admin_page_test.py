"""The operator's page: what it shows of a server, and to whom."""

import hashlib
import http.client
import json
import pathlib
import socket
import tempfile

from accessibility_test import FAINT
from harness import DESKTOP, PHONE, BrowserTest, Freshet, Intercepted, frames

FEEDS = 50


def send(url, method, path, key, body=None):
    """Sends a request; returns its status."""
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=60)
    connection.request(method, path, json.dumps(body) if body else None,
                       {"Authorization": f"Bearer {key}", "Content-Type": "application/json"})
    response = connection.getresponse()
    response.read()
    connection.close()
    return response.status


def digest(key):
    return hashlib.sha256(key.encode()).hexdigest()


class Operator(BrowserTest):
    """A server whose operator has no listener of its own."""

    arguments = ()

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.home = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.home.cleanup)
        folder = pathlib.Path(cls.home.name)
        (folder / "wire.json").write_text(json.dumps({"items": [{"id": "a"}]}))
        file = folder / "freshet.yaml"
        file.write_text(f"""
source-folder: {folder}
keys:
  - {{name: operator, digest: {digest("ops")}, admin: true}}
  - {{name: desk, digest: {digest("desk")}, write: [news, "sports-*"]}}
feeds:
  wire: {{source: {{file: {folder}/wire.json, every: 1h}}}}
  lost: {{source: {{file: {folder}/lost.json, every: 1h}}}}
""")
        cls.folder = folder
        cls.server = Freshet("--config", str(file), *cls.arguments).start()
        cls.addClassCleanup(cls.server.stop)
        for index in range(FEEDS):
            status = send(cls.server.url, "PUT", f"/feeds/sports-{index:03}", cls.server.key,
                          {"title": f"Sport <b>{index}</b>", "items": [{"id": "a"}, {"id": "b"}]})
            assert status == 201
        for feed in ("wire", "lost"):
            send(cls.server.url, "POST", f"/feeds/{feed}/refresh", cls.server.key)

    def page(self, fragment="#key=ops", context=None, **options):
        page = (context or self.context(**options)).new_page()
        page.goto(f"{self.server.url}/admin.html{fragment}")
        return page

    def shown(self, fragment="#key=ops", **options):
        page = self.page(fragment, **options)
        page.locator("#feeds tbody tr").first.wait_for()
        page.locator("#keys tbody tr").first.wait_for()
        page.locator("#sources tbody tr").nth(1).wait_for()
        return page

    def names(self, page, part):
        return page.locator(f"#{part} tbody th .code:first-child").all_text_contents()


class AdminPage(Operator):
    def test_asks_for_a_key_with_the_right(self):
        page = self.page("")
        page.get_by_text("This page needs a key with the right to see it").wait_for()
        self.assertFalse(page.locator("#shown").is_visible())
        for key, text in (("nobody", "does not know this key"), ("desk", "may not see this page")):
            page.get_by_role("textbox", name="Key").fill(key)
            page.get_by_role("button", name="Use").click()
            page.get_by_text(text).wait_for()
            self.assertFalse(page.locator("#shown").is_visible())
        page.get_by_role("textbox", name="Key").fill("ops")
        page.get_by_role("button", name="Use").click()
        page.locator("#feeds tbody tr").first.wait_for()
        page.locator("#ask").wait_for(state="hidden")
        page.reload()
        page.locator("#feeds tbody tr").first.wait_for()
        page.get_by_role("button", name="Remove key").click()
        page.get_by_text("This page needs a key").wait_for()
        page.locator("#shown").wait_for(state="hidden")

    def test_a_key_does_not_stay_in_the_address(self):
        page = self.shown()
        self.assertNotIn("ops", page.url)

    def test_shows_how_the_server_is(self):
        page = self.shown()
        page.get_by_text("Ready", exact=True).wait_for()
        tiles = dict(zip(page.locator("#now dt").all_text_contents(),
                         page.locator("#now dd:not(.note)").all_text_contents()))
        self.assertGreaterEqual(int(tiles["Feeds"]), FEEDS)
        self.assertRegex(tiles["Version"], r"^\d+\.\d+\.\d+$")
        parts = page.locator("#memory dt").all_text_contents()
        self.assertEqual(parts, ["Current versions", "Past versions", "Cached responses",
                                 "Answers to publishes", "Connections", "Everything else"])
        # The parts are those of the whole that is named.
        self.assertIn("the memory of the process", page.locator("#memory-whole").text_content())
        sizes = page.evaluate("[...document.querySelectorAll('#memory-bar i')].map((one) => parseFloat(one.style.inlineSize))")
        self.assertAlmostEqual(sum(sizes), 100, delta=0.1)
        for text in page.locator("main").all_text_contents():
            for fault in ("undefined", "NaN", "[object", "null"):
                self.assertNotIn(fault, text)

    def test_shows_versions_and_takes_one_back(self):
        folder = self.folder / "both.yaml"
        folder.write_text(f"keys: [{{name: both, digest: {digest('both')}, admin: true, write: ['*']}}]\n")
        server = self.enterContext(Freshet("--config", str(folder)))
        for count in (2, 3):
            send(server.url, "PUT", "/feeds/news", server.key, {"items": [{"id": str(n)} for n in range(count)]})
        page = self.context(**DESKTOP).new_page()
        page.goto(f"{server.url}/admin.html#key=both")
        page.get_by_role("row", name="news").get_by_role("button", name="Versions").click()
        page.get_by_role("heading", name="Versions of news").wait_for()
        rows = page.locator(".versions li")
        rows.nth(1).get_by_role("button", name="Take back").click()
        page.get_by_role("button", name="Take it back").click()
        page.get_by_text("Taken back: 1 gone.").wait_for()
        page.get_by_role("button", name="Close").click()
        page.locator("#versions").wait_for(state="hidden")

    def test_says_who_may_see_versions(self):
        page = self.shown()
        page.locator("#feeds tbody button").first.click()
        page.get_by_text("This key may not publish to this feed.").wait_for()

    def test_pages_through_feeds(self):
        page = self.shown()
        first = self.names(page, "feeds")
        self.assertEqual(len(first), 20)
        self.assertEqual(page.locator("#feeds tbody .note").first.text_content(), "Sport <b>0</b>")
        following = page.locator("#feeds").get_by_role("button", name="Next page")
        back = page.locator("#feeds").get_by_role("button", name="Previous page")
        self.assertTrue(back.is_disabled())
        seen = list(first)
        while following.is_enabled():
            last = seen[-1]
            following.click()
            self.wait(page, "(last) => document.querySelector('#feeds tbody th .code').textContent > last",
                      last)
            seen += self.names(page, "feeds")
        self.assertEqual(seen, [f"sports-{index:03}" for index in range(FEEDS)] + ["wire"])
        while back.is_enabled():
            first_now = self.names(page, "feeds")[0]
            back.click()
            self.wait(page, "(now) => document.querySelector('#feeds tbody th .code').textContent < now",
                      first_now)
        self.assertEqual(self.names(page, "feeds"), first)

    def test_a_second_press_before_a_page_is_there_leads_no_further(self):
        page = self.shown()
        press = "([name, times]) => { while (times--) document.querySelector(`#feeds [data-${name}]`).click(); }"
        back = page.locator("#feeds").get_by_role("button", name="Previous page")
        for name, times, first in (("on", 2, "sports-020"), ("back", 1, "sports-000"), ("on", 1, "sports-020"),
                                   ("back", 2, "sports-000"), ("on", 1, "sports-020")):
            page.evaluate(press, [name, times])
            self.wait(page, "(name) => document.querySelector('#feeds tbody th .code').textContent === name", first)
            self.equals(page, "document.querySelector('#feeds [data-back]').disabled", first == "sports-000")

    def test_shows_the_beginning_of_a_long_title(self):
        for number, title in enumerate(("word " * 200_000, "\U0001f600" * 300_000)):
            send(self.server.url, "PUT", f"/feeds/z-{number}", self.server.key,
                 {"title": title, "items": [{"id": "a"}]})
            self.addCleanup(send, self.server.url, "DELETE", f"/feeds/z-{number}", self.server.key)
        page = self.shown()
        page.get_by_label("Begins with").fill("z-")
        self.wait(page, "() => document.querySelectorAll('#feeds tbody tr').length === 2")
        words, faces = page.locator("#feeds tbody .note").all_text_contents()
        self.assertEqual(words, "word " * 40 + "…")
        self.assertEqual(faces, "\U0001f600" * 200 + "…")

    def test_shows_the_figures_beside_a_title_that_is_one_long_word(self):
        send(self.server.url, "PUT", "/feeds/z-long", self.server.key,
             {"title": "word" * 50, "items": [{"id": "a"}]})
        self.addCleanup(send, self.server.url, "DELETE", "/feeds/z-long", self.server.key)
        page = self.shown()
        page.get_by_label("Begins with").fill("z-long")
        page.get_by_text("word" * 50).wait_for()
        self.assertEqual(page.evaluate("""() => [document.documentElement, document.querySelector("#feeds .scroller")]
          .map((one) => one.scrollWidth - one.clientWidth)"""), [0, 0])

    def test_finds_feeds_by_their_beginning(self):
        page = self.shown()
        page.get_by_label("Begins with").fill("sports-01")
        self.wait(page, "() => document.querySelectorAll('#feeds tbody tr').length === 10")
        self.assertTrue(all(name.startswith("sports-01") for name in self.names(page, "feeds")))
        page.get_by_label("Begins with").fill("none")
        page.get_by_text("There are none.").wait_for()

    def test_counts_readers(self):
        connection = http.client.HTTPConnection(self.server.url.removeprefix("http://"), timeout=60)
        connection.request("GET", "/feeds/sports-007/events")
        stream = connection.getresponse()
        stream.fp.readline()
        self.addCleanup(connection.close)
        page = self.shown()
        row = page.locator("#feeds tbody tr", has_text="sports-007")
        self.assertEqual(row.locator(".number").nth(1).text_content(), "1")

    def test_shows_sources_and_has_them_fetched(self):
        page = self.shown()
        self.assertEqual(self.names(page, "sources"), ["lost", "wire"])
        row = page.locator("#sources tbody tr", has_text="lost").first
        self.assertRegex(row.locator(".trouble").text_content(), r"\(failed \d+ times in a row\)$")
        page.get_by_label("Only those that fail").check()
        self.wait(page, "() => document.querySelectorAll('#sources tbody tr').length === 1")
        row.get_by_role("button", name="Fetch now").click()
        page.get_by_text("lost could not be fetched: ").wait_for()
        page.get_by_label("Only those that fail").uncheck()
        self.wait(page, "() => document.querySelectorAll('#sources tbody tr').length === 2")
        page.locator("#sources tbody tr", has_text="wire").last.get_by_role("button").click()
        page.get_by_text("wire was fetched.").wait_for()

    def test_shows_keys_by_name_with_their_last_use(self):
        self.assertEqual(send(self.server.url, "GET", "/feeds", "desk"), 200)
        page = self.shown()
        rows = page.locator("#keys tbody tr")
        self.assertEqual(rows.count(), 3)
        desk = rows.filter(has_text="desk")
        self.assertIn("may write news, sports-*", desk.text_content())
        self.assertEqual(desk.locator("time").count(), 1)
        self.assertIn(digest("desk")[:8], desk.text_content())
        self.assertNotIn(digest("desk")[:9], desk.text_content())

    def look_again(self, page):
        """Lets the time pass until the page looks again by itself."""
        page.clock.fast_forward(60_000)

    def test_says_when_the_server_does_not_answer(self):
        context = self.context(**DESKTOP)
        context.clock.install()
        page = self.shown(context=context)
        context.route("**/admin/server", lambda route: route.abort())
        self.look_again(page)
        page.get_by_text("The server does not answer.").wait_for()
        self.assertTrue(page.locator("#shown").is_visible())
        context.unroute("**/admin/server")
        self.look_again(page)
        page.get_by_text("Ready", exact=True).wait_for()

    def test_says_when_the_server_goes_silent(self):
        context = self.context(**DESKTOP)
        context.clock.install()
        page = self.shown(context=context)
        silent = Intercepted(context, "**/admin/server")
        held = []
        silent.answer = held.append
        with page.expect_request("**/admin/server"):
            self.look_again(page)
        page.clock.fast_forward(60_000)
        page.get_by_text("The server does not answer.").wait_for()
        silent.answer = None
        self.look_again(page)
        page.get_by_text("Ready", exact=True).wait_for()

    def test_looks_again_when_the_server_could_not_answer(self):
        answers = {
            "502": lambda route: route.fulfill(status=502, body="<p>Bad gateway"),
            "503": lambda route: route.fulfill(status=503, json={"detail": "It starts."}),
            "a page": lambda route: route.fulfill(status=200, body="<p>Sign in"),
            "another document": lambda route: route.fulfill(status=200, json={}),
        }
        for name, answer in answers.items():
            for was_shown in (True, False):
                context = self.context(**DESKTOP)
                context.clock.install()
                faulty = Intercepted(context, "**/admin/server")
                if not was_shown:
                    faulty.answer = answer
                page = self.page(context=context)
                if was_shown:
                    page.get_by_text("Ready", exact=True).wait_for()
                    faulty.answer = answer
                    self.look_again(page)
                page.locator("#state[data-state=not-ready]").wait_for()
                with self.subTest(answer=name, was_shown=was_shown):
                    self.assertEqual(page.locator("#shown").is_visible(), was_shown)
                    faulty.answer = None
                    self.look_again(page)
                    page.get_by_text("Ready", exact=True).wait_for()
                    page.locator("#shown").wait_for()
                context.close()

    def test_is_no_wider_than_the_window_in_any_language(self):
        for locale in ("en", "de", "ko", "ar"):
            for size in (PHONE, DESKTOP):
                with self.subTest(locale=locale, width=size["viewport"]["width"]):
                    page = self.shown(locale=locale, **size)
                    self.assertEqual(page.evaluate("document.documentElement.lang"), locale)
                    width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
                    self.assertLessEqual(width, 0)
                    if locale != "en":
                        text = page.locator("main").text_content()
                        self.assertNotRegex(text, r"\b(Feeds take|Rights|Readers who|Fetch now)\b")
                    page.context.close()

    def test_shows_rows_as_cards_on_a_phone(self):
        page = self.shown(**PHONE)
        wide = page.evaluate("""() => [...document.querySelectorAll(".scroller")]
          .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.closest("section").id)""")
        self.assertEqual(wide, [])
        # Each value has the head of its column before it; to a screen reader it is a table all the same.
        self.assertEqual(page.evaluate("""() => getComputedStyle(
          document.querySelector("#feeds tbody .number"), "::before").content"""), '"Items" / ""')
        tree = self.accessible(page, "#keys")
        for part in ("table", "columnheader", "rowheader", "cell"):
            self.assertIn(part, tree)

    def test_contrast(self):
        for scheme in ("light", "dark"):
            with self.subTest(scheme):
                page = self.shown(color_scheme=scheme, **DESKTOP)
                frames(page, 2)
                self.assertEqual(page.evaluate(FAINT), [])


class AdminPageOnItsListener(BrowserTest):
    """A server with a listener for its operator: there is no key to ask for."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        cls.admin = f"http://127.0.0.1:{port}"
        cls.server = Freshet("--admin", f"127.0.0.1:{port}").start()
        cls.addClassCleanup(cls.server.stop)
        send(cls.server.url, "PUT", "/feeds/news", cls.server.key, {"items": [{"id": "a"}]})

    def test_needs_no_key_there(self):
        page = self.context().new_page()
        page.goto(self.admin)
        page.locator("#feeds tbody tr", has_text="news").wait_for()
        page.locator("#ask").wait_for(state="hidden")
        self.assertFalse(page.get_by_role("button", name="Remove key").is_visible())
        self.assertEqual(page.get_by_role("button", name="Versions").count(), 0)
        self.assertFalse(page.locator("#sources").is_visible())

    def test_says_elsewhere_that_it_is_there(self):
        page = self.context().new_page()
        page.goto(f"{self.server.url}/admin.html#key={self.server.key}")
        page.get_by_text("the server has a listener of its own for its operator").wait_for()
        page.locator("#ask").wait_for(state="hidden")
