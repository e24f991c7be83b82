// The CRC-32 of zlib and gzip (RFC 1952, 8), a byte at a time from a table.

const utf8 = new TextEncoder();
const table = Uint32Array.from({ length: 256 }, (_, value) => {
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

/** The check sum of texts, as if they were one, in UTF-8. @param {Iterable<string>} texts */
export function crc32(texts) {
  let sum = 0xffffffff;
  for (const text of texts) {
    const start = sum;
    let index = 0;
    for (; index < text.length; index++) {
      const code = text.charCodeAt(index);
      if (code > 127) break;
      sum = table[(sum ^ code) & 255] ^ (sum >>> 8);
    }
    if (index === text.length) continue;
    sum = start;
    for (const byte of utf8.encode(text)) sum = table[(sum ^ byte) & 255] ^ (sum >>> 8);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
