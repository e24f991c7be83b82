import COpenSSL
import FeedModel

/// A SHA-256 digest (FIPS 180-4) by OpenSSL: four words, in the order of its bytes.
package struct SHA256Digest: Hashable, Sendable {
    private let words: SIMD4<UInt64>

    /// The number of bytes of a digest.
    package static let byteCount = 32

    /// Makes the digest of `bytes`.
    package init(of bytes: Span<UInt8>) {
        var words = SIMD4<UInt64>()
        bytes.withUnsafeBufferPointer { input in
            withUnsafeMutableBytes(of: &words) { output in
                freshet_sha256(input.baseAddress, input.count, output.baseAddress)
            }
        }
        self.words = words
    }

    /// Makes the digest of two parts; the length of the first part is hashed before both, so that
    /// different parts have different bytes.
    init(of first: [UInt8], and second: [UInt8]) {
        var state = freshet_sha256_state()
        freshet_sha256Begin(&state)
        withUnsafeBytes(of: first.count) { freshet_sha256Add(&state, $0.baseAddress, $0.count) }
        for part in [first, second] { freshet_sha256Add(&state, part, part.count) }
        var words = SIMD4<UInt64>()
        withUnsafeMutableBytes(of: &words) { freshet_sha256End(&state, $0.baseAddress) }
        self.words = words
    }

    /// Makes a value from the bytes of a stored digest; `nil` unless they are 32.
    package init?(_ bytes: [UInt8]) {
        guard bytes.count == SHA256Digest.byteCount else { return nil }
        words = bytes.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    }

    /// Returns whether both digests are equal, in a time that does not depend on the position of
    /// the first difference.
    package static func == (left: SHA256Digest, right: SHA256Digest) -> Bool {
        withUnsafeBytes(of: left.words) { left in
            withUnsafeBytes(of: right.words) { right in
                CRYPTO_memcmp(left.baseAddress, right.baseAddress, byteCount) == 0
            }
        }
    }

    /// Hashes the first eight bytes, which differ for nearly all digests.
    ///
    /// The time of a look-up in a dictionary may reveal these bytes of a digest; they do not reveal
    /// a key that has 128 random bits.
    package func hash(into hasher: inout Hasher) { hasher.combine(words[0]) }

    /// The 32 bytes of the digest, for storage.
    package var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }

    /// The first and the second eight bytes, each as a number whose lowest byte is the first.
    var start: (UInt64, UInt64) { (UInt64(littleEndian: words[0]), UInt64(littleEndian: words[1])) }

    /// The first eight hexadecimal digits, by which logs and pages name a key.
    var beginning: String { bytes.prefix(4).hexadecimal }
}
