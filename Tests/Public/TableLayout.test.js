import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { IndexPath, TableLayout } from "../../Public/ui/TableLayout.js";
import { generator } from "./randomFeeds.js";

/** A layout of sections of rows of 60 pixels, and how often one of its sections was looked at. */
function counted(counts) {
  const layout = new TableLayout(60);
  const looked = { count: 0 };
  layout.sections = counts.map((count) => {
    const section = layout.section(count, 20);
    const { rows } = section;
    Object.defineProperty(section, "rows", { get: () => (looked.count += 1, rows) });
    return section;
  });
  return { layout, looked };
}

suite("where sections are", () => {
  test("is found as quickly among many as among few, once a row's height is learned", () => {
    const looks = [100, 10_000].map((count) => {
      const { layout, looked } = counted(Array(count).fill(3));
      layout.height;
      looked.count = 0;
      for (let section = 0; section < 50; section += 1) {
        layout.sections[section].rows.set(1, 90);
        layout.resized(section);
        layout.rowTop(new IndexPath(2, section + 1));
        layout.path(section * 200 + 7);
      }
      return looked.count;
    });
    assert.equal(looks[0], looks[1]);
  });

  test("is where the heights before them end", () => {
    const random = generator(5);
    const any = (limit) => Math.floor(random() * limit);
    for (let round = 0; round < 30; round += 1) {
      const { layout } = counted(Array.from({ length: any(40) }, () => any(3)));
      for (const section of layout.sections) if (random() < 0.3) section.header = 0;
      layout.changed();
      for (let step = 0; step < 20 && !layout.isEmpty; step += 1) {
        const path = layout.path(any(layout.height));
        layout.sections[path.section].rows.set(path.row, any(100) + 1);
        layout.resized(path.section);
        let [top, lines] = [0, 0];
        const tops = layout.sections.map(({ header, rows }, section) => {
          assert.equal(layout.top(section), top);
          assert.equal(layout.firstLine(section), lines + 1);
          const start = top;
          top += header + rows.sum;
          lines += rows.count + (header > 0 ? 1 : 0);
          assert.equal(layout.bottom(section), top);
          return start;
        });
        assert.deepEqual([layout.height, layout.lineCount], [top, lines]);
        for (const y of [-5, 0, any(top), top, top + 9]) {
          const last = tops.findLastIndex((start) => start <= y);
          assert.equal(layout.sectionIndex(y), Math.max(last, 0), `${y} of ${tops}`);
        }
      }
    }
  });
});
