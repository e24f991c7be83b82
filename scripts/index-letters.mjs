#!/usr/bin/env node
// Writes the web client's table of index letters, in Public/ui/IndexedCollation.js, which is made of the
// server's, Sources/FeedCollation/IndexLetters.swift: `scripts/index-letters.mjs`.
import { readFile, writeFile } from "node:fs/promises";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";

const source = new URL("../Sources/FeedCollation/IndexLetters.swift", import.meta.url);
export const target = new URL("../Public/ui/IndexedCollation.js", import.meta.url);

/** The text of the web client's module, with its table as the server's is now. */
export async function table() {
  const text = await readFile(source, "utf8");
  const plain = /plainLatin = """\n(.*?)\n *"""/s.exec(text)[1].split("\n");
  const [latin, others] = text.split("static let latin")[1].split("static let otherScripts");
  const lines = [
    ...plain.map((languages) => `${languages.trim()}: A-Z`),
    ...rows(latin, (letters) => letters.split(" ")),
    ...rows(others, (letters) => [...letters]),
  ];
  const module = await readFile(target, "utf8");
  return module.replace(/(const indexLetters = `\n)[^`]*`/, (_, head) => `${head}${lines.join("\n")}\n\``);
}

function rows(text, split) {
  // Long ones are of several lines.
  return [...text.replaceAll(/"\s*\+ "/g, "").matchAll(/\(\s*"([^"]+)",\s*"([^"]+)"\s*\)/g)].map(
    ([, languages, letters]) => `${languages}: ${short(split(letters))}`);
}

/** Letters in a row, three or more that follow each other as the first and the last of them. */
function short(letters) {
  let text = "";
  for (let start = 0, end; start < letters.length; start = end) {
    end = start + 1;
    while (end < letters.length && follows(letters[end], letters[end - 1])) end += 1;
    if (end - start > 2) text += `${letters[start]}-${letters[end - 1]}`;
    else text += letters.slice(start, end).map((one) => [...one].length > 1 ? `(${one})` : one).join("");
  }
  return text;
}

function follows(letter, before) {
  return [...letter].length === 1 && [...before].length === 1
    && letter.codePointAt() === before.codePointAt() + 1;
}

if (argv[1] === fileURLToPath(import.meta.url)) await writeFile(target, await table());
