/** The check sum of texts, as if they were one, in UTF-8.
 * @param {Iterable<string>} texts */
export function crc32(texts: Iterable<string>): number;
