public import FeedModel
public import Foundation

/// How something is published.
public struct PublishOptions: Sendable {
    /// Publish only on top of this version; else the problem has the status 412.
    public var ifMatch: Token?

    /// Only count what would change.
    public var isDryRun: Bool

    /// Remove any number of items, though the feed's guard lets fewer go; else the problem has the
    /// status 409 and the type `/problems/too-many-removed`.
    public var mayRemoveAny = false

    /// The key that tells this publish from every other, 1 to 255 bytes: repeated with it, within
    /// 10 minutes, it happens once (docs/PUBLISHING.md, "Publishing exactly once").
    ///
    /// An app that wants to go on after it was ended keeps the key beside the content that it
    /// publishes.
    public var idempotencyKey: String

    /// The number of attempts where no answer comes, or none that tells the outcome.
    public var attempts = 4

    /// The bound of the first wait between attempts; each is twice the one before, and at random.
    public var firstRetry = Duration.milliseconds(500)

    /// Makes options; with a new idempotency key if none is given.
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
