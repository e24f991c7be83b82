package import FeedDiff
package import FeedModel

package let news = feedName("news")

package func feedName(_ text: String) -> FeedName {
    guard let name = FeedName(text) else { preconditionFailure("no feed can have that name") }
    return name
}

/// Reads the body of a `PUT`.
package func snapshot(_ json: String) throws -> Snapshot {
    try Snapshot(publishing: Array(json.utf8))
}

package func item(_ json: String) throws -> FeedItem {
    try FeedItem(parsing: Array(json.utf8))
}

package func edits(_ json: String) throws -> [Edit] {
    try Edit.list(parsing: Array("{\"edits\":[\(json)]}".utf8))
}

extension Snapshot {
    /// The ids: `today: a1 a2 | week: a3`.
    package var outline: String {
        sections.map { section in
            ["\(section.id):"] + section.items.map(\.id.string)
        }.map { $0.joined(separator: " ") }.joined(separator: " | ")
    }
}
