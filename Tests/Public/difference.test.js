import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { DiffableDataSourceSnapshot } from "../../Public/ui/DiffableDataSource.js";
import {
  difference, IndexPath, longestAscending, TableLayout, TableUpdates,
} from "../../Public/ui/TableLayout.js";
import { changesBetween, generator, randomDocument, varied } from "./randomFeeds.js";

const lists = ({ sections }) =>
  sections.map(({ id, items }) => ({ id, items: items.map((item) => item.id) }));

/** Pairs of documents to come from and go to. */
function* pairs(seed, count) {
  const random = generator(seed);
  let before = randomDocument(random);
  for (let round = 0; round < count; round += 1) {
    const after = random() < 0.3 ? randomDocument(random) : varied(before, random);
    yield { before, after, random };
    before = after;
  }
}

/** What a batch says became of every row, by its own way and by a layout's. */
function checkBatch(updates, before, after) {
  const counts = [before, after].map((list) => list.map(({ items }) => items.length));
  updates.finish(...counts);
  const layout = new TableLayout(10);
  layout.sections = before.map(({ items }) => layout.section(items.length, 5));
  before.forEach(({ id, items }, section) => {
    const place = updates.section(section);
    assert.equal(place, after.findIndex((one) => one.id === id) < 0 ? null
      : after.findIndex((one) => one.id === id));
    items.forEach((item, row) => {
      const owner = after.findIndex((one) => one.items.includes(item));
      const path = updates.path(new IndexPath(row, section));
      if (owner < 0) return assert.equal(path, null);
      return assert.deepEqual(path, new IndexPath(after[owner].items.indexOf(item), owner));
    });
  });
  updates.apply(layout, (section) => layout.section(after[section].items.length, 5));
  assert.deepEqual(layout.sections.map(({ rows }) => rows.count), counts[1]);
}

suite("the difference of two snapshots", () => {
  for (const seed of [1, 2, 3]) {
    test(`is a batch that fits, seed ${seed}`, () => {
      for (const pair of pairs(seed, 400)) {
        const [before, after] = [lists(pair.before), lists(pair.after)];
        const updates = new TableUpdates();
        difference(before, after, updates);
        checkBatch(updates, before, after);
      }
    });
  }

  test("is the fewest changes of one list", () => {
    const change = (before, after) => {
      const updates = new TableUpdates();
      difference([{ id: "a", items: [...before] }], [{ id: "a", items: [...after] }], updates);
      const { deleted, inserted, moved } = updates.rows;
      return [deleted.length, inserted.length, moved.length];
    };
    assert.deepEqual(change("abcdef", "abcdef"), [0, 0, 0]);
    assert.deepEqual(change("abcdef", "bcdefa"), [0, 0, 1]);
    assert.deepEqual(change("abcdef", "fabcde"), [0, 0, 1]);
    assert.deepEqual(change("abcdef", "fedcba"), [0, 0, 5]);
    assert.deepEqual(change("abcdef", "abxdef"), [1, 1, 0]);
    assert.equal(longestAscending([3, 1, 2, 9, 5, 6]).size, 4);
  });
});

suite("a snapshot", () => {
  for (const seed of [4, 5]) {
    test(`takes the protocol's changes, seed ${seed}`, () => {
      for (const { before, after, random } of pairs(seed, 400)) {
        const snapshot = DiffableDataSourceSnapshot.of(
          lists(before).map(({ id, items }) => [id, items]));
        const { sections, items } = changesBetween(before, after, random);
        snapshot.applyChanges(sections, items);
        assert.deepEqual(snapshot.sections, lists(after));
        for (const { id, items: held } of lists(after)) {
          for (const item of held) assert.equal(snapshot.sectionIdentifier(item), id);
        }
      }
    });
  }

  test("takes many changes as it takes few", () => {
    const numbers = Array.from({ length: 3000 }, (_, index) => `i${index}`);
    const snapshot = DiffableDataSourceSnapshot.of([["a", numbers]]);
    const gone = numbers.filter((_, index) => index % 3 === 0);
    const expected = numbers.filter((_, index) => index % 3 !== 0);
    const insert = gone
      .map((id, index) => ({ section: "a", index: index * 2, item: { id: `n${id}` } }));
    for (const { index, item } of insert) expected.splice(index, 0, item.id);
    snapshot.applyChanges({}, { remove: gone, insert });
    assert.deepEqual(snapshot.itemIdentifiers, expected);
  });

  test("has the operations that it has elsewhere", () => {
    const snapshot = new DiffableDataSourceSnapshot();
    snapshot.appendSections(["a", "c"]);
    snapshot.insertSections(["b"], { before: "c" });
    snapshot.appendItems([1, 2, 3], "a");
    snapshot.appendItems([4]);
    snapshot.insertItems([5, 6], { after: 1 });
    snapshot.insertItems([7], { before: 4 });
    snapshot.moveItem(3, { before: 1 });
    snapshot.moveSection("c", { after: "a" });
    snapshot.deleteItems([2]);
    assert.deepEqual(snapshot.sectionIdentifiers, ["a", "c", "b"]);
    assert.deepEqual(snapshot.itemIdentifiers, [3, 1, 5, 6, 7, 4]);
    assert.deepEqual(snapshot.itemIdentifiersInSection("c"), [7, 4]);
    assert.equal(snapshot.indexOfItem(7), 4);
    assert.equal(snapshot.sectionIdentifier(5), "a");
    assert.equal(snapshot.sectionIdentifier(2), null);
    const copy = snapshot.copy();
    snapshot.deleteSections(["c"]);
    assert.equal(snapshot.sectionIdentifier(7), null);
    assert.deepEqual([snapshot.numberOfItems, copy.numberOfItems], [4, 6]);
    snapshot.deleteAllItems();
    assert.equal(snapshot.numberOfSections, 0);
  });

  for (const [what, change, words] of [
    ["an item twice", (one) => one.appendItems([1]), "the item 1 twice"],
    ["a section twice", (one) => one.appendSections(["a"]), "the section a twice"],
    ["what is beside nothing", (one) => one.insertItems([9], { after: 8 }), "no item 8"],
    ["the removal of nothing", (one) => one.deleteItems([8]), "no item 8"],
    ["a section that is not there", (one) => one.appendItems([9], "z"), "no section z"],
  ]) {
    test(`refuses ${what}`, () => {
      const snapshot = DiffableDataSourceSnapshot.of([["a", [1, 2]]]);
      assert.throws(() => change(snapshot), { name: "RangeError", message: new RegExp(words) });
      assert.deepEqual(snapshot.itemIdentifiers, [1, 2]);
    });
  }
});
