// How the scripts are arranged: a class is whole in its file, and nothing reaches into another's.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { suite, test } from "node:test";

const folder = new URL("../../Public/", import.meta.url);
const files = readdirSync(folder, { recursive: true }).map((file) => file.replaceAll("\\", "/"))
  .filter((file) => file.endsWith(".js") && file !== "release.js");
const scripts = new Map(files.map((file) => [file, readFileSync(new URL(file, folder), "utf8")]));

suite("scripts", () => {
  // Some are loaded only when they are needed, and what fails to load is taken for an answer of the network.
  test("can all be parsed", () => {
    for (const file of files) {
      const { status, stderr } = spawnSync(process.execPath, ["--check", new URL(file, folder).pathname]);
      assert.equal(status, 0, `${file}: ${stderr}`);
    }
  });

  test("have no members that are private by an underscore alone", () => {
    for (const [file, script] of scripts) assert.doesNotMatch(script, /(\.|^ {2}|get |set )_[a-z]/m, file);
  });

  test("add to the prototypes of their own classes only", () => {
    for (const [file, script] of scripts) {
      for (const [, name] of script.matchAll(/\b([A-Z]\w+)\.prototype(?:\.\w+ =|, )/g)) {
        assert.match(script, new RegExp(`class ${name}\\b`), `${file}: ${name}`);
      }
      for (const [, name] of script.matchAll(/^reflect\((\w+),/gm)) {
        assert.match(script, new RegExp(`class ${name}\\b`), `${file}: ${name}`);
      }
    }
  });

  // How many there may be in all is in scripts/test-structure.
  test("for the protocol are five", () => {
    assert.equal(files.filter((file) => file.startsWith("freshet/")).length, 5);
  });
});
