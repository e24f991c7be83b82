import { FreshetError, Service } from "../freshet/Service.js";
import { say, translatePage } from "../pageTexts.js";
import { language } from "../words.js";
import { el, load, save } from "../ui/page.js";

/** The name under which the key is kept until the tab is closed. */
const keyName = "freshet operator key";

/** How long the server may take to fetch a source, in seconds. */
const MAX_FETCH = 90;

/** The statuses below 500 after which the page asks again. */
const passing = [408, 429];

/** The operator's page: how the server is, looked at again every few seconds while it is seen. */
export class Console {
  #part;
  #service = serviceFor("");
  #lists;
  #timer;
  /** @type {?import("./VersionList.js").VersionList} */
  #versions = null;

  /** How long to wait before the next look, in milliseconds. */
  static interval = 5000;

  /** @param {Document} page */
  constructor(page) {
    this.#part = (id) => page.getElementById(id);
    const read = (path) => report(this.#service, path);
    const fetch = (feed, button) => this.#fetch(feed, button);
    this.#lists = {
      sources: new ListView(this.#part("sources"), "sources", (one) => sourceRow(one, fetch), read),
      feeds: new ListView(this.#part("feeds"), "feeds", (one) => feedRow(one, this.#versionsOf), read),
      keys: new ListView(this.#part("keys"), "keys", keyRow, read),
    };
  }

  /** Shows everything, or asks for a key. @returns {Promise<void>} */
  async start() {
    this.#service = serviceFor(this.#takeKey());
    this.#part("ask").addEventListener("submit", (event) => {
      event.preventDefault();
      this.#use(this.#part("key").value.trim());
    });
    this.#part("close-versions").addEventListener("click", () => this.#closeVersions());
    this.#part("forget").addEventListener("click", () => this.#use(""));
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#look();
    });
    await this.#look();
  }

  /** The key in the address, which does not stay there, or else the tab's. */
  #takeKey() {
    const found = /^#key=([\w.~+/=-]+)$/.exec(location.hash)?.[1];
    if (found === undefined) return load(keyName) ?? "";
    history.replaceState(history.state, "", location.pathname);
    save(keyName, found);
    return found;
  }

  #closeVersions() {
    this.#versions?.clear();
    this.#part("versions").hidden = true;
  }

  #use(key) {
    this.#closeVersions();
    save(keyName, key);
    this.#part("key").value = "";
    this.#service = serviceFor(key);
    this.#look();
  }

  /** Reads everything; an answer to an older key counts for nothing. */
  async #look() {
    clearTimeout(this.#timer);
    const service = this.#service;
    let goesOn = true;
    try {
      const server = await report(service, "server");
      if (service !== this.#service) return;
      this.#show(server);
      const names = ["feeds", "keys", ...(server.sources.count > 0 ? ["sources"] : [])];
      await Promise.all(names.map((name) => this.#lists[name].load()));
    } catch (error) {
      if (!(error instanceof FreshetError)) throw error;
      if (service === this.#service) goesOn = this.#fail(error);
    }
    if (service !== this.#service || !goesOn) return;
    this.#timer = setTimeout(() => {
      if (document.visibilityState === "visible") this.#look();
    }, Console.interval);
  }

  #show(server) {
    this.#part("ask").hidden = true;
    this.#part("shown").hidden = false;
    this.#part("forget").hidden = !this.#service.hasKey;
    // Where nobody is asked for a key, this is the operator's own listener, which has no other page.
    this.#part("pages").hidden = !this.#service.hasKey;
    this.#part("sources").hidden = server.sources.count === 0;
    const isWell = server.ready && server.state === "ready";
    this.#say(isWell ? "ready" : server.ready ? "degraded" : "not-ready", isWell ? say("Ready") : server.state);
    showTiles(this.#part("now"), server);
    const [note, bar, whole, list] = ["memory-note", "memory-bar", "memory-whole", "memory"].map(this.#part);
    showMemory({ note, bar, whole, list }, server.memory);
  }

  /** Says why there is no answer: whether one may come yet. */
  #fail({ status, message }) {
    // A document that is none came from something between here and the server.
    const isAnswered = status !== undefined && status !== 200;
    if (!isAnswered || passing.includes(status) || status >= 500) {
      this.#say("not-ready", isAnswered ? message : say("The server does not answer."));
      return true;
    }
    const asks = status === 401 || status === 403;
    if (!asks) {
      this.#say("not-ready", status === 404
        ? say("This is not here: the server has a listener of its own for its operator.") : message);
    }
    this.#part("shown").hidden = true;
    this.#part("forget").hidden = true;
    this.#part("ask").hidden = !asks;
    if (!asks) return false;
    this.#say("", "");
    this.#part("reason").textContent = !this.#service.hasKey
      ? say("This page needs a key with the right to see it: one with “admin”.")
      : status === 401 ? say("The server does not know this key.") : say("This key may not see this page.");
    this.#part("key").focus();
    return false;
  }

  #say(state, text) {
    const place = this.#part("state");
    place.dataset.state = state;
    if (place.textContent !== text) place.textContent = text;
  }

  /** The function that shows a feed's versions; null on the operator's own listener, where nothing is published. */
  get #versionsOf() { return this.#service.hasKey ? (feed) => this.#list(feed) : null; }

  /** Shows the versions of a feed, in a panel of their own. */
  async #list(feed) {
    const panel = this.#part("versions");
    const { VersionList } = await import("./VersionList.js");
    this.#versions ??= new VersionList(panel);
    panel.hidden = false;
    this.#part("versions-title").textContent = say("Versions of {feed}", { feed });
    this.#part("versions-title").focus();
    await this.#versions.show(this.#service, feed);
  }

  /** Has a source fetched, and shows what came of it. */
  async #fetch(feed, button) {
    button.disabled = true;
    const note = this.#part("sources").querySelector("[data-note]");
    const path = `/feeds/${encodeURIComponent(feed)}/refresh`;
    const failure = await this.#service.request(path, { method: "POST", wait: MAX_FETCH })
      .then(() => null, (error) => error);
    await Promise.all([this.#lists.sources.load(), this.#lists.feeds.load()]).catch(() => {});
    note.textContent = failure === null ? say("{feed} was fetched.", { feed })
      : say("{feed} could not be fetched: {reason}", { feed, reason: failure.problem?.detail ?? failure.message });
  }
}

