// The reader's keys: index.html lists those that ItemController.js and KeyboardShortcuts.js hear.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";

const read = (file) => readFileSync(new URL(`../../Public/${file}`, import.meta.url), "utf8");
const names = { Escape: "Esc", " ": "Space" };
const all = (text, pattern) => [...text.matchAll(pattern)].map(([, key]) => names[key] ?? key);

const [, sheet] = /<dl class="keys">(.*?)<\/dl>/s.exec(read("index.html"));
const listed = all(sheet, /<kbd.*?>(.+?)<\/kbd>/g);
const [, table] = /^ {2}#keys = \{(.*?)^ {2}\};/ms.exec(read("reader/ItemController.js"));
const ofItems = all(table, /(?:^|[\s,])"?([^\s":]+| )"?: \(/g);
const ofPage = all(read("reader/KeyboardShortcuts.js"), /key(?:\.toLowerCase\(\))? === "(\S+)"/g);
// The views hear Enter, and R is what refreshes as well as r.
const heard = [...ofItems, ...ofPage, "Enter", "R"];

suite("the sheet of keys", () => {
  test("has every key that is heard", () => {
    const lacking = heard.filter((key) => !listed.includes(key));
    assert.deepEqual(lacking, [], `keys-dialog of Public/index.html lacks ${lacking.join(" ")}`);
  });

  test("has no key that is not heard, and none twice", () => {
    const idle = listed.filter((key, index) => !heard.includes(key) || listed.indexOf(key) < index);
    assert.deepEqual(idle, [], `keys-dialog of Public/index.html has ${idle.join(" ")}, not heard or a second time`);
  });

  test("has no key that would do two things", () => {
    const both = ofItems.filter((key) => key !== "Esc" && ofPage.includes(key));
    assert.deepEqual(both, [], `both ItemController.js and KeyboardShortcuts.js hear ${both.join(" ")}`);
  });
});
