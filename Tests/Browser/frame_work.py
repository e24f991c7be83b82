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
SCROLL = """async () => {
  const table = %s;
  const frame = () => new Promise(requestAnimationFrame);
  for (let step = 0; step < 30; step += 1) await frame();
  for (let step = 0; step < %d; step += 1) {
    table.scrollTop += 90;
    await frame();
  }
}"""
# A feed of 10,000 items in a view, and 1,000 changes a second to it, each a document of its own: it is
# followed to the end, and kept on the disk.
STREAM = """async () => {
  const [{ Feed }, { Service }, { FeedView }] = await Promise.all(
    ["/freshet/Feed.js", "/freshet/Service.js", "/reader/FeedView.js"].map((one) => import(one)));
  const items = Array.from({ length: 10_000 }, (_, number) =>
    ({ id: `item-${number}`, title: `Row ${number}`, summary: "A line about it" }));
  const whole = { kind: "snapshot", feed: "burst", token: "aaaaaaaa.0", count: items.length,
    order: "0", sections: [{ id: "main", items }] };
  const model = new Feed(new Service("", { cache: null }), "burst");
  await model.applyDocument(whole, "");
  const documents = Array.from({ length: 4000 }, (_, number) => {
    const changes = { items: {
      insert: [{ section: "main", index: 0, item: { id: `new-${number}`, title: `New ${number}` } }],
      remove: [`item-${9999 - number}`],
      move: [{ id: `item-${number % 50}`, section: "main", index: 5 }],
      update: [{ id: `item-${(number + 7) % 50}`, set: { value: String(number) } }] } };
    const { count, order } = model.snapshot = model.snapshot.applying(changes);
    return JSON.stringify({ kind: "changes", feed: "burst", since: `aaaaaaaa.${number}`,
      token: `aaaaaaaa.${number + 1}`, count, order, changes });
  });
  const frame = () => new Promise(requestAnimationFrame);
  let [start, next, longest] = [0, 0, 0];
  const stream = new ReadableStream({ async start(to) {
    const encoder = new TextEncoder();
    start = performance.now();
    while (next < documents.length) {
      await new Promise((done) => setTimeout(done, 4));
      const due = Math.min(documents.length, Math.floor(performance.now() - start));
      for (; next < due; next += 1) to.enqueue(encoder.encode(`data: ${documents[next]}\n\n`));
    }
  } }, { highWaterMark: 1e9 });
  const send = async () =>
    new Response(stream, { headers: { "Content-Type": "text/event-stream" } });
  const feed = new Feed(new Service("", { fetch: send }), "burst", { as: "changes" });
  await feed.applyDocument(whole, JSON.stringify(whole));
  const view = new FeedView(feed, document.createElement("button"), () => {});
  view.table.classList.add("whole");
  document.body.replaceChildren(view.table);
  feed.addEventListener("change", ({ detail }) => view.show(detail));
  for (let step = 0; step < 30; step += 1) await frame();
  feed.live();
  for (let last = await frame(); feed.token !== "aaaaaaaa.4000";) {
    const now = await frame();
    longest = Math.max(longest, now - last);
    last = now;
  }
  return [Math.round(performance.now() - start), Math.round(longest)];
}"""


def trace(page, scroll):
    session = page.context.new_cdp_session(page)
    events, done = [], []
    session.on("Tracing.dataCollected", lambda part: events.extend(part["value"]))
    session.on("Tracing.tracingComplete", lambda _: done.append(True))
    session.send("Tracing.start", {
        "transferMode": "ReportEvents",
        "traceConfig": {"includedCategories": ["toplevel", "devtools.timeline", "__metadata"]}})
    said = page.evaluate(scroll)
    session.send("Tracing.end")
    while not done:
        page.wait_for_timeout(50)
    return events, said


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


def measure(files, name, script):
    context = Browser.get().new_context(service_workers="block", **PHONE)
    page = context.new_page()
    page.goto(f"{files.url}/pages/controls.html")
    page.evaluate("window.ready")
    events, said = trace(page, script)
    times = work(events)
    print(json.dumps({"table": name, "frames": len(times),
                      "median": round(statistics.median(times), 2),
                      "p98": round(times[int(len(times) * 0.98)], 2),
                      "most": round(times[-1], 2), "took": said}), flush=True)
    context.close()


def main():
    files = Files()
    for name, table in TABLES.items():
        measure(files, name, SCROLL % (table, FRAMES))
    measure(files, "10,000 items, 1,000 changes a second", STREAM)
    files.close()
    Browser.close()


if __name__ == "__main__":
    sys.exit(main())
