import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { suite, test } from "node:test";
import { table, target } from "../../scripts/index-letters.mjs";

suite("the letters of indexes", () => {
  test("are the server's: scripts/index-letters.mjs writes them anew", async () => {
    assert.equal(await readFile(target, "utf8"), await table());
  });
});
