// What the workbench writes and says, without its page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { suite, test } from "node:test";

import { curl } from "../../Public/workbench/curl.js";
import { edits, garden } from "../../Public/workbench/edits.js";
import { outcome } from "../../Public/workbench/outcome.js";

const problem = (detail, title = "Malformed request") => JSON.stringify({ title, detail });

suite("what came of a publish", () => {
  const published = (items, sections, changed = true) =>
    outcome(200, JSON.stringify({ kind: "published", changed, items, sections })).words;

  test("is counted", () => {
    assert.equal(published({ inserted: 2, removed: 1, moved: 0, updated: 3 }),
      "Published: 2 new, 3 changed, 1 gone.");
    assert.equal(published({}, { inserted: 1 }), "Published: other sections.");
    assert.equal(published({}, {}), "Published: another title.");
    assert.match(published({}, {}, false), /no new version/);
  });

  test("is a place in the list, in lines and columns", () => {
    const body = '{"title": "é𝕏",\n "items": [{"id": 1}]}';
    const byte = Buffer.from(body).indexOf("1}");
    const detail = `"items[0].id": expected a string, found “1” at byte ${byte} (line 2)`;
    const said = outcome(400, problem(detail), body);
    assert.equal(said.words, 'Line 2, column 19: "items[0].id": expected a string, found “1”.');
    assert.equal(said.field, "document");
    assert.equal(body[said.at], "1");
  });

  test("is a key that does not fit", () => {
    assert.equal(outcome(401, problem("the key is not known"), "").field, "key");
    assert.equal(outcome(403, problem("no"), "").field, "key");
  });

  test("is anything else in the words of the server", () => {
    for (const status of [409, 412, 413, 422, 500]) {
      assert.deepEqual(outcome(status, problem("it is full", "Too large"), "{}"),
        { words: "Too large: it is full", field: "document" });
    }
    assert.deepEqual(outcome(502, "<html>", "{}"),
      { words: "That did not work: 502", field: "document" });
  });
});

suite("edits", () => {
  test("say what they did, and change the list by that", () => {
    for (const [name, edit] of Object.entries(edits)) {
      const document = structuredClone(garden);
      const words = edit(document);
      const id = words.match(/“(.*)”/)[1];
      assert.notDeepEqual(document, garden, name);
      const has = document.sections.some(({ items }) => items.some((item) => item.id === id));
      assert.equal(has, name !== "remove", words);
    }
  });

  test("begin with nothing, and without sections", () => {
    for (const document of [{ items: [] }, { sections: [] }, {}]) {
      for (const name of ["change", "move", "remove"]) {
        assert.equal(edits[name](structuredClone(document)), undefined);
      }
      edits.add(document);
      assert.equal(document.sections[0].items.length, 1);
    }
  });

  test("refuse what is no list", () => {
    const strange = [null, [], 3, "x", { items: 3 }, { items: [3] }, { sections: {} },
      { sections: [{ id: "a", items: [null] }] }];
    for (const document of strange) {
      for (const edit of Object.values(edits)) {
        assert.throws(() => edit(structuredClone(document)), /neither sections nor items/);
      }
    }
  });
});

suite("a line for a shell", () => {
  test("is read by one as it was meant", () => {
    const body = "{\"it's\": \"$HOME `id` \\\\ !! \\\" %\",\n \"n\": 1}";
    const line = curl("http://127.0.0.1/feeds/it's?a=1&b=2",
      { method: "PUT", headers: { "X-Key": "'a'" }, body });
    // A function in place of the command tells what it is given.
    const told = execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }; ${line}`]).toString();
    assert.deepEqual(told.split("\0").slice(0, -1), ["-X", "PUT",
      "http://127.0.0.1/feeds/it's?a=1&b=2", "-H", "X-Key: 'a'", "--data-raw", body]);
  });

  test("is never longer than a shell can take", () => {
    assert.ok(curl("http://a/", { method: "PUT", body: "é".repeat(200_000) }).length < 1000);
  });
});
