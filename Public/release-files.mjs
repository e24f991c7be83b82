#!/usr/bin/env node
// Writes release.js into a folder: the digest of each of its files, by which worker.js keeps the files of one
// release, and knows a new one. To be run after each change of a file.
//
//   freshet-release FOLDER

import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Whether the release leaves a file out: the worker itself, its list, and what is for editors. */
const isLeftOut = (file) => /^(worker\.js|release\.js|release-files\.mjs|package\.json)$|\.(md|gz|d\.ts)$/.test(file);

/** Returns the text that a folder's release.js should have. @param {string} root of the files @param {string} [maker] */
export function releaseFiles(root, maker = "freshet-release") {
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
    .map(({ parentPath, path, name }) => relative(root, join(parentPath ?? path, name)).replaceAll("\\", "/"))
    .filter((file) => !isLeftOut(file)).sort();
  const digest = (content, form) => createHash("sha256").update(content).digest(form);
  const lines = files.map((file) =>
    `    ${JSON.stringify(file)}: "${digest(readFileSync(join(root, file)), "base64")}",\n`).join("");
  const version = digest(lines, "hex").slice(0, 12);
  return `// Made by ${maker}: the files of this release.\n`
    + `self.release = {\n  version: "${version}",\n  files: {\n${lines}  },\n};\n`;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [, , root] = process.argv;
  if (!root || !existsSync(join(root, "worker.js"))) {
    process.stderr.write("freshet-release: name a folder that has worker.js\n");
    process.exit(2);
  }
  writeFileSync(join(root, "release.js"), releaseFiles(root));
}
