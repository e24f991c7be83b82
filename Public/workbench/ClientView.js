import { el } from "../ui/page.js";
import { Service } from "../freshet.js";
import { say } from "../pageTexts.js";

/** The colours that rows light up in for what a change did. */
const colours = { inserted: "--new", moved: "--moved", updated: "--changed" };
/** How many rows are shown, of longer lists the first. */
const MAX_ROWS = 200;

/** One reader in sight: its items, and what it was last sent. */
export class ClientView {
  #parts;
  #rows = new Map();

  /** @param {HTMLElement} panel */
  constructor(panel) {
    this.#parts = Object.fromEntries(["items", "exchange", "note", "state"]
      .map((name) => [name, panel.querySelector(`[data-${name}]`)]));
    panel.addEventListener("click", copy);
  }

  /** Shows a feed's items, and by motion what changed. */
  show({ snapshot }, result) {
    const old = this.#rows;
    const before = new Map([...old].map(([id, row]) => [id, row.getBoundingClientRect().top]));
    this.#rows = new Map();
    const groups = [];
    for (const { id, title = id, items } of snapshot?.sections ?? []) {
      const shown = items.slice(0, MAX_ROWS - this.#rows.size);
      if (this.#rows.size < MAX_ROWS) {
        groups.push(el("li", {}, el("h3", {}, title),
          el("ol", {}, ...shown.map((item) => this.#row(item, old)))));
      }
    }
    const more = (snapshot?.count ?? 0) - this.#rows.size;
    if (more > 0) groups.push(el("li", { class: "more" }, say("and {more} more", { more })));
    if (groups.length === 0) groups.push(el("li", { class: "none" }, say("Nothing published yet")));
    this.#parts.items.replaceChildren(...groups);
    this.#move(before);
    for (const [kind, colour] of result.isFirst ? [] : Object.entries(colours)) {
      const light = [0, 0.35].map((offset) => ({ backgroundColor: `var(${colour})`, offset }));
      for (const id of result[kind]) {
        this.#rows.get(id)?.animate(light, { duration: 2600, easing: "ease-in" });
      }
    }
  }

  #row(item, old) {
    const { id, title = item.headline ?? item.name ?? id } = item;
    const { state = item.value, note = item.summary } = item;
    const row = old.get(id) ?? el("li", {});
    const rest = [state, note].filter((part) => part !== undefined).map(inWords).join(" · ");
    row.replaceChildren(el("b", {}, inWords(title)), " ", el("span", {}, rest));
    for (const part of row.children) part.dir = "auto";
    this.#rows.set(id, row);
    return row;
  }

  /** Lets rows glide from where they were. */
  #move(before) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const [id, row] of this.#rows) {
      const way = (before.get(id) ?? NaN) - row.getBoundingClientRect().top;
      if (!way) continue;
      row.animate([{ translate: `0 ${way}px` }, { translate: 0 }],
        { duration: 350, easing: "ease" });
    }
  }

  /** Says how the feed is. */
  say({ state, error, missingSince }) {
    const place = this.#parts.state;
    // A feed that was not published yet is none that fails.
    const shown = state === "failed" && error?.status === 404 && !missingSince ? "idle" : state;
    if (place) place.textContent = say(shown);
    if (place) place.dataset.state = state;
    const { note } = this.#parts;
    note.dataset.usual ??= note.textContent;
    // That nothing was published yet its empty list says.
    note.textContent = error && (error.status !== 404 || missingSince) ? error.message : note.dataset.usual;
  }

  /** Shows what was asked and came, with words about its size. */
  exchange(url, request, text, words) {
    this.#parts.exchange.replaceChildren(...exchange(curl(url, request), pretty(text), words));
  }

  /** @param {string} words */
  note(words) {
    this.#parts.note.textContent = words;
  }
}

/** Copies the line of the button that was clicked, for what shows lines by `exchange`. */
export async function copy({ target }) {
  if (!target.matches(".copy")) return;
  const code = target.previousSibling;
  try {
    await navigator.clipboard.writeText(code.textContent);
    target.textContent = say("Copied");
  } catch {
    // Not every page may: on plain http from elsewhere there is no clipboard.
    getSelection().selectAllChildren(code);
    target.textContent = say("Selected");
  }
}

/** A line for a shell that can be copied, and its answer. */
export function exchange(line, answer, words = "") {
  return [copyLine(line), el("p", { class: "size" }, words),
    el("pre", { class: "answer", tabindex: "0" }, answer)];
}

/** A line for a shell that can be copied. */
export function copyLine(line) {
  // What is cut off there is scrolled to, by keys as well.
  return el("div", { class: "line" }, el("code", { tabindex: "0" }, line),
    el("button", { class: "copy", type: "button" }, say("Copy")));
}

/** JSON with an indent, each item on a line; other text as it is. */
export function pretty(text) {
  let indented;
  try {
    indented = JSON.stringify(JSON.parse(text), null, 1);
  } catch {
    return text;
  }
  // A line feed between braces is never in a string: there it is escaped.
  return indented.replaceAll(/\{\n([^{}[\]]*)\n\s*\}/g,
    (_, members) => `{ ${members.trim().replaceAll(/\n\s*/g, " ")} }`);
}

function inWords(value) {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A request, as of `fetch`, as a line for a shell, which has the key in its variable KEY. */
export function curl(url, { method = "GET", headers, body, isStream } = {}) {
  const parts = ["curl"];
  if (isStream) parts.push("-N");
  if (method !== "GET") parts.push("-X", method);
  parts.push(quoted(url));
  for (const [name, value] of Object.entries(headers ?? {})) {
    parts.push("-H", name === "Authorization" ? '"Authorization: Bearer $KEY"'
      : quoted(`${name}: ${value}`));
  }
  // No argument of a command may be longer than 128 KiB on Linux: then it comes of a file.
  if (body?.length > 30_000) parts.push("--data-binary", "@list.json");
  // Plain --data would take a leading @ for a file's name.
  else if (body !== undefined) parts.push("--data-raw", quoted(body));
  return parts.join(" ");
}

/** In single quotes nothing means anything to a shell but a single quote. */
function quoted(text) {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** A service that tells what it asked and what came. */
export class WatchedService extends Service {
  /** @type {(path: string, text: string) => void} */
  heard = () => {};

  async read(path, options) {
    const answer = await super.read(path, options);
    this.heard(path, answer.text);
    return answer;
  }
}
