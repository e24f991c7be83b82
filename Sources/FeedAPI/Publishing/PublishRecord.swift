package import FeedModel
package import FeedStore
import HTTPWire
import Synchronization

/// A record for the operator's log: the effect of a publish, and who asked for it.
package struct PublishRecord: Sendable {
    /// The request's method.
    package let method: String
    package let feed: FeedName
    /// The name of the key's owner; `nil`: the key has no name.
    package let keyName: String?
    /// The first eight hexadecimal digits of the key's digest, for keys without a name.
    package let keyDigest: String
    /// The trace that the request belongs to, if it names one.
    package let traceID: String?
    /// The version that was there before, and that is there now; `nil`: there is none.
    package internal(set) var previous: Token?
    package internal(set) var token: Token?
    package internal(set) var counts = ChangeCounts()
    /// Why the feed's guard refused it; `nil`: it was carried out.
    package internal(set) var refusal: RemovalGuard.Trip?
    /// The older version that became current again; `nil`: the content was sent.
    package internal(set) var restored: Token?
    /// The older version that was forgotten; `nil`: it was a publish.
    package internal(set) var forgotten: Token?

    /// Whether it changed anything.
    package var isChanged: Bool { previous != token }

    init(_ request: borrowing RoutedRequest, _ feed: FeedName, _ key: AccessKey) {
        method = request.head.methodName
        self.feed = feed
        keyName = key.name
        keyDigest = SHA256Digest.beginning(of: key.ownDigest)
        traceID = request.head.traceID.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Returns the record with the result of the publish.
    func done(_ publication: Publication) -> PublishRecord {
        var record = self
        record.previous = publication.previous?.token
        record.token = publication.current.token
        record.counts = publication.counts
        return record
    }

    /// Returns the record of a publish that the feed's guard refused.
    func refused(_ trip: RemovalGuard.Trip) -> PublishRecord {
        var record = self
        record.refusal = trip
        return record
    }

    /// Returns the record of an older version that was forgotten.
    func forgot(_ token: Token) -> PublishRecord {
        var record = self
        record.forgotten = token
        return record
    }

    /// Returns the record of a feed's deletion.
    func removed(_ previous: Token?) -> PublishRecord {
        var record = self
        record.previous = previous
        return record
    }
}

/// How many publishes were carried out; any thread may count one.
final class PublishCounters: Sendable {
    private let changed = Atomic(0)
    private let unchanged = Atomic(0)
    private let restored = Atomic(0)
    private let forgotten = Atomic(0)
    private let refused = Mutex<[ProblemKind: Int]>([:])

    /// The number of publishes that changed something.
    var changedCount: Int { changed.load(ordering: .relaxed) }

    /// The number of publishes that left the feed as it was.
    var unchangedCount: Int { unchanged.load(ordering: .relaxed) }

    /// The number of changes that made the content of an older version current again.
    var restoredCount: Int { restored.load(ordering: .relaxed) }

    /// The number of older versions that were forgotten by request.
    var forgottenCount: Int { forgotten.load(ordering: .relaxed) }

    /// The publishes that were refused for what they say, by the kind of problem.
    var refusedCounts: [ProblemKind: Int] { refused.withLock(\.self) }

    func addRefused(_ kind: ProblemKind) { refused.withLock { $0[kind, default: 0] += 1 } }

    func addForgotten() { forgotten.add(1, ordering: .relaxed) }

    func add(_ record: PublishRecord) {
        if record.isChanged {
            changed.add(1, ordering: .relaxed)
            if record.restored != nil { restored.add(1, ordering: .relaxed) }
        } else {
            unchanged.add(1, ordering: .relaxed)
        }
    }
}
