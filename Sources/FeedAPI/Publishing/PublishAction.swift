import FeedDiff
import FeedModel
import FeedStore
import HTTPServer

/// What a publish does when its turn has come.
enum PublishAction: Sendable {
    /// Makes the feed's new state of its current version.
    typealias Transform = @Sendable (Version?) throws(Problem) -> Snapshot

    /// Changes the feed.
    ///
    /// - `read` makes the change of the content of the body. It throws for whatever does not depend
    ///   on the feed.
    /// - `response` says what was changed.
    case change(
        read: @Sendable (_ content: [UInt8]) throws(Problem) -> Transform,
        response: @Sendable (Publication) -> Response
    )

    /// Deletes the feed.
    case removal

    /// Has the feed's source fetched.
    case refresh(any SourceDirectory)
}
