import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Snapshot } from "../../Public/freshet.js";
import { changesBetween, generator, randomDocument, varied } from "./randomFeeds.js";

/** A snapshot of `a: 1 2, b: 3`, each with a title. */
function sample() {
  return Snapshot.read({
    kind: "snapshot", feed: "news", token: "q7x2m5kd.1", title: "News", count: 3, order: "-",
    sections: [
      { id: "a", title: "A", count: 2, items: [{ id: "1", likes: 1 }, { id: "2" }] },
      { id: "b", count: 1, items: [{ id: "3", draft: true, text: "x" }] },
    ],
  });
}

/** The snapshot in short: `a: 1 2, b: 3`. */
function short(snapshot) {
  return snapshot.sections
    .map(({ id, items }) => `${id}: ${items.map(({ id }) => id).join(" ")}`)
    .join(", ");
}

/** All of a snapshot, for comparing. */
function whole({ members, sections }) {
  return { members, sections };
}

suite("applying changes", () => {
  test("reads a snapshot's own members", () => {
    const snapshot = sample();
    assert.deepEqual(snapshot.members, { title: "News" });
    assert.deepEqual(Object.keys(snapshot.sections[0]), ["id", "title", "items"]);
    assert.equal(snapshot.count, 3);
  });

  test("checks the order over sections and items", () => {
    // zlib.crc32("#a\n 1\n 2\n#b\n 3\n".encode()) in Python.
    assert.equal(sample().order, "43fc7066");
  });

  const table = [
    ["nothing", {}, "a: 1 2, b: 3"],
    ["a removal", { items: { remove: ["1"] } }, "a: 2, b: 3"],
    ["an insertion between", { items: { insert: [{ section: "a", index: 1, item: { id: "9" } }] } },
      "a: 1 9 2, b: 3"],
    ["a move in a section", { items: { move: [{ section: "a", index: 1, id: "1" }] } },
      "a: 2 1, b: 3"],
    ["a move to another section", { items: { move: [{ section: "b", index: 1, id: "1" }] } },
      "a: 2, b: 3 1"],
    ["a move out of a section that goes",
      { sections: { remove: ["b"] }, items: { move: [{ section: "a", index: 0, id: "3" }] } },
      "a: 3 1 2"],
    ["a move into a section that comes",
      { sections: { insert: [{ index: 2, section: { id: "c", count: 1 } }] },
        items: { move: [{ section: "c", index: 0, id: "1" }] } },
      "a: 2, b: 3, c: 1"],
    ["a section that moves", { sections: { move: [{ index: 0, id: "b" }] } }, "b: 3, a: 1 2"],
    ["a section that comes with items",
      { sections: { insert: [{ index: 0, section: { id: "c" } }] },
        items: { insert: [{ section: "c", index: 0, item: { id: "8" } },
          { section: "c", index: 1, item: { id: "9" } }] } },
      "c: 8 9, a: 1 2, b: 3"],
  ];
  for (const [name, changes, result] of table) {
    test(`takes in ${name}`, () => {
      const old = sample();
      const now = old.applying(changes);
      assert.equal(short(now), result);
      assert.equal(short(old), "a: 1 2, b: 3");
    });
  }

  test("gives and takes away members", () => {
    const now = sample().applying({
      feed: { set: { badge: 1 }, unset: ["title"] },
      sections: { update: [{ id: "a", set: { title: "B" } }, { id: "b", set: { index: "b" } }] },
      items: { update: [{ id: "3", set: { text: "y", more: [1] }, unset: ["draft"] }] },
    });
    assert.deepEqual(now.members, { badge: 1 });
    assert.equal(now.sections[0].title, "B");
    assert.deepEqual(now.sections[1],
      { id: "b", index: "b", items: [{ id: "3", text: "y", more: [1] }] });
  });

  test("keeps members whose names mean something to the language", () => {
    const item = JSON.parse('{"id":"1","__proto__":{"a":1},"constructor":2}');
    const old = Snapshot.read({ sections: [{ id: "a", items: [item] }] });
    const set = JSON.parse('{"__proto__":{"b":2},"toString":3}');
    const now = old.applying({ items: { update: [{ id: "1", set, unset: ["constructor"] }] } });
    assert.equal(JSON.stringify(now.item("1")),
      '{"id":"1","__proto__":{"b":2},"toString":3}');
    assert.equal({}.b, undefined);
  });

  test("keeps a view's counts", () => {
    const old = Snapshot.read({ kind: "snapshot", count: 1, total: 9,
      sections: [{ id: "a", count: 5, items: [{ id: "1" }] }, { id: "b", count: 4, items: [] }] });
    assert.equal(old.total, 9);
    const now = old.applying({ sections: { update: [{ id: "b", count: 7 }],
      insert: [{ index: 2, section: { id: "c", count: 2 } }] } }, 14);
    assert.deepEqual(now.sections.map(({ count }) => count), [5, 7, 2]);
    assert.equal(now.total, 14);
  });

  test("shares the items that stay as they are", () => {
    const old = sample();
    const now = old.applying({ items: { update: [{ id: "1", set: { likes: 2 } }] } });
    assert.equal(now.sections[0].items[1], old.sections[0].items[1]);
    assert.equal(now.sections[1].items, old.sections[1].items);
  });

  const wrong = [
    { items: { remove: ["9"] } },
    { items: { move: [{ section: "a", index: 0, id: "9" }] } },
    { items: { update: [{ id: "9", set: {} }] } },
    { items: { insert: [{ section: "c", index: 0, item: { id: "9" } }] } },
    { items: { insert: [{ section: "a", index: 3, item: { id: "9" } }] } },
    { items: { insert: [{ section: "a", index: 0, item: { id: "8" } },
      { section: "a", index: 0, item: { id: "9" } }] } },
    { items: { insert: [{ section: "a", index: 0, item: { id: "3" } }] } },
    { sections: { remove: ["c"] } },
    { sections: { move: [{ index: 2, id: "a" }] } },
    { sections: { update: [{ id: "c", set: {} }] } },
  ];
  for (const changes of wrong) {
    test(`refuses ${JSON.stringify(changes)}`, () => {
      assert.equal(sample().applying(changes), null);
    });
  }

  test("leads from any feed to any other", () => {
    const random = generator(7);
    for (let round = 0; round < 500; round++) {
      const old = randomDocument(random);
      const now = random() < 0.7 ? varied(old, random) : randomDocument(random);
      const result = Snapshot.read(old).applying(changesBetween(old, now, random));
      assert.notEqual(result, null);
      assert.deepEqual(whole(result), whole(Snapshot.read(now)));
      assert.equal(result.order, Snapshot.read(now).order);
    }
  });

  test("leads from version to version", () => {
    const random = generator(11);
    let last = randomDocument(random);
    let snapshot = Snapshot.read(last);
    for (let round = 0; round < 500; round++) {
      const next = random() < 0.9 ? varied(last, random) : randomDocument(random);
      const made = snapshot.applying(changesBetween(last, next, random));
      assert.deepEqual(whole(made), whole(Snapshot.read(next)));
      assert.equal(made.order, Snapshot.read(next).order);
      for (const { items } of next.sections) {
        for (const { id, likes } of items) assert.equal(made.item(id).likes, likes);
      }
      [last, snapshot] = [next, made];
    }
  });
});
