import FeedModel

/// A read of one feed, taken apart, so that it can be answered more than once.
struct FeedRead: Sendable {
    let feed: FeedName
    let query: FeedQuery
    let caller: Access.Caller
    let parts: ReadParts
}
