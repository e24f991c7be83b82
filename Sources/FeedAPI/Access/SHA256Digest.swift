import COpenSSL
import FeedModel

/// A SHA-256 digest (FIPS 180-4) by OpenSSL: four words, in the order of its bytes.
package struct SHA256Digest: Hashable, Sendable {
    private let words: SIMD4<UInt64>

    /// The number of bytes of a digest.
    package static let byteCount = 32

    /// The bytes of a digest, stored inline.
    typealias Bytes = InlineArray<32, UInt8>

    /// Makes the digest of `bytes`.
    init(of bytes: [UInt8]) {
        self.init(SHA256Digest.inline(bytes.span))
    }

    /// Makes the digest of two parts; the length of the first part is hashed before both, so that
    /// different parts have different bytes.
    init(of first: [UInt8], and second: [UInt8]) {
        var state = freshet_sha256_state()
        freshet_sha256Begin(&state)
        withUnsafeBytes(of: first.count) { freshet_sha256Add(&state, $0.baseAddress, $0.count) }
        for part in [first, second] { freshet_sha256Add(&state, part, part.count) }
        var digest = Bytes(repeating: 0)
        var output = digest.mutableSpan
        output.withUnsafeMutableBufferPointer { freshet_sha256End(&state, $0.baseAddress) }
        self.init(digest)
    }

    /// Makes a value from the bytes of a computed digest.
    init(_ digest: Bytes) {
        let bytes = digest.span.bytes
        words = SIMD4(
            bytes.unsafeLoadUnaligned(as: UInt64.self),
            bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self),
            bytes.unsafeLoadUnaligned(fromByteOffset: 16, as: UInt64.self),
            bytes.unsafeLoadUnaligned(fromByteOffset: 24, as: UInt64.self)
        )
    }

    /// Makes a value from the bytes of a stored digest; `nil` unless they are 32.
    init?(_ bytes: [UInt8]) {
        guard bytes.count == SHA256Digest.byteCount else { return nil }
        words = bytes.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
    }

    /// The 32 bytes of the digest, for storage.
    var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }
}

/// Computes and compares digests that are arrays or inline arrays of bytes.
extension SHA256Digest {
    /// Returns the digest of `bytes`.
    package static func of(_ bytes: Span<UInt8>) -> [UInt8] {
        let digest = inline(bytes)
        return digest.indices.map { digest[$0] }
    }

    /// Returns the digest of `bytes` without an allocation.
    static func inline(_ bytes: Span<UInt8>) -> Bytes {
        var digest = Bytes(repeating: 0)
        bytes.withUnsafeBufferPointer { input in
            var output = digest.mutableSpan
            output.withUnsafeMutableBufferPointer { output in
                freshet_sha256(input.baseAddress, input.count, output.baseAddress)
            }
        }
        return digest
    }

    /// Returns the first eight hexadecimal digits of a digest, by which logs and pages name a key.
    static func beginning(of digest: [UInt8]) -> String {
        digest.prefix(4).hexadecimal
    }

    /// Returns whether two digests are equal, in a time that does not depend on the position of the
    /// first difference.
    static func areEqual(_ left: [UInt8], _ right: Bytes) -> Bool {
        guard left.count == byteCount else { return false }
        return right.span.withUnsafeBufferPointer { right in
            CRYPTO_memcmp(left, right.baseAddress, byteCount) == 0
        }
    }
}
