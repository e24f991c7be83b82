import { Feed } from "../freshet.js";
import { ClientView, exchange, pretty } from "./ClientView.js";
import { curl } from "./curl.js";
import { edits, garden } from "./edits.js";
import { WatchedService } from "./WatchedService.js";

const utf8 = new TextEncoder();
const bytes = (text) => utf8.encode(text).length;

/** A feed whose stream can be watched. */
class WatchedFeed extends Feed {
  heard = () => {};

  take(document, text) {
    this.heard(document, text);
    return super.take(document, text);
  }
}

/** The page: a publisher, a reader that follows, and one that asks. */
export class Workbench {
  #part;
  #live;
  #asking;
  #feeds = [];
  #sent = 0;
  #whole = 0;

  /** @param {Document} page */
  constructor(page) {
    this.#part = (id) => page.getElementById(id);
    this.#live = new ClientView(this.#part("live"));
    this.#asking = new ClientView(this.#part("asking"));
  }

  /** Begins with what the server has of the feed, or else with a garden. */
  async start() {
    const [form, text, key] = ["publish", "document", "key"].map(this.#part);
    // The key that `make run` gives a server that only this machine reaches.
    if (["127.0.0.1", "localhost", "[::1]"].includes(location.hostname)) key.value = "try-out-key";
    this.#write(garden);
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.#publish();
    });
    text.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) form.requestSubmit();
    });
    for (const button of form.querySelectorAll("[data-edit]")) {
      button.addEventListener("click", () => this.#edit(button.dataset.edit));
    }
    this.#part("feed").addEventListener("change", () => this.#open());
    key.addEventListener("change", () => this.#open());
    this.#part("ask").addEventListener("click", () => this.#ask());
    await this.#open();
  }

  get #url() {
    return `${location.origin}/feeds/${encodeURIComponent(this.#part("feed").value)}`;
  }

  #write(document) {
    this.#part("document").value = pretty(JSON.stringify(document));
  }

  /** Reads the feed of that name, twice. */
  async #open() {
    for (const feed of this.#feeds) feed.stop();
    const id = this.#part("feed").value;
    const key = await this.#readKey();
    const service = new WatchedService("", { key, cache: null });
    const live = new WatchedFeed(service, id);
    const asking = new Feed(service, id);
    this.#feeds = [live, asking];
    for (const [feed, view] of [[live, this.#live], [asking, this.#asking]]) {
      view.show(feed, { isFirst: true });
      feed.addEventListener("change", ({ detail }) => view.show(feed, detail));
      feed.addEventListener("state", () => view.say(feed));
    }
    const headers = key && { Authorization: `Bearer ${key}` };
    live.heard = ({ since }, text) => {
      const path = `/events?feed=${id}${since ? `@${since}` : ""}`;
      this.#heard(live, this.#live, path, { headers, isStream: true }, text);
      if (asking.snapshot === null) asking.refresh().catch(() => {});
    };
    service.heard = (path, text) => this.#heard(asking, this.#asking, path, { headers }, text);
    live.live();
    await asking.refresh().catch(() => {});
    if (asking.snapshot === null || live !== this.#feeds[0]) return;
    const { members, sections } = asking.snapshot;
    this.#write({ ...members, sections });
  }

  /** The key, if this server wants one of readers too. */
  async #readKey() {
    const isOpen = await fetch("/feeds?limit=1").then(({ status }) => status !== 401, () => true);
    return isOpen ? undefined : this.#part("key").value;
  }

  /** Shows a document that came, and what it cost beside a snapshot. */
  async #heard(feed, view, path, request, text) {
    // The feed takes it in first: then the snapshot that was saved is known.
    await new Promise((resolve) => { setTimeout(resolve); });
    let words = text === "" ? "304: nothing new, and no body" : "";
    if (text.startsWith('{"kind":"changes"')) {
      const [size, whole] = [bytes(text), bytes(JSON.stringify(feed.document))];
      words = `${size.toLocaleString()} bytes in place of ${whole.toLocaleString()}`;
      this.#sent += size;
      this.#whole += whole;
      this.#tally();
    }
    view.exchange(location.origin + path, request, text, words);
  }

  #tally() {
    const less = Math.round(100 - 100 * this.#sent / this.#whole);
    this.#part("saved").textContent = `${this.#sent.toLocaleString()} bytes of changes, where`
      + ` snapshots would have been ${this.#whole.toLocaleString()}: ${less} % less.`;
    this.#part("sent").style.inlineSize = `${Math.max(100 - less, 1)}%`;
  }

  #edit(name) {
    const text = this.#part("document");
    try {
      const document = JSON.parse(text.value);
      document.sections ??= [{ id: "main", items: document.items }];
      delete document.items;
      edits[name](document);
      this.#write(document);
    } catch (error) {
      this.#answer("", `This is no list that can be changed: ${error.message}`, true);
    }
  }

  async #publish() {
    const body = this.#part("document").value;
    const headers = {
      Authorization: `Bearer ${this.#part("key").value}`, "Content-Type": "application/json",
    };
    const request = { method: "PUT", headers, body };
    const line = curl(this.#url, request);
    try {
      const response = await fetch(this.#url, request);
      const text = pretty(await response.text());
      this.#answer(line, `${response.status} ${response.statusText}\n${text}`, !response.ok);
    } catch {
      this.#answer(line, "The server cannot be reached. Is it running?", true);
    }
  }

  #answer(line, words, isProblem) {
    const place = this.#part("publishing");
    place.classList.toggle("failed", isProblem);
    place.replaceChildren(...exchange(line, words));
  }

  async #ask() {
    const feed = this.#feeds[1];
    const refreshment = await feed.refresh().catch(() => null);
    if (refreshment) this.#asking.note(`${refreshment.words}.`);
  }
}
