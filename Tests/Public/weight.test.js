// How much script the pages load, and when: as little as can be, and as docs/WEB.md says.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { modules, withLinks } from "../../scripts/release-files.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const text = (file) => readFileSync(join(root, "Public", file), "utf8");

/** Scripts without lines of comments, blank lines and indentation. */
function bare(script) {
  return script.split("\n").map((line) => line.trim())
    .filter((line) => line && !/^(\/\/|\/\*|\*)/.test(line)).join("\n");
}

const scripts = readdirSync(join(root, "Public"), { recursive: true })
  .map((file) => file.replaceAll("\\", "/")).filter((file) => /\.js$/.test(file)).sort();
const painting = new Set(["reader/prefetch.js", ...modules("reader/prerender.js")]);
const first = new Set(["reader/prefetch.js", ...modules("reader/Reader.js")]);
const line = "freshet/Connection.js";
const language = "words/en.js";
/** What is imported when it is needed, by name. */
const later = ["FeedView", "KeyboardShortcuts", "ItemController", "notices"].map((name) => `reader/${name}.js`);
const reader = [language, line, ...later].reduce((found, entry) => modules(entry, found), new Set(first));
const groups = {
  "the reader's, before its first row": [...painting],
  "the reader's, at once": [...first],
  "the reader's, all": [...reader],
  "the workbench's": [...modules(line, modules("workbench/Workbench.js"))],
  "the protocol alone, `freshet.js`": [...modules("freshet.js")],
  "the views alone, `ui.js`": [...modules("ui.js")],
  "all there are": scripts,
};

function weight(files) {
  const all = files.map(text);
  const size = (of) => all.reduce((sum, script) => sum + of(script), 0);
  return {
    files: files.length, raw: size((script) => Buffer.byteLength(script)),
    bare: size((script) => Buffer.byteLength(bare(script))),
    gzip: size((script) => gzipSync(script).length),
  };
}

suite("the weight of scripts", () => {
  test("before the reader's first row is below 25 KB, and in all that it asks for at once 93", () => {
    assert.ok(weight([...painting]).raw < 25_000, `${weight([...painting]).raw}`);
    assert.ok(weight([...first]).raw < 93_000, `${weight([...first]).raw}`);
  });

  test("of the whole reader, with one language, is at most 110 KB as gzip sends them", () => {
    assert.ok(weight([...reader]).gzip <= 110_000, `${weight([...reader]).gzip}`);
  });

  test("is what docs/WEB.md says, within 3 in 100", () => {
    const docs = readFileSync(join(root, "docs/WEB.md"), "utf8");
    const kilo = (bytes) => (bytes / 1000).toFixed(1);
    for (const [name, files] of Object.entries(groups)) {
      const { files: count, ...sizes } = weight(files);
      const row = `| ${name} | ${count} | ${Object.values(sizes).map(kilo).join(" | ")} |`;
      const said = docs.split("\n").find((line) => line.startsWith(`| ${name} |`)) ?? "";
      const numbers = said.split("|").slice(2, -1).map(Number);
      const isTrue = numbers.length === 4 && numbers[0] === count
        && Object.values(sizes).every((size, index) =>
          Math.abs(numbers[index + 1] * 1000 / size - 1) < 0.03);
      assert.ok(isTrue, `docs/WEB.md should say: ${row}`);
    }
  });
});

suite("modules", () => {
  test("that a page needs are asked for together", () => {
    for (const page of ["index.html", "workbench.html", "admin.html"]) {
      assert.equal(text(page), withLinks(text(page)), "run scripts/release-files.mjs --write");
    }
  });

  test("that the reader needs for its first row are asked for at once, and those only", () => {
    assert.match(text("index.html"), /<script src="reader\/prefetch.js" async fetchpriority="high">/);
    const [before, later] = text("index.html").split('<template id="later">');
    const asked = (page) => [...page.matchAll(/<link rel="modulepreload".*? href="(.*?)">/g)]
      .map(([, file]) => file).sort();
    const entries = ["reader/Reader.js", "reader/prerender.js"];
    assert.deepEqual(asked(before), [...modules("reader/Reader.js")].filter((one) => !entries.includes(one)).sort());
    assert.deepEqual(asked(later),
      [...reader].filter((one) => !first.has(one) && one !== language).sort());
  });
});
