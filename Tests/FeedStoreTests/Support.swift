import FeedDiff
import FeedModel
import Synchronization

@testable import FeedStore

let news = feedName("news")

func feedName(_ text: String) -> FeedName {
    guard let name = FeedName(text) else { preconditionFailure("no feed can have that name") }
    return name
}

/// Reads the body of a `PUT`.
func snapshot(_ json: String) throws -> Snapshot {
    try FeedDocument(parsing: Array(json.utf8)).snapshot
}

func item(_ json: String) throws -> FeedItem {
    try FeedItem(parsing: Array(json.utf8))
}

func edits(_ json: String) throws -> [Edit] {
    try Edit.list(parsing: Array("{\"edits\":[\(json)]}".utf8))
}

extension Snapshot {
    /// The ids: `today: a1 a2 | week: a3`.
    var outline: String {
        sections.map { section in
            ["\(section.id):"] + section.items.map(\.id.string)
        }.map { $0.joined(separator: " ") }.joined(separator: " | ")
    }
}

/// Time that goes when a test says so.
final class HandClock: Sendable {
    private let time = Mutex(Duration.zero)

    func advance(by duration: Duration) {
        time.withLock { $0 += duration }
    }

    var now: Duration { time.withLock(\.self) }

    var clock: FeedStore.Clock {
        FeedStore.Clock(
            now: { self.now },
            wall: { 1_000_000 + Double(self.now.components.seconds) }
        )
    }
}
