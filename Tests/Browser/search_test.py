"""Words that are looked for in all feeds that are held: docs/WEB.md, "The pages that come with it"."""

from feeds import rows
from harness import DESKTOP, PHONE, Intercepted, frames
from reader_page import STATE, ReaderTest

FOUND = """() => [...document.querySelectorAll("#found a")].map((one) =>
  [one.firstChild.textContent, decodeURIComponent(one.hash)])"""


class Search(ReaderTest):
    seconds = 7

    def setUp(self):
        super().setUp()
        self.publisher.put("rivers", [
            {"id": "elbe/1", "title": "Elbe", "summary": "Flows into the North Sea"},
            {"id": "po", "title": "Po", "tags": ["Adriatic"]}], title="Rivers")
        self.publisher.put("seas", [
            {"id": "north", "title": "North Sea (a [shallow] one)"},
            {"id": "hostile", "title": "<img src=x onerror=alert(1)>", "summary": {"a": ["sea"]}},
            *rows(30)], title="Seas")
        self.publisher.put("other", [{"id": "a", "title": "North, never opened"}])

    def held(self, **options):
        """A page that has opened two of the three feeds, and shows one of them; the third came by itself."""
        context = self.context(**options)
        page = self.read("seas", context)
        self.shows(page, "North Sea (a [shallow] one)")
        self.wait(page, STATE, "idle")
        page.goto(f"{self.server.url}/#rivers")
        self.shows(page, "Elbe")
        self.wait(page, STATE, "idle")
        # As a visit later: what is looked through was kept.
        page.reload()
        self.shows(page, "Elbe")
        page.locator("#feeds a").nth(2).wait_for(state="attached")
        return page

    def test_finds_items_of_all_feeds_of_the_list(self):
        page = self.held(**DESKTOP)
        page.keyboard.press("s")
        page.keyboard.type("NORTH sea")
        self.wait(page, f"({FOUND})().length === 2")
        self.assertEqual(page.evaluate(FOUND), [
            ["Elbe", "#rivers/elbe/1"], ["North Sea (a [shallow] one)", "#seas/north"]])
        self.assertEqual(page.locator("#found h3").all_inner_texts(), ["Rivers\n1", "Seas\n1"])
        self.assertEqual(page.locator("#found mark").all_inner_texts(),
                         ["North", "Sea", "North", "Sea"])
        self.assertFalse(page.locator("#feeds").is_visible())
        page.keyboard.press("Enter")
        page.locator("#item iframe").wait_for()
        self.wait(page, "document.getElementById('item').ariaLabel === 'Elbe'")
        page.locator("#found a").nth(1).click()
        self.shows(page, "North Sea (a [shallow] one)")
        self.wait(page, "document.getElementById('item').ariaLabel.startsWith('North Sea')")
        page.locator("#search-words").press("Escape")
        # At once: nothing is to be fetched for it.
        self.assertEqual(page.evaluate("document.querySelectorAll('#found a').length"), 0)
        page.locator("#feeds").wait_for()

    def test_is_asked_for_anew_when_its_code_did_not_come(self):
        context = self.context(**DESKTOP)
        away = Intercepted(context, "**/reader/Search.js")
        away.abort()
        page = self.read("rivers", context)
        self.shows(page, "Elbe")
        field = page.locator("#search-words")
        field.fill("elb")
        page.locator("#found").get_by_role("heading", name="The server cannot be reached.").wait_for()
        field.fill("")
        page.locator("#found").wait_for(state="hidden")
        away.answer = None
        field.fill("elbe")
        self.wait(page, f"({FOUND})().length === 1")

    def test_leaves_the_feeds_alone_when_it_is_left_before_anything_was_found(self):
        page = self.held(**DESKTOP)
        page.locator("#search-words").fill("north")
        self.wait(page, f"({FOUND})().length > 0")
        # Both within a frame, and the words again by another way out.
        page.evaluate("""() => {
          const field = document.getElementById("search-words");
          field.value = "sea";
          field.dispatchEvent(new Event("input", { bubbles: true }));
          field.value = "";
          field.dispatchEvent(new Event("input", { bubbles: true }));
        }""")
        frames(page, 10)
        self.assertTrue(page.evaluate("document.getElementById('found').hidden"))
        page.locator("#feeds").wait_for()

    def test_takes_any_signs_and_any_items(self):
        page = self.held(**DESKTOP)
        for words, expected in (("(a [shallow]", 1), ("img", 1), ("adriatic", 1), ("row", 20),
                                ("\\", 0), (".*", 0), ("qqq", 0)):
            with self.subTest(words=words):
                page.locator("#search-words").fill(words)
                self.wait(page, f"(count) => ({FOUND})().length === count "
                          "&& !document.getElementById('found').hidden", expected)
        self.assertIn("Nothing found", page.locator("#found").inner_text())
        self.assertEqual(page.locator("#found img").count(), 0)

    def test_shows_all_of_a_name_that_is_one_long_word(self):
        self.publisher.put("long", rows(1, "long"), title="long" * 60)
        self.addCleanup(self.publisher.delete, "long")
        page = self.held(**PHONE)
        page.evaluate("location.hash = ''")
        page.locator("#search-words").fill("long")
        page.locator("#found h3").wait_for()
        self.assertTrue(page.evaluate("found.scrollWidth === found.clientWidth"))

    def test_works_without_a_network(self):
        page = self.held(**DESKTOP)
        page.context.route("**/feeds**", lambda route: route.abort())
        page.reload()
        self.shows(page, "Elbe")
        page.locator("#feeds a").nth(2).wait_for(state="attached")
        page.locator("#search-words").fill("sea")
        self.wait(page, f"({FOUND})().length === 3")

    def test_leads_on_a_phone_to_the_item_and_back(self):
        page = self.held(**PHONE)
        page.evaluate("location.hash = ''")
        page.locator("#search-words").fill("shallow")
        page.locator("#found a").tap()
        page.locator("#item iframe").wait_for()
        self.shows(page, "North Sea (a [shallow] one)")
        page.go_back()
        page.locator("#found a").wait_for()
        self.assertEqual(page.evaluate(FOUND)[0][1], "#seas/north")

    def test_is_heard(self):
        page = self.held(**DESKTOP)
        page.locator("#search-words").fill("north")
        self.wait(page, "document.querySelector('.ui-announcement')?.textContent === '3 items'")
