import FeedDiff
public import FeedModel

/// Compares two versions of a feed as the store does, any number of times.
///
/// The functions for that have `package` access; through this type, benchmarks in another package
/// can call them.
public struct DifferenceBenchmark: Sendable {
    private let old: Snapshot
    private let new: Snapshot
    private let shared: Snapshot

    /// Parses both versions.
    ///
    /// - Parameters:
    ///   - old: The body of the `PUT` that made the current version.
    ///   - new: The body of the next `PUT`.
    /// - Throws: `DocumentError` if a body is no feed.
    public init(from old: [UInt8], to new: [UInt8]) throws {
        // The store keeps versions with an index of their ids.
        self.old = try Snapshot(publishing: old).sharing(with: Snapshot())
        self.new = try Snapshot(publishing: new, known: self.old)
        shared = self.new.sharing(with: self.old)
    }

    /// Makes the new version share its equal parts with the old one, and works out the changes.
    ///
    /// - Returns: The numbers of changes.
    public func publish() -> ChangeCounts {
        new.following(old).changes.counts(from: old)
    }

    /// Works out the changes between two versions that already share their equal parts, as for a
    /// reader with the old version.
    ///
    /// - Returns: The numbers of changes.
    public func poll() -> ChangeCounts {
        Changes(from: old, to: shared).counts(from: old)
    }
}
