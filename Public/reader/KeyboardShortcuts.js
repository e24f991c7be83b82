import { announce } from "../ui/announce.js";
import { load, save } from "../ui/memory.js";
import { formatRelative, t } from "../words.js";
import { deleteStale, useKey } from "./keyCache.js";
import { banner, statusWords } from "./notices.js";
import { keepPages } from "./offline.js";

const forGood = () => localStorage;
/** After how long out of sight a feed is asked for anew, in milliseconds. */
const old = 30_000;
/** How often the times in sight are written anew, and what is offline is tried again. */
const [tick, retry] = [30_000, 10_000];

/** How the reader's page is operated: keys, the way back, dialogs, and what comes by itself. */
export class KeyboardShortcuts {
  #reader;
  #part;
  /** What looks for words in all feeds, once it was asked for. */
  #found = null;
  /** The number of unread items that the installed page's icon has. */
  #badge = 0;

  /** @param {import("./Reader.js").Reader} reader */
  constructor(reader) {
    this.#reader = reader;
    this.#part = reader.part;
    const part = this.#part;
    part("back").addEventListener("click", (event) => this.#goBack(event));
    part("live").addEventListener("change", () => this.#explainLive());
    part("search-words").addEventListener("input", () => this.#search());
    part("search").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#found?.openFirst();
    });
    if (part("search-words").value) this.#search();
    addEventListener("keydown", (event) => this.#keyDown(event));
    addEventListener("online", () => reader.refresh());
    document.addEventListener("visibilitychange", () => {
      const { refreshed = 0 } = reader.feed ?? {};
      if (!document.hidden && Date.now() - refreshed > old) reader.refresh();
    });
    setInterval(() => this.#tick(), tick);
    setInterval(() => this.#tryAgain(), retry);
    keepPages((take) => this.#offer(take));
    deleteStale();
    this.#takeFocus();
  }

  /** Puts the focus where it belongs on a phone, if another screen came before this did. */
  #takeFocus() {
    const { activeElement, body } = document;
    if (activeElement !== body && isInSight(activeElement)) return;
    if (!this.#reader.named || history.state?.isFromList) this.#focus(this.#reader.feed?.id);
  }

  #tick() {
    this.#reader.render();
    this.#reader.items?.tick();
    this.#reader.list.tick();
  }

  /** Where the server could not be reached, it may be there again. */
  #tryAgain() {
    const { feed } = this.#reader;
    if (document.hidden || !feed?.error || feed.error.status || feed.state !== "offline") return;
    feed.refresh().then(() => this.#reader.loadList(), () => {});
  }

  #keyDown(event) {
    const { key, repeat, ctrlKey, metaKey, altKey, target } = event;
    if (key === "Escape" && target.id === "search-words") return this.#leaveSearch(event);
    const isField = target.closest("dialog, input:not([type=checkbox])");
    if (repeat || ctrlKey || metaKey || altKey || isField) return;
    const { isPhone, named, itemNamed } = this.#reader;
    if (key.toLowerCase() === "r") this.#reader.refresh();
    if (key.toLowerCase() === "s" && isInSight(this.#part("search-words"))) {
      this.#part("search-words").select();
      event.preventDefault();
    }
    if (key === "Escape" && isPhone && named && !itemNamed) this.#goBack();
  }

  /** Looks for what was written, in all feeds; the code of that comes when it is asked for. */
  async #search() {
    const { Search } = await import("./Search.js").catch(() => ({}));
    if (Search) this.#found ??= new Search(this.#reader);
    this.#found?.show(this.#part("search-words").value);
  }

  #leaveSearch(event) {
    event.preventDefault();
    this.#part("search-words").value = "";
    this.#part("search-words").blur();
    this.#found?.show("");
  }

  /** Shows what the address names now; on a phone that may be another screen. */
  goTo(wasList) {
    const reader = this.#reader;
    const before = reader.feed?.id;
    this.#part("app").classList.add("moves");
    reader.open(reader.isPhone && Boolean(reader.named) && wasList);
    if (!reader.named) reader.loadList();
    this.#focus(before);
  }

  /** Puts the focus on a phone's screen: on its title, or on the feed that one comes from. */
  #focus(before) {
    const { isPhone, named, itemNamed, list } = this.#reader;
    if (!isPhone) return;
    if (!named) list.focus(before);
    else if (!itemNamed) this.#part("title").focus({ preventScroll: true });
  }

  /** To the list that this feed was opened from, rather than to one more of it. */
  #goBack(event) {
    // The reader itself went there.
    if (event?.defaultPrevented) return;
    event?.preventDefault();
    if (history.state?.isFromList) history.back();
    else location.replace("#");
  }

