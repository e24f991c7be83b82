import FeedDiff
public import FeedModel

/// Two versions of a feed, which can be compared again and again as the store does it.
///
/// The functions that work out changes can be called in this package alone. This target lets
/// benchmarks in another package call them.
public struct DifferenceBenchmark: Sendable {
    private let old: Snapshot
    private let new: Snapshot
    private let shared: Snapshot

    /// Reads both.
    ///
    /// - Parameters:
    ///   - old: The body of a `PUT`, and what the feed already is.
    ///   - new: The body of the next one.
    /// - Throws: `DocumentError` when one of them is none.
    public init(from old: [UInt8], to new: [UInt8]) throws {
        // As the store keeps it: with an index of its ids.
        self.old = try FeedDocument(parsing: old).snapshot.sharing(with: Snapshot())
        self.new = try FeedDocument(parsing: new, known: self.old).snapshot
        shared = self.new.sharing(with: self.old)
    }

    /// Finds what both have in common, makes the new version share it, and works out the changes.
    ///
    /// - Returns: How many there are.
    public func publish() -> ChangeCounts {
        changes(to: new.sharing(with: old))
    }

    /// Works out the changes of two versions that the store has, for a reader that is behind.
    ///
    /// - Returns: How many there are.
    public func poll() -> ChangeCounts {
        changes(to: shared)
    }

    private func changes(to new: Snapshot) -> ChangeCounts {
        Changes(from: FeedView()(old), to: FeedView()(new)).counts(from: old)
    }
}
