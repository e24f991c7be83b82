import FeedCollation
import FeedModel

/// The feed `contacts`: people in order of their names, with a section for each letter.
enum ContactsFeed {
    /// The locale whose order and letters are used.
    ///
    /// Korean has letters for two of the scripts: `ㄱ`–`ㅎ`, and `A`–`Z`; names in other scripts are
    /// at the end.
    static let locale = "ko"

    /// Returns the people, sorted and grouped, in a feed that keeps its order when people are
    /// added.
    static func snapshot(_ contacts: [Contact]) -> Snapshot {
        let collate = #"{"by":"title","locale":"\#(locale)"}"#
        var snapshot = Snapshot(title: "Contacts", sections: [])
        if let value = try? JSONText(parsing: Array(collate.utf8)) {
            snapshot.members = Members(
                snapshot.members.list + [Member(name: "collate", value: value)]
            )
        }
        snapshot.sections = [FeedSection(id: "main", items: contacts.compactMap(\.row.item))]
        return snapshot.collated()
    }
}

extension Contact {
    fileprivate var row: Row {
        Row(id: id, kind: "contact", title: name, summary: town)
    }
}
