import { FreshetError } from "./FreshetError.js";
import { Refreshment } from "./Refreshment.js";
import { Snapshot } from "./Snapshot.js";

/** One feed as a reader has it: the snapshot, its token, and the refresh that asks for more. */
export class Feed {
  #service;
  #running = null;

  /**
   * @param {import("./Service.js").Service} service
   * @param {string} id
   */
  constructor(service, id) {
    this.#service = service;
    this.id = id;
    /** @type {Snapshot | null} null until the first refresh */
    this.snapshot = null;
    /** @type {string | null} */
    this.token = null;
  }

  /**
   * Asks what is new and takes it in. Calls that come while one is under way share it.
   * @returns {Promise<Refreshment>} what came of it
   * @throws {FreshetError}
   */
  refresh() {
    this.#running ??= this.#refresh().finally(() => { this.#running = null; });
    return this.#running;
  }

  async #refresh() {
    const document = await this.#service.feed(this.id, this.token ?? undefined);
    switch (document.kind) {
      case "unchanged": return new Refreshment();
      case "changes": return this.#apply(document) ?? this.#replace(await this.#whole());
      default: return this.#replace(document);
    }
  }

  /** The whole feed, when changes did not fit what is here. */
  #whole() {
    return this.#service.feed(this.id);
  }

  /** Takes changes in; null, and nothing taken, when the result is not the server's. */
  #apply({ since, token, count, order, changes }) {
    if (this.snapshot === null || since !== this.token) return null;
    const next = this.snapshot.applying(changes);
    if (next === null || next.count !== count || next.order !== order) return null;
    const refreshment = Refreshment.ofChanges(changes, this.snapshot, next);
    this.#keep(next, token);
    return refreshment;
  }

  #replace(document) {
    if (document.kind !== "snapshot") {
      throw new FreshetError("The server's answer is no document of a feed.");
    }
    const next = Snapshot.read(document);
    const refreshment = this.snapshot === null
      ? Refreshment.first() : Refreshment.ofDifference(this.snapshot, next);
    this.#keep(next, document.token);
    return refreshment;
  }

  #keep(snapshot, token) {
    this.snapshot = snapshot;
    this.token = token;
  }
}
