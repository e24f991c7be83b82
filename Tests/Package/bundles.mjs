// What a bundler keeps of the module, and that it runs where there is no page.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "node_modules/freshet-web");
const { exports, version, sideEffects, files, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

/** A bundle of some code, as it is sent. */
function bundle(code) {
  const entry = join(here, "entry.js");
  writeFileSync(entry, code);
  execFileSync("esbuild", [entry, "--bundle", "--minify", "--format=esm", "--splitting",
    `--outdir=${here}/out`, "--log-level=error"]);
  return readFileSync(join(here, "out/entry.js"));
}

const collation = gzipSync(bundle(
  `import { IndexedCollation } from "freshet-web/ui.js"; console.log(new IndexedCollation("sv"));`));
assert.ok(collation.length <= 6000, `IndexedCollation alone takes ${collation.length} bytes`);

const nothing = bundle(`import { TableView } from "freshet-web/ui.js"; import "freshet-web/freshet.js";`);
assert.ok(nothing.length < 40, `what is not used stays: ${nothing}`);
const all = bundle(`import "freshet-web/define.js";`).toString();
assert.ok(all.includes("table-view"), "what registers elements is lost");

for (const [name, target] of Object.entries(exports)) {
  for (const file of typeof target === "string" ? [target] : Object.values(target)) {
    if (!file.includes("*")) assert.ok(existsSync(join(root, file)), `${name}: ${file} is missing`);
  }
}
for (const file of files) assert.ok(existsSync(join(root, file)), `${file} is missing`);

// The package has what keeps a page of one's own for when there is no network.
const site = join(here, "site");
mkdirSync(join(site, "images"), { recursive: true });
cpSync(join(root, "worker.js"), join(site, "worker.js"));
writeFileSync(join(site, "index.html"), "<p>");
writeFileSync(join(site, "images", 'a"b.svg'), "<svg/>");
for (const folder of [site, "./site/", "site"]) {
  execFileSync(process.execPath, [join(root, bin["freshet-release"]), folder], { cwd: here });
  const self = {};
  Function("self", readFileSync(join(site, "release.js"), "utf8"))(self);
  assert.deepEqual(Object.keys(self.release.files), ["images/a\"b.svg", "index.html"]);
}
assert.ok(["worker.js", "release-files.mjs"].every((file) => files.includes(file)));
assert.match(version, /^\d+\.\d+\.\d+$/);
assert.ok(readFileSync(join(root, "CHANGELOG.md"), "utf8").includes(`## ${version}\n`));
assert.ok(sideEffects.includes("./ui.js"));

// Every module can be imported without a page, and leaves nothing behind.
const before = Object.keys(globalThis).join();
for (const name of ["freshet-web", "freshet-web/ui.js", "freshet-web/define.js",
  "freshet-web/ui/TableView.js", "freshet-web/ui/Zooming.js", "freshet-web/freshet/Connection.js"]) {
  assert.ok(Object.keys(await import(name)) !== null, name);
}
assert.equal(Object.keys(globalThis).join(), before);