/** A service at the page's own address. @param {string} key empty for none */
function serviceFor(key) { return new Service(".", { key, cache: null }); }

/** Returns a resource below `/admin/`, in which a server reports on itself. @param {Service} service */
async function report(service, path) {
  const { document } = await service.read(`/admin/${path}`);
  if (document?.kind === undefined) throw FreshetError.badResponse();
  return document;
}

/** A list of the server's, a page at a time. */
export class ListView {
  #part;
  #name;
  #labelled;
  #read;
  /** The queries of the pages before this one, and of this one. */
  #trail = [""];
  #next;
  /** Counts what was asked, so that an answer that comes late shows nothing. */
  #turn = 0;

  /**
   * @param {HTMLElement} section with a table, a note, and buttons
   * @param {string} name of the list in its document
   * @param {(entry: any) => HTMLElement} row
   * @param {(path: string) => Promise<any>} read
   */
  constructor(section, name, row, read) {
    this.#part = (selector) => section.querySelector(selector);
    // On a phone each row is a card, whose lines have the heads of the columns before them.
    const heads = [...section.querySelectorAll("thead th")].map(({ textContent }) => textContent);
    this.#labelled = (entry) => {
      const made = row(entry);
      [...made.cells].forEach((cell, index) => {
        cell.dataset.label = heads[index];
        cell.role = index === 0 ? "rowheader" : "cell";
      });
      made.role = "row";
      return made;
    };
    this.#name = name;
    this.#read = read;
    const press = (button, step) => this.#part(button).addEventListener("click", () => this.#go(step));
    press("[data-back]", () => this.#trail.length > 1 && this.#trail.pop());
    press("[data-on]", (next) => next && this.#trail.push(next));
    this.#part("[data-prefix]")?.addEventListener("input", () => this.#go(() => (this.#trail = [""])));
    this.#part("[data-failing]")?.addEventListener("change", () => this.#go(() => (this.#trail = [""])));
  }

  #go(step) {
    step(this.#next);
    // Until that is shown, nobody has seen what comes after it.
    this.#next = undefined;
    this.load().catch(() => {});
  }

  /** The query of the first page. */
  get #first() {
    const query = new URLSearchParams({ limit: "20" });
    const prefix = this.#part("[data-prefix]")?.value.trim();
    if (prefix) query.set("prefix", prefix);
    if (this.#part("[data-failing]")?.checked) query.set("failing", "true");
    return `?${query}`;
  }

  /** Shows the page as it is now. @returns {Promise<void>} @throws {FreshetError} */
  async load() {
    const turn = this.#turn += 1;
    const page = await this.#read(this.#name + (this.#trail.at(-1) || this.#first));
    if (turn !== this.#turn) return;
    const entries = page[this.#name];
    // Whoever is about to press a button finds it where it was.
    const focused = this.#focus();
    this.#part("tbody").replaceChildren(...entries.map(this.#labelled));
    if (focused !== null) this.#part(`tbody tr:nth-child(${focused}) button`)?.focus();
    this.#next = page.next;
    this.#part("[data-back]").disabled = this.#trail.length === 1;
    this.#part("[data-on]").disabled = page.next === undefined;
    this.#part(".pages").hidden = this.#trail.length === 1 && page.next === undefined;
    this.#part(".scroller").hidden = entries.length === 0;
    this.#say(entries.length === 0 ? say("There are none.") : page.next || this.#trail.length > 1
      ? say("{some} of {all}", { some: entries.length, all: page.total }) : "");
  }

  /** The row whose button has the focus, from 1. */
  #focus() {
    const row = document.activeElement?.closest("tr");
    return row && this.#part("tbody").contains(row) ? row.rowIndex : null;
  }

  #say(text) {
    const note = this.#part("[data-note]");
    if (note.textContent !== text) note.textContent = text;
  }
}

