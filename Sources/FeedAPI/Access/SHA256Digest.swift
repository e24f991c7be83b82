import COpenSSL

/// SHA-256 (FIPS 180-4) and the comparison of digests, both by OpenSSL.
package enum SHA256Digest {
    /// Bytes of a digest.
    package static let byteCount = 32

    /// The digest of `bytes`.
    package static func of(_ bytes: Span<UInt8>) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: byteCount)
        bytes.withUnsafeBufferPointer { input in
            _ = SHA256(input.baseAddress, input.count, &digest)
        }
        return digest
    }

    /// Whether two digests are equal, in a time that does not depend on where they differ.
    static func areEqual(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }
}
