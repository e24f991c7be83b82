import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "../../Public/freshet.js";

const utf8 = new TextEncoder();

test("the check sum is the one of zlib", () => {
  assert.equal(crc32(utf8.encode("")), 0);
  // The check value that catalogues of CRCs give for this polynomial.
  assert.equal(crc32(utf8.encode("123456789")), 0xcbf43926);
  assert.equal(crc32(new Uint8Array(32)), 0x190a55ad);
});
