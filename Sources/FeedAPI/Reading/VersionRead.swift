import FeedModel
import FeedStore
import HTTPServer

/// A read that has come to one version of a feed: all that its answer depends on but which document
/// it asks for.
struct VersionRead: Sendable {
    let version: Version
    /// Those about the version.
    let responses: VersionResponses
    /// What comes of its conditions.
    let outcome: ReadCondition.Outcome
    /// Who asks.
    let requester: Requester

    @inline(__always)
    init(_ version: Version, _ request: borrowing RoutedRequest, _ api: FeedAPI) {
        self.version = version
        responses = api.cache.responses(for: version)
        outcome = request.head.readOutcome(responses.tag, version, by: api.store)
        requester = request.requester
    }

    /// The same of a read that has waited.
    init(_ version: Version, _ waiting: WaitingRead, _ api: FeedAPI) {
        self.version = version
        responses = api.cache.responses(for: version)
        outcome = waiting.condition.outcome(responses.tag, version, at: api.store.wallSeconds)
        requester = waiting.read.requester
    }

    /// Whether there is nothing new for one who has `since`: `304`, or a document that says so; a
    /// date alone does not wait.
    func isStill(since: Token?) -> Bool {
        switch outcome {
        case .notModified(let match) where !match.isByDate: true
        case .send, .notModified: since == version.token
        case .failed: false
        }
    }

    var isNotModified: Bool {
        if case .notModified = outcome { true } else { false }
    }

    /// Whether it becomes a `304` whose tag the request names.
    var namesItsTag: Bool {
        if case .notModified(let match) = outcome { !match.namesNone } else { false }
    }
}
