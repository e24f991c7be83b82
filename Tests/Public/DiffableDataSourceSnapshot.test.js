import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { DiffableDataSourceSnapshot } from "../../Public/ui/DiffableDataSource.js";

const make = () => DiffableDataSourceSnapshot.of([["x", ["a", "b", "c"]], ["y", ["d", "e"]]]);
const shown = (snapshot) => snapshot.sectionIdentifiers
  .map((id) => [id, ...snapshot.itemIdentifiersInSection(id)].join(""));

suite("an operation that does not fit changes nothing", () => {
  for (const [name, change] of Object.entries({
    "a section that is there": (one) => one.appendSections(["z", "x"]),
    "a section twice": (one) => one.appendSections(["z", "z"]),
    "sections beside none": (one) => one.insertSections(["z"], { after: "no" }),
    "sections gone": (one) => one.deleteSections(["x", "no"]),
    "a section moved beside none": (one) => one.moveSection("x", { before: "no" }),
    "an item that is there": (one) => one.appendItems(["q", "a"]),
    "an item twice": (one) => one.appendItems(["q", "q"]),
    "items in no section": (one) => one.appendItems(["q"], "no"),
    "items beside none": (one) => one.insertItems(["q"], { before: "no" }),
    "items gone": (one) => one.deleteItems(["a", "no"]),
    "an item moved beside none": (one) => one.moveItem("a", { before: "no" }),
    "items reloaded": (one) => one.reloadItems(["a", "no"]),
    "items reconfigured": (one) => one.reconfigureItems(["a", "no"]),
    "sections reloaded": (one) => one.reloadSections(["x", "no"]),
    "changes that put an item nowhere": (one) => one.applyChanges({},
      { remove: ["a"], insert: [{ section: "no", index: 0, item: { id: "q" } }] }),
    "changes that move an item nowhere": (one) => one.applyChanges({ remove: ["y"] },
      { move: [{ id: "a", section: "y", index: 0 }] }),
    "changes that bring what is there": (one) => one.applyChanges({},
      { insert: [{ section: "x", index: 0, item: { id: "a" } }] }),
    "changes of a section that is none": (one) => one.applyChanges({ remove: ["no"] },
      { remove: ["a"] }),
  })) {
    test(name, () => {
      const snapshot = make();
      assert.throws(() => change(snapshot), RangeError);
      assert.deepEqual(shown(snapshot), ["xabc", "yde"]);
      assert.equal(snapshot.reloadedItemIdentifiers.size, 0);
      snapshot.appendItems(["q"], "x");
      assert.deepEqual(shown(snapshot), ["xabcq", "yde"]);
    });
  }
});

suite("a snapshot", () => {
  test("is changed in every way", () => {
    const snapshot = make();
    snapshot.deleteItems(["b", "b"]);
    snapshot.moveItem("a", { after: "d" });
    snapshot.moveSection("y", { before: "x" });
    snapshot.moveSection("y", { after: "y" });
    snapshot.insertItems(["1", "2"], { before: "c" });
    snapshot.insertSections(["z"], { after: "y" });
    assert.deepEqual(shown(snapshot), ["ydae", "z", "x12c"]);
    snapshot.deleteSections(["z", "y"]);
    assert.equal(snapshot.sectionIdentifier("d"), null);
    assert.deepEqual(shown(snapshot), ["x12c"]);
  });

  test("takes more items than a function takes arguments", () => {
    const snapshot = make();
    snapshot.appendItems(Array.from({ length: 300_000 }, (_, index) => index));
    assert.equal(snapshot.numberOfItems, 300_005);
  });

  test("is copied with what is to be reloaded", () => {
    const snapshot = make();
    snapshot.reloadItems(["a"]);
    const copy = snapshot.copy();
    copy.reconfigureItems(["b"]);
    assert.deepEqual([...copy.reloadedItemIdentifiers], ["a"]);
    assert.equal(snapshot.reconfiguredItemIdentifiers.size, 0);
  });
});
