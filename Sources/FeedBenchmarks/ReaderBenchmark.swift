import FeedDiff
import FeedModel

/// A reader's copy of a feed, brought up to date by the documents that servers send.
public struct ReaderBenchmark: Sendable {
    /// A document that the copy does not become the server's version by.
    public enum Fault: Error {
        case doesNotFit
    }

    private var snapshot = Snapshot()
    /// The version of the copy; empty: none.
    public private(set) var token = ""

    /// Begins without a copy.
    public init() {}

    /// Takes a list as its publisher wrote it.
    public mutating func replace(_ document: [UInt8]) throws {
        snapshot = try FeedDocument(parsing: document).snapshot
    }

    /// Takes a document of this protocol, and checks the copy as clients do.
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

    /// Whether the copy is what a publisher wrote.
    public func has(_ document: [UInt8]) throws -> Bool {
        let other = try FeedDocument(parsing: document).snapshot
        let changes = Changes(from: FeedView()(snapshot), to: FeedView()(other))
        return changes.counts(from: snapshot) == ChangeCounts()
    }
}
