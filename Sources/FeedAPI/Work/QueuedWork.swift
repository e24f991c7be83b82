import FeedModel

/// A piece of work, and what becomes of it.
struct QueuedWork: Sendable {
    let flow: WorkFlow
    /// When it came.
    let time: Duration
    /// Bytes that it holds while it waits and runs.
    var byteCount = 0
    /// Whether somebody still waits for it; the argument: whether it has waited for long enough
    /// that one who has closed its side of the connection counts as gone.
    var isWanted: @Sendable (Bool) -> Bool = { _ in true }
    let run: @Sendable () -> Void
    /// Called in the place of `run`.
    let refuse: @Sendable () -> Void
}

/// Work that counts as one's: of one client, about one feed.
struct WorkFlow: Hashable, Sendable {
    let client: ClientID
    /// `nil` for what is about several feeds.
    let feed: FeedName?

    /// The accounts whose use counts against it.
    var accounts: [UsageLedger.Account] {
        [.client(client)] + (feed.map { [.feed($0)] } ?? [])
    }
}

/// Whether work takes milliseconds, or may take longer.
enum WorkSize: Sendable {
    case small
    case large

    /// - Parameter byteCount: Bytes that are read and written; those that are compressed count
    ///   twenty times, about what that takes longer.
    init(byteCount: Int) {
        self = byteCount <= WorkSize.limit ? .small : .large
    }

    /// The highest cost of small work.
    static let limit = 4 << 20
}

/// The purpose of work.
enum WorkKind: Sendable {
    case read
    case publish
}
