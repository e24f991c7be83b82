import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { Snapshot } from "../../Public/freshet.js";

const pages = ["READING", "PUBLISHING", "PROTOCOL"]
  .map((name) => readFileSync(new URL(`../../docs/${name}.md`, import.meta.url), "utf8")).join("\n");

/** The document on the protocol's pages that has this mark, in a comment before it. */
function example(mark) {
  const [, after] = pages.split(`<!-- ${mark} -->\n`);
  assert.ok(after, mark);
  return JSON.parse(/```json\n(.*?)\n```/s.exec(after)[1]);
}

suite("the examples of the protocol's pages", () => {
  for (const [state, changes] of [
    ["state: birds 1", "changes: birds 1 2"], ["state: birds-top 2", "changes: birds-top 2 3"],
  ]) {
    test(`${changes} comes to its check`, () => {
      const [before, delta] = [example(state), example(changes)];
      const old = Snapshot.read(before);
      assert.deepEqual([old.count, old.order], [before.count, before.order]);
      const next = old.applying(delta.changes, delta.total);
      assert.deepEqual([next.count, next.order], [delta.count, delta.order]);
    });
  }

  test("the worked example leads from one version to the next", () => {
    const next = Snapshot.read(example("state: birds 1"))
      .applying(example("changes: birds 1 2").changes);
    const { members, sections } = Snapshot.read(example("state: birds 2"));
    assert.deepEqual({ members: next.members, sections: next.sections }, { members, sections });
  });
});
