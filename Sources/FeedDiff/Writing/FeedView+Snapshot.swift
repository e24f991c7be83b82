package import FeedModel

extension FeedView {
    /// What it shows of a snapshot: of the sections that it keeps, all or the first items.
    ///
    /// A view of all sections takes no longer for many of them.
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

    /// Whether it shows surely more than so many bytes of JSON; no more is looked at than tells
    /// that.
    package func shows(more byteCount: Int, of snapshot: Snapshot) -> Bool {
        var (shown, room) = (0, max(0, limit ?? .max))
        /// Adds a section, which is listed even where it has no room.
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

    /// Bytes of `{"id":"","items":[]}`.
    private static let leastSectionByteCount = 20

    /// What there is of some sections: the fewer are looked up among the more.
    private static func kept(_ sections: Set<ExactString>, of snapshot: Snapshot) -> [FeedSection] {
        guard sections.count < snapshot.sections.count else {
            return snapshot.sections.filter { sections.contains($0.id) }
        }
        return sections.compactMap(snapshot.position(ofSection:)).sorted()
            .map { snapshot.sections[$0] }
    }
}
