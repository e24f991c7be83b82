// Declarations of the web client's classes, of their JSDoc and of scripts/named-types.mjs, by TypeScript, which
// checks the code against both: scripts/web-types.
//
//   scripts/declared-types.mjs TSC SCRIPTS COPIES FOLDER
//
// COPIES of the SCRIPTS have all types as JSDoc: those that names have, and the properties that `reflect` gives
// classes. What TypeScript declares of them is put into FOLDER without what begins with `_`; the tag `@fires`
// names a map of a class's events, `@declares` a member that a user may add. A type that does not fit the code
// that has it, is missing there, or is of nothing, is a fault.

import { copyFileSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { everywhere, typesOf } from "./named-types.mjs";

const [tsc, scripts, copies, folder] = process.argv.slice(2);
const ts = createRequire(realpathSync(tsc))("../lib/typescript.js");
const here = dirname(fileURLToPath(import.meta.url));
const files = ["freshet.js", ...["freshet", "ui"].flatMap((name) =>
  readdirSync(join(scripts, name)).filter((file) => file.endsWith(".js")).map((file) => `${name}/${file}`))];
/** TypeScript reads tags that have a line of their own. */
const tag = / @(?=param|returns|type|template|typedef|property|throws)/g;
/** The interfaces of delegates and data sources, and what is newer than the TypeScript that is used here. */
const [protocols, newer] = ["types/protocols.d.ts", "types/newer.d.ts"].map((file) => join(here, file));
/** Messages of what such a TypeScript does not know, and cannot be told. */
const unknown = /'any' does not exist on type '\{ new \(\): AbortSignal|'(timeout|canParse)' does not exist|"instant"/;

/** Messages of what is used though it may be null: it would throw. */
const loud = /TS(2531|2532|2533|2538|2721|2722):|TS2339: .* \| (null|undefined)'\.$/m;

/** How often the declarations may leave it open what something is: an item of a feed has any members. */
const MAX_ANYS = 40;

/** The name of a function, by itself or that of what it is given to. */
function nameOf(node) {
  if (ts.isConstructorDeclaration(node)) return "constructor";
  if (node.name) return node.name.text;
  const { parent } = node;
  if (ts.isArrowFunction(parent)) return nameOf(parent);
  const isGiven = [ts.isVariableDeclaration, ts.isPropertyDeclaration, ts.isPropertyAssignment]
    .some((isOne) => isOne(parent));
  return isGiven ? parent.name.text : undefined;
}

/** What of the table was used: names by what has them. */
const used = new Map();

/** Returns what a table has under a name. */
function lookUp(names, name) {
  if (!Object.hasOwn(names, name)) return undefined;
  used.set(names, (used.get(names) ?? new Set()).add(name));
  return names[name];
}

/** A script with all its types. */
class Copy {
  #edits = [];
  /** The tags to be added to what is said of something. */
  #notes = new Map();

  constructor(file) {
    this.text = readFileSync(join(scripts, file), "utf8").replaceAll(/\/\*\*.*?\*\//gs, (comment) =>
      comment.replaceAll(tag, "\n * @"));
    [this.names, this.entries] = typesOf(file);
    const tree = ts.createSourceFile(file, this.text, ts.ScriptTarget.ESNext, true, ts.ScriptKind.JS);
    this.reflected = this.#reflected(tree);
    this.#visit(tree, [{}]);
    for (const [node, tags] of this.#notes) {
      const comment = node.jsDoc?.at(-1);
      const text = tags.map((one) => `\n * ${one} `).join("");
      this.#edits.push(comment ? [comment.end - 2, text] : [node.getStart(), `/** ${text.slice(4)}*/ `]);
    }
    for (const [place, text] of this.#edits.sort(([one], [other]) => other - one)) {
      this.text = this.text.slice(0, place) + text + this.text.slice(place);
    }
  }

  /** The properties that `reflect` gives classes, by their names: texts, numbers and truth values. */
  #reflected(tree) {
    const calls = tree.statements.map(({ expression }) => expression)
      .filter((one) => one && ts.isCallExpression(one) && one.expression.text === "reflect");
    return new Map(calls.map(({ arguments: [type, { properties }] }) => [type.text, properties.map((property) =>
      [property.name.text, { FalseKeyword: "boolean", TrueKeyword: "boolean", StringLiteral: "string" }[
        ts.SyntaxKind[property.initializer.kind]] ?? "number"])]));
  }

  /** The entry of a function, or of a field or variable, of a class. */
  #entry(node, name) {
    let type = node.parent;
    while (type && !ts.isClassDeclaration(type)) type = type.parent;
    for (const one of [`${type?.name.text}.${name}`, ts.isFunctionDeclaration(node) ? `${name}()` : "", name]) {
      const entry = lookUp(this.entries, one);
      if (entry) return entry;
    }
    return undefined;
  }

  #visit(node, entries) {
    let within = entries;
    if (ts.isFunctionLike(node)) {
      const name = nameOf(node);
      const found = name === undefined ? undefined : this.#entry(node, name);
      const entry = typeof found === "object" ? found : {};
      within = [entry, ...entries];
      if (name !== undefined) this.#write(node, entry);
    } else if (ts.isPropertyDeclaration(node)) {
      const type = this.#entry(node, node.name.text);
      if (typeof type === "string" && !ts.getJSDocType(node)) this.#note(node, `@type {${type}}`);
    } else if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
      const name = node.name.text;
      const type = entries.length === 1 ? this.#entry(node, name)
        : entries.map((entry) => lookUp(entry, name)).find(Boolean);
      const isLoop = !ts.isVariableStatement(node.parent.parent);
      if (typeof type === "string" && !isLoop) this.#type(node.name, type);
    } else if (ts.isClassDeclaration(node)) {
      const own = [...this.reflected.get(node.name.text) ?? [],
        ...Object.entries(lookUp(this.entries, `${node.name.text} has`) ?? {})];
      const lines = own.map(([property, type]) => `\n/** @type {${type}} */ ${property};`);
      this.#edits.push([node.members.pos, lines.join("")]);
    }
    ts.forEachChild(node, (child) => this.#visit(child, within));
  }

  /** Writes the types of a function. */
  #write(node, entry) {
    const template = lookUp(entry, "template");
    if (template) this.#note(node, `@template ${template}`);
    const returns = ts.getJSDocReturnType(node) || ts.isSetAccessor(node) ? undefined : lookUp(entry, "returns");
    if (returns) this.#note(node, `@returns {${returns}}`);
    node.parameters.forEach((parameter, index) => {
      if (ts.getJSDocType(parameter)) return;
      const type = this.#typeOf(parameter, entry, index, ts.isSetAccessor(node));
      if (type?.startsWith("?")) this.#note(node, `@param {${type.slice(1)}} [${parameter.name.text}]`);
      else if (type && parameter.dotDotDotToken) this.#note(node, `@param {...${type}} ${parameter.name.text}`);
      else if (type) this.#type(parameter.name, type);
    });
  }

  /** Writes a type before a name. */
  #type(name, type) { this.#edits.push([name.getStart(), `/** @type {${type}} */ `]); }

  /** Returns the type of a parameter, where something has it. */
  #typeOf({ name, initializer }, entry, index, isSet) {
    if (ts.isIdentifier(name)) {
      // What it is unless it is given says what it is.
      const isClear = initializer && initializer.kind !== ts.SyntaxKind.NullKeyword
        && !ts.isArrowFunction(initializer);
      return lookUp(entry, name.text) ?? (isSet ? lookUp(entry, "arg") : undefined)
        ?? (isClear ? undefined : lookUp(this.names, name.text));
    }
    const whole = lookUp(entry, "args")?.[index] ?? lookUp(entry, "arg");
    if (whole || !ts.isObjectBindingPattern(name)) return whole;
    const members = name.elements.map((element) => {
      if (element.dotDotDotToken) return "[name: string]: any";
      const part = (element.propertyName ?? element.name).text;
      const type = lookUp(entry, part) ?? lookUp(this.names, part) ?? "any";
      return `${part}${type.startsWith("?") || element.initializer ? "?" : ""}: ${type.replace(/^\?/, "")}`;
    });
    return `{ ${members.join("; ")} }`;
  }

  /** Adds a tag to what is said of something. */
  #note(node, text) {
    this.#notes.set(node, [...this.#notes.get(node) ?? [], text]);
  }
}

