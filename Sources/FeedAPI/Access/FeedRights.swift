package import FeedModel

/// The feeds that the holder of a key or a signed token may read, change and follow, by patterns of
/// their names.
package struct FeedRights: Hashable, Sendable {
    /// The feeds that may be read, besides those that may be changed or followed.
    package var read: [FeedPattern] = []
    /// The feeds that may be changed, and so read.
    package var write: [FeedPattern] = []
    /// The feeds that may be followed in any number, and so read.
    package var follow: [FeedPattern] = []

    /// All patterns; a feed that any of them matches may be read.
    var all: [FeedPattern] { read + write + follow }

    /// Returns whether the feed with that name may be read.
    func mayRead(_ name: Span<UInt8>) -> Bool {
        read.names(name) || write.names(name) || follow.names(name)
    }
}
