"""Records the workbench for the README: `demo_picture.py FILE.gif`."""

import io
import os
import pathlib
import sys
import time

from PIL import Image
from playwright.sync_api import sync_playwright

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "OpenAPI"))

import server  # noqa: E402

SIZE = {"width": 1180, "height": 690}
# The least time between two pictures in seconds, and how wide they are shown.
STEP, WIDTH = 0.15, 900
EDITS = ["change", "add", "move", "change", "remove"]


class Recording:
    """Pictures of a page, each with the time for which it is shown."""

    def __init__(self, page):
        self.page = page
        self.pictures = []

    def record(self, seconds):
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            start = time.monotonic()
            picture = Image.open(io.BytesIO(self.page.screenshot(animations="allow")))
            time.sleep(max(0, STEP - (time.monotonic() - start)))
            self._add(picture, time.monotonic() - start)

    def _add(self, picture, seconds):
        picture = picture.convert("RGB")
        picture = picture.resize((WIDTH, picture.height * WIDTH // picture.width), Image.LANCZOS)
        if self.pictures and self.pictures[-1][0].tobytes() == picture.tobytes():
            self.pictures[-1][1] += seconds
        else:
            self.pictures.append([picture, seconds])

    def save(self, path):
        # One palette for all, of the picture with the most colours.
        richest = max(self.pictures, key=lambda pair: len(pair[0].getcolors(1 << 24)))[0]
        palette = richest.quantize(96, method=Image.Quantize.MEDIANCUT)
        frames = [picture.quantize(palette=palette, dither=Image.Dither.NONE)
                  for picture, _ in self.pictures]
        times = [round(seconds * 1000) for _, seconds in self.pictures]
        frames[0].save(path, save_all=True, append_images=frames[1:], duration=times, loop=0,
                       optimize=True, disposal=1)
        print(f"{path}: {len(frames)} pictures, {sum(times) / 1000:.0f} s, "
              f"{pathlib.Path(path).stat().st_size / 1000:.0f} kB")


def record(page, url):
    page.goto(f"{url}/workbench.html#key={server.KEY}")
    page.locator("#feed").fill("garden")
    page.locator("#feed").blur()
    page.get_by_role("button", name="Publish").click()
    page.locator("#live .items ol li").first.wait_for()
    page.evaluate("document.querySelector('.publisher').scrollIntoView()")
    page.evaluate("scrollBy(0, -12)")
    time.sleep(3)
    recording = Recording(page)
    recording.record(1)
    for edit in EDITS:
        page.locator(f"[data-edit={edit}]").click()
        recording.record(0.6)
        page.get_by_role("button", name="Publish").click()
        recording.record(2)
    page.locator("#ask").click()
    recording.record(4)
    return recording


with server.Server() as it, sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path=os.environ.get("CHROMIUM", "/usr/bin/chromium"),
                                         args=["--no-sandbox"])
    record(browser.new_page(viewport=SIZE, color_scheme="light"), it.url).save(sys.argv[1])
    browser.close()