const made = new Map(files.map((file) => [file, new Copy(file)]));
for (const [file, { text }] of made) {
  mkdirSync(dirname(join(copies, file)), { recursive: true });
  writeFileSync(join(copies, file), text);
}
copyFileSync(protocols, join(copies, "ui/protocols.d.ts"));
const roots = [newer, ...files.map((file) => join(copies, file))];
const options = {
  allowJs: true, checkJs: true, strict: true, skipLibCheck: true, types: [], target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.NodeJs, useDefineForClassFields: false,
};

/** The faults of types. */
function faults() {
  const check = (isView, strictness) => {
    const program = ts.createProgram(roots, { ...options, ...strictness, noEmit: true,
      strictPropertyInitialization: false, useUnknownInCatchVariables: false });
    return files.filter((file) => file.startsWith("ui/") === isView).flatMap((file) => {
      const tree = program.getSourceFile(join(copies, file));
      return [...program.getSyntacticDiagnostics(tree), ...program.getSemanticDiagnostics(tree)];
    });
  };
  const all = [...check(true, {}), ...check(false, { strictNullChecks: false, noImplicitAny: false })];
  const unused = (names, of) => Object.entries(names).flatMap(([name, type]) =>
    (!used.get(names)?.has(name) ? [`scripts/named-types.mjs: ${of} has no ${name}\n`]
      : typeof type === "string" || name === "args" || name.endsWith(" has") ? [] : unused(type, `${of}: ${name}`)));
  const leftOver = [...Object.entries(everywhere), ...[...made].map(([file, { entries }]) => [file, entries])]
    .flatMap(([of, names]) => unused(names, of));
  const host = { getCurrentDirectory: () => copies, getNewLine: () => "\n", getCanonicalFileName: (name) => name };
  const isFault = (one) => !unknown.test(one) && !loud.test(one);
  return [...all.map((one) => ts.formatDiagnostic(one, host)).filter(isFault), ...leftOver];
}

