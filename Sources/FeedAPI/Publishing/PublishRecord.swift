package import FeedModel
package import FeedStore
import HTTPWire

/// An entry of the operator's log about a publish: its caller and its effect.
package struct PublishRecord: Sendable {
    /// The request's method.
    package let method: String
    package let feed: FeedName
    /// The name of the key's owner; `nil`: the key has no name.
    package let keyName: String?
    /// The first eight hexadecimal digits of the key's digest, for keys without a name.
    package let keyDigest: String
    /// The id of the trace that the request belongs to (W3C Trace Context); `nil` if the request
    /// names none.
    package let traceID: String?
    /// The version before the publish; `nil` if the feed did not exist.
    package internal(set) var previous: Token?
    /// The version after the publish; `nil` if the feed does not exist.
    package internal(set) var token: Token?
    /// The numbers of changed items and sections.
    package internal(set) var counts = ChangeCounts()
    /// The reason why the feed's ``RemovalGuard`` refused the publish; `nil` if it was carried out.
    package internal(set) var refusal: RemovalGuard.Refusal?
    /// The older version that became current again; `nil` unless the request was to restore one.
    package internal(set) var restored: Token?
    /// The older version that was removed; `nil` unless the request was to remove one.
    package internal(set) var forgotten: Token?

    /// Whether the publish changed the feed.
    package var isChanged: Bool { previous != token }

    init(_ request: borrowing RoutedRequest, _ feed: FeedName, _ key: AccessKey) {
        method = request.head.methodName
        self.feed = feed
        keyName = key.name
        keyDigest = key.ownDigest.beginning
        traceID = request.head.traceID.map { String(decoding: $0, as: UTF8.self) }
    }
}

/// Counts the publishes of clients by their outcome; publishes of sources are not counted.
struct PublishCounts: Sendable {
    /// The number of publishes that changed the feed.
    var changed = 0
    /// The number of publishes that left the feed as it was.
    var unchanged = 0
    /// The number of changes that made the content of an older version current again.
    var restored = 0
    /// The number of older versions that clients removed.
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
