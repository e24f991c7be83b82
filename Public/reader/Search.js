import { nextFrame } from "../freshet/Feed.js";
import { announce } from "../ui/announce.js";
import { el } from "../ui/element.js";
import { toText, t } from "../words.js";
import { contentOf, firstNonEmpty, textOf, titleOf, words } from "./members.js";

/** How many items of a feed are shown, and how much of what they say. */
const [most, longest] = [20, 160];
/** After how long without another letter a screen reader hears what was found, in milliseconds. */
const pause = 700;

/** Looks for words in all feeds that are held on this device, also without a network. */
export class Search {
  #reader;
  #part;
  /** The feeds of the list that are held, until the list is another. @type {?Promise<object[]>} */
  #held = null;
  /** What can be looked for in the items of a snapshot. */
  #texts = new WeakMap();
  #words = [];
  #timer = 0;

  /** @param {import("./Reader.js").Reader} reader */
  constructor(reader) {
    this.#reader = reader;
    this.#part = reader.part;
    // Feeds that are not in the list any more are not for this reader.
    new MutationObserver(() => {
      this.#held = null;
      if (this.#words.length > 0) this.#find();
    }).observe(this.#part("feeds"), { childList: true });
    // A feed that is opened knows more than what was kept.
    addEventListener("hashchange", () => { this.#held = null; });
  }

  /** Shows which items have all of the words, in place of the list; with none the list. */
  show(text) {
    this.#words = text.toLowerCase().split(/\s+/).filter(Boolean);
    clearTimeout(this.#timer);
    if (this.#words.length > 0) return this.#find();
    this.#part("found").replaceChildren();
    this.#part("found").hidden = true;
    return undefined;
  }

  /** Opens the first that was found. */
  openFirst() { this.#part("found").querySelector("a")?.click(); }

  async #find() {
    const words = this.#words;
    const held = this.#held ??= this.#hold();
    const found = [];
    for (const feed of await held) {
      // Others are written meanwhile, or the list is another.
      if (words !== this.#words || held !== this.#held) return;
      const items = this.#itemsOf(feed, words);
      if (items.length > 0) found.push([feed, items]);
    }
    const count = found.reduce((sum, [, items]) => sum + items.length, 0);
    this.#part("found").hidden = false;
    this.#part("found").replaceChildren(...count > 0
      ? found.flatMap(([feed, items]) => this.#partOf(feed, items)) : [nothing()]);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() =>
      announce(count > 0 ? t("items", { count }) : t("foundNone")), pause);
  }

  /** Takes up what is kept of each feed in the list. */
  async #hold() {
    const feeds = [];
    for (const { hash } of [...this.#part("feeds").querySelectorAll("a")]) {
      const feed = this.#reader.feedOf(decodeURIComponent(hash.slice(1)));
      if (!feed.snapshot && await feed.restore()) await nextFrame();
      if (feed.snapshot) feeds.push(feed);
    }
    return feeds;
  }

  #itemsOf({ snapshot }, words) {
    if (!snapshot) return [];
    if (!this.#texts.has(snapshot)) {
      this.#texts.set(snapshot, snapshot.sections.flatMap(({ items }) =>
        items.map((item) => [item, textOf(item)])));
    }
    return this.#texts.get(snapshot)
      .filter(([, text]) => words.every((word) => text.includes(word))).map(([item]) => item);
  }

  /** A feed's name, and a link for each of its first items that were found. */
  #partOf({ id, snapshot }, items) {
    const head = directed("h3", words(firstNonEmpty(snapshot.members.title, id)));
    head.append(el("span", { class: "count" }, toText(items.length)));
    const list = el("ul");
    list.append(...items.slice(0, most).map((item) => {
      const link = el("a", { href: `#${encodeURIComponent(id)}/${encodeURIComponent(item.id)}` });
      link.append(this.#marked(words(titleOf(item))),
        this.#marked(words(firstNonEmpty(item.summary, contentOf(item)))));
      return el("li", {}, link);
    }));
    return [head, list];
  }

  /** A text from a little before the first of the words on, in which all of them are marked. */
  #marked(text) {
    const made = directed("span", "");
    const signs = this.#words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
    const pattern = new RegExp(`(${signs.join("|")})`, "iu");
    const start = Math.max(0, text.search(pattern) - longest / 4);
    const shown = (start > 0 ? "…" : "") + text.slice(start, start + longest);
    made.append(...shown.split(new RegExp(pattern, "giu")).map((piece, index) =>
      (index % 2 ? directed("mark", piece) : piece)));
    return made;
  }
}

function nothing() {
  const made = el("div", { class: "none" });
  made.append(directed("h3", t("foundNone")), directed("p", t("foundNoneText")));
  return made;
}

/** Makes an element whose text has a direction of its own. */
function directed(name, content) { return el(name, { dir: "auto" }, content); }
