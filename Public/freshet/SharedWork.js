/** Work that several callers wait for; it is aborted when none of them waits any more. */
export class SharedWork {
  #stop = new AbortController();
  #result;
  #callers = 0;
  #ended;

  /** @param {() => void} ended called when it is over, or nobody waits for it */
  constructor(work, ended) {
    this.#ended = ended;
    this.#result = work(this.#stop.signal).finally(ended);
    this.#result.catch(() => {});
  }

  /** Waits for it. @param {AbortSignal} [signal] ends the waiting */
  join(signal) {
    this.#callers += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        reject(signal.reason);
        if (--this.#callers > 0) return;
        this.#stop.abort(signal.reason);
        this.#ended();
      };
      if (signal?.aborted) return leave();
      signal?.addEventListener("abort", leave, { once: true });
      const settled = (settle) => (value) => {
        signal?.removeEventListener("abort", leave);
        settle(value);
      };
      return this.#result.then(settled(resolve), settled(reject));
    });
  }
}
