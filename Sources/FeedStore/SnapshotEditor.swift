import FeedModel

/// A snapshot while edits are applied to it, in place.
///
/// A section has a slot, which stays when the section moves. Items that no edit names are not
/// looked up by id: one pass finds those that are named, so that a thousand edits of a large feed
/// cost one pass and, each, at most a shift of one section's rows.
struct SnapshotEditor {
    /// Where an item is.
    struct Location {
        var slot: Int
        var item: Item
        /// Its place in the section when that was last known.
        var hint: Int
    }

    /// The number of the edit being applied, for failures.
    var index = 0

    var members: Members
    var slots: [Section]
    /// The slots of the sections that are there, in order.
    var order: [Int]
    var slotsByID: [Text: Int]
    /// Of the items that edits name and that are there.
    var locations: [Text: Location] = [:]

    init(_ snapshot: Snapshot, naming ids: Set<Text>) {
        members = snapshot.members
        slots = snapshot.sections
        order = Array(slots.indices)
        slotsByID = Dictionary(
            zip(slots.map(\.id), slots.indices),
            uniquingKeysWith: { first, _ in first }
        )
        find(ids)
    }

    /// What has come of it so far.
    var snapshot: Snapshot {
        Snapshot(members: members, sections: order.map { slots[$0] })
    }

    func failure(_ kind: EditFailure.Kind, _ reason: String) -> EditFailure {
        EditFailure(index: index, kind: kind, reason: reason)
    }

    mutating func apply(_ edit: Edit) throws(EditFailure) {
        switch edit {
        case .insert(let item, let section, let place):
            try insert(item, section: section, at: place ?? .start)
        case .put(let item, let section, let place):
            if locations[item.id] != nil {
                try replace(item)
            } else {
                try insert(item, section: section, at: place ?? .start)
            }
        case .set(let edit, let id): try replace(location(id).item.applying(edit))
        case .replace(let item): try replace(item)
        case .move(let id, let section, let place):
            try move(id, section: section, to: place ?? .start)
        case .remove(let id): remove(try location(id))
        case .insertSection(let section, let place): try insert(section, at: place ?? .end)
        case .setSection(let edit, let id):
            let slot = try slot(id, orFail: .notFound)
            slots[slot].members = slots[slot].members.applying(edit)
        case .moveSection(let id, let place): try moveSection(id, to: place ?? .end)
        case .removeSection(let id): try removeSection(id)
        case .setFeed(let edit): members = members.applying(edit)
        }
    }

    /// The pass over all items.
    private mutating func find(_ ids: Set<Text>) {
        guard !ids.isEmpty else { return }
        for slot in slots.indices {
            for (hint, item) in slots[slot].items.enumerated() where ids.contains(item.id) {
                locations[item.id] = Location(slot: slot, item: item, hint: hint)
            }
            if locations.count == ids.count { return }
        }
    }
}
