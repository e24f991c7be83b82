/** Why a request to the server did not do what it was asked, in words for a person. */
export class FreshetError extends Error {
  /**
   * @param {string} message what happened
   * @param {number} [status] the status of the answer; none when there was no answer
   */
  constructor(message, status) {
    super(message);
    this.name = "FreshetError";
    this.status = status;
  }
}
