package import FeedModel
package import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire
import Synchronization

/// A record for the operator's log: the effect of a publish, and its caller.
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
    /// The versions before and after; `nil` if the feed did not or does not exist.
    package internal(set) var previous: Token?
    package internal(set) var token: Token?
    package internal(set) var counts = ChangeCounts()
    /// The reason why the feed's guard refused the publish; `nil` if it was carried out.
    package internal(set) var refusal: RemovalGuard.Trip?
    /// The older version that became current again; `nil` if the content was sent.
    package internal(set) var restored: Token?
    /// The older version that was removed; `nil` if the request was a publish.
    package internal(set) var forgotten: Token?

    /// Whether the publish changed the feed.
    package var isChanged: Bool { previous != token }

    init(_ request: borrowing RoutedRequest, _ feed: FeedName, _ key: AccessKey) {
        method = request.head.methodName
        self.feed = feed
        keyName = key.name
        keyDigest = SHA256Digest.beginning(of: key.ownDigest)
        traceID = request.head.traceID.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// The numbers of publishes by requests, by their outcome.
struct PublishCounts: Sendable {
    /// The number of publishes that changed the feed.
    var changed = 0
    /// The number of publishes that left the feed as it was.
    var unchanged = 0
    /// The number of changes that made the content of an older version current again.
    var restored = 0
    /// The number of older versions that were forgotten by request.
    var forgotten = 0
    /// The numbers of refused publishes, by the kind of problem.
    var refused: [ProblemKind: Int] = [:]

    /// Counts a publish that was carried out.
    mutating func add(_ record: PublishRecord) {
        guard record.isChanged else {
            unchanged += 1
            return
        }
        changed += 1
        if record.restored != nil { restored += 1 }
    }
}

/// The journal's records of responses.
extension JournalAnswer {
    /// Makes the record of a successful request's response.
    init(
        _ key: IdempotencyMemory.Key,
        _ fingerprint: SHA256Digest,
        _ response: Response,
        at time: Double
    ) {
        self.init(
            owner: key.owner.bytes,
            key: key.digest.bytes,
            fingerprint: fingerprint.bytes,
            response: response.kept ?? [],
            time: time
        )
    }
}

extension FeedAPI {
    /// Keeps the responses that a journal has, so that requests repeated after a restart are not
    /// carried out twice.
    ///
    /// - Parameters:
    ///   - answers: The records, the oldest first.
    ///   - now: The seconds since 1970.
    package func remember(_ answers: [JournalAnswer], at now: Double) {
        for kept in answers {
            guard let owner = SHA256Digest(kept.owner),
                let digest = SHA256Digest(kept.key),
                let fingerprint = SHA256Digest(kept.fingerprint),
                Response(kept: kept.response) != nil
            else { continue }
            let key = IdempotencyMemory.Key(owner: owner, digest: digest)
            let age = Duration.seconds(max(0, now - kept.time))
            service.idempotency.remember(key, fingerprint, kept.response, age: age)
        }
    }
}
