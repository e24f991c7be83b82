/** Why a request did not do what it was asked, in words for a person. */
export class FreshetError extends Error {
  name = "FreshetError";
  /** @type {number | undefined} */
  status;
  /** @type {any} */
  problem;
  /** @type {number | undefined} in seconds */
  retryAfter;

  /**
   * @param {string} message
   * @param {{status?: number, problem?: object, retryAfter?: number}} [more] retryAfter in seconds
   */
  constructor(message, { status, problem, retryAfter } = {}) {
    super(message);
    Object.assign(this, { status, problem, retryAfter });
  }

  /** Nothing answered. */
  static lost() { return new FreshetError("The server cannot be reached."); }

  /** What came is no document that a feed server sends. */
  static strange() {
    return new FreshetError("The server's answer is no document of a feed.", { status: 200 });
  }

  /** The name of the problem, if the server gave one: `behind`, `outcome-unknown`. */
  get type() {
    return typeof this.problem?.type === "string" ? this.problem.type.split("/").at(-1) : undefined;
  }

  /** Whether the server said that for this reader the feed is not there: what was kept goes. */
  get isGone() {
    return [401, 403, 404, 410].includes(this.status);
  }
}

/** Whether something is a list of what has an id each. */
export function isList(value) {
  return Array.isArray(value) && value.every((one) => typeof one?.id === "string");
}
