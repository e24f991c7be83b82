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
