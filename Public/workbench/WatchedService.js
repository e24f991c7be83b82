import { Service } from "../freshet.js";

/** A service that tells what it asked and what came. */
export class WatchedService extends Service {
  /** @type {(path: string, text: string) => void} */
  heard = () => {};

  async read(path, options) {
    const answer = await super.read(path, options);
    this.heard(path, answer.text);
    return answer;
  }
}
