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

/// A made-up person.
struct Contact: Equatable {
    var id: String
    var name: String
    var town: String

    /// Some hundreds of people, always the same: in each script, given and family names in pairs,
    /// no pair twice.
    static let all: [Contact] = ContactNames.scripts.flatMap { script in
        (0..<script.count).map { number in
            let given = script.given[number % script.given.count]
            let round = number / script.given.count
            let family = script.family[(number + 3 * round) % script.family.count]
            return Contact(
                id: "\(script.name)-\(number + 1)",
                name: script.fullName(given, family),
                town: script.towns[(number + round) % script.towns.count]
            )
        }
    }
}
