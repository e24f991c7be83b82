public import FeedModel
public import Foundation

/// Options of a publish.
public struct PublishOptions: Sendable {
    /// The version that must be current.
    ///
    /// If another version is, the publish fails with status 412.
    public var ifMatch: Token?

    /// Whether the changes are only counted, and not made.
    public var isDryRun: Bool

    /// Whether any number of items may be removed.
    ///
    /// If not, the feed's guard may refuse the publish with status 409 and the type
    /// `/problems/too-many-removed`.
    public var mayRemoveAny = false

    /// A key of 1 to 255 bytes that identifies this publish: if the request is repeated within 10
    /// minutes, the publish happens once (docs/PUBLISHING.md, "Publishing exactly once").
    ///
    /// An app that wants to continue after it was terminated stores the key with the content.
    public var idempotencyKey: String

    /// The most attempts if there is no response, or one that leaves the outcome open.
    ///
    /// A response that asks for a longer delay than a minute (`Retry-After`) is the last one.
    public var attempts = 4

    /// The upper bound of the first delay between attempts.
    ///
    /// Delays are random, and each bound is twice the one before.
    public var firstRetry = Duration.milliseconds(500)

    /// Makes options, with a new idempotency key if none is given.
    public init(
        ifMatch: Token? = nil,
        isDryRun: Bool = false,
        idempotencyKey: String = UUID().uuidString
    ) {
        self.ifMatch = ifMatch
        self.isDryRun = isDryRun
        self.idempotencyKey = idempotencyKey
    }
}
