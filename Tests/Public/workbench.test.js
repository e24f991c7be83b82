// What the workbench writes and says, without its page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { suite, test } from "node:test";

import { curl } from "../../Public/workbench/ClientView.js";
import { edits, garden, outcome } from "../../Public/workbench/stories.js";

const problem = (detail, members) =>
  JSON.stringify({ title: "Malformed request", detail, ...members });

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

  const body = '{"title": "é𝕏",\n "items": [{"id": 1}]}';
  const offset = Buffer.from(body).indexOf("1}");

  test("is a place in the list, in lines and columns", () => {
    const said = outcome(400,
      problem("expected a string", { pointer: "/items/0/id", offset, line: 2 }), body);
    assert.deepEqual(said, { words: "Line 2, column 19: expected a string", field: "document",
      at: body.indexOf("1}") });
  });

  test("is a line, or a pointer, where the server says no more", () => {
    for (const [line, at] of [[1, 0], [2, body.indexOf("\n") + 1]]) {
      assert.deepEqual(outcome(400, problem("no", { line }), body),
        { words: `Line ${line}: no`, field: "document", at });
    }
    assert.deepEqual(outcome(422, problem("no", { pointer: "/items/0" }), body),
      { words: "Malformed request: no (at /items/0)", field: "document" });
  });

  test("is no place that words alone tell of, or that cannot be", () => {
    const detail = "found “1” at byte 3 (line 2)";
    for (const members of [{}, { offset: -1 }, { offset: "3" }, { line: 0 }, { line: null }]) {
      assert.deepEqual(outcome(400, problem(detail, members), body),
        { words: `Malformed request: ${detail}`, field: "document" });
    }
    assert.equal(outcome(400, problem("no", { offset: 999 }), body).at, body.length);
  });

  test("may be unknown", () => {
    const type = "/problems/outcome-unknown";
    assert.equal(outcome(500, problem("disk", { type }), body).isUnknown, true);
    assert.match(outcome(500, problem("disk", { type }), body).words, /not published twice/);
    assert.equal(outcome(500, problem("disk"), body).isUnknown, undefined);
  });

  test("is a key that does not fit", () => {
    assert.equal(outcome(401, problem("the key is not known"), "").field, "key");
    assert.equal(outcome(403, problem("no"), "").field, "key");
  });

  test("is anything else in the words of the server", () => {
    for (const status of [409, 412, 413, 422, 500]) {
      assert.deepEqual(outcome(status, problem("it is full", { title: "Too large" }), "{}"),
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
