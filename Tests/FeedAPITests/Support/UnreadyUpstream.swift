import FeedModel

@testable import FeedAPI

/// An upstream that never sends its feeds.
final class UnreadyUpstream: Upstream {
    let cutOffTime: Duration? = nil
    let trouble: String? = nil
    let knowsAllFeeds = false
    let takesPublishes = false

    func ask(
        _ questions: [(feed: FeedName, token: Token?)],
        completion: @escaping @Sendable (Bool) -> Void
    ) {
        completion(false)
    }
}
