import Synchronization

/// An item: a JSON object with an `id` that is unique in its feed.
///
/// It is a reference type, so that the versions of a feed share unchanged items.
public final class FeedItem: Sendable {
    /// The id: 1 to 256 bytes of UTF-8 without control characters, other than `.` and `..`.
    public let id: ExactString

    /// The whole object, including its `id`.
    public let json: JSONText

    /// The times at which the server first saw the item and last saw it change, in seconds since
    /// 1970, the first in the upper half; 0 if not recorded.
    private let times = Atomic<UInt64>(0)

    /// Makes an item from JSON that a reader has validated.
    package init(id: ExactString, json: JSONText) {
        self.id = id
        self.json = json
    }
}

/// The times at which the server saw the item.
extension FeedItem {
    /// The seconds since 1970 at which an item with this id was first seen and last changed; 0 if
    /// not recorded.
    package var seen: (first: UInt32, changed: UInt32) {
        let both = times.load(ordering: .relaxed)
        return (UInt32(truncatingIfNeeded: both >> 32), UInt32(truncatingIfNeeded: both))
    }

    /// Records the times, before the item is in a version that readers get.
    package func setSeen(first: UInt32, changed: UInt32) {
        times.store(UInt64(first) << 32 | UInt64(changed), ordering: .relaxed)
    }
}
