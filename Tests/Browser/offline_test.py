"""Without a network, and with a new release: docs/WEB.md, "Without a network"."""

import pathlib
import re
import shutil
import subprocess
import tempfile
import urllib.request

from feeds import Publisher, news, rows
from harness import DESKTOP, PHONE, PUBLIC, ROOT, BrowserTest, Freshet, frames
from reader_page import SHOWN, STATE, STATUS

# What is in all caches and databases of a page, as one text.
KEPT = """async () => {
  const found = [];
  for (const name of await caches.keys()) {
    const cache = await caches.open(name);
    for (const request of await cache.keys()) {
      found.push(name, request.url, ...request.headers.values());
      const answer = await cache.match(request);
      found.push(...answer.headers.values(), await answer.text());
    }
  }
  for (const { name } of await indexedDB.databases()) {
    found.push(name);
    const database = await new Promise((done) => {
      indexedDB.open(name).onsuccess = ({ target }) => done(target.result);
    });
    for (const store of database.objectStoreNames) {
      const rows = database.transaction(store).objectStore(store);
      for (const all of [rows.getAll(), rows.getAllKeys()]) {
        found.push(JSON.stringify(await new Promise((done) => {
          all.onsuccess = () => done(all.result);
        })));
      }
    }
    database.close();
  }
  return found.join("\\n");
}"""
CONTROLLED = "navigator.serviceWorker.controller !== null"
FEEDS = "[...document.querySelectorAll('#feeds a > :first-child')].map((name) => name.textContent)"


class OfflineTest(BrowserTest):
    seconds = 7

    def setUp(self):
        super().setUp()
        self.public = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "Public"
        shutil.copytree(PUBLIC, self.public)
        self.server = Freshet(public=self.public).start()
        self.addCleanup(lambda: self.server.process.poll() is None and self.server.stop())
        self.publisher = Publisher(self.server)
        self.publisher.put("news", rows(5))
        self.publisher.put("other", rows(2, "other"), title="Other")

    def browser(self, **options):
        return self.context(**{**DESKTOP, "service_workers": "allow", **options})

    def read(self, context, feed="news"):
        """The reader, when it is kept for when there is no network."""
        page = self.open(f"{self.server.url}/#{feed}", context)
        self.wait(page, CONTROLLED)
        return page

    def shows(self, page, title):
        self.wait(page, SHOWN, title)


class WithoutANetwork(OfflineTest):
    def test_pages_are_kept_where_a_policy_has_all_addresses_of_scripts_trusted(self):
        page = self.open("/gallery.html", self.browser())
        page.evaluate("""async () => {
          const worker = trustedTypes.createPolicy("test", { createScriptURL: (file) => file });
          await navigator.serviceWorker.register(worker.createScriptURL("/worker.js"));
          await navigator.serviceWorker.ready;
        }""")
        self.assertIn("freshet release", page.evaluate("caches.keys().then(String)"))

    def test_a_reload_shows_what_was_there_and_as_of_when(self):
        page = self.read(self.browser())
        self.shows(page, "Row 0")
        self.wait(page, f"{FEEDS}.length === 2")
        self.server.stop()
        page.reload()
        self.shows(page, "Row 0")
        self.wait(page, STATE, "offline")
        self.wait(page, STATUS, "5 items · Offline, updated")
        page.locator("#banner").get_by_text("This is what was here at").wait_for()
        self.equals(page, FEEDS, ["News", "Other"])

    def test_a_feed_that_is_not_held_says_why_it_is_not_there(self):
        context = self.browser(service_workers="block")
        context.route(re.compile("/(events|pull)[?]"), lambda route: route.abort())
        page = self.open(f"{self.server.url}/#news", context)
        self.shows(page, "Row 0")
        self.server.stop()
        page.get_by_role("link", name="Other").click()
        page.get_by_role("heading", name="The server cannot be reached").wait_for()

    def test_a_feed_of_the_list_is_there_that_was_not_opened(self):
        page = self.open(f"{self.server.url}/#news", self.browser(service_workers="block"))
        self.shows(page, "Row 0")
        other = "document.querySelector(\"#feeds a[href='#other/'] .count\").textContent"
        self.publisher.put("other", news(2, "other"), title="Other")
        self.wait(page, f"{other} === '2'")
        self.server.stop()
        page.get_by_role("link", name="Other").click()
        self.shows(page, "Other 0")

    def test_all_is_as_it_is_on_the_server_when_that_is_back(self):
        page = self.read(self.browser())
        self.shows(page, "Row 0")
        page.context.set_offline(True)
        page.reload()
        self.wait(page, STATE, "offline")
        self.publisher.put("news", rows(6))
        page.context.set_offline(False)
        self.shows(page, "Row 5")
        self.wait(page, "document.getElementById('banner').hidden")

    def test_a_server_that_is_back_is_found_without_word_from_the_browser(self):
        page = self.read(self.browser())
        self.shows(page, "Row 0")
        self.server.stop()
        page.reload()
        self.wait(page, STATE, "offline")
        self.server.start()
        self.publisher.put("news", rows(7))
        self.shows(page, "Row 6")

    def test_a_phones_list_is_there_though_no_feed_was_opened_and_is_asked_for_again(self):
        page = self.open(f"{self.server.url}/", self.browser(**PHONE))
        self.equals(page, FEEDS, ["News", "Other"])
        self.wait(page, CONTROLLED)
        self.server.stop()
        page.reload()
        self.equals(page, FEEDS, ["News", "Other"])
        self.server.start()
        self.publisher.put("more", rows(1), title="More")
        self.equals(page, FEEDS, ["More"])

    def test_the_page_can_be_installed(self):
        page = self.read(self.browser())
        session = page.context.new_cdp_session(page)
        errors = session.send("Page.getInstallabilityErrors")["installabilityErrors"]
        # A window for private reading cannot install anything.
        self.assertEqual([error for error in errors if error["errorId"] != "in-incognito"], [])


