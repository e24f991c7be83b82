import { nextFrame } from "../freshet/Feed.js";
import { announce, el } from "../ui/page.js";
import { t, toText } from "../words.js";
import { contentOf, firstNonEmpty, isNews, textOf, titleOf, words } from "./FeedCell.js";
import { marksOf } from "./marks.js";
import { hashOf } from "./prerender.js";

/** How many items of a feed are shown, and how much of what they say. */
const [MAX_FOUND, MAX_LENGTH] = [20, 160];
/** How many are shown of a list that is not of words. */
const MAX_LISTED = 200;
/** After how long without another letter a screen reader hears what was found, in milliseconds. */
const pause = 700;

/** Looks for words, or what is unread or starred, in all feeds that are held on this device. */
export class Search {
  #reader;
  #part;
  /** The feeds of the list that are held, until the list is another. @type {?Promise<object[]>} */
  #held = null;
  /** What can be looked for in the items of a snapshot. */
  #texts = new WeakMap();
  #words = [];
  #kind = null;
  /** The number of the search that is under way: others that were begun before show nothing. */
  #turn = 0;
  #timer = 0;

  /** @param {import("./Reader.js").Reader} reader */
  constructor(reader) {
    this.#reader = reader;
    this.#part = reader.part;
    // Feeds that are not in the list any more are not for this reader.
    new MutationObserver(() => {
      this.#held = null;
      if (this.#isAsked) this.#find();
    }).observe(this.#part("feeds"), { childList: true });
    // A feed that is opened knows more than what was kept.
    addEventListener("hashchange", () => { this.#held = null; });
  }

  get #isAsked() { return this.#words.length > 0 || this.#kind !== null; }

  /**
   * Shows which items have all of the words, in place of the list; with none the list.
   * @param {string} text @param {?"unread" | "starred"} [kind] of which items alone, if not of all
   */
  show(text, kind = null) {
    this.#words = text.toLowerCase().split(/\s+/).filter(Boolean);
    this.#kind = kind;
    clearTimeout(this.#timer);
    this.#turn += 1;
    if (this.#isAsked) return this.#find();
    this.#part("found").replaceChildren();
    this.#part("found").hidden = true;
    return undefined;
  }

  /** Opens the first that was found. */
  openFirst() { this.#part("found").querySelector("a")?.click(); }

  async #find() {
    const words = this.#words;
    const kind = this.#kind;
    const turn = this.#turn += 1;
    const held = this.#held ??= this.#hold();
    const { items } = kind === "starred" ? await this.#reader.loadRest() : {};
    const stars = await items?.stars();
    const feeds = stars ? starredFeeds(stars) : await held;
    // Other words were written meanwhile, or none, or the list is another.
    if (turn !== this.#turn) return;
    const found = [];
    for (const feed of feeds) {
      const some = this.#itemsOf(feed, words, kind);
      if (some.length > 0) found.push([feed, some]);
    }
    const count = found.reduce((sum, [, items]) => sum + items.length, 0);
    const empty = { unread: "allRead", starred: "noStars" }[words.length > 0 ? "" : kind] ?? "foundNone";
    this.#part("found").hidden = false;
    this.#part("found").replaceChildren(...count > 0
      ? found.flatMap(([feed, items]) => this.#partOf(feed, items)) : [nothing(empty)],
    ...stars && count > 0 ? [this.#exportButton(stars)] : []);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() =>
      announce(count > 0 ? t("items", { count }) : t(empty)), pause);
  }

  /** A button that saves stars and marks as a file. */
  #exportButton(stars) {
    const made = el("button", { type: "button" }, t("exportStars"));
    made.addEventListener("click", () => {
      const text = stars.export(this.#reader.list.feeds.map(({ id }) => id));
      const href = URL.createObjectURL(new Blob([text], { type: "application/feed+json" }));
      el("a", { href, download: "freshet.json" }).click();
      setTimeout(() => URL.revokeObjectURL(href), 10_000);
    });
    return made;
  }

  /** Takes up what is kept of each feed in the list. */
  async #hold() {
    const feeds = [];
    for (const id of this.#reader.list.ids) {
      const feed = this.#reader.feedOf(id);
      if (!feed.snapshot && await feed.restore()) await nextFrame();
      if (feed.snapshot) feeds.push(feed);
    }
    return feeds;
  }

  #itemsOf({ id, snapshot }, words, kind) {
    if (!snapshot || kind === "unread" && snapshot.members.collate) return [];
    if (!this.#texts.has(snapshot)) {
      this.#texts.set(snapshot, snapshot.sections.flatMap(({ items }) =>
        items.map((item) => [item, textOf(item)])));
    }
    const isWanted = kind === "unread" ? (item) => isNews(item) && !marksOf(id).has(item.id) : () => true;
    return this.#texts.get(snapshot).filter(([item]) => isWanted(item))
      .filter(([, text]) => words.every((word) => text.includes(word))).map(([item]) => item);
  }

  /** A feed's name, and a link for each of its first items that were found. */
  #partOf({ id, snapshot }, items) {
    const head = directed("h3", words(firstNonEmpty(snapshot.members.title, id)));
    head.append(el("span", { class: "count" }, toText(items.length)));
    const links = items.slice(0, this.#kind ? MAX_LISTED : MAX_FOUND).map((item) =>
      el("a", { href: hashOf(id, item.id) }, this.#marked(words(titleOf(item))),
        this.#marked(words(firstNonEmpty(item.summary, contentOf(item))))));
    return [head, el("ul", {}, links.map((link) => el("li", {}, link)))];
  }

  /** A text from a little before the first of the words on, in which all of them are marked. */
  #marked(text) {
    const made = directed("span", "");
    if (this.#words.length === 0) {
      made.textContent = text.slice(0, MAX_LENGTH);
      return made;
    }
    const signs = this.#words.map((word) => word.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
    const pattern = new RegExp(`(${signs.join("|")})`, "iu");
    const start = Math.max(0, text.search(pattern) - MAX_LENGTH / 4);
    const shown = (start > 0 ? "…" : "") + text.slice(start, start + MAX_LENGTH);
    made.append(...shown.split(new RegExp(pattern, "giu")).map((piece, index) =>
      (index % 2 ? directed("mark", piece) : piece)));
    return made;
  }
}

function nothing(name) {
  return el("div", { class: "none" }, directed("h3", t(name)), directed("p", t(`${name}Text`)));
}

/** Starred items as those of the feeds that they are from. @param {import("./ItemController.js").Stars} stars */
function starredFeeds(stars) {
  return [...Map.groupBy(stars.all, ({ feed }) => feed)].map(([id, all]) => ({
    id, snapshot: { members: { title: all[0].title }, sections: [{ items: all.map(({ item }) => item) }] },
  }));
}

/** Makes an element whose text has a direction of its own. */
function directed(name, content) { return el(name, { dir: "auto" }, content); }
