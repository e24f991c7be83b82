"""Pictures of items: those on this server only, so that nobody else hears who reads."""

from feeds import rows
from harness import DESKTOP, PUBLIC
from reader_page import ReaderTest


class Pictures(ReaderTest):
    def test_on_this_server_are_shown(self):
        [path, *_] = sorted((PUBLIC / "demo").iterdir())
        self.publisher.put("news", [{"id": "a", "title": "A", "image": f"/demo/{path.name}"}])
        page = self.read(**DESKTOP)
        self.shows(page, "A")
        self.wait(page, "document.querySelector('feed-cell .picture').naturalWidth > 0")
        page.keyboard.press("j")
        frame = page.frame_locator("#item iframe")
        frame.locator("img.lead").wait_for()
        self.wait(page, """() => document.querySelector("#item iframe").contentDocument
          .querySelector("img.lead").naturalWidth > 0""")

    def test_from_elsewhere_and_of_no_such_kind_are_not_asked_for(self):
        images = ["https://example.org/a.png", "//example.org/a.png", "/events", "/feeds/news",
                  "data:image/svg+xml,<svg/>", "javascript:1", {"url": "/icon.png"}, "http://[",
                  "/missing.png"]
        self.publisher.put("news", [{"id": f"i{number}", "title": f"I {number}", "image": image}
                                    for number, image in enumerate(images)])
        context = self.context(**DESKTOP)
        asked = []
        context.on("request", lambda request: asked.append(request.url)
                   if request.resource_type == "image" else None)
        page = self.read("news", context)
        self.shows(page, "I 0")
        self.wait(page, "document.querySelectorAll('feed-cell .picture').length === 0")
        others = [url for url in asked if not url.endswith(("/icon.svg", "/missing.png"))]
        self.assertEqual(others, [])
        # What is not shown is said in the item.
        page.keyboard.press("j")
        text = page.frame_locator("#item iframe").locator("dl")
        self.assertIn("https://example.org/a.png", text.text_content())
