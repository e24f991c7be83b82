import FeedModel

/// A row of a demo feed: a title, a value at its right and a line below, as texts for people.
struct Row: Equatable {
    var id: String
    var kind: String
    var title: String
    var value: String?
    var summary: String?

    /// The row as an item; nil when it has an id that no item can have.
    var item: FeedItem? {
        let members = [
            ("id", id), ("kind", kind), ("title", title), ("value", value), ("summary", summary),
        ]
        let texts = members.compactMap { name, text in
            text.map { "\(Row.quoted(name)):\(Row.quoted($0))" }
        }
        return try? FeedItem(parsing: Array("{\(texts.joined(separator: ","))}".utf8))
    }

    private static func quoted(_ text: String) -> String {
        String(decoding: JSONText(string: text).bytes, as: UTF8.self)
    }
}

extension FeedSection {
    /// Makes a section of rows, with a title.
    init(id: String, title: String, rows: [Row]) {
        let members = [Member(name: "title", value: JSONText(string: title))]
        self.init(id: ExactString(id), members: Members(members), items: rows.compactMap(\.item))
    }
}

extension Snapshot {
    /// Makes a feed with a title.
    init(title: String, sections: [FeedSection]) {
        let members = [Member(name: "title", value: JSONText(string: title))]
        self.init(members: Members(members), sections: sections)
    }
}