class ANewRelease(OfflineTest):
    seconds = 12

    def release(self, mark):
        """Publishes other files: two that say which release they are of."""
        for path, name in ((self.public / "reader" / "Reader.js", "first"),
                           (self.public / "reader" / "Search.js", "second")):
            text = (PUBLIC / path.relative_to(self.public)).read_text()
            path.write_text(f"{text}\nwindow.{name} = '{mark}';\n")
        self.list()

    def list(self):
        subprocess.run(["node", ROOT / "scripts/release-files.mjs", "--write", self.public],
                       check=True)

    def marks(self, page):
        """What the file that is loaded first and the one that is loaded last are of."""
        page.locator("#list-unread").click()
        self.wait(page, "window.second")
        page.locator("#list-unread").click()
        return page.evaluate("[window.first, window.second]")

    def start(self):
        self.release("one")
        page = self.read(self.browser())
        self.shows(page, "Row 0")
        self.assertEqual(page.evaluate("window.first"), "one")
        self.assertIsNone(page.evaluate("window.second ?? null"))
        return page

    def update(self, page):
        """Looks for a new release until one waits; `tried` is what became of the last one seen."""
        page.evaluate("""async () => {
          const registration = await navigator.serviceWorker.ready;
          registration.addEventListener("updatefound", () => {
            const { installing } = registration;
            const note = () => { window.tried = installing.state; };
            installing?.addEventListener("statechange", note);
          });
          // The server answers files unchecked for a moment, so a look may see the old ones, and
          // those of a release that is not whole.
          const look = async () => {
            await registration.update().catch(() => {});
            if (!registration.waiting) setTimeout(look, 250);
          };
          look();
        }""")

    def test_is_offered_and_never_mixed_with_the_one_before(self):
        page = self.start()
        self.release("two")
        self.update(page)
        offer = page.locator("#release")
        offer.wait_for()
        # Until it is taken everything is of the old one, also after a reload.
        self.assertEqual(self.marks(page), ["one", "one"])
        page.reload()
        self.shows(page, "Row 0")
        self.assertEqual(self.marks(page), ["one", "one"])
        with page.expect_navigation():
            offer.get_by_role("button", name="Load it").click()
        self.shows(page, "Row 0")
        self.assertEqual(self.marks(page), ["two", "two"])
        self.assertFalse(offer.is_visible())
        names = page.evaluate("caches.keys()")
        self.assertLessEqual(len(names), 3)

    def test_is_taken_by_all_pages_that_are_open(self):
        page = self.start()
        other = self.read(page.context, "other")
        self.release("two")
        self.update(page)
        with page.expect_navigation(), other.expect_navigation():
            other.locator("#release").get_by_role("button", name="Load it").click()
        for one, title in ((page, "Row 0"), (other, "Other 0")):
            self.shows(one, title)
            self.assertEqual(self.marks(one), ["two", "two"])

    def test_that_is_not_whole_yet_is_none(self):
        page = self.start()
        style = self.public / "style.css"
        (whole, other) = (style.read_bytes(), b"/* of another release */")
        # The server answers files unchecked for a moment: it is not to have the whole one still.
        style.write_bytes(other)
        while urllib.request.urlopen(f"{self.server.url}/style.css").read() != other:
            pass
        style.write_bytes(whole)
        self.release("two")
        # One file is still the old one, as while files are being copied.
        style.write_bytes(other)
        self.update(page)
        self.wait(page, "window.tried === 'redundant'")
        self.assertFalse(page.locator("#release").is_visible())
        page.reload()
        self.shows(page, "Row 0")
        self.assertEqual(self.marks(page), ["one", "one"])
        self.list()
        self.update(page)
        page.locator("#release").get_by_role("button", name="Load it").wait_for()


