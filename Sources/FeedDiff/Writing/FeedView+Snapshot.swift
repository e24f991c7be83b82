package import FeedModel

extension FeedView {
    /// What it shows of a snapshot: of the sections that it keeps, all or the first items.
    ///
    /// A whole view, and a section that is shown whole, share the snapshot's storage.
    package func callAsFunction(_ snapshot: Snapshot) -> ViewedSnapshot {
        guard !isWhole else {
            return ViewedSnapshot(snapshot: snapshot, fullCounts: nil, total: nil)
        }
        var room = max(0, limit ?? .max)
        var shown: [FeedSection] = []
        var fullCounts: [Int] = []
        for var section in kept(of: snapshot) {
            fullCounts.append(section.items.count)
            if section.items.count > room { section.items = section.items.prefix(list: room) }
            room -= section.items.count
            shown.append(section)
        }
        return ViewedSnapshot(
            snapshot: Snapshot(members: snapshot.members, sections: shown),
            fullCounts: fullCounts,
            total: snapshot.count
        )
    }

    /// What is said of what it shows, without making that where it is the first items.
    package func checks(of snapshot: Snapshot) -> ViewChecks {
        guard sections == nil, let limit else { return self(snapshot).checks }
        return ViewChecks(
            count: min(max(0, limit), snapshot.count),
            order: snapshot.list.order(ofFirstItems: limit),
            total: snapshot.count
        )
    }

    /// Whether it shows surely more than so many bytes of JSON; no more is looked at than tells that.
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

    /// The sections to show, each whole.
    private func kept(of snapshot: Snapshot) -> [FeedSection] {
        guard let sections else { return Array(snapshot.sections) }
        return FeedView.kept(sections, of: snapshot)
    }

    /// What there is of some sections: the fewer are looked up among the more.
    private static func kept(
        _ sections: Set<ExactString>,
        of snapshot: Snapshot
    ) -> [FeedSection] {
        guard sections.count < snapshot.sections.count else {
            return snapshot.sections.filter { sections.contains($0.id) }
        }
        return sections.compactMap(snapshot.position(ofSection:)).sorted()
            .map { snapshot.sections[$0] }
    }
}
