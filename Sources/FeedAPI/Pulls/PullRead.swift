import FeedStore
import Synchronization

/// A pull, taken apart, so that it can be answered more than once.
struct PullRead: Sendable {
    let selection: FeedSelection
    var caller: Access.Caller
    let parts: ReadParts
    let poll: WaitPreference?
}
