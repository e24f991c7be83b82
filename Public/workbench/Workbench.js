import { Feed, Service } from "../freshet.js";
import { VersionList } from "../console/VersionList.js";
import { ClientView, copy, curl, exchange, pretty, WatchedService } from "./ClientView.js";
import { edits, garden, outcome, percentLess, StoryView } from "./stories.js";
import { say, translatePage } from "../pageTexts.js";

const utf8 = new TextEncoder();
const bytes = (text) => utf8.encode(text).length;

/** A feed whose stream can be watched. */
class WatchedFeed extends Feed {
  heard = () => {};

  applyDocument(document, text, ...more) {
    this.heard(document, text);
    return super.applyDocument(document, text, ...more);
  }
}

/** The page: a publisher, a reader that follows, and one that asks. */
export class Workbench {
  #part;
  #live;
  #asking;
  #versions;
  #feeds = [];
  /** Counts what was opened, so that an answer that comes late opens nothing. */
  #turn = 0;
  /** What the readers read with. @type {string | undefined} */
  #key;
  /** A publish of which it is not known yet what came of it. */
  #attempt = null;
  #sent = 0;
  #whole = 0;

  /** @param {Document} page */
  constructor(page) {
    this.#part = (id) => page.getElementById(id);
    this.#live = new ClientView(this.#part("live"));
    this.#asking = new ClientView(this.#part("asking"));
    this.#versions = new VersionList(this.#part("versions"));
  }

  /** Begins with what the server has of the feed, or else with a garden. */
  async start() {
    const [form, text, key] = ["publish", "document", "key"].map(this.#part);
    key.value = this.#takeKey();
    this.#write(garden);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#publish().catch(() => {});
    });
    text.addEventListener("input", () => { this.#part("anyway").hidden = true; });
    this.#part("anyway").addEventListener("click", () => this.#publish("?removals=any").catch(() => {}));
    this.#part("look").addEventListener("click", () => this.#listVersions());
    text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    for (const button of form.querySelectorAll("[data-edit]")) {
      button.addEventListener("click", () => this.edit(button.dataset.edit));
    }
    this.#part("feed").addEventListener("change", () => this.#open());
    // What is written and was not published yet stays when the key was wrong.
    key.addEventListener("change", () => this.#open(false));
    this.#part("publishing").addEventListener("click", copy);
    new StoryView(this.#part("stories"), this);
    for (const button of document.querySelectorAll(".expand")) {
      button.addEventListener("click", () => expand(button));
    }
    this.#part("ask").addEventListener("click", () => this.ask());
    await this.#open();
  }

  /** The key in the address that the server printed, which does not stay there. */
  #takeKey() {
    const found = /^#key=([\w.~+/=-]+)$/.exec(location.hash)?.[1];
    if (found !== undefined) history.replaceState(history.state, "", location.pathname);
    return found ?? "";
  }

  get #url() {
    return `${location.origin}/feeds/${encodeURIComponent(this.#part("feed").value)}`;
  }

  #write(document) {
    this.#part("document").value = pretty(JSON.stringify(document));
  }

