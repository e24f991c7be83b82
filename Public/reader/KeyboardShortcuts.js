import { Cache } from "../freshet/Cache.js";
import { announce, load, save } from "../ui/page.js";
import { formatRelative, t } from "../words.js";
import { UnreadCounts } from "./FeedListView.js";
import { banner, statusWords } from "./notices.js";

const forGood = () => localStorage;
/** After how long out of sight a feed is asked for anew, in milliseconds. */
const old = 30_000;
/** How often the times in sight are written anew, and what is offline is tried again. */
const [tick, retry] = [30_000, 10_000];
/** How often a page that stays open asks whether there is a new release, in milliseconds. */
const hour = 3_600_000;

/** How the reader's page is operated: keys, the way back, dialogs, and what comes by itself. */
export class KeyboardShortcuts {
  #reader;
  #part;
  /** What looks for words in all feeds, once it was asked for. */
  #found = null;
  /** What is listed in place of the feeds: unread, starred or null. */
  #kind = null;
  #unread;

  /** @param {import("./Reader.js").Reader} reader */
  constructor(reader) {
    this.#reader = reader;
    this.#part = reader.part;
    this.#unread = new UnreadCounts(reader);
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
    matchMedia("(max-width: 44rem)").addEventListener("change", () => reader.open());
    addEventListener("online", () => reader.refresh());
    document.addEventListener("visibilitychange", () => {
      const { refreshed = 0 } = reader.feed ?? {};
      if (!document.hidden && Date.now() - refreshed > old) reader.refresh();
    });
    setInterval(() => this.#tick(), tick);
    setInterval(() => this.#tryAgain(), retry);
    keepPages((take) => this.#offer(take));
    // On a phone's list no feed that is opened does so.
    if (!reader.feed) this.follow();
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
    const { repeat, ctrlKey, metaKey, altKey, target } = event;
    const key = keyOf(event);
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

  /** Looks for what was written, in all feeds; the code of that comes when it is first asked for. */
  async #search() {
    const isAsked = this.#kind || this.#part("search-words").value.trim();
    if (isAsked && !this.#found) {
      const { Search } = await import("./Search.js").catch(() => ({}));
      if (Search) this.#found ??= new Search(this.#reader);
    }
    // The feeds are back at once, in the very frame of the key.
    this.#found?.show(this.#part("search-words").value, this.#kind);
  }

  #leaveSearch(event) {
    event.preventDefault();
    this.#part("search-words").value = "";
    this.#part("search-words").blur();
    this.#list(null);
  }

  listUnread() { this.#list("unread"); }
  listStarred() { this.#list("starred"); }

  /** Lists what is unread or starred in all feeds in place of those; asked for again, the feeds. */
  #list(kind) {
    this.#kind = this.#kind === kind ? null : kind;
    for (const one of ["unread", "starred"]) this.#part(`list-${one}`).ariaPressed = String(one === this.#kind);
    this.#search();
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
    showKey((key) => {
      if (key !== (load("freshet key") ?? "")) return startAnew(this.#reader, key, useKey(key));
      return this.#reader.refresh();
    });
  }

  /** Follows the feeds of the list, if that is wanted, the one in sight first. */
  follow() {
    const { feed } = this.#reader;
    const isLive = this.#part("live").checked;
    // A stream brings all of a feed that is not here yet, and calls one missing that is not for this reader.
    const isAsked = feed?.state === "refreshing" && !feed.token;
    if (!isLive) feed?.stop();
    else if (!isAsked && ![401, 403].includes(feed?.error?.status)) feed?.live();
    this.#unread.follow(isLive);
    this.#reader.render();
  }

  showKeys() { showKeys(); }
  askSettings() { showSettings(); }
  filter() { this.#reader.items?.filter(); }

  /** Says how the feed in sight is, above its rows. */
  render() {
    const { feed, outcome, view } = this.#reader;
    const { snapshot, error, state, refreshed } = feed ?? {};
    this.#part("status").dataset.state = state ?? "idle";
    this.#part("status").textContent = snapshot ? statusWords(feed, outcome) : "";
    banner(this.#part("banner"), snapshot && error, feed ?? {}, () => this.#reader.refresh());
    this.#unread.count(feed);
    this.#nameFormats();
    if (view && refreshed) {
      view.control.attributedTitle = state === "refreshing" ? t("refreshing")
        : t("updated", { ago: formatRelative(refreshed) });
    }
  }

  #nameFormats() {
    const { feed, list } = this.#reader;
    const ids = [...this.#part("feeds").querySelectorAll("a")]
      .map((link) => decodeURIComponent(link.hash.slice(1)));
    const all = new Set(feed && list.has(feed.id) ? [feed.id, ...ids] : ids);
    nameFormats([...all].map((id) => ({ id, name: list.name(id) })));
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

/**
 * Returns the key that shortcuts go by: on keyboards that write other letters than Latin ones, and
 * while an input method composes, the one in its place.
 * @param {KeyboardEvent} event
 */
export function keyOf({ key, code, shiftKey }) {
  const isKnown = key !== "Process" && key !== "Unidentified" && !/^[^\0-\x7f]$/u.test(key);
  const [, letter] = /^Key([A-Z])$/.exec(code ?? "") ?? [];
  if (isKnown || !letter && code !== "Slash") return key;
  if (!letter) return shiftKey ? "?" : "/";
  return shiftKey ? letter : letter.toLowerCase();
}

/** Goes on with another key, and what is kept for it. */
function startAnew(reader, key, cache) {
  const { feed, service } = reader;
  if (feed) reader.leave();
  // What was asked for with the key before may come yet.
  for (const one of reader.feeds.values()) {
    one.stop();
    one.stopCaching();
  }
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

/**
 * Has the pages kept for when there is no network, and offers a new release of them. Once one has
 * taken over, all that is open is loaded anew, so that nobody has files of both.
 * @param {(take: () => void) => void} offer called when there is one
 */
async function keepPages(offer) {
  const { serviceWorker } = navigator;
  // There is none on plain http, but for this very machine.
  if (!serviceWorker) return;
  let isControlled = Boolean(serviceWorker.controller);
  serviceWorker.addEventListener("controllerchange", () => {
    if (isControlled) location.reload();
    isControlled = true;
  });
  const registration = await serviceWorker.register("worker.js", { updateViaCache: "none" })
    .catch(() => null);
  if (!registration) return;
  const look = () => {
    if (!registration.waiting || !serviceWorker.controller) return;
    offer(() => registration.waiting?.postMessage("take over"));
  };
  look();
  registration.addEventListener("updatefound", () =>
    registration.installing?.addEventListener("statechange", look));
  let asked = Date.now();
  document.addEventListener("visibilitychange", () => {
    if (document.hidden || Date.now() - asked < hour) return;
    asked = Date.now();
    registration.update().catch(() => {});
  });
}

/** How the databases are called in which feeds are kept that were read with a key. */
const prefix = "freshet key ";

/**
 * Uses another key, or none, and forgets what was kept with the one before.
 * @param {string} key empty for none
 * @returns {Cache} where feeds are kept from now on
 */
function useKey(key) {
  save("freshet key", key);
  return reset();
}

/** Forgets what was kept with the key. @returns {Cache} in place of where it was */
export function reset() {
  const old = load("freshet vault");
  if (old) indexedDB.deleteDatabase(old);
  const name = load("freshet key")
    ? prefix + [...crypto.getRandomValues(new Uint32Array(3))].join("") : "";
  save("freshet vault", name);
  // Items that were starred with the key.
  save("freshet stars", "");
  lock(name);
  return new Cache(name || undefined);
}

/** Forgets what tabs kept with keys that are closed now, and the keys with them. */
async function deleteStale() {
  lock(load("freshet vault"));
  for (const { name } of await indexedDB.databases?.() ?? []) {
    if (!name.startsWith(prefix) || name === load("freshet vault")) continue;
    // The lock of a tab that is open is not to be had.
    navigator.locks?.request(name, { ifAvailable: true }, (held) => {
      if (held) indexedDB.deleteDatabase(name);
    });
  }
}

/** Says to other tabs that this one has it. */
function lock(name) {
  if (name) navigator.locks?.request(name, { mode: "shared" }, () => new Promise(() => {}));
}

const part = (id) => document.getElementById(id);

/** Asks for a key. @param {(key: string) => void} use called with one, or with nothing for none */
function showKey(use) {
  const dialog = part("key-dialog");
  dialog.querySelector("[value=remove]").hidden = !load("freshet key");
  dialog.onclose = () => {
    const { returnValue } = dialog;
    const key = returnValue === "remove" ? "" : part("key").value;
    if (returnValue === "remove") part("key").value = "";
    if (["use", "remove"].includes(returnValue)) use(key);
  };
  show(dialog);
  part("key").select();
}

/** Shows what keys do. */
export function showKeys() { show(part("keys-dialog")); }

/** Asks how the page is to look. */
function showSettings() {
  const dialog = part("settings-dialog");
  for (const choice of dialog.querySelectorAll("select")) {
    choice.value = load(`freshet ${choice.name}`, forGood) ?? choice.options[0].value;
    choice.onchange = () => {
      save(`freshet ${choice.name}`, choice.value, forGood);
      // All words are others then.
      if (choice.name === "language") return location.reload();
      document.documentElement.dataset[choice.name] = choice.value;
      return changeFrames(choice);
    };
  }
  show(dialog);
}

function changeFrames({ name, value }) {
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument?.documentElement;
    if (page) page.dataset[name] = value;
  }
}

function show(dialog) {
  // Of the last time; what is left by Escape says nothing.
  dialog.returnValue = "";
  dialog.showModal();
}
