import FeedDiff
import FeedModel

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
