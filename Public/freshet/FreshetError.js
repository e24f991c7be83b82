/** Why a request did not do what it was asked, in words for a person. */
export class FreshetError extends Error {
  name = "FreshetError";

  /**
   * @param {string} message
   * @param {{status?: number, problem?: object, retryAfter?: number}} [more] retryAfter in seconds
   */
  constructor(message, { status, problem, retryAfter } = {}) {
    super(message);
    Object.assign(this, { status, problem, retryAfter });
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
