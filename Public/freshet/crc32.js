// The CRC-32 of zlib and gzip (RFC 1952, 8), a byte at a time from a table.

const table = new Uint32Array(256);
for (let index = 0; index < 256; index++) {
  let value = index;
  for (let bit = 0; bit < 8; bit++) {
    value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  }
  table[index] = value;
}

/**
 * The check sum of bytes.
 * @param {Uint8Array} bytes
 * @returns {number} from 0 to 2³² − 1
 */
export function crc32(bytes) {
  let value = 0xffffffff;
  for (const byte of bytes) {
    value = table[(value ^ byte) & 0xff] ^ (value >>> 8);
  }
  return (value ^ 0xffffffff) >>> 0;
}
