"""Files that go with an item: played if they are on this server, so that nobody else hears of it."""

import pathlib
import shutil
import tempfile
import wave

from feeds import Publisher
from harness import DESKTOP, PUBLIC, BrowserTest, Freshet
from reader_page import SHOWN

# The files of the item in sight: what plays each, whether it is fetched before, its words.
FILES = """() => [...document.querySelector("#item iframe").contentDocument
  .querySelectorAll(".files figure")].map((one) => [one.querySelector("audio, video")?.localName
    ?? null, one.querySelector("audio, video")?.preload ?? null,
    one.querySelector("figcaption").textContent, one.querySelector("a").href])"""
PLAYER = "document.querySelector('#item iframe').contentDocument.querySelector('audio')"


class Attachments(BrowserTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        public = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory())) / "Public"
        shutil.copytree(PUBLIC, public)
        with wave.open(str(public / "tone.wav"), "wb") as tone:
            tone.setparams((1, 1, 8000, 0, "NONE", ""))
            tone.writeframes(bytes(128 + (index // 20 % 2) * 60 for index in range(80_000)))
        cls.server = cls.enterClassContext(Freshet(public=public))
        cls.publisher = Publisher(cls.server)

    def show(self, attachments):
        """The page of an item with files, and what was asked for."""
        self.publisher.put("news", [{"id": "a", "title": "A", "attachments": attachments}])
        context = self.context(**DESKTOP)
        asked = []
        context.on("request", lambda request: asked.append(request.url))
        page = self.open(f"{self.server.url}/#news", context)
        self.wait(page, SHOWN, "A")
        page.keyboard.press("j")
        page.frame_locator("#item iframe").locator("h1").wait_for()
        return page, asked

    def test_on_this_server_are_played_when_asked_to(self):
        page, asked = self.show([{
            "url": "/tone.wav", "mime_type": "audio/wav", "title": "A tone",
            "size_in_bytes": 80_044, "duration_in_seconds": 10}])
        [[kind, preload, words, _]] = page.evaluate(FILES)
        self.assertEqual([kind, preload, words],
                         ["audio", "none", "A tone · 0:10 · 80 kB · audio/wav"])
        self.assertTrue(page.evaluate(f"{PLAYER}.controls"))
        self.assertEqual([url for url in asked if url.endswith(".wav")], [])
        page.evaluate(f"() => {{ {PLAYER}.muted = true; {PLAYER}.play(); }}")
        self.wait(page, f"{PLAYER}.currentTime > 0")

    def test_from_elsewhere_and_of_no_such_kind_are_links(self):
        page, asked = self.show([
            {"url": "https://example.org/a.mp3", "mime_type": "audio/mpeg",
             "duration_in_seconds": 3725, "size_in_bytes": 52_400_000},
            {"url": "/events", "mime_type": "audio/mpeg"},
            {"url": "/tone.wav", "mime_type": "application/pdf", "title": "A paper"},
            {"url": "javascript:alert(1)", "mime_type": "audio/mpeg"}, {"url": "http://["},
            {"url": 1}, None, {"url": "https://example.org/%ff.mp4", "mime_type": {"a": 1},
                               "title": ["x"], "size_in_bytes": "many",
                               "duration_in_seconds": -1},
        ])
        files = page.evaluate(FILES)
        self.assertEqual([kind for kind, *_ in files], [None] * 4)
        self.assertEqual([words for _, _, words, _ in files], [
            "a.mp3 · 1:02:05 · 52.4 MB · audio/mpeg", "events · audio/mpeg",
            "A paper · application/pdf", "%ff.mp4"])
        elsewhere = [url for url in asked if not url.startswith(self.server.url)]
        self.assertEqual(elsewhere, [])
        self.assertEqual([url for url in asked if url.endswith(("/events", ".wav"))], [])

    def test_that_are_none_are_said_as_they_are(self):
        page, _ = self.show("a file")
        self.assertEqual(page.evaluate(FILES), [])
        self.assertIn("a file", page.frame_locator("#item iframe").locator("dl").text_content())


class Badges(BrowserTest):
    def test_say_how_many_items_are_unread(self):
        server = self.enterContext(Freshet())
        publisher = Publisher(server)
        publisher.put("news", [{"id": name, "title": name, "published": "2026-03-01"} for name in "abc"])
        publisher.put("other", [{"id": name, "title": name, "published": "2026-03-01"} for name in "de"],
                      title="Other")
        context = self.context(**DESKTOP)
        context.add_init_script("""
          window.badges = [];
          navigator.setAppBadge = async (count) => { badges.push(count); };""")
        page = self.open(f"{server.url}/#news", context)
        self.wait(page, SHOWN, "a")
        self.wait(page, "badges.at(-1) === 5")
        page.keyboard.press("j")
        self.wait(page, "badges.at(-1) === 4")
        page.keyboard.press("m")
        self.wait(page, "badges.at(-1) === 5")
        # Said when it is another, and not each time.
        repeated = "badges.some((one, index) => one === badges[index - 1])"
        self.assertFalse(page.evaluate(repeated))
