// The parts of scripts/web-types that TypeScript does not do.
//
//   scripts/declared-types.mjs before SCRIPTS FOLDER   copies scripts, with a line for each JSDoc tag
//   scripts/declared-types.mjs after SCRIPTS FOLDER    adds the properties that `reflect` gives classes,
//                                                      and takes away those that begin with `_`;
//                                                      the tag `@fires` names a map of a class's events,
//                                                      and `@declares` a member that a user may add;
//                                                      what a script names without a type has the type
//                                                      that scripts/named-types.mjs gives its name

import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { typed } from "./named-types.mjs";

const [order, scripts, folder] = process.argv.slice(2);
const files = ["freshet.js", ...["freshet", "ui"].flatMap((name) =>
  readdirSync(join(scripts, name)).map((file) => `${name}/${file}`))];
const tag = / @(?=param|returns|type|template|typedef|property|throws)/g;
const own = new Map();
const added = new Map();

if (order === "before") {
  for (const file of files) {
    const script = readFileSync(join(scripts, file), "utf8");
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), script.replaceAll(/\/\*\*.*?\*\//gs, (comment) =>
      comment.replaceAll(tag, "\n * @")));
  }
}

for (const file of order === "after" ? files : []) {
  const script = readFileSync(join(scripts, file), "utf8");
  for (const [, name, literal] of script.matchAll(/^reflect\((\w+), (\{.*?\})\);/gms)) {
    // A literal of strings, numbers and truth values.
    own.set(name, Function(`return (${literal})`)());
  }
  for (const [, comment, name] of script.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\nexport class (\w+)/gs)) {
    const lines = [...comment.matchAll(/@declares (.*)/g)].map(([, line]) => `    ${line}\n`);
    const [, events] = comment.match(/@fires (.*)/) ?? [];
    if (events) lines.push(listening("add", events), listening("remove", events));
    added.set(name, lines.join(""));
  }
}
const reflected = new Set([...own.values()].flatMap((initial) => Object.keys(initial)));

for (const file of order === "after" ? files : []) {
  const place = join(folder, file.replace(/\.js$/, ".d.ts"));
  let types = readFileSync(place, "utf8").replace(/^    (get |set )?_\w+[^{\n]*;\n/gm, "")
    // What a class just sets is declared where it comes from.
    .replace(/^    (\w+): [^(\n]*;\n/gm, (line, name) => (reflected.has(name) ? "" : line));
  for (const [name, initial] of own) {
    const lines = Object.entries(initial).map(([property, value]) =>
      `    ${property}: ${typeof value};\n`).join("");
    types = types.replace(new RegExp(`(export class ${name} .*?\\{\n)`), (head) => head + lines);
  }
  types = types.replace(/(^export class (\w+).*\{\n)/gm, (head, _, name) => head + (added.get(name) ?? ""))
    .replace(/^ \*\s*@(fires|declares) .*\n/gm, "");
  writeFileSync(place, typed(types, file));
}

/** Returns the declaration of a method for listeners of events, by a map of their names. */
function listening(verb, events) {
  return `    ${verb}EventListener<K extends keyof ${events}>(type: K,
        listener: ((event: ${events}[K]) => void) | null,
        options?: boolean | ${verb === "add" ? "Add" : ""}EventListenerOptions): void;
`;
}
