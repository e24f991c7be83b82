package import FeedModel

extension IndexedCollation {
    /// The items sorted by a member and grouped by letter.
    ///
    /// Items without the member, or with one that is no string, come last, under `#`.
    ///
    /// - Returns: A section for each letter that has items, which is its id, `title` and `index`.
    package func collate(_ items: [FeedItem], by member: ExactString) -> [FeedSection] {
        grouped(items) { $0.members[member]?.stringValue }.map { section($0.section, $0.elements) }
    }

    /// The section of a number in ``sectionTitles``, with items.
    func section(_ number: Int, _ items: [FeedItem]) -> FeedSection {
        let title = sectionTitles[number]
        let json = JSONText(string: title)
        let members = Members([
            Member(name: "title", value: json), Member(name: "index", value: json),
        ])
        return FeedSection(id: ExactString(title), members: members, items: items)
    }

    /// The feed after an edit, its items collated again from the order that they are in.
    ///
    /// An item that was inserted at the end so follows those that it ties with.
    package func recollate(_ snapshot: Snapshot, by member: ExactString) -> Snapshot {
        Snapshot(
            members: snapshot.members,
            sections: collate(snapshot.sections.flatMap(\.items), by: member)
        )
    }
}
