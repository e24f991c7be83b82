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

    /// The sections to show, each whole.
    private func kept(of snapshot: Snapshot) -> [FeedSection] {
        guard let sections else { return Array(snapshot.sections) }
        return sections.compactMap(snapshot.position(ofSection:)).sorted()
            .map { snapshot.sections[$0] }
    }
}
