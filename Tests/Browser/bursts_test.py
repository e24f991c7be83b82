"""Changes that come faster than frames: one batch for a frame, in counts and not in time."""

from harness import PHONE, BrowserTest

# A feed in a view, and changes to it: one row comes, one goes, one moves and one is another.
FEED = """
  const [{ Feed }, { Service }, { FeedView }] = await Promise.all(
    ["/freshet/Feed.js", "/freshet/Service.js", "/reader/FeedView.js"].map((one) => import(one)));
  const items = Array.from({ length: 300 }, (_, number) =>
    ({ id: `i${number}`, title: `Row ${number}` }));
  const make = () => new Feed(new Service("", { cache: null }), "burst");
  const whole = () => ({ kind: "snapshot", feed: "burst", token: "aaaaaaaa.0", count: 300,
    order: "0", sections: [{ id: "main", items }] });
  const [feed, model] = [make(), make()];
  await feed.applyDocument(whole(), "");
  await model.applyDocument(whole(), "");
  const change = (number) => {
    const changes = { items: {
      insert: [{ section: "main", index: 0, item: { id: `n${number}`, title: `New ${number}` } }],
      remove: [number < 200 ? `i${299 - number}` : `n${number - 200}`],
      move: [{ id: `i${number % 50}`, section: "main", index: 5 }],
      update: [{ id: `i${(number + 7) % 50}`, set: { value: String(number) } }] } };
    const next = model.snapshot.applying(changes);
    model.snapshot = next;
    return { kind: "changes", feed: "burst", since: `aaaaaaaa.${number}`,
      token: `aaaaaaaa.${number + 1}`, count: next.count, order: next.order, changes };
  };
  const view = new FeedView(feed, document.createElement("button"), () => {});
  view.table.classList.add("whole");
  document.body.replaceChildren(view.table);
  feed.addEventListener("change", ({ detail }) => view.show(detail));
  const frame = () => new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  const shown = () => view.table.visibleCells.map((cell) => cell.textContent);
  const due = (count) => feed.snapshot.sections[0].items.slice(0, count)
    .map(({ title, value = "" }) => title + value);
  await frame();
"""


class Bursts(BrowserTest):
    def test_of_changes_are_one_batch_for_a_frame(self):
        page = self.open("/pages/controls.html", **PHONE)
        session = page.context.new_cdp_session(page)
        session.send("Performance.enable")

        def layouts():
            metrics = session.send("Performance.getMetrics")["metrics"]
            return next(one["value"] for one in metrics if one["name"] == "LayoutCount")

        before = layouts()
        seen = page.evaluate(f"""async () => {{
          {FEED}
          const documents = Array.from({{ length: 400 }}, (_, number) => change(number));
          for (const document of documents) await feed.applyDocument(document, "");
          await frame();
          await frame();
          const cells = shown();
          return {{ cells, due: due(cells.length), rows: view.table.numberOfRows(0) }};
        }}""")
        self.assertEqual(seen["cells"], seen["due"])
        self.assertGreater(len(seen["cells"]), 5)
        self.assertEqual(seen["rows"], 300)
        self.assertLess(layouts() - before, 100)

    def test_show_at_any_time_what_was_there_then(self):
        """What is scrolled into sight between two batches is of the one before."""
        page = self.open("/pages/controls.html", **PHONE)
        wrong = page.evaluate(f"""async () => {{
          {FEED}
          const wrong = [];
          for (let number = 0; number < 120; number += 1) {{
            await feed.applyDocument(change(number), "");
            if (number % 10 === 4) view.table.contentOffset = {{ y: (number % 7) * 400 }};
            for (const cell of view.table.visibleCells) {{
              const id = view.table.dataSource.itemIdentifier(view.table.indexPath(cell));
              const words = cell.querySelector(".title").textContent;
              if (words !== id.replace("i", "Row ").replace("n", "New ")) wrong.push([id, words]);
            }}
            if (number % 10 === 9) await frame();
          }}
          await frame();
          view.table.contentOffset = {{ y: 0 }};
          const cells = shown();
          if (String(cells) !== String(due(cells.length))) wrong.push([cells, due(cells.length)]);
          return wrong;
        }}""")
        self.assertEqual(wrong, [])

    def test_that_a_stream_brings_leave_time_for_frames(self):
        page = self.open("/pages/controls.html", **PHONE)
        frames = page.evaluate(f"""async () => {{
          {FEED}
          let text = "";
          for (let number = 0; number < 5000; number += 1) {{
            text += `data: ${{JSON.stringify(change(number))}}\\n\\n`;
          }}
          const send = async () => new Response(new ReadableStream({{ start: (to) =>
            to.enqueue(new TextEncoder().encode(text)) }}),
            {{ headers: {{ "Content-Type": "text/event-stream" }} }});
          const followed = new Feed(new Service("", {{ cache: null, fetch: send }}), "burst");
          await followed.applyDocument(whole(), "");
          followed.live();
          let frames = 0;
          for (let last = ""; last !== "aaaaaaaa.5000"; last = followed.token) {{
            await frame();
            frames += followed.token !== last && followed.token !== "aaaaaaaa.5000" ? 1 : 0;
          }}
          return frames;
        }}""")
        self.assertGreater(frames, 4)

    def test_keep_what_is_read_where_it_is(self):
        page = self.open("/pages/controls.html", **PHONE)
        places = page.evaluate(f"""async () => {{
          {FEED}
          view.table.contentOffset = {{ y: 5000 }};
          await frame();
          const top = view.table.getBoundingClientRect().top;
          const cell = view.table.visibleCells.find((one) => one.getBoundingClientRect().top > top);
          const words = cell.textContent;
          const place = () => view.table.visibleCells.find((one) => one.textContent === words)
            ?.getBoundingClientRect().top;
          const before = place();
          for (let number = 0; number < 40; number += 1) await feed.applyDocument(change(number), "");
          await frame();
          await frame();
          return [before, place()];
        }}""")
        self.assertAlmostEqual(places[0], places[1], delta=1.5)
