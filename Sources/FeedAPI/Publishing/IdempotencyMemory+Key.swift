extension IdempotencyMemory {
    /// Identifies the request that an Idempotency-Key belongs to.
    struct Key: Hashable, Sendable {
        /// The digest of the bearer key; the number of responses is limited for each.
        let owner: SHA256Digest.Value
        /// The digest of the method, the target and the field: 32 bytes, however long they are.
        let digest: SHA256Digest.Value

        /// Makes a key of stored digests.
        init(owner: SHA256Digest.Value, digest: SHA256Digest.Value) {
            self.owner = owner
            self.digest = digest
        }

        /// Makes the key of a request, whose parts are as sent.
        ///
        /// - Parameters:
        ///   - owner: The bearer key.
        ///   - user: Tells apart the users who share the key; empty where the key is not shared.
        ///   - method: The method.
        ///   - target: The target with its query.
        ///   - value: Of the field.
        init(
            owner: SHA256Digest.Value,
            user: [UInt8] = [],
            method: String,
            target: [UInt8],
            value: [UInt8]
        ) {
            self.owner = owner
            // Neither a method nor a target has a line feed in it.
            let separator = [UInt8(ascii: "\n")]
            let request = Array(method.utf8) + separator + target + separator + value
            digest =
                user.isEmpty
                ? SHA256Digest.Value(of: request) : SHA256Digest.Value(of: user, and: request)
        }
    }
}
