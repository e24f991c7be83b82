import assert from "node:assert/strict";
import { test } from "node:test";

import { authorOf, contentOf, dateOf, firstNonEmpty, titleOf } from "../../Public/reader/FeedCell.js";

for (const [item, title] of [
  [{ id: "a", title: "T", headline: "H" }, "T"], [{ id: "a", title: " ", headline: "H" }, "H"],
  [{ id: "a", name: "N" }, "N"], [{ id: "a", title: null }, "a"],
]) test(`heading of ${JSON.stringify(item)}`, () => assert.equal(titleOf(item), title));

for (const [item, time] of [
  [{ published: "2024-01-02T03:04:05Z", updated: "2025-01-01T00:00:00Z" }, "2024-01-02T03:04:05.000Z"],
  [{ date_published: "2024-01-02T03:04:05Z", date_modified: "2025-01-01T00:00:00Z" },
    "2024-01-02T03:04:05.000Z"],
  [{ date_modified: "2025-01-01T00:00:00Z" }, "2025-01-01T00:00:00.000Z"],
  [{ published: { year: 2024 } }, undefined], [{ published: "soon" }, undefined], [{}, undefined],
]) test(`time of ${JSON.stringify(item)}`, () => assert.equal(dateOf(item)?.toISOString(), time));

for (const [item, author] of [
  [{ author: "Ann" }, "Ann"], [{ author: { name: "Ann" }, authors: [{ name: "Bo" }] }, "Ann"],
  [{ authors: [{ name: "Bo" }, { url: "x" }, null, { name: " " }, { name: "Cy" }] }, "Bo, Cy"],
  [{ authors: [] }, undefined], [{ authors: "Bo", author: 7 }, undefined],
]) test(`author of ${JSON.stringify(item)}`, () => assert.equal(authorOf(item), author));

test("a text is content, or what JSON Feed calls so", () => {
  assert.equal(contentOf({ content: "a", content_text: "b" }), "a");
  assert.equal(contentOf({ content_text: "b" }), "b");
  assert.equal(firstNonEmpty(contentOf({})), undefined);
});
