import FeedCollation
import FeedModel

/// The feed `contacts`: people in order of their names, with a section for each letter.
enum ContactsFeed {
    /// The locale whose order and letters are used.
    ///
    /// Korean has letters for two of the scripts: `ㄱ`–`ㅎ`, and `A`–`Z`; names in other scripts are
    /// at the end.
    static let locale = "ko"

    /// Some hundreds of made-up people, always the same: in each script, given and family names in
    /// pairs, no pair twice.
    static let people: [Row] = ContactNames.scripts.flatMap { script in
        (0..<script.count).map { number in
            let given = script.given[number % script.given.count]
            let round = number / script.given.count
            let family = script.family[(number + 3 * round) % script.family.count]
            return Row(
                id: "\(script.name)-\(number + 1)",
                kind: "contact",
                title: script.fullName(given, family),
                summary: script.towns[(number + round) % script.towns.count]
            )
        }
    }

    /// Returns the people, sorted and grouped, in a feed that keeps its order when people are
    /// added.
    static func snapshot(_ people: [Row]) -> Snapshot {
        let collate = #"{"by":"title","locale":"\#(locale)"}"#
        var snapshot = Snapshot(title: "Contacts", sections: [])
        if let value = try? JSONText(parsing: Array(collate.utf8)) {
            snapshot.members = Members(
                snapshot.members.list + [Member(name: "collate", value: value)]
            )
        }
        snapshot.sections = [FeedSection(id: "main", items: people.compactMap(\.item))]
        return IndexedCollation(locale: locale)?.recollate(snapshot, by: "title") ?? snapshot
    }
}
