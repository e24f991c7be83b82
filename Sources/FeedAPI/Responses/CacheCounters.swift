import Synchronization

/// How much was made, so that it can be seen that a crowd has each answer made once.
final class CacheCounters: Sendable {
    private let documents = Atomic(0)
    private let compressions = Atomic(0)

    /// Documents written out.
    var documentCount: Int { documents.load(ordering: .relaxed) }

    /// Bodies compressed for many.
    var compressionCount: Int { compressions.load(ordering: .relaxed) }

    /// Notes that a document was written out.
    func addDocument() { documents.add(1, ordering: .relaxed) }

    /// Notes that a body was compressed.
    func addCompression() { compressions.add(1, ordering: .relaxed) }
}
