import FeedModel

/// Work that counts as one's: of one client, about one feed.
struct WorkFlow: Hashable, Sendable {
    let client: ClientID
    /// `nil` for what is about several feeds.
    let feed: FeedName?
}
