/// The CRC-32 of zlib, a bit at a time (RFC 1952 §8).
package func naiveCRC32(_ bytes: some Sequence<UInt8>) -> UInt32 {
    var register: UInt32 = 0xffff_ffff
    for byte in bytes {
        register ^= UInt32(byte)
        for _ in 0..<8 {
            register = register & 1 == 1 ? register >> 1 ^ 0xedb8_8320 : register >> 1
        }
    }
    return ~register
}