  /** Reads the feed of that name, twice. */
  async #open(isWritten = true) {
    if (!this.#part("feed").reportValidity()) return;
    for (const feed of this.#feeds) feed.stop();
    const [id, turn] = [this.#part("feed").value, this.#turn += 1];
    const { key, isThere } = await this.#look(id);
    if (turn !== this.#turn) return;
    this.#key = key;
    const service = new WatchedService("", { key, cache: null });
    const live = new WatchedFeed(service, id, { as: "changes" });
    const asking = new Feed(service, id, { as: "changes" });
    this.#feeds = [live, asking];
    for (const [feed, view] of [[live, this.#live], [asking, this.#asking]]) {
      view.show(feed, { isFirst: true });
      feed.addEventListener("change", ({ detail }) => view.show(feed, detail));
      feed.addEventListener("state", () => view.say(feed));
    }
    const headers = key && { Authorization: `Bearer ${key}` };
    live.heard = ({ kind, since }, text) => {
      const path = `/events?feed=${id}${since ? `@${since}` : ""}&as=changes`;
      this.#heard(live, this.#live, path, { headers, isStream: true }, text);
      if (asking.snapshot === null && kind !== "missing") asking.refresh().catch(() => {});
    };
    service.heard = (path, text) => this.#heard(asking, this.#asking, path, { headers }, text);
    this.#part("reader").href = `./#${id}/`;
    this.#part("anyway").hidden = true;
    this.#versions.clear();
    if (isThere && this.#part("key").value) this.#listVersions();
    live.live();
    if (isThere) await asking.refresh().catch(() => {});
    if (!isWritten || asking.snapshot === null || live !== this.#feeds[0]) return;
    const { members, sections } = asking.snapshot;
    this.#write({ ...members, sections });
  }

  /** Whether the server has the feed, and the key, if it wants one of readers too. */
  async #look(id) {
    const given = this.#part("key").value;
    const path = `/feeds?prefix=${encodeURIComponent(id)}&limit=1`;
    const look = async (key) => {
      const headers = key && { Authorization: `Bearer ${key}` };
      const answer = await fetch(path, { headers }).catch(() => null);
      const { feeds: [first] = [] } = answer?.ok ? await answer.json() : {};
      return { key, isThere: first?.id === id, isOpen: answer?.status !== 401 };
    };
    const open = await look();
    // Of a server that shows some feeds to everyone this may be another.
    const isEnough = open.isThere || !given;
    const closed = isEnough ? open : await look(given);
    return closed.isThere || !open.isOpen ? closed : open;
  }

  /** Shows a document that came, and what it cost beside a snapshot. */
  async #heard(feed, view, path, request, text) {
    // The feed takes it in first: then the snapshot that was saved is known.
    await new Promise((resolve) => { setTimeout(resolve); });
    let words = text === "" ? say("304: nothing new, and no body") : "";
    if (text.startsWith('{"kind":"changes"')) {
      const [size, whole] = [bytes(text), bytes(JSON.stringify(feed.document))];
      words = say("{size} bytes in place of {whole}", { size, whole });
      this.#sent += size;
      this.#whole += whole;
      this.#tally();
    }
    view.exchange(location.origin + path, request, text, words);
  }

  #tally() {
    const less = percentLess(this.#sent, this.#whole);
    this.#part("saved").textContent = say("{sent} bytes of changes, where snapshots would have been "
      + "{whole}: {less} % less.", { sent: this.#sent, whole: this.#whole, less });
    this.#part("sent").style.inlineSize = `${Math.max(100 - less, 1)}%`;
  }

  /** Changes the list that is written, in one way of `edits`. */
  edit(name) {
    const text = this.#part("document");
    try {
      const document = JSON.parse(text.value);
      const what = edits[name](document);
      if (what === undefined) return this.#say({ words: say(`There is nothing to ${name}.`) });
      this.#write(document);
      this.#say({ words: `${what} ${say("Now publish it.")}` });
    } catch ({ message }) {
      const [, at] = message.match(/at position (\d+)/) ?? [];
      const words = say("This is no list that can be changed: {message}", { message });
      this.#say({ words, field: "document", at });
    }
  }

  /** Lists the versions of the feed, with the key that publishes. */
  #listVersions() {
    const key = this.#part("key").value;
    return this.#versions.show(new Service("", { key, cache: null }), this.#part("feed").value);
  }

  /** What a publish says of itself: the key under which the server does the same once only. */
  #publishHeaders(target, body) {
    if (this.#attempt?.body !== body || this.#attempt.target !== target) {
      this.#attempt = { target, body, key: randomKey() };
    }
    return {
      Authorization: `Bearer ${this.#part("key").value}`, "Content-Type": "application/json",
      "Idempotency-Key": this.#attempt.key,
    };
  }

  async #publish(query = "") {
    const body = this.#part("document").value;
    const url = this.#url + query;
    const request = { method: "PUT", headers: this.#publishHeaders(url, body), body };
    // A line that is copied is a publish of its own: under the same key it would do nothing.
    const { "Idempotency-Key": _, ...shown } = request.headers;
    const line = curl(url, { ...request, headers: shown });
    const show = (answer) =>
      this.#part("publishing").replaceChildren(...exchange(line, answer));
    try {
      const response = await fetch(url, request);
      const text = await response.text();
      show(`${response.status} ${response.statusText}\n${pretty(text)}`);
      const came = outcome(response.status, text, body);
      if (!came.isUnknown) this.#attempt = null;
      this.#part("anyway").hidden = came.field !== "anyway";
      this.#say(came);
      if (!response.ok) throw new Error(came.words);
      this.token = JSON.parse(text).token ?? this.token;
      this.#listVersions();
      // Now that it is there it may turn out to be for some readers only.
      if (response.status !== 201) return line;
      const { key } = await this.#look(this.#part("feed").value);
      if (key !== this.#key) this.#open(false);
      return line;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      const words = say("The server cannot be reached. Is it running? Publish again when it is: "
        + "what arrived the first time is not published twice.");
      show(words);
      this.#say({ words, field: "send" });
      throw new Error(words, { cause: error });
    }
  }

  /** Publishes the list. @returns {Promise<string>} the line for a shell that does it */
  publish() { return this.#publish(); }

  /** The version that was published last. @type {?string} */
  token = null;
  /** How many items the list has. */
  get count() { return this.#document.sections.reduce((sum, { items }) => sum + items.length, 0); }
  get #document() { return JSON.parse(this.#part("document").value); }

  /** Reads the feed, as a reader does. @returns {Promise<string>} the answer's content */
  async read(query, headers = {}) {
    const key = this.#key && { Authorization: `Bearer ${this.#key}` };
    const answer = await fetch(this.#url + query, { cache: "no-store", headers: { ...key, ...headers } });
    return answer.status === 304 ? "" : answer.text();
  }

  /** How long an answer with the whole list is, in bytes. */
  async size() { return bytes(await this.read("")); }

  /** The line for a shell that does so. */
  line(query, headers = {}) {
    const key = this.#key && { Authorization: "" };
    return curl(this.#url + query, { headers: { ...key, ...headers } });
  }

  bytes(text) { return bytes(text); }

  /** Says what came of something, and leads to the field where a fault can be mended. */
  #say({ words, field, at }) {
    const place = this.#part("outcome");
    place.textContent = words;
    place.classList.toggle("failed", Boolean(field));
    for (const id of ["key", "document"]) this.#part(id).ariaInvalid = id === field ? "true" : null;
    if (!field) return;
    const part = this.#part(field);
    part.focus();
    if (at === undefined) return;
    part.setSelectionRange(at, Number(at) + 1);
    // Chromium scrolls to a selection only when it gets the focus.
    part.blur();
    part.focus();
  }

  /** Has the reader that asks ask. */
  async ask() {
    const feed = this.#feeds[1];
    const result = await feed?.refresh().catch(() => null);
    if (result) this.#asking.note(`${result.words}.`);
  }
}

/** Gives a panel all the room there is, or no longer. */
function expand(button) {
  const panel = button.closest(".panel");
  const isOpen = panel.toggleAttribute("data-expanded");
  button.ariaExpanded = String(isOpen);
  button.ariaLabel = say(isOpen ? "Shrink" : "Expand");
}

/** 128 bits at random, in hexadecimal. */
function randomKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

await translatePage();
new Workbench(document).start();
