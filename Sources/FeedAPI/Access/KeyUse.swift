import Synchronization

/// When a key was used last, since the server began.
final class KeyUse: Sendable {
    /// Seconds since 1970; 0: never.
    private let second = Atomic(0)

    /// Takes note of a use; written once a second at most, so that loops share it cheaply.
    func note(at second: Double) {
        let second = Int(second)
        guard self.second.load(ordering: .relaxed) != second else { return }
        self.second.store(second, ordering: .relaxed)
    }

    /// Seconds since 1970; `nil`: it was not used.
    var last: Int? {
        let last = second.load(ordering: .relaxed)
        return last == 0 ? nil : last
    }
}

/// The last uses of all keys; a key that stays in the configuration keeps its own.
struct KeyUses: Sendable {
    /// By the key's digest, or the name of a signing key.
    private struct Name: Hashable {
        var digest: [UInt8] = []
        var kid: String?
    }

    private var uses: [Name: KeyUse] = [:]

    /// None.
    init() {}

    /// Begins with the uses from `old` for keys that are in both configurations; other keys are
    /// unused.
    init(_ keys: [AccessKey], _ signers: [SigningKey], keeping old: KeyUses) {
        let names =
            keys.map { Name(digest: $0.digest) } + signers.map { Name(kid: $0.kid) }
        for name in names { uses[name] = old.uses[name] ?? KeyUse() }
    }

    subscript(key: AccessKey) -> KeyUse { uses[Name(digest: key.digest)] ?? KeyUse() }

    subscript(signer: SigningKey) -> KeyUse { uses[Name(kid: signer.kid)] ?? KeyUse() }
}
