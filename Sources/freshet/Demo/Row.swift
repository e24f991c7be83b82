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
        var writer = JSONWriter()
        writer.beginObject()
        for (name, text) in members {
            if let text { writer.member(name, text) }
        }
        writer.endObject()
        return try? FeedItem(parsing: writer.finish())
    }
}

extension FeedSection {
    /// Makes a section with a title; items that could not be made are left out.
    init(id: String, title: String, items: [FeedItem?]) {
        self.init(
            id: ExactString(id),
            members: Members(title: title),
            items: items.compactMap(\.self)
        )
    }
}

extension Snapshot {
    /// Makes a feed with a title.
    init(title: String, sections: [FeedSection]) {
        self.init(members: Members(title: title), sections: sections)
    }
}

extension Members {
    fileprivate init(title: String) {
        self.init([Member(name: "title", value: JSONText(string: title))])
    }
}
