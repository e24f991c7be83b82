// The texts of the pages besides the reader: those that are used, and none else, in each language.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";

const root = join(dirname(fileURLToPath(import.meta.url)), "../../Public");
const read = (file) => readFileSync(join(root, file), "utf8");
const scripts = ["workbench", "gallery", "console", "api"].flatMap((folder) => readdirSync(join(root, folder))
  .filter((file) => file.endsWith(".js")).map((file) => read(`${folder}/${file}`)));

/** Texts that scripts say: whole, and those of a choice. */
const said = scripts.flatMap((script) => [...script.matchAll(/(?<!#)\bsay\(([^]*?)\)/g)])
  .flatMap(([, call]) => {
    const joined = call.replace(/"\s*\+\s*"/g, "");
    return [...joined.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text]) => text);
  });
/** Texts of the pages themselves. */
const written = ["workbench", "gallery", "api", "admin"].flatMap((name) => {
  const body = read(`${name}.html`).split("<body")[1].replace(/<noscript>[^]*?<\/noscript>/g, "");
  const texts = [...body.matchAll(/>([^<]+)</g)].map(([, text]) => text.replace(/\s+/g, " ").trim());
  const attributes = [...body.matchAll(/ (?:aria-label|placeholder|title)="([^"]+)"/g)]
    .map(([, text]) => text);
  return [...texts, ...attributes].filter((text) => /[a-z]{2}/.test(text));
});
/** What the gallery says of its examples. */
const examples = [...read("gallery/gallery.js").matchAll(/^    text: ((?:"[^"]*"[\s+]*)+),$/gm)]
  .map(([, texts]) => texts.replace(/"\s*\+\s*"/g, "").slice(1, -1));
/** What is the same in all languages, and what is made of parts. */
const same = ["Freshet", "OpenAPI 3.1", "Ctrl ⏎"];
const made = ["change", "move", "remove"].map((name) => `There is nothing to ${name}.`)
  .concat(["new", "moved", "changed", "gone"].map((what) => `{count} ${what}`),
    ["live", "idle", "refreshing", "offline", "failed"]);
const wanted = new Set([...said, ...written, ...made, ...examples]
  .filter((text) => !same.includes(text) && text !== ", "));

suite("the words of the other pages", () => {
  for (const language of ["de", "ko", "ar"]) {
    test(`are all there in ${language}, with their values`, async () => {
      const { pages: table } = await import(`../../Public/words/${language}.js`);
      assert.deepEqual([...wanted].filter((text) => !(text in table)), []);
      assert.deepEqual(Object.keys(table).filter((text) => !wanted.has(text)), []);
      const values = (text) => [...text.matchAll(/\{\w+\}/g)].map(String).sort();
      for (const [text, other] of Object.entries(table)) {
        assert.deepEqual(values(other), values(text), text);
      }
    });
  }
});
