// The tables of texts: docs/WEB.md, "Languages".

import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { suite, test } from "node:test";
import { languages } from "../../Public/words.js";

const folder = new URL("../../Public/", import.meta.url);
const read = (file) => readFileSync(new URL(file, folder), "utf8");
const tables = Object.fromEntries(await Promise.all(languages.map(async (language) =>
  [language, (await import(`../../Public/words/${language}.js`)).default])));
const holes = (text) => [...text.matchAll(/\{\w+\}/g)].map(([hole]) => hole).sort();
/** What stands in the page, which says it in English. */
const ofPage = [...read("index.html").matchAll(/data-(?:t|label|hint)="(\w+)"/g)].map(([, name]) => name);
const forms = (text) => (typeof text === "string" ? [text] : Object.values(text));

suite("the texts of every language", () => {
  for (const language of languages) {
    test(`are there: ${language}`, () => {
      const all = new Set([...Object.keys(tables.en), ...language === "en" ? [] : ofPage]);
      assert.deepEqual(Object.keys(tables[language]).sort(), [...all].sort());
      for (const [name, text] of Object.entries(tables[language])) {
        assert.ok(forms(text).every((form) => form.trim()), `${name} is empty`);
      }
    });

    test(`have the values that English has: ${language}`, () => {
      for (const [name, text] of Object.entries(tables[language])) {
        const expected = holes(forms(tables.en[name] ?? "").at(-1));
        const last = typeof text === "string" ? text : text.other;
        assert.deepEqual(holes(last), expected, name);
      }
    });

    test(`have a form for every number: ${language}`, () => {
      const plurals = new Intl.PluralRules(language).resolvedOptions().pluralCategories;
      for (const [name, text] of Object.entries(tables[language])) {
        if (typeof text === "string") continue;
        for (const form of plurals) assert.ok(text[form], `${name}: ${form}`);
      }
    });
  }

  test("are all used, and all that are used are there", () => {
    const scripts = readdirSync(new URL("reader/", folder))
      .filter((file) => file.endsWith(".js")).map((file) => read(`reader/${file}`)).join("\n");
    const isUsed = (name) => new RegExp(`"${name.replace(/Text$/, "")}"`).test(scripts);
    assert.deepEqual(Object.keys(tables.en).filter((name) => !isUsed(name)), []);
    for (const [, name] of scripts.matchAll(/\bt\("(\w+)"/g)) assert.ok(tables.en[name], name);
  });

  test("are what a screen reader hears, and nothing else is", () => {
    for (const file of readdirSync(new URL("reader/", folder)).filter((one) => /\.js$/.test(one))) {
      assert.doesNotMatch(read(`reader/${file}`), /announce\(["`]/, file);
    }
  });

  test("of English are what the page says without them", () => {
    for (const [, name, text] of read("index.html").matchAll(/data-t="(\w+)"[^>]*>([^<]*)</g)) {
      assert.ok(text && [undefined, text].includes(tables.en[name]), name);
    }
    for (const [tag] of read("index.html").matchAll(/<[^>]*data-(?:label|hint)="[^>]*>/g)) {
      const [, label] = tag.match(/data-label="(\w+)"/) ?? [];
      if (label) assert.ok(tag.includes(`aria-label="${tables.en[label] ?? ""}`), tag);
    }
  });
});
