import FeedAPI
import FeedModel

/// What is said of sources: the feed `wire` has one.
struct SomeSources: SourceDirectory {
    func isSourced(_ feed: FeedName) -> Bool { feed.rawValue == "wire" }
    func refresh(
        _ feed: FeedName,
        mayRemoveAny: Bool,
        completion: @escaping @Sendable (SourceRefresh) -> Void
    ) { completion(.unchanged) }
    func report(on feed: FeedName) -> SourceReport? { nil }
    func page(
        after name: [UInt8],
        prefix: [UInt8],
        limit: Int,
        onlyFailing: Bool
    ) -> [(feed: FeedName, report: SourceReport)] { [] }
    var counts: (all: Int, failing: Int) { (1, 0) }
}
