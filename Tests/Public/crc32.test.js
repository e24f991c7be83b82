import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "../../Public/freshet.js";

test("the check sum is the one of zlib", () => {
  assert.equal(crc32([]), 0);
  // The check value that catalogues of CRCs give for this polynomial.
  assert.equal(crc32(["123456789"]), 0xcbf43926);
  assert.equal(crc32(["12", "", "3456789"]), 0xcbf43926);
  assert.equal(crc32(["\0".repeat(32)]), 0x190a55ad);
});

test("the check sum is over UTF-8", () => {
  // zlib.crc32("aé–💧z".encode()) in Python.
  assert.equal(crc32(["aé", "–💧z"]), 0xf155aa3f);
});
