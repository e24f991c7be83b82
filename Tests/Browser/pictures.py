"""Makes docs/images/ of the demo: see scripts/pictures."""

import io

from PIL import Image

from harness import PATIENCE, ROOT, Browser, Freshet

IMAGES = ROOT / "docs" / "images"
PHONE = {"viewport": {"width": 390, "height": 780}, "is_mobile": True, "has_touch": True}
SHOWN = "feed-cell"


class Camera:
    """Takes pictures of one server's pages."""

    def __init__(self, server):
        self.server = server

    def page(self, path, **options):
        context = Browser.get().new_context(service_workers="block", locale="en", **options)
        context.set_default_timeout(PATIENCE * 1000)
        page = context.new_page()
        page.goto(f"{self.server.url}/{path}")
        return page

    def read(self, feed, **options):
        page = self.page(f"#{feed}", **options)
        page.locator(SHOWN).first.wait_for()
        page.locator("table-view").wait_for()
        # With the pictures of the items, and live: a stream never ends.
        page.locator("#status[data-state=live]").wait_for()
        page.evaluate("""() => Promise.all([...document.images]
          .filter((one) => one.getBoundingClientRect().top < innerHeight)
          .map((one) => one.decode().catch(() => {})))""")
        return page

    def shot(self, page):
        return Image.open(io.BytesIO(page.screenshot())).convert("RGB")


def beside(images, gap=28, ground=(226, 233, 231)):
    """Several pictures in one, from left to right."""
    width = sum(image.width for image in images) + gap * (len(images) + 1)
    sheet = Image.new("RGB", (width, max(image.height for image in images) + 2 * gap), ground)
    left = gap
    for image in images:
        sheet.paste(image, (left, gap))
        left += image.width + gap
    return sheet


def keep(image, name, colours=192):
    path = IMAGES / name
    image.quantize(colours, dither=Image.Dither.NONE).save(path, optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")


def reader(camera):
    page = camera.read("daily", viewport={"width": 1360, "height": 820})
    page.locator("feed-cell").nth(1).click()
    page.locator("#item iframe").wait_for()
    page.wait_for_timeout(600)
    keep(camera.shot(page), "reader.png")
    dark = camera.read("daily", viewport={"width": 1360, "height": 820}, color_scheme="dark")
    dark.wait_for_timeout(600)
    keep(camera.shot(dark), "reader-dark.png")


def phone(camera):
    shots = []
    page = camera.page("", **PHONE)
    page.locator("#feeds a").nth(2).wait_for()
    page.wait_for_timeout(600)
    shots.append(camera.shot(page))
    page = camera.read("daily", **PHONE)
    page.wait_for_timeout(600)
    shots.append(camera.shot(page))
    page.locator("feed-cell").nth(1).tap()
    page.locator("#item iframe").wait_for()
    page.wait_for_timeout(600)
    shots.append(camera.shot(page))
    keep(beside(shots), "phone.png")


def workbench(camera):
    page = camera.page(f"workbench.html#key={camera.server.key}",
                       viewport={"width": 1360, "height": 900})
    page.get_by_role("button", name="One change").click()
    page.locator("#stories li").nth(2).wait_for()
    page.wait_for_timeout(800)
    keep(camera.shot(page), "workbench.png")
    page = camera.page("gallery.html", viewport={"width": 1360, "height": 900})
    page.locator("html[data-ready]").wait_for()
    page.wait_for_timeout(600)
    keep(camera.shot(page), "gallery.png")


def animation(camera, seconds=14, a_second=4):
    """The news while they change: what comes, moves and changes lights up."""
    page = camera.read("daily", viewport={"width": 640, "height": 480})
    frames = []
    for _ in range(seconds * a_second):
        page.wait_for_timeout(1000 // a_second)
        frames.append(camera.shot(page))
    # One palette for all, so that what did not change is the same.
    height = sum(frame.height for frame in frames[::8])
    sheet = Image.new("RGB", (frames[0].width, height))
    for number, frame in enumerate(frames[::8]):
        sheet.paste(frame, (0, number * frame.height))
    palette = sheet.quantize(96)
    path = IMAGES / "news.png"
    first, *rest = [frame.quantize(palette=palette, dither=Image.Dither.NONE) for frame in frames]
    first.save(path, save_all=True, append_images=rest, duration=1000 // a_second, loop=0,
               optimize=True)
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size // 1000} kB")


if __name__ == "__main__":
    IMAGES.mkdir(exist_ok=True)
    with Freshet("--demo", binary="release") as server:
        camera = Camera(server)
        for make in (reader, phone, workbench, animation):
            make(camera)
    Browser.close()
