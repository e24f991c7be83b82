/** A signal that is aborted when what is expected does not come in time. */
export class Watchdog {
  #late = new AbortController();
  #timer;

  get signal() { return this.#late.signal; }

  /** From now on something is to come within so many milliseconds. @param {Error} error if not */
  expect(time, error) {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#late.abort(error), time);
  }

  /** Nothing is expected any more. */
  rest() { clearTimeout(this.#timer); }

  /** Nor is anything wanted. */
  end() {
    this.rest();
    this.#late.abort();
  }
}
