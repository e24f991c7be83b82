/** The check sum of texts, as if they were one, in UTF-8.
 * @param {Iterable<string>} texts */
export function crc32(texts: Iterable<string>): number;
/** That of lines, each a sign and a text.
 * @param {Iterable<[string, string[]]>} parts */
export function crc32OfLines(parts: Iterable<[string, string[]]>): number;
