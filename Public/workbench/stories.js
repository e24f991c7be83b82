import { changeWords } from "../console/VersionList.js";
import { say } from "../pageTexts.js";
import { el } from "../ui/page.js";
import { copy, copyLine } from "./ClientView.js";

/** Stories that are clicked through: their steps, with lines for a shell. */
export class StoryView {
  #place;
  #bench;
  #isRunning = false;

  /** @param {HTMLElement} panel @param {import("./Workbench.js").Workbench} bench */
  constructor(panel, bench) {
    this.#place = panel.querySelector("ol");
    this.#bench = bench;
    for (const button of panel.querySelectorAll("[data-story]")) {
      button.addEventListener("click", () => this.#tell(button));
    }
    panel.addEventListener("click", copy);
  }

  async #tell(button) {
    if (this.#isRunning) return;
    this.#isRunning = true;
    button.dataset.busy = "true";
    this.#place.replaceChildren();
    this.#place.hidden = false;
    try {
      for await (const step of stories[button.dataset.story](this.#bench)) this.#show(step);
    } catch ({ message }) {
      this.#show({ words: message });
    }
    delete button.dataset.busy;
    this.#isRunning = false;
  }

  #show({ words, line, sent, whole }) {
    this.#place.append(el("li", {}, el("p", {}, words), whole ? bars(sent, whole) : [],
      line ? copyLine(line) : []));
  }
}

/** How much less some bytes are than others, in words of a hundred: all only where none were sent. */
export function percentLess(sent, whole) {
  return sent > 0 ? Math.min(Math.round(100 - 100 * sent / whole), 99) : 100;
}

/** What was sent beside what whole lists would have been. */
export function bars(sent, whole) {
  const less = percentLess(sent, whole);
  const part = el("i");
  part.style.inlineSize = `${Math.max(100 * sent / whole, 0.5)}%`;
  return [el("p", { class: "size" }, say("{sent} bytes in place of {whole}: {less} % less", { sent, whole, less })),
    el("div", { class: "meter", "aria-hidden": "true" }, part)];
}

/**
 * What a publisher and readers do, step by step. Each step is what happened in words, a request as
 * `fetch` takes it, or a line for a shell, and the bytes that were sent in place of whole lists.
 * @typedef {{words: string, line: string, sent?: number, whole?: number}} Step
 */

/** How many readers ask in the third story, and how many at a time. */
const [readers, atOnce] = [1000, 12];

/** @type {Record<string, (bench: import("./Workbench.js").Workbench) => AsyncGenerator<Step>>} */
export const stories = {
  async *change(bench) {
    yield* begin(bench);
    const { token } = bench;
    await bench.edit("change");
    yield { words: say("One item changed. The publisher sends the whole list again; what differs the"
      + " server finds out."), line: await bench.publish() };
    yield await ask(bench, token, say("A reader that had the list asks what is new since."));
  },

  async *week(bench) {
    yield* begin(bench);
    const { token } = bench;
    const kinds = ["add", "change", "move", "remove", "change"];
    let line = "";
    let whole = 0;
    for (let turn = 0; turn < 21; turn += 1) {
      await bench.edit(kinds[turn % kinds.length]);
      line = await bench.publish();
      whole += await bench.size();
    }
    yield { words: say("A week goes by: the list is published three times a day, each time with a change."
      + " The reader that follows hears of each."), line };
    const asked = await ask(bench, token,
      say("The other one was away. It asks once, and gets all that it missed in one answer."));
    yield { ...asked, whole };
    await bench.ask();
  },

  async *readers(bench) {
    yield* begin(bench);
    const { token } = bench;
    const same = await crowd(bench, { "If-None-Match": `"${token}"` });
    yield { words: say("A thousand readers ask, and nothing is new: {bytes} bytes of content in {seconds} s.",
      same), sent: same.bytes, whole: readers * await bench.size(),
      line: loop(bench.line("", { "If-None-Match": `"${token}"` })) };
    await bench.edit("change");
    yield { words: say("One item changes."), line: await bench.publish() };
    const query = `?since=${token}&as=changes`;
    const { bytes, seconds } = await crowd(bench, {}, query);
    yield { words: say("All thousand ask what is new, and are told in {seconds} s.", { seconds }),
      line: loop(bench.line(query)), sent: bytes, whole: readers * await bench.size() };
  },
};

