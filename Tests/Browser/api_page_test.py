"""The page of the API: what it shows, and that it loads nothing from elsewhere."""

import json
import urllib.parse

from accessibility_test import FAINT
from harness import DESKTOP, PHONE, PUBLIC, BrowserTest, frames

METHODS = {"get", "put", "post", "patch", "delete"}


class APIPage(BrowserTest):
    def read(self, address="/api.html", **options):
        context = self.context(**options)
        self.requests = []
        context.on("request", lambda request: self.requests.append(request.url))
        page = self.open(address, context)
        page.locator("#schemas article").first.wait_for()
        return page

    def test_shows_all_requests_and_documents(self):
        document = json.loads((PUBLIC / "openapi.json").read_text())
        wanted = {f"{method.upper()}{path}" for path, item in document["paths"].items()
                  for method in METHODS & set(item)}
        page = self.read()
        shown = page.locator("#operations h3").all_text_contents()
        self.assertEqual(set(shown), wanted)
        self.assertEqual(len(shown), len(wanted))
        self.assertEqual(page.locator("#contents a").count(), len(wanted))
        names = page.locator("#schemas h3").all_text_contents()
        self.assertEqual(names, sorted(document["components"]["schemas"]))
        for text in page.locator("main").all_text_contents():
            self.assertNotIn("undefined", text)
            self.assertNotIn("[object", text)
        self.assertFalse(page.locator("#state").is_visible())

    def test_finds_requests_and_documents_by_words(self):
        page = self.read()
        shown = """(part) => [...document.querySelectorAll(part)].filter((one) => one.checkVisibility())
          .map((one) => one.textContent)"""
        all_parts = page.evaluate(shown, "main h3")
        find = page.get_by_role("searchbox", name="Find in this page")
        # By a path, in any order and any case; and by the name of a parameter or field.
        for words, wanted in (("ITEMS patch", "PATCH/feeds/{feed}/items/{id}"), ("idempotency-key", "PUT/feeds/{feed}")):
            find.fill(words)
            self.wait(page, "document.getElementById('found').textContent !== ''")
            parts = page.evaluate(shown, "main h3")
            self.assertIn(wanted, parts)
            self.assertLess(len(parts), len(all_parts))
            self.assertIn(str(len(parts)), page.locator("#found").text_content())
            links = page.evaluate(shown, "#contents a")
            self.assertEqual(links, [part for part in parts if "/" in part])
        find.fill("qqq")
        page.get_by_text("There are none.").wait_for()
        self.assertEqual(page.evaluate(shown, "main h2, main h3, #contents h2, #contents a"), [])
        find.press("Escape")
        self.equals(page, shown, all_parts, "main h3")

    def test_loads_nothing_from_elsewhere(self):
        page = self.read()
        origin = "{0.scheme}://{0.netloc}".format(urllib.parse.urlsplit(page.url))
        self.assertGreater(len(self.requests), 5)
        self.assertEqual([url for url in self.requests if not url.startswith(origin + "/")], [])

    def test_an_address_leads_to_its_request(self):
        page = self.read("/api.html#patchItem")
        self.wait(page, "() => document.getElementById('patchItem').getBoundingClientRect().top < 200")

    def test_says_what_could_not_be_read(self):
        context = self.context(**DESKTOP)
        context.route("**/openapi.json", lambda route: route.fulfill(status=404, body=""))
        page = self.open("/api.html", context)
        page.get_by_text("could not be read: the server answered 404").wait_for()

    def test_is_no_wider_than_the_window(self):
        page = self.read(**PHONE)
        width = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        self.assertLessEqual(width, 0)

    def test_contrast(self):
        for scheme in ("light", "dark"):
            with self.subTest(scheme):
                page = self.read(color_scheme=scheme, **DESKTOP)
                frames(page, 2)
                self.assertEqual(page.evaluate(FAINT), [])
