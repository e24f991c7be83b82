"""How much the main thread works for a frame of a scroll, from Chromium's trace: scripts/trace-frames.

Only the processor's time counts, so that other programs on the machine do not.
"""

import json
import statistics
import sys

from harness import PHONE, Browser, Files

TABLES = {
    "100,000 rows": "makeTable([100000])",
    "10,000 sections of 10": "makeTable(Array(10000).fill(10))",
}
FRAMES = 300


def trace(page, scroll):
    session = page.context.new_cdp_session(page)
    events, done = [], []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda _: done.append(True))
    session.send("Tracing.start", {
        "transferMode": "ReportEvents",
        "traceConfig": {"includedCategories": ["toplevel", "devtools.timeline", "__metadata"]}})
    page.evaluate(scroll)
    session.send("Tracing.end")
    while not done:
        page.wait_for_timeout(50)
    return events


def work(events):
    """The work of the busiest renderer's main thread between one frame and the next, in ms."""
    mains = {(event["pid"], event["tid"]) for event in events
             if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"}
    tasks = [event for event in events if event["name"].endswith("RunTask")
             and event.get("ph") == "X" and (event["pid"], event["tid"]) in mains]
    totals = {}
    for task in tasks:
        totals[task["pid"]] = totals.get(task["pid"], 0) + task.get("tdur", 0)
    busiest = max(totals, key=totals.get)
    frames = sorted(event["ts"] for event in events
                    if event["name"] == "FireAnimationFrame" and event["pid"] == busiest)
    sums = [0.0] * len(frames)
    for task in tasks:
        if task["pid"] != busiest:
            continue
        # A frame's task begins before what it fires.
        end = task["ts"] + task["dur"]
        place = next((n for n, ts in enumerate(frames) if ts >= task["ts"] and ts <= end), None)
        if place is None:
            place = next((n for n, ts in enumerate(frames) if ts > end), len(frames)) - 1
        if place >= 0:
            sums[place] += task.get("tdur", 0) / 1000
    return sorted(sums[5:])


def main():
    files = Files()
    for name, table in TABLES.items():
        context = Browser.get().new_context(service_workers="block", **PHONE)
        page = context.new_page()
        page.goto(f"{files.url}/pages/controls.html")
        page.evaluate("window.ready")
        events = trace(page, """async () => {
          const table = %s;
          const frame = () => new Promise(requestAnimationFrame);
          for (let step = 0; step < 30; step += 1) await frame();
          for (let step = 0; step < %d; step += 1) {
            table.scrollTop += 90;
            await frame();
          }
        }""" % (table, FRAMES))
        times = work(events)
        print(json.dumps({"table": name, "frames": len(times),
                          "median": round(statistics.median(times), 2),
                          "p98": round(times[int(len(times) * 0.98)], 2),
                          "most": round(times[-1], 2)}))
        context.close()
    files.close()
    Browser.close()


if __name__ == "__main__":
    sys.exit(main())
