import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { RowHeights } from "../../Public/ui/TableLayout.js";
import { highest, ScrollMapping } from "../../Public/ui/ScrollView.js";
import { generator } from "./randomFeeds.js";

suite("the heights of rows", () => {
  for (const seed of [1, 2, 3]) {
    test(`are those of a plain list, seed ${seed}`, () => {
      const random = generator(seed);
      const below = (limit) => Math.floor(random() * limit);
      const list = new Array(below(400)).fill(60);
      const heights = new RowHeights(list.length, 60);
      for (let step = 0; step < 3000; step += 1) {
        const row = below(list.length);
        const height = random() < 0.3 ? undefined : 40 + below(5) * 20;
        if (random() < 0.4 || list.length === 0) {
          heights.insert(row, height);
          list.splice(row, 0, height ?? 60);
        } else if (random() < 0.5) {
          assert.equal(heights.remove(row), list.splice(row, 1)[0]);
        } else {
          heights.set(row, height ?? 60);
          list[row] = height ?? 60;
        }
        check(heights, list, below);
      }
    });
  }
});

function check(heights, list, below) {
  const sum = list.reduce((all, height) => all + height, 0);
  assert.equal(heights.count, list.length);
  assert.equal(heights.sum, sum);
  if (list.length === 0) return;
  const row = below(list.length);
  const top = list.slice(0, row).reduce((all, height) => all + height, 0);
  assert.equal(heights.height(row), list[row]);
  assert.equal(heights.top(row), top);
  assert.equal(heights.top(list.length), sum);
  assert.equal(heights.row(top), row);
  assert.equal(heights.row(top + list[row] - 1), row);
  assert.equal(heights.row(-5), 0);
  assert.equal(heights.row(sum + 5), list.length - 1);
}

suite("content on an element of limited height", () => {
  test("has both ends, and every position once", () => {
    for (const length of [500, highest, highest + 1, 60_000_000]) {
      const mapping = Object.assign(new ScrollMapping(), { length });
      assert.equal(mapping.toElement(0), 0);
      assert.ok(Math.abs(mapping.toElement(length) - mapping.height) < 1e-6);
      let last = -1;
      for (let position = 0; position <= length; position += length / 100) {
        const top = mapping.toElement(position);
        assert.ok(top > last && top <= highest);
        assert.ok(Math.abs(mapping.toContent(top) - position) < 1e-3);
        last = top;
      }
    }
  });
});
