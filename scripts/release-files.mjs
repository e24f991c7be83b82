#!/usr/bin/env node
// Names the release of the web client: Public/release.js has the digest of every file, by which the
// service worker knows a new one, and which files belong together.
//
//   scripts/release-files.mjs --write   writes it anew, after a change in Public
//   scripts/release-files.mjs --check   says whether it is right

import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../Public");
/** Of those the service worker is one, and takes the other; types are for editors. */
const isLeftOut = (file) => /^(worker|release)\.js$|^package\.json$|^types\/|\.(md|gz|d\.ts)$/.test(file);

/** What Public/release.js should have. @param {string} [root] of the files */
export function releaseFiles(root = folder) {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map(({ parentPath, path, name }) => join(parentPath ?? path, name).slice(root.length + 1))
    .filter((file) => !isLeftOut(file)).sort();
  const digest = (content, form) => createHash("sha256").update(content).digest(form);
  const lines = files.map((file) =>
    `    "${file}": "${digest(readFileSync(join(root, file)), "base64")}",\n`).join("");
  const version = digest(lines, "hex").slice(0, 12);
  return "// Made by scripts/release-files.mjs --write: the files of this release.\n"
    + `self.release = {\n  version: "${version}",\n  files: {\n${lines}  },\n};\n`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , order, root = folder] = process.argv;
  const place = join(root, "release.js");
  if (order === "--write") {
    writeFileSync(place, releaseFiles(root));
  } else if (order !== "--check") {
    process.stderr.write("release-files: --write or --check\n");
    process.exitCode = 2;
  } else if (readFileSync(place, "utf8") !== releaseFiles(root)) {
    process.stderr.write("release-files: run scripts/release-files.mjs --write\n");
    process.exitCode = 1;
  }
}
