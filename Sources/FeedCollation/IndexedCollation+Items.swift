package import FeedModel

extension IndexedCollation {
    /// Returns the items sorted by a member and grouped by letter.
    ///
    /// Items without the member, or with a value that is no string, come last, under `#`.
    ///
    /// - Returns: A section for each letter that has items; the letter is the section's id, `title`
    ///   and `index`.
    package func collate(_ items: [FeedItem], by member: ExactString) -> [FeedSection] {
        grouped(items) { $0.members[member]?.stringValue }.map { section($0.section, $0.elements) }
    }

    /// Returns a section with these items, by the index of its title in ``sectionTitles``.
    func section(_ number: Int, _ items: [FeedItem]) -> FeedSection {
        let title = sectionTitles[number]
        let json = JSONText(string: title)
        let members = Members([
            Member(name: "title", value: json), Member(name: "index", value: json),
        ])
        return FeedSection(id: ExactString(title), members: members, items: items)
    }

    /// Returns the feed with its items collated again from their present order.
    ///
    /// An item that an edit inserted at the end thus follows the items that it ties with.
    package func recollate(_ snapshot: Snapshot, by member: ExactString) -> Snapshot {
        Snapshot(
            members: snapshot.members,
            sections: collate(snapshot.sections.flatMap(\.items), by: member)
        )
    }
}
