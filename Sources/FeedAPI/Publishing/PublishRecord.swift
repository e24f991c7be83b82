package import FeedModel
package import FeedStore
import HTTPWire
import Synchronization

/// What a publish did, and who asked for it, for the operator's log.
package struct PublishRecord: Sendable {
    /// The request's method.
    package let method: String
    package let feed: FeedName
    /// What the key's owner is called; `nil`: it has no name.
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

    /// Whether it changed anything.
    package var isChanged: Bool { previous != token }

    init(_ request: borrowing RoutedRequest, _ feed: FeedName, _ key: AccessKey) {
        method = request.head.methodName
        self.feed = feed
        keyName = key.name
        keyDigest = SHA256Digest.beginning(of: key.ownDigest)
        traceID = request.head.traceID.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The same with what became of it.
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

    /// The same of a feed that was deleted.
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
    private let refused = Mutex<[ProblemKind: Int]>([:])

    /// Those that changed something.
    var changedCount: Int { changed.load(ordering: .relaxed) }

    /// Those after which the feed was as before.
    var unchangedCount: Int { unchanged.load(ordering: .relaxed) }

    /// The publishes that were refused for what they say, by the kind of problem.
    var refusedCounts: [ProblemKind: Int] { refused.withLock(\.self) }

    func addRefused(_ kind: ProblemKind) { refused.withLock { $0[kind, default: 0] += 1 } }

    func add(_ record: PublishRecord) {
        if record.isChanged {
            changed.add(1, ordering: .relaxed)
        } else {
            unchanged.add(1, ordering: .relaxed)
        }
    }
}
