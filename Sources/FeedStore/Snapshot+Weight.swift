import FeedModel

extension Snapshot {
    /// Bytes that are held for this version once `next` has followed it, for the history.
    ///
    /// Those are the items that `changes` touches and, as each version keeps its arrays whole,
    /// the arrays that `next` does not share: 8 bytes a row of every section whose rows changed,
    /// the changed sections' members, the list of sections, and what an object costs. A feed of
    /// one section with 10,000 rows so pays 80 KB a version, whatever changed in it, and the
    /// limits hold for that, too.
    func weight(before next: Snapshot, changes: Changes) -> Int {
        var weight = 512 + changes.weight(from: self) + 64 * sections.count
        weight += 96 * (changes.removedItems.count + changes.updatedItems.count)
        if !members.list.shares(next.members.list) { weight += members.weight }
        for (section, successor) in pairs(with: next) {
            if !section.items.shares(successor?.items) { weight += 8 * section.items.count }
            if !section.members.list.shares(successor?.members.list) {
                weight += section.members.weight
            }
        }
        return weight
    }

    /// Each section with the one of the same id in `other`.
    private func pairs(with other: Snapshot) -> [(Section, Section?)] {
        if sections.lazy.map(\.id).elementsEqual(other.sections.lazy.map(\.id)) {
            return zip(sections, other.sections).map { ($0, $1) }
        }
        let others = Dictionary(
            other.sections.map { ($0.id, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        return sections.map { ($0, others[$0.id]) }
    }
}

extension Array {
    /// Whether both are the same storage.
    fileprivate func shares(_ other: [Element]?) -> Bool {
        guard let other else { return false }
        return span.isIdentical(to: other.span)
    }
}

extension Members {
    fileprivate var weight: Int {
        list.reduce(0) { $0 + 64 + $1.name.string.utf8.count + $1.value.bytes.count }
    }
}