const cell = (...content) => el("td", {}, ...content);
const number = (text) => el("td", { class: "number" }, text);
const code = (text) => el("bdi", { class: "code", dir: "ltr" }, text);

/** The beginning of a text that whoever publishes may have made long enough to hide all else. */
function brief(text) {
  const characters = Array.from(text.slice(0, 500));
  return characters.length > 200 ? `${characters.slice(0, 200).join("")}…` : text;
}

function when(time, otherwise) {
  if (time === undefined) return el("span", { class: "quiet" }, otherwise);
  const whole = new Date(time).toLocaleString(language);
  return el("time", { datetime: time, title: whole }, distance(time));
}

/** A feed. @param {?(feed: string) => void} versions shows its versions @returns {HTMLTableRowElement} */
export function feedRow(feed, versions) {
  const name = el("th", { scope: "row" }, code(feed.id));
  if (feed.title) name.append(el("span", { class: "note", dir: "auto" }, brief(feed.title)));
  if (feed.derived) name.append(el("span", { class: "note" }, say("made of other feeds")));
  const { current, history, responses } = feed.memory;
  const button = el("button", { type: "button" }, say("Versions"));
  button.addEventListener("click", () => versions(feed.id));
  return el("tr", {}, name, cell(...versions ? [button] : []), number(whole(feed.count)), number(whole(feed.readers)),
    number(whole(feed.versions)), number(bytes(current)), number(bytes(history)),
    number(bytes(responses)), cell(when(feed.changed)));
}

/** A source. @param {(feed: string, button: HTMLButtonElement) => void} refresh */
export function sourceRow({ id, source }, refresh) {
  const read = cell(when(source.succeeded, say("never")));
  if (source.error !== undefined) {
    const times = say("failed {count} times in a row", { count: source.failures });
    read.append(el("span", { class: "trouble" }, `${source.error} (${times})`));
  }
  const button = el("button", { type: "button" }, say("Fetch now"));
  button.addEventListener("click", () => refresh(id, button));
  return el("tr", {}, el("th", { scope: "row" }, code(id)), cell(code(source.location)),
    read, cell(when(source.next, say("when asked"))), cell(button));
}

const rights = () => ({ read: say("may read"), write: say("may write"), follow: say("may follow") });

/** A key, or one that signs tokens. */
export function keyRow(key) {
  const name = el("th", { scope: "row" });
  if (key.kid !== undefined) {
    name.append(code(key.kid), el("span", { class: "note" }, say("signs tokens with {algorithm}", key)));
  } else {
    if (key.name !== undefined) name.append(el("bdi", {}, key.name));
    name.append(el("span", { class: "note" }, code(`${key.digest}…`)));
  }
  const list = Object.entries(rights()).filter(([right]) => key[right]).map(([right, words]) =>
    el("span", { class: "right" }, `${words} `, code(key[right].join(", "))));
  if (key.admin) list.push(el("span", { class: "right" }, say("may see this page")));
  return el("tr", {}, name, cell(...list), cell(when(key.used, say("not since the start"))),
    cell(when(key.until, "–")));
}

