import FeedModel

extension SnapshotEditor {
    /// A place among the rows, once the section is known.
    private enum Spot {
        case start(slot: Int)
        case end(slot: Int)
        case before(Location)
        case after(Location)

        var slot: Int {
            switch self {
            case .start(let slot), .end(let slot): slot
            case .before(let location), .after(let location): location.slot
            }
        }
    }

    func location(_ id: Text) throws(EditFailure) -> Location {
        guard let location = locations[id] else {
            throw failure(.notFound, "there is no item \"\(id)\"")
        }
        return location
    }

    mutating func insert(
        _ item: Item,
        section: Text?,
        at place: Edit.Place
    ) throws(EditFailure) {
        guard locations[item.id] == nil else {
            throw failure(.exists, "there is an item \"\(item.id)\" already")
        }
        put(item, at: try spot(place, section: section, default: order.first))
    }

    mutating func replace(_ item: Item) throws(EditFailure) {
        var location = try location(item.id)
        location.hint = row(of: location)
        location.item = item
        slots[location.slot].items[location.hint] = item
        locations[item.id] = location
    }

    mutating func move(
        _ id: Text,
        section: Text?,
        to place: Edit.Place
    ) throws(EditFailure) {
        let location = try location(id)
        let spot = try spot(place, section: section, default: location.slot)
        // Beside itself nothing happens.
        if place.neighbour == id { return }
        remove(location)
        put(location.item, at: spot)
    }

    mutating func remove(_ location: Location) {
        slots[location.slot].items.remove(at: row(of: location))
        locations[location.item.id] = nil
    }

    private mutating func put(_ item: Item, at spot: Spot) {
        let row =
            switch spot {
            case .start: 0
            case .end(let slot): slots[slot].items.count
            case .before(let neighbour): self.row(of: neighbour)
            case .after(let neighbour): self.row(of: neighbour) + 1
            }
        slots[spot.slot].items.insert(item, at: row)
        locations[item.id] = Location(slot: spot.slot, item: item, hint: row)
    }

    /// Finds the place that an edit names, and makes `main` where there is no section at all.
    private mutating func spot(
        _ place: Edit.Place,
        section: Text?,
        default slot: Int?
    ) throws(EditFailure) -> Spot {
        var named: Int?
        if let section { named = try self.slot(section, orFail: .wrongPlace) }
        if let id = place.neighbour {
            guard let neighbour = locations[id] else {
                throw failure(.wrongPlace, "there is no item \"\(id)\" to be placed beside")
            }
            if let section, named != neighbour.slot {
                throw failure(.wrongPlace, "item \"\(id)\" is not in section \"\(section)\"")
            }
            return if case .before = place { .before(neighbour) } else { .after(neighbour) }
        }
        let slot = named ?? slot ?? append(Section(id: "main"))
        return place == .end ? .end(slot: slot) : .start(slot: slot)
    }

    /// The place of an item in its section; from where it was, it has gone no further than there
    /// were edits.
    private func row(of location: Location) -> Int {
        let items = slots[location.slot].items
        var above = min(location.hint, items.count - 1)
        var below = above + 1
        while above >= 0 || below < items.count {
            if above >= 0, items[above] === location.item { return above }
            if below < items.count, items[below] === location.item { return below }
            above -= 1
            below += 1
        }
        preconditionFailure("an item is not where it was put")
    }
}
