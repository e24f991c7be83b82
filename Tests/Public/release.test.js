// The service worker's list of files: docs/WEB.md, "Without a network".

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { releaseFiles } from "../../scripts/release-files.mjs";

suite("the list of the files of a release", () => {
  const list = releaseFiles();

  test("is right", () => {
    const written = readFileSync(new URL("../../Public/release.js", import.meta.url), "utf8");
    assert.equal(written, list, "run scripts/release-files.mjs --write");
  });

  test("has all that pages are made of, but not what serves them", () => {
    for (const file of ["index.html", "reader/Reader.js", "style.css", "icon.svg", "app.webmanifest",
      "words/ar.js", "workbench.html"]) assert.ok(list.includes(`"${file}":`), file);
    for (const file of ["worker.js", "release.js"]) assert.ok(!list.includes(`"${file}":`), file);
  });
});