/** Returns the server's most important figures: name, value and note of each. @returns {[string, string, string][]} */
function tiles(server) {
  const { connections, responses, feeds, publishes, descriptors, journal, mirror } = server;
  const readers = connections.longPolls + connections.streams;
  const lag = Math.max(0, ...server.loops.map((loop) => loop.lagMicroseconds)) / 1000;
  const stuck = server.loops.filter((loop) => !loop.responsive).length;
  const found = [
    [say("Readers who wait"), whole(readers),
      say("{streams} streams, {polls} long polls", { streams: connections.streams, polls: connections.longPolls })],
    [say("Connections"), whole(connections.open), descriptors === undefined ? ""
      : say("{open} of {limit} descriptors", descriptors)],
    [say("Feeds"), whole(feeds.count), say("{versions} versions", feeds)],
    [say("Publishes"), whole(publishes.changed), say("{unchanged} more changed nothing", publishes)],
    [say("Responses"), whole(responses.count),
      say("{share} said that nothing changed", { share: percent(responses.notModified / (responses.count || 1)) })],
    [say("Sent"), bytes(responses.contentBytes),
      say("{saved} less by changes", { saved: bytes(responses.savedBytes) })],
    [say("Event loops"), whole(server.loops.length), stuck > 0 ? say("{stuck} do not answer", { stuck })
      : say("answered within {lag} ms", { lag })],
    [say("Version"), server.version, say("began {when}", { when: distance(server.started) })],
  ];
  if (journal) {
    found.push([say("Disk"), journal.freeBytes === undefined ? "–" : bytes(journal.freeBytes),
      journal.trouble ?? say("free; publishes are kept")]);
  }
  if (mirror) {
    found.push([say("Mirror"), mirror.following ? say("follows") : say("is cut off"),
      say("{behind} feeds are behind", mirror)]);
  }
  return found;
}

/** Shows how the server is. @param {HTMLElement} list @param {any} server */
export function showTiles(list, server) {
  list.replaceChildren(...tiles(server).map(([name, value, note]) => el("div", {},
    el("dt", {}, name), el("dd", {}, value), el("dd", { class: "note" }, note))));
}

const parts = () => [
  ["current", say("Current versions")], ["history", say("Past versions")],
  ["responses", say("Cached responses")], ["idempotency", say("Answers to publishes")],
  ["connections", say("Connections")], ["rest", say("Everything else")],
];

/** Shows the parts of the memory. @param {Record<string, HTMLElement>} places */
export function showMemory({ note, bar, whole: name, list }, memory) {
  const feeds = memory.current + memory.history + memory.responses + memory.idempotency;
  note.textContent = say("Feeds take {feeds} of the {limit} that they may.", {
    feeds: bytes(feeds), limit: bytes(memory.limit),
  });
  const sum = feeds + memory.connections;
  const whole = Math.max(memory.process ?? 0, sum, 1);
  name.textContent = memory.process === undefined
    ? say("The whole bar is their sum, {sum}.", { sum: bytes(sum) })
    : say("The whole bar is the memory of the process, {process}.", { process: bytes(whole) });
  const sizes = { ...memory, rest: whole - sum };
  const shown = parts().filter(([part]) => part !== "rest" || memory.process !== undefined);
  bar.replaceChildren(...shown.map(([part]) => {
    const piece = el("i", { "data-part": part });
    piece.style.inlineSize = `${(100 * sizes[part]) / whole}%`;
    return piece;
  }));
  list.replaceChildren(...shown.map(([part, words]) => el("div", { "data-part": part },
    el("dt", {}, words), el("dd", {}, bytes(sizes[part])))));
}

const sizes = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"];

/** A number of bytes, to three digits. @param {number} count */
export function bytes(count) {
  let [value, unit] = [count, 0];
  for (; value >= 999.5 && unit < sizes.length - 1; unit += 1) value /= 1000;
  return new Intl.NumberFormat(language, {
    style: "unit", unit: sizes[unit], unitDisplay: unit === 0 ? "long" : "short", maximumSignificantDigits: 3,
  }).format(value);
}

/** A whole number. @param {number} count */
export function whole(count) {
  return count.toLocaleString(language);
}

/** A part of a whole. @param {number} part */
export function percent(part) {
  return part.toLocaleString(language, { style: "percent", maximumFractionDigits: 1 });
}

const spans = [["second", 60], ["minute", 60], ["hour", 24], ["day", Infinity]];

/** How far a time is from now. @param {string} time RFC 3339 @param {number} now in milliseconds */
export function distance(time, now = Date.now()) {
  let [value, index] = [(Date.parse(time) - now) / 1000, 0];
  for (; Math.abs(value) >= spans[index][1]; index += 1) value /= spans[index][1];
  return new Intl.RelativeTimeFormat(language, { numeric: "auto" })
    .format(Math.round(value), spans[index][0]);
}

await translatePage();
await new Console(document).start();
