import { load, save } from "../ui/memory.js";
import { say } from "../pageTexts.js";
import { feedRow, keyRow, ListView, showMemory, showTiles, sourceRow } from "./views.js";

/** Under what the key is kept until the tab is closed. */
const keyName = "freshet operator key";

/** What is answered besides faults of a server that may be over soon. */
const passing = [408, 429];

/** The operator's page: how the server is, looked at again every few seconds while it is seen. */
export class Console {
  #part;
  #service = new OperatorService("");
  #lists;
  #timer;
  /** @type {?import("./VersionList.js").VersionList} */
  #versions = null;

  /** How long to wait before the next look, in milliseconds. */
  static interval = 5000;

  /** @param {Document} page */
  constructor(page) {
    this.#part = (id) => page.getElementById(id);
    const read = (path) => this.#service.read(path);
    const fetch = (feed, button) => this.#fetch(feed, button);
    this.#lists = {
      sources: new ListView(this.#part("sources"), "sources", (one) => sourceRow(one, fetch), read),
      feeds: new ListView(this.#part("feeds"), "feeds", (one) => feedRow(one, this.#versionsOf), read),
      keys: new ListView(this.#part("keys"), "keys", keyRow, read),
    };
  }

  /** Shows everything, or asks for a key. @returns {Promise<void>} */
  async start() {
    this.#service = new OperatorService(this.#takeKey());
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
    this.#service = new OperatorService(key);
    this.#look();
  }

  /** Reads everything; an answer to an older key counts for nothing. */
  async #look() {
    clearTimeout(this.#timer);
    const service = this.#service;
    let goesOn = true;
    try {
      const server = await service.read("server");
      if (service !== this.#service) return;
      this.#show(server);
      const names = ["feeds", "keys", ...(server.sources.count > 0 ? ["sources"] : [])];
      await Promise.all(names.map((name) => this.#lists[name].load()));
    } catch (error) {
      if (!(error instanceof OperatorError)) throw error;
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
    this.#part("forget").hidden = this.#service.key === "";
    this.#part("sources").hidden = server.sources.count === 0;
    const isWell = server.ready && server.state === "ready";
    this.#say(isWell ? "ready" : server.ready ? "degraded" : "not-ready", isWell ? say("Ready") : server.state);
    showTiles(this.#part("now"), server);
    const [note, bar, list] = ["memory-note", "memory-bar", "memory"].map(this.#part);
    showMemory({ note, bar, list }, server.memory);
  }

  /** Says why there is no answer: whether one may come yet. */
  #fail({ status, message }) {
    if (status === 0 || passing.includes(status) || status >= 500) {
      this.#say("not-ready", status === 0 ? say("The server does not answer.") : `${message} (${status})`);
      return true;
    }
    const asks = status === 401 || status === 403;
    if (!asks) {
      this.#say("not-ready", status === 404
        ? say("This is not here: the server has a listener of its own for its operator.")
        : `${message} (${status})`);
    }
    this.#part("shown").hidden = true;
    this.#part("forget").hidden = true;
    this.#part("ask").hidden = !asks;
    if (!asks) return false;
    this.#say("", "");
    this.#part("reason").textContent = this.#service.key === ""
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

  /** What shows a feed's versions; null on the operator's own listener, where nothing is published. */
  get #versionsOf() { return this.#service.key === "" ? null : (feed) => this.#list(feed); }

  /** Shows the versions of a feed, in a panel of their own. */
  async #list(feed) {
    const panel = this.#part("versions");
    const [{ VersionList }, { Service }] = await Promise.all(
      [import("./VersionList.js"), import("../freshet/Service.js")]);
    this.#versions ??= new VersionList(panel);
    panel.hidden = false;
    this.#part("versions-title").textContent = say("Versions of {feed}", { feed });
    this.#part("versions-title").focus();
    await this.#versions.show(new Service("", { key: this.#service.key, cache: null }), feed);
  }

  /** Has a source fetched, and shows what came of it. */
  async #fetch(feed, button) {
    button.disabled = true;
    const note = this.#part("sources").querySelector("[data-note]");
    const failure = await this.#service.refresh(feed).then(() => null, (error) => error);
    await Promise.all([this.#lists.sources.load(), this.#lists.feeds.load()]).catch(() => {});
    note.textContent = failure === null ? say("{feed} was fetched.", { feed })
      : say("{feed} could not be fetched: {reason}", { feed, reason: failure.message });
  }
}

/** Why a request was not answered. */
export class OperatorError extends Error {
  /** @param {number} status 0 when there was no answer @param {string} detail in words */
  constructor(status, detail) {
    super(detail);
    this.status = status;
  }
}

/** What an operator asks a server. */
export class OperatorService {
  /** @param {string} key empty for none */
  constructor(key) {
    this.key = key;
  }

  /**
   * Reads a page of what the server says of itself.
   *
   * @param {string} path below `/admin/`
   * @returns {Promise<any>}
   * @throws {OperatorError}
   */
  async read(path) {
    const answer = await this.#send("GET", `admin/${path}`);
    // Something between here and the server answered in its place.
    if (answer?.kind === undefined) throw new OperatorError(0, "");
    return answer;
  }

  /** Has the source of a feed fetched. @param {string} feed @throws {OperatorError} */
  refresh(feed) {
    return this.#send("POST", `feeds/${encodeURIComponent(feed)}/refresh`);
  }

  async #send(method, path) {
    const headers = this.key === "" ? {} : { Authorization: `Bearer ${this.key}` };
    let response;
    try {
      response = await fetch(new URL(path, document.baseURI), { method, headers, cache: "no-store" });
    } catch (error) {
      throw new OperatorError(0, error.message);
    }
    const answer = await response.json().catch(() => null);
    if (!response.ok) throw new OperatorError(response.status, answer?.detail ?? response.statusText);
    return answer;
  }
}
