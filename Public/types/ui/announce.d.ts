/** Has a screen reader say something, when it has said what it is saying.
 * @param {string} words */
export function announce(words: string): void;
