extension Snapshot {
    /// The same items and sections, each item that equals one of `old` replaced by that one, so
    /// that versions share them; so are whole lists and members that equal those of `old`.
    package func sharing(with old: Snapshot) -> Snapshot {
        var matching = SnapshotMatching(from: old.sections, to: sections, by: .value)
        matching.pairLeft(by: .value)
        var shared = self
        if old.members == members { shared.members = old.members }
        for (place, partner) in matching.sectionPartners.enumerated() where partner >= 0 {
            let before = old.sections[Int(partner)]
            if before.members == sections[place].members {
                shared.sections[place].members = before.members
            }
            shared.sections[place].shareRenewals(of: matching.walks[place], with: before)
        }
        for (place, partner) in zip(matching.newLeft, matching.partners) where partner >= 0 {
            let item = old.sections[matching.oldLeft[Int(partner)]]
            if item.json == sections[place].json {
                shared.sections[Int(place.section)].items[Int(place.index)] = item
            }
        }
        return shared
    }
}

extension Section {
    /// Replaces the items that a walk paired with equal ones of `old`; the whole list where all
    /// are the same.
    fileprivate mutating func shareRenewals(of walk: SectionWalk, with old: Section) {
        for renewal in walk.renewals {
            let item = old.items[Int(renewal.old)]
            if item.json == items[Int(renewal.new)].json { items[Int(renewal.new)] = item }
        }
        if old.items.count == items.count, zip(old.items, items).allSatisfy(===) {
            items = old.items
        }
    }
}
