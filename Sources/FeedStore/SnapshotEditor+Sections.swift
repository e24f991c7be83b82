import FeedModel

extension SnapshotEditor {
    /// The slot of a section, or a failure of `kind` when there is none.
    func slot(_ id: Text, orFail kind: EditFailure.Kind) throws(EditFailure) -> Int {
        guard let slot = slotsByID[id] else { throw failure(kind, "there is no section \"\(id)\"") }
        return slot
    }

    mutating func insert(_ section: Section, at place: Edit.Place) throws(EditFailure) {
        guard slotsByID[section.id] == nil else {
            throw failure(.exists, "there is a section \"\(section.id)\" already")
        }
        for item in section.items where locations[item.id] != nil {
            throw failure(.exists, "there is an item \"\(item.id)\" already")
        }
        let row = try row(of: place)
        let slot = append(section)
        order.removeLast()
        order.insert(slot, at: row)
        for (hint, item) in section.items.enumerated() {
            locations[item.id] = Location(slot: slot, item: item, hint: hint)
        }
    }

    mutating func moveSection(_ id: Text, to place: Edit.Place) throws(EditFailure) {
        let slot = try slot(id, orFail: .notFound)
        // Beside itself nothing happens.
        if place.neighbour == id { return }
        _ = try row(of: place)
        order.removeAll { $0 == slot }
        order.insert(slot, at: try row(of: place))
    }

    mutating func removeSection(_ id: Text) throws(EditFailure) {
        let slot = try slot(id, orFail: .notFound)
        slotsByID[id] = nil
        order.removeAll { $0 == slot }
        if !locations.isEmpty {
            for item in slots[slot].items { locations[item.id] = nil }
        }
        slots[slot].items = []
    }

    /// Adds a section at the end and returns its slot.
    mutating func append(_ section: Section) -> Int {
        let slot = slots.count
        slots.append(section)
        order.append(slot)
        slotsByID[section.id] = slot
        return slot
    }

    /// The place among the sections.
    private func row(of place: Edit.Place) throws(EditFailure) -> Int {
        switch place {
        case .start: 0
        case .end: order.count
        case .before(let id): try row(ofSection: id)
        case .after(let id): try row(ofSection: id) + 1
        }
    }

    private func row(ofSection id: Text) throws(EditFailure) -> Int {
        let slot = slotsByID[id]
        guard let row = order.firstIndex(where: { $0 == slot }) else {
            throw failure(.wrongPlace, "there is no section \"\(id)\" to be placed beside")
        }
        return row
    }
}
