import FeedAPI
import FeedModel
import FeedStore

/// What is said of sources: the feed `wire` has one.
struct SomeSources: SourceDirectory {
    func isSourced(_ feed: FeedName) -> Bool { feed.rawValue == "wire" }
    func refresh(
        _ feed: FeedName,
        mayRemoveAny: Bool,
        completion: @escaping @Sendable (Result<Publication?, SourceRefusal>) -> Void
    ) { completion(.success(nil)) }
    func report(on feed: FeedName) -> SourceReport? { nil }
    func page(
        after name: [UInt8],
        prefix: [UInt8],
        limit: Int,
        onlyFailing: Bool
    ) -> [(feed: FeedName, report: SourceReport)] { [] }
    var counts: (all: Int, failing: Int) { (1, 0) }
}

/// The default of a directory without hubs.
extension SourceDirectory {
    func isSubscriber(_ id: String) -> Bool { false }
    func verifyPush(_ id: String, _ question: SourceHubQuestion) -> Bool { false }
    func receivePush(_ id: String, _ body: [UInt8], signature: String?) -> Bool { false }
}