/** Returns the declaration of a method for listeners of events, by a map of their names. */
function listening(verb, events) {
  return `    ${verb}EventListener<K extends keyof ${events}>(type: K,
        listener: ((event: ${events}[K]) => void) | null,
        options?: boolean | ${verb === "add" ? "Add" : ""}EventListenerOptions): void;
`;
}

/** Adds to declarations what no TypeScript can know of a script, and takes away what is for its own use. */
function finished(declarations, file) {
  const script = readFileSync(join(scripts, file), "utf8");
  const { entries } = made.get(file);
  const added = new Map();
  for (const [, comment, name] of script.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\nexport class (\w+)/gs)) {
    const lines = [...comment.matchAll(/@declares (.*)/g)].map(([, line]) => `    ${line}\n`);
    const [, events] = comment.match(/@fires (.*)/) ?? [];
    if (events) lines.push(listening("add", events), listening("remove", events));
    added.set(name, lines.join(""));
  }
  const classes = file === "ui/classes.js" ? 'export * from "./protocols.js";\n' : "";
  return declarations.replace(/^    (get |set )?_\w+[^{\n]*;\n/gm, "")
    // Of a script's accessors TypeScript declares one type.
    .replace(/^    set (\w+)\(arg: .*?\);\n/gms, (line, name) =>
      (entries[name]?.arg ? `    set ${name}(arg: ${entries[name].arg});\n` : line))
    .replace(/(^export class (\w+).*\{\n)/gm, (head, _, name) => head + (added.get(name) ?? ""))
    .replace(/^ \*\s*@(fires|declares) .*\n/gm, "")
    // The types are in the declaration.
    .replaceAll(/\/\*\*\s*@(type|returns) \{[^*]*\}\s*\*\/\s*/g, "")
    .replaceAll(/\n[\s*]*@(?:(?:type|returns) \{.*\}|template .*?|param \{.*\} \[?\w+\]?) *(\*\/)?(?=\n)/g,
      (_, end) => (end ? " */" : ""))
    .replaceAll(/\/\*\*[\s*]*\*\/\s*/g, "").replaceAll(/[\s*]* \*\/$/gm, " */") + classes;
}

let anys = 0;
const program = ts.createProgram(roots, { ...options, declaration: true, emitDeclarationOnly: true, outDir: folder });
program.emit(undefined, (place, text) => {
  const file = relative(folder, place).replace(/\.d\.ts$/, ".js");
  mkdirSync(dirname(place), { recursive: true });
  const declarations = finished(text, file);
  anys += declarations.replaceAll(/\/\*.*?\*\//gs, "").match(/\bany\b/g)?.length ?? 0;
  writeFileSync(place, declarations);
});
copyFileSync(protocols, join(folder, "ui/protocols.d.ts"));
const found = faults();
if (anys > MAX_ANYS) found.push(`the declarations have \`any\` ${anys} times, more than ${MAX_ANYS}\n`);
process.stderr.write(found.join(""));
if (found.length > 0) process.exitCode = 1;
