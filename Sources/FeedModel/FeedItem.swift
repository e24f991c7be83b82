/// A row: a JSON object with an `id` that is unique in its feed.
///
/// A reference, so that the versions of a feed share what did not change.
public final class FeedItem: Sendable {
    /// 1 to 256 bytes of UTF-8 without control characters, other than `.` and `..`.
    public let id: ExactString

    /// The whole object, its `id` included.
    public let json: JSONText

    /// Takes what a reader has checked.
    package init(id: ExactString, json: JSONText) {
        self.id = id
        self.json = json
    }
}
