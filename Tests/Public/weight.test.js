// How much script the pages load, and when: as little as can be, and as docs/WEB.md says.

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { suite, test } from "node:test";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const root = join(dirname(fileURLToPath(import.meta.url)), "../..");
const text = (file) => readFileSync(join(root, "Public", file), "utf8");

/** A module and all that it imports at once, in the order in which they are found. */
function modules(entry, found = new Set()) {
  found.add(entry);
  for (const [, path] of text(entry).matchAll(/^(?:import|export)[^;]*?(?: from)? "(\..*?)"/gms)) {
    const file = posix.join(posix.dirname(entry), path);
    if (!found.has(file)) modules(file, found);
  }
  return found;
}

/** Scripts without lines of comments, blank lines and indentation. */
function bare(script) {
  return script.split("\n").map((line) => line.trim())
    .filter((line) => line && !/^(\/\/|\/\*|\*)/.test(line)).join("\n");
}

const scripts = readdirSync(join(root, "Public"), { recursive: true })
  .map((file) => file.replaceAll("\\", "/")).filter((file) => /\.js$/.test(file)).sort();
const painting = new Set(["reader/early.js", ...modules("reader/paint.js")]);
const first = new Set(["reader/early.js", ...modules("reader.js")]);
const line = "freshet/Connection.js";
const growing = "freshet/growing.js";
const changes = modules("freshet/applying.js");
const language = "words/en.js";
/** What is imported when it is needed, by name. */
const later = ["FeedView", "Operating", "Reading", "notices", "status"].map((name) => `reader/${name}.js`);
const reader = [language, line, ...later].reduce((found, entry) => modules(entry, found),
  new Set([...first, ...changes]));
const groups = {
  "the reader's, before its first row": [...painting],
  "the reader's, at once": [...first],
  "the reader's, all": [...reader],
  "the workbench's": [...modules(line, modules("workbench.js"))],
  "the protocol alone, `freshet.js`": [...modules(growing, modules(line, modules("freshet.js")))],
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

/** The modules that a page asks for before they are imported. */
function preloads(page) {
  return [...page.matchAll(/<link rel="modulepreload"(?: fetchpriority="low")? href="(.*?)">/g)].map(([, file]) => file);
}

suite("the weight of scripts", () => {
  test("before the reader's first row is below 25 KB, and in all that it asks for at once 62", () => {
    assert.ok(weight([...painting]).raw < 25_000, `${weight([...painting]).raw}`);
    assert.ok(weight([...first]).raw < 62_000, `${weight([...first]).raw}`);
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
  const [before, later] = text("index.html").split('<template id="later">');

  test("that the reader needs for its first row are asked for at once", () => {
    assert.match(before, /<script src="reader\/early.js" async fetchpriority="high">/);
    const entries = ["reader.js", "reader/paint.js"];
    assert.deepEqual(preloads(before).sort(),
      [...modules("reader.js")].filter((one) => !entries.includes(one)).sort());
    // What the rows need comes before the rest, which leaves connections to the first request.
    const [rows, rest] = before.split('<script type="module" src="reader/paint.js">');
    assert.doesNotMatch(rest, /modulepreload" href/);
    assert.deepEqual(preloads(rows).sort(),
      [...modules("reader/paint.js")].filter((one) => one !== "reader/paint.js").sort());
  });

  test("that it needs afterwards are asked for together", () => {
    assert.deepEqual(preloads(later).sort(), [...reader].filter((one) => !first.has(one) && one !== language).sort());
  });

  test("of the workbench are asked for at once", () => {
    const wanted = [...modules(line, modules("workbench.js"))].filter((one) => one !== "workbench.js").sort();
    assert.deepEqual(preloads(text("workbench.html")).sort(), wanted);
  });
});