class Keys(OfflineTest):
    """Of a server that shows a feed to those with a key only."""

    SECRET = "secret-words"

    def setUp(self):
        super().setUp()
        self.server.stop()
        self.config = self.public.parent / "freshet.yaml"
        self.config.write_text("open-feeds: [news]\n")
        self.server = Freshet("--config", str(self.config), public=self.public).start()
        self.publisher = Publisher(self.server)
        self.publisher.put("news", rows(5))
        self.publisher.put("private", rows(3, self.SECRET), title="Private")
        self.publisher.put("diary", rows(3, f"{self.SECRET}-too"), title="Diary")

    def start(self):
        """A page with the key that has read two feeds which are not open."""
        page = self.read(self.browser())
        self.shows(page, "Row 0")
        self.give(page, self.server.key)
        for feed, title in (("Diary", "Secret-Words-Too 0"), ("Private", "Secret-Words 0")):
            page.get_by_role("link", name=feed).click()
            self.shows(page, title)
        self.wait(page, f"async (words) => (await ({KEPT})()).includes(words)", self.SECRET)
        return page

    def search(self, page):
        """Has what the key opened found."""
        page.locator("#search-words").fill("secret")
        self.wait(page, "document.querySelectorAll('#found a').length === 6")

    def give(self, page, key):
        page.locator("#key-button").click()
        page.locator("#key").fill(key)
        page.keyboard.press("Enter")

    def forgets(self, page):
        self.wait(page, f"async (words) => !(await ({KEPT})()).includes(words)", self.SECRET)
        self.wait(page, "document.querySelectorAll('#found a').length === 0")
        self.wait(page, "!document.body.textContent.includes('Secret')")
        self.wait(page, "!document.getElementById('feeds').textContent.includes('Private')")

    def test_are_in_no_cache(self):
        page = self.start()
        self.assertNotIn(self.server.key, page.evaluate(KEPT))
        self.assertNotIn(self.server.key, page.evaluate("JSON.stringify(localStorage)"))

    def test_that_are_removed_take_their_feeds_along(self):
        page = self.start()
        self.search(page)
        page.locator("#key-button").click()
        page.get_by_role("button", name="Remove it").click()
        page.get_by_role("heading", name="A key is needed").wait_for()
        self.forgets(page)
        page.locator("#search-words").press("Escape")
        page.get_by_role("link", name="News").click()
        self.shows(page, "Row 0")

    def test_that_are_removed_keep_nothing_of_what_was_asked_for_with_them(self):
        context = self.browser(service_workers="block")
        # Neither a stream nor a request for all of the list is to bring it before.
        context.route(re.compile("/(events|pull)[?]"), lambda route: route.abort())
        # What is asked for with the key comes late, and without it not at all.
        held = []
        context.route("**/feeds/diary*", lambda route: held.append(route)
                      if "authorization" in route.request.headers else route.abort())
        page = self.open(f"{self.server.url}/#news", context)
        self.shows(page, "Row 0")
        self.give(page, self.server.key)
        page.get_by_role("link", name="Private").click()
        self.shows(page, "Secret-Words 0")
        page.get_by_role("link", name="Diary").click()
        while not held:
            frames(page)
        page.locator("#key-button").click()
        page.get_by_role("button", name="Remove it").click()
        self.wait(page, "!document.getElementById('feeds').textContent.includes('Private')")
        with page.expect_event("requestfinished", lambda request: "diary" in request.url):
            held[0].continue_()
        page.get_by_role("link", name="News").click()
        self.shows(page, "Row 0")
        with page.expect_response("**/feeds/news*"):
            page.keyboard.press("r")
        self.wait(page, STATE, "idle")
        frames(page, 10)
        self.assertNotIn(self.SECRET, page.evaluate(KEPT))

    def test_that_are_refused_take_their_feeds_along(self):
        page = self.start()
        self.search(page)
        self.server.stop()
        self.server.arguments[self.server.arguments.index("--key") + 1] = "another-key"
        self.server.start()
        page.get_by_role("main").get_by_role("button", name="Refresh").click()
        page.get_by_role("heading", name="The key does not fit").wait_for()
        self.forgets(page)

    def test_that_another_tab_does_not_have_show_it_nothing(self):
        page = self.start()
        self.server.stop()
        other = self.open(f"{self.server.url}/#private", page.context)
        other.get_by_role("heading", name="The server cannot be reached").wait_for()
        self.assertNotIn("Secret", other.locator("body").text_content())
        # And the tab that has it goes on.
        page.reload()
        self.shows(page, "Secret-Words 0")

    def test_that_were_in_a_tab_that_is_closed_leave_nothing(self):
        page = self.start()
        other = self.open(f"{self.server.url}/#news", page.context)
        self.shows(other, "Row 0")
        page.close()
        other.reload()
        self.forgets(other)


