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
const all = (entries, found = new Set()) =>
  entries.reduce((before, entry) => modules(entry, before), new Set(found));
const painting = all(["reader/prerender.js"], ["reader/prefetch.js"]);
const language = "words/en.js";
/** What the page asks for in its head, by name, and what follows once the feed is in its table. */
const first = all(["Reader", "FeedView", "KeyboardShortcuts", "notices"].map((name) => `reader/${name}.js`), painting);
const usable = new Set([...first, language]);
const line = "freshet/Connection.js";
/** All that is asked for by itself; what searches is asked for by who does. */
const reader = all([...["ItemController", "Session"].map((name) => `reader/${name}.js`), line], usable);
const groups = {
  "the reader's, before its first row": [...painting],
  "the reader's, until it can be used": [...usable],
  "the reader's, without a search": [...reader],
  "the reader's, all": [...all(["reader/Search.js"], reader)],
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
  test("before the reader's first row is below 25 KB", () => {
    assert.ok(weight([...painting]).raw < 25_000, `${weight([...painting]).raw}`);
  });

  test("until the reader can be used is at most 89 KB in 25 files, as gzip sends them", () => {
    const { files, gzip } = weight([...usable]);
    assert.ok(files <= 25 && gzip <= 89_000, `${gzip} in ${files} files`);
  });

  test("of the whole reader, with one language, is at most 120 KB as gzip sends them", () => {
    assert.ok(weight([...reader]).gzip <= 120_000, `${weight([...reader]).gzip}`);
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

  test("that the reader needs are asked for in turn: those of its first row, of its table, and others", () => {
    assert.match(text("index.html"), /<script src="reader\/prefetch.js" async fetchpriority="high">/);
    const [row, table, later] = text("index.html").split(/<template id="(?:table|later)">/);
    const asked = (page) => [...page.matchAll(/<link rel="modulepreload".*? href="(.*?)">/g)].map(([, file]) => file);
    const entries = ["reader/prefetch.js", "reader/prerender.js", "reader/Reader.js"];
    const without = (files, ...others) => [...files].filter((file) =>
      !entries.includes(file) && others.every((other) => !other.has(file))).sort();
    assert.deepEqual(asked(row).sort(), without(painting));
    assert.deepEqual(asked(table).sort(), without(first, painting));
    assert.deepEqual(asked(later).sort(), without(reader, usable));
  });
});
