import Synchronization

/// A row: a JSON object with an `id` that is unique in its feed.
///
/// A reference, so that the versions of a feed share what did not change.
public final class FeedItem: Sendable {
    /// 1 to 256 bytes of UTF-8 without control characters, other than `.` and `..`.
    public let id: ExactString

    /// The whole object, its `id` included.
    public let json: JSONText

    /// When the server first saw it and last saw it change: seconds since 1970, the first in the
    /// upper half; 0 where nobody took note.
    private let times = Atomic<UInt64>(0)

    /// Takes what a reader has checked.
    package init(id: ExactString, json: JSONText) {
        self.id = id
        self.json = json
    }
}

/// When the server saw it.
extension FeedItem {
    /// Seconds since 1970 when an item of this id came to be, and when it last changed; 0 where
    /// nobody took note.
    package var seen: (first: UInt32, changed: UInt32) {
        let both = times.load(ordering: .relaxed)
        return (UInt32(truncatingIfNeeded: both >> 32), UInt32(truncatingIfNeeded: both))
    }

    /// Takes note of it, before the item is in a version that anybody reads.
    package func setSeen(first: UInt32, changed: UInt32) {
        times.store(UInt64(first) << 32 | UInt64(changed), ordering: .relaxed)
    }
}