/** Publishes the list that is written, so that there is one. */
async function* begin(bench) {
  const line = await bench.publish();
  yield { words: say("A publisher sends a list of {count} items.", { count: bench.count }), line };
}

async function ask(bench, token, words) {
  const query = `?since=${token}&as=changes`;
  const text = await bench.read(query);
  return { words, line: bench.line(query), sent: bench.bytes(text), whole: await bench.size() };
}

/** Has a thousand readers ask: the bytes of all answers, and how long it took. */
async function crowd(bench, headers, query = "") {
  const start = performance.now();
  let [left, bytes] = [readers, 0];
  const reader = async () => {
    while (left > 0) {
      left -= 1;
      bytes += bench.bytes(await bench.read(query, headers));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, reader));
  return { bytes, seconds: ((performance.now() - start) / 1000).toFixed(1) };
}

/** A line for a shell that does the same a thousand times. */
function loop(line) {
  return `for n in $(seq ${readers}); do ${line.replace("curl", "curl -s -o /dev/null"
    + " -w '%{http_code} %{size_download}\\n'")}; done | sort | uniq -c`;
}

const plants = [
  ["beans", "sown", "Soak them overnight"], ["peas", "sown", "Along the south fence"],
  ["kale", "ripe", "Better after a frost"], ["leeks", "growing", "Earth up in October"],
  ["beetroot", "ripe", "Pull the big ones first"], ["carrots", "growing", "Keep the fly off"],
  ["chard", "ripe", "Cut the outer leaves"], ["garlic", "sown", "In before the winter"],
  ["basil", "growing", "Pinch out the tips"], ["mint", "ripe", "Never outside its pot"],
  ["thyme", "growing", "Hardly any water"], ["sage", "ripe", "Dry a bunch for winter"],
];
const more = ["sorrel", "lovage", "dill", "fennel", "chives", "rocket", "radish", "spinach"];
const states = ["sown", "growing", "in flower", "ripe"];

const any = (list) => list[Math.floor(Math.random() * list.length)];

const beds = [["south", "South bed"], ["north", "North bed"], ["greenhouse", "Greenhouse"],
  ["orchard", "Orchard"], ["pots", "Pots"]];
const sorts = ["early", "late", "dwarf", "giant", "red", "white", "blue", "golden", "striped",
  "wild", "summer", "winter", "hardy", "sweet", "bitter", "curly", "smooth"];

/** What the workbench begins with: 200 items, so that one change is little beside them. */
export const garden = {
  title: "Garden",
  sections: beds.map(([id, title], bed) => ({
    id, title,
    items: Array.from({ length: 40 }, (_, place) => {
      const number = bed * 40 + place;
      const [name, state, note] = plants[number % plants.length];
      const sort = sorts[Math.floor(number / plants.length)];
      return { id: `${sort}-${name}`, title: `${sort[0].toUpperCase()}${sort.slice(1)} ${name}`,
        state, note };
    }),
  })),
};

