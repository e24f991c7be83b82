import { Cache } from "../freshet/Cache.js";
import { announce, el, load, save } from "../ui/page.js";
import { formatRelative, language, t } from "../words.js";
import { isNews } from "./FeedCell.js";
import { trusted } from "./ItemPane.js";
import { showDialog } from "./KeyboardShortcuts.js";
import { marksOf } from "./marks.js";

const forGood = () => localStorage;
/** After how long out of sight a feed is asked for anew, in milliseconds. */
const old = 30_000;
/** How often the times in sight are written anew, and what is offline is tried again. */
const [tick, retry] = [30_000, 10_000];
/** How often a page that stays open asks whether there is a new release, in milliseconds. */
const hour = 3_600_000;

/**
 * What goes on beside reading: feeds are followed and counted, a key is used, the looks are chosen, the
 * pages are kept.
 */
export class Session {
  #reader;
  #part;
  #unread;

  /** @param {import("./Reader.js").Reader} reader */
  constructor(reader) {
    this.#reader = reader;
    this.#part = reader.part;
    this.#unread = new UnreadCounts(reader);
    this.#part("live").addEventListener("change", () => this.#explainLive());
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
  }

  #tick() {
    this.#reader.render();
    this.#reader.items?.tick();
    this.#reader.list.tick();
  }

  /** Where the server could not be reached, it may be there again. */
  #tryAgain() {
    const { feed, listError } = this.#reader;
    const isLost = (error) => error && !error.status;
    if (document.hidden) return;
    if (isLost(feed?.error) && feed.state === "offline") {
      feed.refresh().then(() => this.#reader.loadList(), () => {});
    } else if (isLost(listError)) {
      this.#reader.loadList();
    }
  }

  /** Asks how the page is to look. */
  askSettings() { showSettings(); }

  /** Asks for a key, and goes on with it. */
  askKey() {
    showKey((key) => (key === (load("freshet key") ?? "") ? this.#reader.refresh() : this.#useKey(key)));
  }

  /** Goes on with another key, or none, and forgets what was kept with the one before. */
  #useKey(key) {
    const reader = this.#reader;
    const { feed, service } = reader;
    save("freshet key", key);
    if (feed) reader.leave();
    // What was asked for with the key before may come yet.
    for (const one of reader.feeds.values()) {
      one.stop();
      one.stopCaching();
    }
    reader.feeds.clear();
    Object.assign(service, { cache: resetCache(), key });
    reader.list.show([]);
    reader.showView(reader.skeleton);
    if (reader.named ?? feed) reader.open();
    return reader.loadList();
  }

  /** Forgets what was kept with the key, which is refused. */
  forgetKey() { this.#reader.service.cache = resetCache(); }

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

  /** Counts the feed in sight, and names it, and those of the list, in the formats of feed readers. */
  render() {
    this.#unread.count(this.#reader.feed);
    this.#nameFormats();
  }

  #nameFormats() {
    const { feed, list } = this.#reader;
    const all = new Set(feed && list.has(feed.id) ? [feed.id, ...list.ids] : list.ids);
    nameFormats([...all].map((id) => ({ id, name: list.name(id) })));
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

/** How many feeds are counted unless they are opened, those that changed last, of how many items. */
const [MAX_FEEDS, MAX_ITEMS] = [60, 5000];

/** How many items of each feed are unread: the list and an installed page's icon show it. */
export class UnreadCounts {
  #reader;
  #watched = new WeakSet();
  /** The snapshot and the marks of each feed that were counted last. */
  #counted = new Map();
  #badge = 0;

  /** @param {import("./Reader.js").Reader} reader */
  constructor(reader) {
    this.#reader = reader;
    // Another page of the browser marked something.
    addEventListener("storage", ({ key }) => {
      const [, id] = /^freshet read (.*)$/s.exec(key ?? "") ?? [];
      if (id === undefined) return;
      marksOf(id).read();
      this.count(reader.feeds.get(id));
      reader.items?.tick();
    });
  }

  /** Has the feeds of the list follow the stream of the one in sight, or asks once for all of them. */
  async follow(isLive) {
    const { feed: seen, feeds, list, service } = this.#reader;
    let room = MAX_ITEMS;
    const listed = [...list.feeds].sort((one, other) => (one.changed < other.changed ? 1 : -1))
      .slice(0, MAX_FEEDS).filter(({ count }) => count <= room && (room -= count) >= 0);
    const counted = listed.map(({ id }) => this.#reader.feedOf(id));
    for (const feed of feeds.values()) {
      this.#watch(feed);
      this.count(feed);
      if (feed === seen) continue;
      if (isLive && counted.includes(feed)) feed.live();
      else feed.stop();
    }
    if (isLive) return;
    await Promise.all(counted.map((feed) => feed.restore()));
    const stale = counted.filter((feed, index) => feed !== seen && feed.token !== listed[index].token);
    // What cannot be asked now is asked with the next refresh.
    if (stale.length > 0) await service.pull(stale).catch(() => {});
  }

  #watch(feed) {
    if (this.#watched.has(feed)) return;
    this.#watched.add(feed);
    feed.addEventListener("change", ({ detail }) => {
      const name = this.#reader.list.name(feed.id);
      if (name !== undefined && !detail.isFirst && !detail.isMore) {
        this.#reader.list.setStatus(feed.id, name, new Date().toISOString());
      }
      this.count(feed);
    });
  }

  /** Counts a feed, unless nothing of it is another. @param {?import("../freshet.js").Feed} feed */
  count(feed) {
    if (!feed?.snapshot) return;
    const { id, snapshot } = feed;
    const { ids } = marksOf(id);
    const last = this.#counted.get(id);
    const isKnown = last?.snapshot === snapshot && last.ids === ids;
    const count = isKnown ? last.count : unreadCount(snapshot, ids);
    this.#counted.set(id, { snapshot, ids, count });
    const sum = this.#reader.list.setUnread(id, count);
    if (sum === this.#badge) return;
    this.#badge = sum;
    // Where the page is not installed, or may not, its icon has none.
    navigator.setAppBadge?.(sum).catch(() => {});
  }
}

/**
 * Returns how many items of a feed are unread: none of values and of directories. Of rows that are not
 * here as many are taken to be unread as there are more of than marks.
 * @param {import("../freshet.js").Snapshot} snapshot @param {Set<string>} ids of items that were read
 */
export function unreadCount({ members, sections, count, total = count }, ids) {
  if (members.collate) return 0;
  let [news, unread, known] = [0, 0, 0];
  for (const { items } of sections) {
    for (const item of items) {
      const isRead = ids.has(item.id);
      if (isRead) known += 1;
      if (!isNews(item)) continue;
      news += 1;
      if (!isRead) unread += 1;
    }
  }
  return news === 0 ? 0 : unread + Math.max(total - count - (ids.size - known), 0);
}

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
  document.head.append(...links.map(([href, type, title]) =>
    el("link", { rel: "alternate", href, type, title, "data-feed": "" })));
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
  const registration = await serviceWorker.register(trusted.createScriptURL("worker.js"), { updateViaCache: "none" })
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

/** Forgets what was kept with the key. @returns {Cache} in place of where it was */
function resetCache() {
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
  // The event `close` would come later: until then keys went to the rows of the key before.
  dialog.firstElementChild.onsubmit = (event) => {
    const { value } = event.submitter;
    event.preventDefault();
    dialog.close();
    if (value === "remove") part("key").value = "";
    if (value !== "cancel") use(part("key").value);
  };
  showDialog(dialog);
  part("key").select();
}

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
  showDialog(dialog);
}

function changeFrames({ name, value }) {
  for (const frame of document.querySelectorAll("iframe")) {
    const page = frame.contentDocument?.documentElement;
    if (page) page.dataset[name] = value;
  }
}
