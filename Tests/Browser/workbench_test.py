"""The workbench with the real server: docs/WEB.md."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import urllib.request

from feeds import Publisher, rows
from harness import PHONE, BrowserTest, Freshet, Held, Intercepted, frames

ROWS = """(reader) => [...document.querySelectorAll(`#${reader} .items ol li b`)]
  .map((row) => row.textContent)"""
OUTCOME = "(words) => document.getElementById('outcome').textContent.includes(words)"
LINES = "(part) => [...document.querySelectorAll(`#${part} code`)].map((line) => line.textContent)"
ACTIVE = "document.activeElement.id"
MARKED = """() => {
  const { value, selectionStart, selectionEnd } = document.activeElement;
  return value.slice(selectionStart, selectionEnd);
}"""


class WorkbenchTest(BrowserTest):
    seconds = 5

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.server = cls.enterClassContext(Freshet())
        cls.publisher = Publisher(cls.server)

    def setUp(self):
        super().setUp()
        self.refused = []
        # Of the test before.
        if any(feed["id"] == "garden" for feed in self.publisher.request("GET", "/feeds")["feeds"]):
            self.publisher.delete("garden")

    def work(self, context=None, isWatched=True, **options):
        """The page, when its readers have begun; what it was refused is noted if it is watched."""
        context = context or self.context(**options)
        if isWatched:
            context.on("response", lambda answer: self.refused.append((answer.status, answer.url))
                       if answer.status >= 400 else None)
        page = self.open(f"{self.server.url}/workbench.html#key={self.server.key}", context)
        self.wait(page, "document.querySelector('.dot').textContent === 'live'")
        return page

    def publish(self, page, document=None):
        if document is not None:
            text = document if isinstance(document, str) else json.dumps(document)
            page.locator("#document").fill(text)
        page.get_by_role("button", name="Publish").click()

    def reads(self, page, reader, titles):
        self.wait(page, f"([reader, titles]) => String(({ROWS})(reader)) === String(titles)",
                  [reader, titles])


class Publishing(WorkbenchTest):
    def test_reaches_who_follows_at_once_and_who_asks_when_it_asks(self):
        page = self.work()
        self.publish(page, {"items": rows(2)})
        for reader in ("live", "asking"):
            self.reads(page, reader, ["Row 0", "Row 1"])
        self.publish(page, {"items": rows(3)})
        self.reads(page, "live", ["Row 0", "Row 1", "Row 2"])
        self.publish(page, {"items": rows(4)})
        self.reads(page, "live", ["Row 0", "Row 1", "Row 2", "Row 3"])
        self.reads(page, "asking", ["Row 0", "Row 1"])
        page.get_by_role("button", name="Ask").click()
        self.reads(page, "asking", ["Row 0", "Row 1", "Row 2", "Row 3"])
        self.equals(page, "document.querySelector('#asking .note').textContent", "2 new.")
        self.assertEqual(self.refused, [])

    def test_counts_the_bytes_that_the_server_sends(self):
        page = self.work()
        self.publish(page)
        self.wait(page, OUTCOME, "Published: 200 new.")
        self.wait(page, "document.querySelector('#asking .items b')")
        token = self.publisher.snapshot("garden")["token"]
        page.get_by_role("button", name="Change", exact=True).click()
        self.wait(page, OUTCOME, "Now publish it.")
        self.publish(page)
        self.wait(page, OUTCOME, "Published: 1 changed.")
        page.get_by_role("button", name="Ask").click()
        size = page.locator("#asking .size")
        self.wait(page, "document.querySelector('#asking .size').textContent.includes('place')")
        bytes_of = [len(urllib.request.urlopen(f"{self.server.url}/feeds/garden{query}").read())
                    for query in (f"?since={token}", "")]
        self.assertEqual(size.text_content(), "{:,} bytes in place of {:,}".format(*bytes_of))

    def test_leaves_no_listeners_behind(self):
        context = self.context()
        context.add_init_script("""
          window.added = 0;
          const { addEventListener } = EventTarget.prototype;
          EventTarget.prototype.addEventListener = function (...listener) {
            window.added += 1;
            return addEventListener.apply(this, listener);
          };""")
        page = self.open(f"{self.server.url}/workbench.html", context)
        self.wait(page, "document.querySelector('.dot').textContent === 'live'")
        for count in (1, 2, 3, 4):
            self.publisher.put("garden", rows(count))
            self.wait(page, "(words) => document.querySelector('#live .answer').textContent"
                      ".includes(words)", f"row-{count - 1}")
            if count == 1:
                self.wait(page, "document.querySelector('#asking .items b')")
                page.evaluate("window.added = 0")
        self.assertEqual(page.evaluate("added"), 0)

    def test_shows_a_long_list_in_part(self):
        self.publisher.put("garden", rows(10_000))
        page = self.work()
        self.wait(page, "document.querySelector('#live .more')?.textContent === 'and 9,800 more'")
        self.assertEqual(len(page.evaluate(ROWS, "live")), 200)

    def test_shows_whatever_a_list_has(self):
        markup = "<img src=x onerror=window.hit=1>"
        self.publisher.put("garden", [
            {"id": markup, "title": {"toString": 1}, "value": [markup], "summary": {"valueOf": 2}},
            {"id": "__proto__", "title": None, "state": markup}], title=markup)
        page = self.work()
        self.wait(page, "document.querySelectorAll('#live .items b').length === 2")
        self.assertIsNone(page.evaluate("window.hit ?? null"))
        self.assertEqual(page.locator("main img").count(), 0)


class Versions(WorkbenchTest):
    def listed(self, page, count):
        self.wait(page, "(count) => document.querySelectorAll('.versions li').length === count", count)
        return page.locator(".versions li")

    def test_are_listed_shown_and_taken_back(self):
        page = self.work()
        for count in (3, 5, 4):
            self.publish(page, {"items": rows(count)})
            self.reads(page, "live", [f"Row {number}" for number in range(count)])
        versions = self.listed(page, 3)
        said = versions.all_inner_texts()
        for line, words in zip(said, ("1 gone · Items: 4 · the current one", "2 new · Items: 5", "3 new · Items: 3")):
            self.assertIn(words, line)
        self.assertEqual(versions.first.get_by_role("button", name="Take back").count(), 0)
        versions.nth(1).get_by_role("button", name="Show").click()
        self.wait(page, "document.querySelector('.versions pre').textContent.includes('row-4')")
        versions.nth(1).get_by_role("button", name="Show").click()
        page.locator(".versions pre").wait_for(state="detached")
        versions.nth(1).get_by_role("button", name="Take back").click()
        page.get_by_text("Readers get it as a new version: 1 new.").wait_for()
        self.assertEqual(len(self.publisher.snapshot("garden")["sections"][0]["items"]), 4)
        page.get_by_role("button", name="Cancel").click()
        self.wait(page, "document.activeElement.textContent === 'Take back'")
        page.keyboard.press("Enter")
        page.get_by_role("button", name="Take it back").click()
        page.get_by_text("Taken back: 1 new.").wait_for()
        self.reads(page, "live", [f"Row {number}" for number in range(5)])
        self.assertIn("taken back to", self.listed(page, 4).first.inner_text())
        self.assertEqual(self.refused, [])

    def test_are_not_taken_back_over_what_came_meanwhile(self):
        self.publisher.put("garden", rows(3))
        self.publisher.put("garden", rows(4))
        page = self.work()
        versions = self.listed(page, 2)
        versions.nth(1).get_by_role("button", name="Take back").click()
        page.get_by_role("button", name="Take it back").wait_for()
        self.publisher.put("garden", rows(9))
        page.get_by_role("button", name="Take it back").click()
        page.get_by_text("Somebody published meanwhile").wait_for()
        self.listed(page, 3)
        self.assertEqual(len(self.publisher.snapshot("garden")["sections"][0]["items"]), 9)

    def test_are_paged_through(self):
        for count in range(1, 26):
            self.publisher.put("garden", rows(count))
        page = self.work()
        self.listed(page, 10)
        older = page.get_by_role("button", name="Older versions")
        older.click()
        self.listed(page, 20)
        older.click()
        # Of its first versions a server keeps the last ones, and those of the last minute.
        self.wait(page, "document.querySelectorAll('.versions li').length > 20")
        older.wait_for(state="hidden")

    def test_are_for_those_who_may_publish(self):
        self.publisher.put("garden", rows(3))
        page = self.open(f"{self.server.url}/workbench.html")
        self.wait(page, "document.querySelector('.dot').textContent === 'live'")
        self.assertEqual(page.locator(".versions li").count(), 0)
        page.get_by_role("button", name="Look again").click()
        page.get_by_text("The versions of a feed are shown to a key that may publish to it.").wait_for()


class Guards(BrowserTest):
    def test_are_said_in_numbers_and_can_be_passed(self):
        folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        (folder / "freshet.yaml").write_text("feeds:\n  garden: {guard: 50%}\n")
        server = self.enterContext(Freshet("--config", str(folder / "freshet.yaml")))
        publisher = Publisher(server)
        publisher.put("garden", rows(20))
        page = self.open(f"{server.url}/workbench.html#key={server.key}")
        self.wait(page, "document.querySelectorAll('#live .items b').length === 20")
        anyway = page.get_by_role("button", name="Publish anyway")
        page.locator("#document").fill(json.dumps({"items": rows(2)}))
        page.locator("#send").click()
        self.wait(page, OUTCOME, "This would remove 18 of the 20 items, and the feed’s guard lets 9 go at most.")
        self.wait(page, f"{ACTIVE} === 'anyway'")
        page.locator("#document").fill(json.dumps({"items": rows(1)}))
        anyway.wait_for(state="hidden")
        page.locator("#send").click()
        anyway.click()
        self.wait(page, OUTCOME, "Published: 19 gone.")
        anyway.wait_for(state="hidden")
        self.wait(page, "document.querySelector('#publishing code').textContent.includes('removals=any')")
        self.assertEqual(len(publisher.snapshot("garden")["sections"][0]["items"]), 1)


class Faults(WorkbenchTest):
    def setUp(self):
        super().setUp()
        self.context_ = self.context()
        self.requests = Intercepted(self.context_, "**/feeds/**")

    def work(self):
        return super().work(self.context_)

    def answer(self, status, problem, **members):
        """Has the next publish answered by a problem; returns the keys of all that come."""
        keys = []
        answers = [{"type": f"/problems/{problem}", "title": "No", "status": status, **members}]

        def answer(route):
            if route.request.method != "PUT":
                return route.fallback()
            keys.append(route.request.headers["idempotency-key"])
            if not answers:
                return route.fallback()
            return route.fulfill(status=status, json=answers.pop(),
                                 content_type="application/problem+json")
        self.requests.answer = answer
        return keys

    def test_that_leave_it_open_whether_it_was_published_are_mended_by_the_same_again(self):
        page = self.work()
        keys = self.answer(500, "outcome-unknown", detail="the disk failed")
        self.publish(page, {"items": rows(1)})
        self.wait(page, OUTCOME, "cannot say whether")
        self.equals(page, ACTIVE, "send")
        self.publish(page)
        self.wait(page, OUTCOME, "Published: 1 new.")
        self.publish(page)
        self.wait(page, OUTCOME, "no new version")
        self.assertEqual(keys[0], keys[1])
        self.assertNotEqual(keys[1], keys[2])

    def test_of_the_list_are_shown_where_they_are(self):
        page = self.work()
        self.publish(page, '{"title": "é",\n "items": [{"id": "a"},]}')
        self.wait(page, OUTCOME, "Line 2, column 24: ")
        self.equals(page, ACTIVE, "document")
        self.equals(page, MARKED, "]")
        self.publish(page, {"items": rows(1)})
        self.wait(page, OUTCOME, "Published: 1 new.")
        self.wait(page, "!document.getElementById('document').hasAttribute('aria-invalid')")

    def test_of_a_key_are_mended_there_and_nothing_is_lost(self):
        self.publisher.put("garden", rows(2))
        page = self.work()
        self.reads(page, "asking", ["Row 0", "Row 1"])
        page.locator("#key").fill("wrong")
        self.publish(page, {"items": rows(3)})
        self.wait(page, OUTCOME, "does not know this key")
        self.equals(page, ACTIVE, "key")
        page.keyboard.press("Control+A")
        page.keyboard.type(self.server.key)
        page.keyboard.press("Enter")
        self.wait(page, OUTCOME, "Published: 1 new.")
        self.reads(page, "live", ["Row 0", "Row 1", "Row 2"])

    def test_of_a_name_are_said_before_anything_is_sent(self):
        page = self.work()
        for name in ("Two Gardens", "garden.json", ""):
            page.locator("#feed").fill(name)
            page.get_by_role("button", name="Publish").click()
            self.equals(page, ACTIVE, "feed")
        self.assertEqual(self.refused, [])

    def test_of_the_way_to_the_server(self):
        page = self.work()
        self.requests.abort()
        self.publish(page)
        self.wait(page, OUTCOME, "cannot be reached")

    def test_of_the_clipboard(self):
        page = self.work()
        page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
        page.locator("#live").get_by_role("button", name="Copy").click()
        page.get_by_role("button", name="Selected").wait_for()
        self.assertEqual(page.evaluate("String(getSelection()).trim()"),
                         page.evaluate(LINES, "live")[0])


class OfFeedsThatAreNotForEveryone(WorkbenchTest):
    def test_its_readers_use_the_key(self):
        for number, open_feeds in enumerate(("none", "[news]")):
            path = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory())) / "freshet.yaml"
            path.write_text(f"open-feeds: {open_feeds}\n")
            self.server = self.enterContext(
                Freshet("--config", str(path), key=f"another-key-{number}"))
            page = self.work()
            page.locator("#key").fill(self.server.key)
            self.publish(page, {"items": rows(2)})
            for reader in ("live", "asking"):
                self.reads(page, reader, ["Row 0", "Row 1"])
            self.wait(page, f"({LINES})('asking')[0]?.includes('Bearer $KEY')")
            self.assertNotIn(self.server.key, page.locator("body").inner_text())

    def test_are_followed_once_however_often_the_key_is_another(self):
        context = self.context()
        page = self.work(context)
        held = Held(context, "**/feeds?prefix=*")
        streams = []
        context.on("request", lambda request: streams.append(request.url)
                   if "/events?" in request.url else None)
        for key in ("another", "other", self.server.key):
            page.locator("#key").fill(key)
            page.locator("#key").blur()
        held.wait(page)
        held.go()
        self.wait(page, "document.querySelector('.dot').textContent === 'live'")
        frames(page, 20)
        self.assertEqual(len(streams), 1)


class Stories(WorkbenchTest):
    """They are clicked through, and show what was sent and the lines for a shell."""

    seconds = 12

    STEPS = "document.querySelectorAll('#stories li').length"
    SIZES = """[...document.querySelectorAll("#stories .size")].map((one) => one.textContent)"""

    def tell(self, page, name, steps):
        page.locator("#stories").get_by_role("button", name=name).click()
        self.wait(page, f"{self.STEPS} === {steps} && !document.querySelector('[data-busy]')")
        return [[int(number.replace(",", "")) for number in re.findall(r"[\d,]+", size)]
                for size in page.evaluate(self.SIZES)]

    def test_one_change_is_99_percent_less(self):
        page = self.work()
        [[sent, whole, less]] = self.tell(page, "One change", 3)
        self.assertEqual(less, 99)
        self.assertEqual(whole, len(urllib.request.urlopen(
            f"{self.server.url}/feeds/garden").read()))
        self.assertLess(sent, whole / 50)
        self.wait(page, "document.getElementById('saved').textContent.includes('99 % less')")
        self.assertNotIn(self.server.key, page.locator("body").inner_text())
        self.assertEqual(self.refused, [])

    def test_a_week_away_is_one_answer(self):
        page = self.work()
        [[sent, whole, less]] = self.tell(page, "A week away", 3)
        self.assertGreater(less, 98)
        self.reads(page, "asking", page.evaluate(ROWS, "live"))
        version = self.publisher.snapshot("garden")["token"].split(".")[-1]
        self.assertGreaterEqual(int(version), 20)

    def test_a_thousand_readers_are_told_in_little(self):
        # Counted in the page: to hear of thousands of requests from there takes longer than they do.
        context = self.context()
        context.add_init_script("""
          window.asked = 0;
          const { fetch } = window;
          window.fetch = (path, options) => {
            if ((options?.method ?? "GET") === "GET" && String(path).includes("/feeds/garden")) asked += 1;
            return fetch(path, options);
          };""")
        page = self.work(context, isWatched=False)
        (nothing, _, _), (sent, whole, less) = self.tell(page, "A thousand readers", 4)
        self.assertEqual(nothing, 0)
        self.assertEqual(less, 99)
        self.assertGreaterEqual(page.evaluate("asked"), 2000)

    def test_have_lines_that_do_the_same_in_a_shell(self):
        page = self.work()
        self.tell(page, "One change", 3)
        lines = page.evaluate(LINES, "stories")
        published = subprocess.run(["sh", "-c", lines[0].replace("curl", "curl -s", 1)],
                                   env={"KEY": self.server.key, "PATH": os.environ["PATH"]},
                                   capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(published.stdout)["kind"], "published")
        asked = subprocess.run(["sh", "-c", lines[2].replace("curl", "curl -s", 1)],
                               capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(asked.stdout)["kind"], "changes")

    def test_that_cannot_go_on_say_why(self):
        page = self.work()
        page.locator("#key").fill("wrong")
        page.locator("#stories").get_by_role("button", name="One change").click()
        self.wait(page, "document.querySelector('#stories li')?.textContent.includes('does not know')")


class Panels(WorkbenchTest):
    def test_expand(self):
        page = self.work()
        panel = page.locator("#live")
        before = panel.bounding_box()["width"]
        button = panel.get_by_role("button", name="Expand")
        button.click()
        width = "document.getElementById('live').offsetWidth"
        self.wait(page, f"(before) => {width} > 2 * before", before)
        panel.get_by_role("button", name="Shrink").click()
        self.wait(page, f"(before) => Math.abs({width} - before) <= 1", before)


class OnAPhone(WorkbenchTest):
    def test_all_that_is_touched_is_large_enough(self):
        page = self.work(**PHONE)
        self.publish(page)
        self.wait(page, OUTCOME, "Published")
        small = page.evaluate("""() => [...document.querySelectorAll("button, input, nav a")]
          .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.9)
          .map((one) => one.outerHTML)""")
        self.assertEqual(small, [])
        self.assertLessEqual(page.evaluate("document.documentElement.scrollWidth"), 390)
