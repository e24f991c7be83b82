// What the reader keeps of items that were read, and what it makes of their members.

import assert from "node:assert/strict";
import { afterEach, suite, test } from "node:test";
import { dateOf } from "../../Public/reader/FeedCell.js";
import { ReadMarks } from "../../Public/reader/marks.js";

/** A page's own marks, as it read them when it began. */
const marks = () => new ReadMarks("freshet read news");

const snapshot = (ids, total) =>
  ({ total, count: ids.length, sections: [{ id: "a", items: ids.map((id) => ({ id })) }] });

function storage(entries = {}) {
  const all = new Map(Object.entries(entries));
  globalThis.localStorage = {
    getItem: (name) => all.get(name) ?? null, setItem: (name, text) => { all.set(name, text); },
  };
  return () => JSON.parse(all.get("freshet read news"));
}

afterEach(() => { delete globalThis.localStorage; });

suite("marks of items that were read", () => {
  test("are kept by pages at the same time", () => {
    const kept = storage({ "freshet read news": '["1"]' });
    const [one, other] = [marks(), marks()];
    one.setRead(["2"], true, snapshot(["1", "2", "3"]));
    other.setRead(["3"], true, snapshot(["1", "2", "3"]));
    assert.deepEqual(kept(), ["1", "2", "3"]);
    one.setRead(["1"], false, snapshot(["1", "2", "3"]));
    assert.deepEqual(kept(), ["2", "3"]);
    assert.deepEqual([...one.ids], ["2", "3"]);
  });

  test("for which there was no room are added to those of other pages", () => {
    const items = snapshot(["1", "2", "3", "4", "5"]);
    const kept = storage({ "freshet read news": '["1", "2"]' });
    const [one, other] = [marks(), marks()];
    const { setItem } = globalThis.localStorage;
    globalThis.localStorage.setItem = () => { throw new Error("full"); };
    one.setRead(["3"], true, items);
    one.setRead(["1"], false, items);
    assert.deepEqual([...one.ids], ["2", "3"]);
    globalThis.localStorage.setItem = setItem;
    other.setRead(["4"], true, items);
    other.setRead(["2"], false, items);
    one.read();
    assert.deepEqual([...one.ids], ["4", "3"]);
    one.setRead(["5"], true, items);
    assert.deepEqual(kept(), ["4", "3", "5"]);
    other.setRead(["3"], false, items);
    one.setRead(["5"], false, items);
    assert.deepEqual(kept(), ["4"]);
  });

  test("go with items that are gone", () => {
    const kept = storage({ "freshet read news": '["1", "2"]' });
    marks().setRead(["3"], true, snapshot(["2", "3"]));
    assert.deepEqual(kept(), ["2", "3"]);
  });

  test("stay for items of a long feed whose rows are not here", () => {
    const kept = storage({ "freshet read news": '["500"]' });
    marks().setRead(["700"], true, snapshot(["1", "2"], 1000));
    assert.deepEqual(kept(), ["500", "700"]);
  });

  for (const text of ["{", "5", "null", '{"a": 1}']) {
    test(`begin anew where what was kept is none: ${text}`, () => {
      const kept = storage({ "freshet read news": text });
      marks().setRead(["1"], true, snapshot(["1"]));
      assert.deepEqual(kept(), ["1"]);
    });
  }
});

suite("the date of an item", () => {
  test("is UTC where it has no zone", () => {
    const zone = process.env.TZ;
    try {
      process.env.TZ = "Asia/Seoul";
      for (const published of ["2026-03-01T12:00:00", "2026-03-01T12:00", "2026-03-01T12:00:00.000",
        "2026-03-01 12:00:00", "2026-03-01T12:00:00Z", "2026-03-01T21:00:00+09:00"]) {
        assert.equal(dateOf({ published })?.toISOString(), "2026-03-01T12:00:00.000Z", published);
      }
      assert.equal(dateOf({ published: "2026-03-01" }).toISOString(), "2026-03-01T00:00:00.000Z");
      assert.equal(dateOf({ published: "soon" }), null);
    } finally {
      if (zone === undefined) delete process.env.TZ;
      else process.env.TZ = zone;
    }
  });
});
