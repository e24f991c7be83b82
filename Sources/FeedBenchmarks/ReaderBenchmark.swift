import FeedDiff
import FeedModel

/// A reader's copy of a feed, brought up to date by the documents that servers send.
public struct ReaderBenchmark: Sendable {
    /// The reason why a document was refused.
    public enum Fault: Error {
        /// The document does not turn the copy into the server's version.
        case doesNotFit
    }

    private var snapshot = Snapshot()
    /// The token of the last document that was applied; empty: none was.
    public private(set) var token = ""

    /// Begins without a copy.
    public init() {}

    /// Replaces the copy with a publisher's document.
    public mutating func replace(_ document: [UInt8]) throws {
        snapshot = try Snapshot(publishing: document)
    }

    /// Applies a document of a server, and checks the copy as clients do.
    public mutating func take(_ document: [UInt8]) throws {
        let served = try ServedDocument(parsing: document)
        switch served.content {
        case .unchanged: break
        case .changes(let changes, _): snapshot = try snapshot.applying(changes)
        case .snapshot(let whole): snapshot = whole
        case .missing, .unreadable: throw Fault.doesNotFit
        }
        guard ServedDocument.Check(of: snapshot) == served.check else { throw Fault.doesNotFit }
        token = served.token.map { "\($0)" } ?? ""
    }

    /// Returns whether the copy equals a publisher's document.
    public func has(_ document: [UInt8]) throws -> Bool {
        let other = try Snapshot(publishing: document)
        let changes = Changes(from: snapshot, to: other)
        return changes.counts(from: snapshot) == ChangeCounts()
    }
}