  askKey() {
    this.#dialog("Key", (key) => {
      if (key !== (load("freshet key") ?? "")) return startAnew(this.#reader, key, useKey(key));
      return this.#reader.refresh();
    });
  }

  askSettings() { this.#dialog("Settings"); }
  filter() { this.#reader.items?.filter(); }

  /** Shows a dialog, whose code comes when it is asked for. */
  async #dialog(name, ...options) {
    const dialogs = await import("./dialogs.js").catch(() => null);
    dialogs?.[`show${name}`](...options);
  }

  /** Says how the feed in sight is, above its rows. */
  render() {
    const { feed, outcome, view } = this.#reader;
    const { snapshot, error, state, refreshed } = feed ?? {};
    this.#part("status").dataset.state = state ?? "idle";
    this.#part("status").textContent = snapshot ? statusWords(feed, outcome) : "";
    banner(this.#part("banner"), snapshot && error, feed ?? {}, () => this.#reader.refresh());
    this.#badgeUnread();
    this.#nameFormats();
    if (view && refreshed) view.control.attributedTitle = t("updated", { ago: formatRelative(refreshed) });
  }

  #nameFormats() {
    const { feed, list } = this.#reader;
    const ids = [...this.#part("feeds").querySelectorAll("a")]
      .map((link) => decodeURIComponent(link.hash.slice(1)));
    const all = new Set(feed && list.has(feed.id) ? [feed.id, ...ids] : ids);
    nameFormats([...all].map((id) => ({ id, name: list.name(id) })));
  }

  /** Shows on the icon of an installed page how many items of all feeds are unread. */
  #badgeUnread() {
    const unread = [...this.#part("feeds").querySelectorAll("a")]
      .reduce((sum, link) => sum + (link.unread || 0), 0);
    if (unread === this.#badge) return;
    this.#badge = unread;
    // Where it is not installed, or may not, there is none.
    navigator.setAppBadge?.(unread).catch(() => {});
  }

  /** Shows what came of a refresh for a while, in place of how old it is. */
  notify(words) {
    const reader = this.#reader;
    reader.outcome = words;
    reader.render();
    setTimeout(() => {
      if (reader.outcome === words) reader.outcome = null;
      reader.render();
    }, 4000);
  }

  /** Offers a new release of the page. @param {() => void} take */
  #offer(take) {
    const place = this.#part("release");
    place.querySelector("button").onclick = take;
    if (place.hidden) announce(t("release"));
    place.hidden = false;
  }

  /** Says what the switch does, the first time that it is on. */
  #explainLive() {
    const place = this.#part("live-note");
    const isNew = this.#part("live").checked && load("freshet live explained", forGood) === null;
    place.hidden = !isNew;
    if (!isNew) return;
    save("freshet live explained", "yes", forGood);
    const leave = () => { place.hidden = true; };
    place.querySelector("button").onclick = leave;
    setTimeout(leave, 12_000);
  }
}

/** Goes on with another key, and what is kept for it. */
function startAnew(reader, key, cache) {
  const { feed, service } = reader;
  if (feed) reader.leave();
  // What was asked for with the key before may come yet.
  for (const one of reader.feeds.values()) one.stopCaching();
  reader.feeds.clear();
  Object.assign(service, { cache, key });
  reader.list.show([]);
  reader.showView(reader.skeleton);
  if (reader.named ?? feed) reader.open();
  return reader.loadList();
}

/** Whether a part of the page is shown: a phone's other screen is there, and hidden. */
function isInSight(part) { return part.checkVisibility({ visibilityProperty: true }); }

const formats = [
  ["atom", "Atom", "application/atom+xml"],
  ["rss", "RSS", "application/rss+xml"],
  ["json", "JSON Feed", "application/feed+json"],
];

/** The most feeds that the page names. */
const limit = 50;

let named = "[]";

/**
 * Names feeds in the formats of feed readers, for browsers and extensions that look for them in the
 * page; the list of all (`feeds.opml`) stands there anyway.
 * @param {{id: string, name: string}[]} feeds the one in sight first
 */
export function nameFormats(feeds) {
  const links = feeds.slice(0, limit).flatMap(({ id, name }) => formats.map(
    ([suffix, format, type]) => [`feeds/${encodeURIComponent(id)}.${suffix}`, type, `${name} (${format})`]));
  const state = JSON.stringify(links);
  if (named === state) return;
  named = state;
  for (const old of document.head.querySelectorAll("link[rel=alternate][data-feed]")) old.remove();
  document.head.append(...links.map(([href, type, title]) => {
    const link = document.createElement("link");
    Object.assign(link, { rel: "alternate", href, type, title });
    link.dataset.feed = "";
    return link;
  }));
}
