"""How soon the first row of a large feed is in sight, and the page can be used: scripts/first-row.

The reader, and beside it a page that has all rows, are measured in turns, each in a browser that has
nothing of the server yet, on a connection of 1.6 Mbit/s with 150 ms of latency, and a processor as many
times slower as `SLOWER` says (4). The page has the same items in the same style sheets, written as HTML;
the server sends both compressed.
"""

import html
import os
import pathlib
import shutil
import statistics
import sys
import tempfile

from feeds import Publisher
from harness import PHONE, PUBLIC, Browser, Freshet

COUNT, ROUNDS = 10_000, int(sys.argv[1]) if len(sys.argv) > 1 else 7
SLOWER = float(os.environ.get("SLOWER", "4"))
LINK = {"offline": False, "latency": 150, "downloadThroughput": 200_000,
        "uploadThroughput": 200_000}
# When the frame is over that shows the first row.
WATCH = """(() => {
  const found = () => {
    if (!document.querySelector("feed-cell, .static-row")) return false;
    requestAnimationFrame(() => setTimeout(() => { window.firstRow = performance.now(); }));
    return true;
  };
  new MutationObserver((_, observer) => { if (found()) observer.disconnect(); })
    .observe(document, { childList: true, subtree: true });
  // The table is one, and what hears keys has said how the feed is.
  const look = () => {
    const isUsed = document.querySelector("table-view")?.visibleCells?.length > 0
      && document.getElementById("status").textContent !== "";
    // What opens items has made the bar above them.
    if (isUsed) window.usable ??= performance.now();
    if (isUsed && document.querySelector("#item .item-bar")) window.opens = performance.now();
    else requestAnimationFrame(look);
  };
  look();
})()"""
WORDS = ("river", "stone", "letter", "garden", "window", "copper", "morning", "paper", "harbour",
         "signal", "winter", "meadow", "bridge", "candle", "engine", "violet")


def words(number, count):
    return " ".join(WORDS[(number * (7 + step) + step * step) % len(WORDS)]
                    for step in range(count))


def items():
    return [{"id": f"item-{number}", "title": f"{number}: {words(number, 5)}",
             "summary": words(number + 1, 12), "value": str(number * 37 % 1000)}
            for number in range(COUNT)]


def page(items):
    """The items as a page of HTML, in the reader's style sheets."""
    rows = "\n".join(
        f'<li class="static-row" id="{item["id"]}"><b class="title">{html.escape(item["title"])}</b> '
        f'<span class="value">{item["value"]}</span><p class="summary">{item["summary"]}</p></li>'
        for item in items)
    sheets = "".join(f'<link rel="stylesheet" href="{name}">'
                     for name in ("style.css", "ui.css", "reader/reader.css"))
    return ('<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Static</title>'
            '<meta name="viewport" content="width=device-width">'
            f'{sheets}</head><body><ul>\n{rows}\n</ul></body></html>\n')


def measure(url):
    """When the first row is in sight, the page can be used, and items can be opened, in ms.

    And how many files were here at the first two of these moments and at the end, with their bytes on the
    wire, fields and all.
    """
    context = Browser.get().new_context(**PHONE, service_workers="block")
    tab = context.new_page()
    session = context.new_cdp_session(tab)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", LINK)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    data, sizes, weights = set(), [], {}
    session.on("Network.responseReceived", lambda event: event["type"] in ("Fetch", "EventSource")
               and data.add(event["requestId"]))
    session.on("Network.loadingFinished", lambda event: event["requestId"] in data
               or sizes.append(event["encodedDataLength"]))
    tab.add_init_script(WATCH)
    tab.goto(url, wait_until="commit")
    ready = "opens" if "#" in url else "firstRow"
    while tab.evaluate(f"window.{ready} ?? null") is None:
        tab.wait_for_timeout(20)
        for moment in ("firstRow", "usable"):
            if moment not in weights and tab.evaluate(f"window.{moment} ?? null") is not None:
                weights[moment] = (len(sizes), sum(sizes))
    tab.wait_for_timeout(1000)
    times = tab.evaluate("[window.firstRow, window.usable ?? null, window.opens ?? null]")
    context.close()
    return times, *weights.values(), (len(sizes), sum(sizes))


def main():
    with tempfile.TemporaryDirectory() as folder:
        public = pathlib.Path(folder) / "Public"
        shutil.copytree(PUBLIC, public)
        all_items = items()
        (public / "static.html").write_text(page(all_items))
        with Freshet(public=public, binary="release") as server:
            Publisher(server).put("large", all_items, title="Large")
            pages = {"the reader": f"{server.url}/#large",
                     "a static page": f"{server.url}/static.html"}
            times = {name: [] for name in (*pages, "the reader, usable", "the reader, opening items")}
            for round_number in range(ROUNDS + 1):
                for name, url in pages.items():
                    (time, usable, opens), *weights = measure(url)
                    if "#" in url:
                        files = weights
                    # The first round warms the server up.
                    if round_number > 0:
                        times[name].append(time)
                        times["the reader, usable"] += [usable] if usable else []
                        times["the reader, opening items"] += [opens] if opens else []
    medians = {}
    for name, found in times.items():
        medians[name] = statistics.median(found)
        print(f"{name}: {medians[name]:.0f} ms, the median of "
              f"{', '.join(f'{time:.0f}' for time in sorted(found))}")
    for moment, (count, size) in zip(("until its first row", "until it can be used", "in all"), files):
        print(f"the reader {moment}: {count} files, {size / 1000:.1f} kB on the wire")
    print(f"{medians['the reader'] / medians['a static page']:.2f} times the static page")


if __name__ == "__main__":
    try:
        main()
    finally:
        Browser.close()
