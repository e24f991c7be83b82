extension View {
    /// What it shows of a snapshot: of the sections that it keeps, all or the first items.
    ///
    /// A whole view, and a section that is shown whole, share the snapshot's storage.
    package func callAsFunction(_ snapshot: Snapshot) -> ViewedSnapshot {
        guard !isWhole else {
            return ViewedSnapshot(snapshot: snapshot, fullCounts: nil, total: nil)
        }
        var room = max(0, limit ?? .max)
        var shown = Snapshot(members: snapshot.members)
        var fullCounts: [Int] = []
        for var section in snapshot.sections where sections?.contains(section.id) ?? true {
            fullCounts.append(section.items.count)
            if section.items.count > room { section.items = Array(section.items.prefix(room)) }
            room -= section.items.count
            shown.sections.append(section)
        }
        return ViewedSnapshot(snapshot: shown, fullCounts: fullCounts, total: snapshot.count)
    }
}
