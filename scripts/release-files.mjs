#!/usr/bin/env node
// Makes what the web client states about its own files: in pages, the modules to fetch ahead, and in
// Public/release.js the digest of every file, by which the service worker knows a new release.
//
//   scripts/release-files.mjs --write   writes both anew, after a change in Public
//   scripts/release-files.mjs --check   says whether they are right
//
// A page has a line `<!-- modules: ENTRY … -->` where links to these modules, and to all that they
// import, are put; ` low` before the colon gives them a low priority.

import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import { releaseFiles as listed } from "../Public/release-files.mjs";

const folder = join(dirname(fileURLToPath(import.meta.url)), "../Public");
const pages = ["index.html", "workbench.html", "admin.html"];

/** Returns a module and all that it imports at once, in the order in which they are found. */
export function modules(entry, found = new Set(), root = folder) {
  found.add(entry);
  const script = readFileSync(join(root, entry), "utf8");
  for (const [, path] of script.matchAll(/^(?:import|export)\b[^;(]*?"(\..*?)";/gms)) {
    const file = posix.join(posix.dirname(entry), path);
    if (!found.has(file)) modules(file, found, root);
  }
  return found;
}

/** Returns a page with the links to modules that its comments ask for, each module once. */
export function withLinks(page, root = folder) {
  const listed = new Set([...page.matchAll(/<script type="module" src="(.*?)"/g)].map(([, file]) => file));
  return page.replace(/( *)<!-- modules( low)?: (.*) -->\n(?: *<link rel="modulepreload".*\n)*/g,
    (_, indent, low = "", entries) => {
      const files = entries.split(" ").flatMap((entry) => [...modules(entry, new Set(), root)]);
      const links = files.filter((file) => !listed.has(file) && listed.add(file)).map((file) =>
        `${indent}<link rel="modulepreload"${low && ' fetchpriority="low"'} href="${file}">\n`);
      return `${indent}<!-- modules${low}: ${entries} -->\n${links.join("")}`;
    });
}

/** Returns the text that Public/release.js should have. @param {string} [root] of the files */
export function releaseFiles(root = folder) { return listed(root, "scripts/release-files.mjs --write"); }

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [, , order, root = folder] = process.argv;
  const written = (file) => readFileSync(join(root, file), "utf8");
  const makers = [...pages.map((page) => [page, () => withLinks(written(page), root)]),
    ["release.js", () => releaseFiles(root)]];
  if (order === "--write") {
    for (const [file, make] of makers) writeFileSync(join(root, file), make());
  } else if (order !== "--check") {
    process.stderr.write("release-files: --write or --check\n");
    process.exitCode = 2;
  } else if (makers.some(([file, make]) => written(file) !== make())) {
    process.stderr.write("release-files: run scripts/release-files.mjs --write\n");
    process.exitCode = 1;
  }
}
