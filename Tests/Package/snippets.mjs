// The examples of README.md and docs/WEB.md, as modules of TypeScript to be compiled.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";

const [root, folder] = process.argv.slice(2);
const modules = {
  "./freshet.js": "freshet-web", "./Public/freshet.js": "freshet-web", "./ui.js": "freshet-web/ui.js",
};
/** Names that examples take from the ones before them. */
const known = { Service: "service", Feed: "feed" };

mkdirSync(folder, { recursive: true });
for (const file of ["README.md", "docs/WEB.md"]) {
  const snippets = [...readFileSync(`${root}/${file}`, "utf8").matchAll(/^```(?:js|ts|tsx)\n(.*?)^```/gms)];
  if (snippets.length === 0) throw new Error(`${file} has no examples`);
  for (const [number, [, code]] of snippets.entries()) {
    const lines = Object.entries(known)
      .filter(([, name]) => !new RegExp(`(const|let) ${name}\\b|[(,] *${name}\\b[^()]*\\) (=>|\\{)`).test(code))
      .map(([type, name]) => `declare const ${name}: import("freshet-web").${type};\n`);
    const text = code.replace(/ from "(\.\/.*?\.js)"/g, (all, path) =>
      (modules[path] ? ` from "${modules[path]}"` : all));
    writeFileSync(`${folder}/${file.replace(/\W/g, "-")}-${number}.ts`, `${lines.join("")}${text}\nexport {};\n`);
  }
}