class OfAServerThatForgot(OfflineTest):
    """A server with its feeds in memory, which is started anew while pages are open."""

    MISSING = "The server has not had this feed since"

    def restart(self):
        self.server.stop()
        self.server.start()

    def test_a_page_shows_what_was_there_and_since_when(self):
        for is_live in (False, True):
            with self.subTest(is_live=is_live):
                self.publisher.put("news", rows(5))
                page = self.read(self.browser())
                self.shows(page, "Row 0")
                if is_live:
                    page.get_by_role("switch", name="Live").check(force=True)
                    self.wait(page, STATE, "live")
                self.restart()
                if not is_live:
                    page.keyboard.press("r")
                banner = page.get_by_role("alert").filter(has_text=self.MISSING)
                banner.wait_for()
                self.shows(page, "Row 0")
                words = banner.text_content()
                # What was kept is shown again, with the same words, also where no address names it.
                for address in (f"{self.server.url}/#news", f"{self.server.url}/"):
                    page.goto("about:blank")
                    page.goto(address)
                    banner.wait_for()
                    self.shows(page, "Row 0")
                    self.equals(page, "document.getElementById('banner').textContent", words)
                self.publisher.put("news", rows(6))
                if not is_live:
                    page.keyboard.press("r")
                self.shows(page, "Row 5")
                self.wait(page, "document.getElementById('banner').hidden")

    def test_a_page_shows_nothing_that_was_there_for_a_key(self):
        config = self.public.parent / "freshet.yaml"
        config.write_text("open-feeds: [news]\n")
        self.server.stop()
        self.server.arguments += ["--config", str(config)]
        self.server.start()
        self.publisher.put("news", rows(3))
        self.publisher.put("diary", rows(3, "secret-words"), title="Diary")
        page = self.read(self.browser())
        page.locator("#key-button").click()
        page.locator("#key").fill(self.server.key)
        page.keyboard.press("Enter")
        page.get_by_role("link", name="Diary").click()
        self.shows(page, "Secret-Words 0")
        self.restart()
        page.keyboard.press("r")
        page.get_by_role("heading", name="There is no such feed").wait_for()
        self.assertNotIn("secret-words", page.evaluate(KEPT))
