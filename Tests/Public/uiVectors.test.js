import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { difference, TableUpdates } from "../../Public/ui/TableLayout.js";
import { DiffableDataSourceSnapshot } from "../../Public/ui/DiffableDataSource.js";
import { IndexedCollation } from "../../Public/ui/IndexedCollation.js";
import { listOf, mismatches, refusal, sectionsOf } from "./uiVectors.js";

const folder = new URL("../../docs/ui-vectors/", import.meta.url);

function snapshotOf(list) {
  return DiffableDataSourceSnapshot.of(sectionsOf(list).map(({ id, rows }) => [id, rows]));
}

/** What was asked of several things, by each. */
const each = (ask) => (expected) =>
  Object.fromEntries(Object.keys(expected).map((key) => [key, ask(key)]));

class SnapshotStage {
  constructor({ snapshot }) { this.snapshot = snapshotOf(snapshot); }
  act({ call }) { if (call) this.snapshot[call[0]](...call.slice(1)); }

  get readings() {
    const { snapshot } = this;
    return {
      sections: () => listOf(snapshot),
      items: () => snapshot.itemIdentifiers,
      numberOfItems: () => snapshot.numberOfItems,
      numberOfSections: () => snapshot.numberOfSections,
      indexOfItem: each((id) => snapshot.indexOfItem(id)),
      indexOfSection: each((id) => snapshot.indexOfSection(id)),
      sectionOf: each((id) => snapshot.sectionIdentifier(id)),
      reloaded: () => [...snapshot.reloadedItemIdentifiers].sort(),
      reconfigured: () => [...snapshot.reconfiguredItemIdentifiers].sort(),
      reloadedSections: () => [...snapshot.reloadedSectionIdentifiers].sort(),
    };
  }
}

class DifferenceStage {
  act({ from, to }) {
    [this.from, this.to] = [snapshotOf(from).sections, snapshotOf(to).sections];
    this.batch = new TableUpdates();
    difference(this.from, this.to, this.batch);
    this.batch.finish(...[this.from, this.to].map((list) => list.map(({ items }) => items.length)));
  }

  get readings() {
    const { from, to, batch: { rows, sections } } = this;
    const items = (list, paths) => paths.map(({ section, row }) => list[section].items[row]).sort();
    const ids = (list, numbers) => numbers.map((number) => list[number].id).sort();
    const first = ([path]) => path;
    return {
      inserted: () => items(to, rows.inserted),
      deleted: () => items(from, rows.deleted),
      moved: () => items(from, rows.moved.map(first)),
      insertedSections: () => ids(to, sections.inserted),
      deletedSections: () => ids(from, sections.deleted),
      movedSections: () => ids(from, sections.moved.map(first)),
    };
  }
}

class CollationStage {
  constructor({ collation }) { this.locale = collation; }
  act() { this.collation = new IndexedCollation(this.locale); }

  get readings() {
    const { collation } = this;
    return {
      titles: () => collation.sectionTitles,
      indexTitles: () => collation.sectionIndexTitles,
      section: each((text) => collation.sectionTitles[collation.section(text)]),
      sorted: ([texts]) => [texts, collation.sortedArray(texts)],
    };
  }
}

const stages = {
  snapshot: SnapshotStage, difference: DifferenceStage, collation: CollationStage,
};

/** All words of a case that its page has to explain. */
function wordsOf({ view = {}, steps, ...others }) {
  const { hears = [], answers = {}, set = {} } = view;
  return [Object.keys(others), Object.keys(view), hears, Object.keys(answers), Object.keys(set),
    ...steps.flatMap(({ expect = {}, call = [], set: properties = {}, batch = {}, ...step }) =>
      [Object.keys(expect), call.slice(0, 1), Object.keys(properties), Object.keys(batch),
        Object.keys(step)])].flat();
}

for (const name of readdirSync(folder).filter((one) => one.endsWith(".json"))) {
  const { cases } = JSON.parse(readFileSync(new URL(name, folder), "utf8"));
  suite(`docs/ui-vectors/${name}`, () => {
    test("names its cases once each", () => {
      assert.equal(new Set(cases.map((one) => one.name)).size, cases.length);
    });

    test("uses words that the page explains", () => {
      const page = readFileSync(new URL("README.md", folder), "utf8");
      const isKnown = (word) => new RegExp(`[\`"]${word}[\`"(]`).test(page);
      assert.deepEqual([...new Set(cases.flatMap(wordsOf))].filter((one) => !isKnown(one)), []);
    });

    for (const one of cases) {
      const kind = Object.keys(stages).find((member) => member in one);
      if (!kind) {
        assert.ok(one.view, one.name);
        continue;
      }
      test(one.name, () => {
        const stage = new stages[kind](one);
        one.steps.forEach((step, number) => {
          const said = refusal(step, () => stage.act(step));
          assert.deepEqual([...said, ...mismatches(step.expect ?? {}, stage.readings)], [],
            `step ${number}`);
        });
      });
    }
  });
}