/** Ways to change a document, in place, by name; each says what it did, if it could. */
export const edits = {
  add(document) {
    const sections = sectionsOf(document);
    if (sections.length === 0) sections.push({ id: "main", items: [] });
    const taken = new Set(sections.flatMap(({ items }) => items.map(({ id }) => id)));
    const free = more.filter((name) => !taken.has(name));
    const name = free[0] ?? `seedling-${Date.now().toString(36)}`;
    sections[0].items.unshift({ id: name, title: name, state: "sown", note: "Just came" });
    return say("Added “{id}”.", { id: name });
  },
  change(document) {
    const item = any(sectionsOf(document).flatMap(({ items }) => items));
    if (!item) return undefined;
    item.state = any(states.filter((state) => state !== item.state));
    return say("Changed “{id}” to {state}.", item);
  },
  move(document) {
    const from = any(sectionsOf(document).filter(({ items }) => items.length > 1));
    if (!from) return undefined;
    const [item] = from.items.splice(Math.floor(Math.random() * (from.items.length - 1)), 1);
    from.items.push(item);
    return say("Moved “{id}” to the end.", item);
  },
  remove(document) {
    const from = any(sectionsOf(document).filter(({ items }) => items.length > 0));
    if (!from) return undefined;
    const [item] = from.items.splice(Math.floor(Math.random() * from.items.length), 1);
    return say("Removed “{id}”.", item);
  },
};

/** A document's sections; items without any become one. */
function sectionsOf(document) {
  const { items, sections = [{ id: "main", items }] } = document ?? {};
  const isList = (list) => Array.isArray(list) && list.every((one) => one?.id !== undefined);
  const isObject = typeof document === "object" && document && !Array.isArray(document);
  if (!isObject || !isList(sections)
    || !sections.every((section) => isList(section.items ??= []))) {
    throw new TypeError(say("it has neither sections nor items with an id each."));
  }
  delete document.items;
  return document.sections = sections;
}

/**
 * What came of a publish, for a person: in words, and after a fault the field where it can be
 * mended, and from which of its characters on. `isUnknown`: it may have been published or not.
 * @param {number} status @param {string} text the answer @param {string} body what was published
 * @returns {{words: string, field?: string, at?: number, isUnknown?: boolean}}
 */
export function outcome(status, text, body) {
  let answer = {};
  try {
    answer = JSON.parse(text) ?? {};
  } catch {
    // It is not Freshet that answered.
  }
  if (status < 300) return { words: published(answer) };
  if (status === 401) return { words: say("The server does not know this key. It prints its own "
    + "when it starts."), field: "key" };
  if (status === 403) return { words: say("This key may not publish to this feed."), field: "key" };
  if (/\/outcome-unknown$/.test(answer.type)) return { words: say("The server cannot say whether that "
    + "was published. Publish it again: it is not published twice."),
    field: "send", isUnknown: true };
  if (/\/too-many-removed$/.test(answer.type)) return { words: say("This would remove {removed} of the "
    + "{count} items, and the feed’s guard lets {limit} go at most.", answer), field: "anyway" };
  return fault(status, answer, body);
}

/** A fault in what was published, with its place in the text where the server says it. */
function fault(status, { title = say("That did not work"), detail, pointer, offset, line }, body) {
  const said = detail ?? status;
  const at = place(body, offset, line);
  const where = pointer ? ` (at ${pointer})` : "";
  if (at === undefined) return { words: `${title}: ${said}${where}`, field: "document" };
  const lines = body.slice(0, at).split("\n");
  const values = { line: lines.length, column: lines.at(-1).length + 1, said };
  const words = Number.isInteger(offset) ? say("Line {line}, column {column}: {said}", values)
    : say("Line {line}: {said}", values);
  return { words, field: "document", at };
}

/** The character of a text at a byte of its UTF-8, or else the first one of a line. */
function place(body, offset, line) {
  if (Number.isInteger(offset) && offset >= 0) {
    const bytes = new TextEncoder().encode(body);
    return new TextDecoder().decode(bytes.subarray(0, offset)).length;
  }
  if (!Number.isInteger(line) || line < 1) return undefined;
  const before = body.split("\n", line - 1);
  return before.join("\n").length + (before.length > 0 ? 1 : 0);
}

function published({ changed, items, sections }) {
  if (!changed) return say("Published. It was the same before, and so there is no new version.");
  const isOther = Object.values(sections ?? {}).some((number) => number > 0);
  return say("Published: {what}.",
    { what: changeWords(items) || say(isOther ? "other sections" : "another title") });
}
