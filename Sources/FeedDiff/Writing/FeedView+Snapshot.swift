package import FeedModel

extension FeedView {
    /// Returns the part of a snapshot that the view shows: all or the first items of the sections
    /// that it keeps.
    ///
    /// For a view of all sections, the time does not depend on their number.
    package func callAsFunction(_ snapshot: Snapshot) -> ViewedSnapshot {
        guard !isWhole else { return ViewedSnapshot(snapshot: snapshot) }
        guard let sections else {
            return ViewedSnapshot(of: snapshot, limit: limit, total: snapshot.count)
        }
        let kept = FeedView.kept(sections, of: snapshot)
        return ViewedSnapshot(
            of: Snapshot(members: snapshot.members, sections: kept),
            limit: limit,
            total: snapshot.count
        )
    }

    /// Returns whether the view certainly shows more than `byteCount` bytes of JSON; only as many
    /// items as needed are examined.
    package func shows(more byteCount: Int, of snapshot: Snapshot) -> Bool {
        var (shown, room) = (0, max(0, limit ?? .max))
        /// Adds a section, which is listed even if none of its items are shown.
        func isMore(with section: FeedSection) -> Bool {
            shown += FeedView.leastSectionByteCount
            for item in section.items {
                guard room > 0, shown <= byteCount else { break }
                shown += item.json.bytes.count
                room -= 1
            }
            return shown > byteCount
        }
        guard let sections else { return snapshot.sections.contains(where: isMore(with:)) }
        return FeedView.kept(sections, of: snapshot).contains(where: isMore(with:))
    }

    /// The bytes of `{"id":"","items":[]}`.
    private static let leastSectionByteCount = 20

    /// Returns the sections of the snapshot with these ids, in feed order; of ids and sections, the
    /// fewer are looked up among the others.
    private static func kept(_ sections: Set<ExactString>, of snapshot: Snapshot) -> [FeedSection] {
        guard sections.count < snapshot.sections.count else {
            return snapshot.sections.filter { sections.contains($0.id) }
        }
        return sections.compactMap(snapshot.position(ofSection:)).sorted()
            .map { snapshot.sections[$0] }
    }
}
