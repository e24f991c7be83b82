extension IdempotencyMemory {
    /// What an Idempotency-Key belongs to.
    struct Key: Hashable, Sendable {
        /// The digest of the bearer key, of which so many responses are kept.
        let owner: Digest
        /// Of the method, the target and the field: 32 bytes, however long those are.
        let digest: Digest

        /// One that was written down.
        init(owner: Digest, digest: Digest) {
            self.owner = owner
            self.digest = digest
        }

        /// Makes the key of a request, whose parts are as sent.
        ///
        /// - Parameters:
        ///   - owner: The bearer key.
        ///   - user: Tells apart those who share one; empty where nobody does.
        ///   - method: The method.
        ///   - target: The target with its query.
        ///   - value: Of the field.
        init(
            owner: Digest,
            user: [UInt8] = [],
            method: String,
            target: [UInt8],
            value: [UInt8]
        ) {
            self.owner = owner
            // Neither a method nor a target has a line feed in it.
            let separator = [UInt8(ascii: "\n")]
            let request = Array(method.utf8) + separator + target + separator + value
            digest = user.isEmpty ? Digest(of: request) : Digest(of: user, and: request)
        }
    }

    /// A SHA-256 as a value: four words, in the order of its bytes.
    struct Digest: Hashable, Sendable {
        private let words: SIMD4<UInt64>

        /// The digest of `bytes`.
        init(of bytes: [UInt8]) {
            self.init(SHA256Digest.inline(bytes.span))
        }

        /// The same of what comes in two parts.
        init(of first: [UInt8], and second: [UInt8]) {
            var stream = SHA256Digest.Stream()
            stream.add(length: first.count)
            stream.add(first.span)
            stream.add(second.span)
            self.init(stream.digest())
        }

        /// One that is there already.
        init(_ digest: SHA256Digest.Bytes) {
            let bytes = digest.span.bytes
            words = SIMD4(
                bytes.unsafeLoadUnaligned(as: UInt64.self),
                bytes.unsafeLoadUnaligned(fromByteOffset: 8, as: UInt64.self),
                bytes.unsafeLoadUnaligned(fromByteOffset: 16, as: UInt64.self),
                bytes.unsafeLoadUnaligned(fromByteOffset: 24, as: UInt64.self)
            )
        }

        /// One that was written down: 32 bytes.
        init?(_ bytes: [UInt8]) {
            guard bytes.count == 32 else { return nil }
            words = bytes.withUnsafeBytes { $0.loadUnaligned(as: SIMD4<UInt64>.self) }
        }

        /// Its 32 bytes, for who writes it down.
        var bytes: [UInt8] { withUnsafeBytes(of: words) { Array($0) } }
    }
}
