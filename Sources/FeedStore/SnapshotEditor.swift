import FeedModel

/// A snapshot while edits are applied to it, each in the logarithm of its size.
struct SnapshotEditor {
    /// The number of the edit being applied, for failures.
    var index = 0

    /// What has come of it so far.
    private(set) var snapshot: Snapshot

    private let byteLimit: Int
    private var byteCountLeft: Int

    init(_ snapshot: Snapshot, byteLimit: Int) {
        self.snapshot = snapshot.indexed()
        self.byteLimit = byteLimit
        byteCountLeft = byteLimit
    }

    func failure(_ kind: EditFailure.Kind, _ reason: String) -> EditFailure {
        EditFailure(index: index, kind: kind, reason: reason)
    }

    mutating func apply(_ edit: Edit) throws(EditFailure) {
        switch edit {
        case .insert(let item, let section, let place):
            try insert(item, section: section, at: place ?? .start)
        case .put(let item, let section, let place):
            if let row = snapshot.place(ofItem: item.id) {
                snapshot.replaceItem(at: row, with: item)
            } else {
                try insert(item, section: section, at: place ?? .start)
            }
        case .set(let edit, let id):
            let row = try row(of: id)
            let item = snapshot.sections[Int(row.section)].items[Int(row.index)]
            try spend(item.json.bytes.count)
            snapshot.replaceItem(at: row, with: item.applying(edit))
        case .replace(let item): snapshot.replaceItem(at: try row(of: item.id), with: item)
        case .move(let id, let section, let place):
            try move(id, section: section, to: place ?? .start)
        case .remove(let id): snapshot.removeItem(at: try row(of: id))
        case .insertSection(let section, let place): try insert(section, at: place ?? .end)
        case .setSection(let edit, let id):
            let place = try section(id, orFail: .notFound)
            let members = snapshot.sections[place].members
            try spend(64 * members.list.count)
            snapshot.setMembers(members.applying(edit), ofSection: place)
        case .moveSection(let id, let place): try moveSection(id, to: place ?? .end)
        case .removeSection(let id):
            snapshot.removeSection(at: try section(id, orFail: .notFound))
        case .setFeed(let edit):
            try spend(64 * snapshot.members.list.count)
            snapshot.members = snapshot.members.applying(edit)
        }
    }

    private mutating func spend(_ byteCount: Int) throws(EditFailure) {
        byteCountLeft -= byteCount
        guard byteCountLeft >= 0 else {
            throw failure(.tooMuchWork, "the edits rewrite more than \(byteLimit) bytes")
        }
    }
}

/// Items.
extension SnapshotEditor {
    /// The place of an item that an edit is about.
    private func row(of id: ExactString) throws(EditFailure) -> ItemPlace {
        if let place = snapshot.place(ofItem: id) { return place }
        throw failure(.notFound, "there is no item \"\(id)\"")
    }

    private mutating func insert(
        _ item: FeedItem,
        section: ExactString?,
        at place: Edit.Place
    ) throws(EditFailure) {
        guard snapshot.place(ofItem: item.id) == nil else {
            throw failure(.exists, "there is an item \"\(item.id)\" already")
        }
        let row = try row(at: place, section: section, default: 0)
        if snapshot.sections.isEmpty { snapshot.insert(FeedSection(id: "main"), at: 0) }
        snapshot.insert([item], at: row)
    }

    private mutating func move(
        _ id: ExactString,
        section: ExactString?,
        to place: Edit.Place
    ) throws(EditFailure) {
        let row = try row(of: id)
        var target = try self.row(at: place, section: section, default: Int(row.section))
        // Beside itself nothing happens.
        if place.neighbour == id { return }
        let item = snapshot.removeItem(at: row)
        if target.section == row.section, target.index > row.index { target.index -= 1 }
        snapshot.insert([item], at: target)
    }

    /// Finds the place that an edit names; in a feed without sections it is in the first to come.
    private func row(
        at place: Edit.Place,
        section: ExactString?,
        default number: Int
    ) throws(EditFailure) -> ItemPlace {
        var named: Int?
        if let section { named = try self.section(section, orFail: .wrongPlace) }
        if let id = place.neighbour {
            guard var row = snapshot.place(ofItem: id) else {
                throw failure(.wrongPlace, "there is no item \"\(id)\" to be placed beside")
            }
            if let section, named != Int(row.section) {
                throw failure(.wrongPlace, "item \"\(id)\" is not in section \"\(section)\"")
            }
            if case .after = place { row.index += 1 }
            return row
        }
        let number = named ?? number
        let isAtEnd = place == .end && !snapshot.sections.isEmpty
        let index = isAtEnd ? snapshot.sections[number].items.count : 0
        return ItemPlace(section: number, index: index)
    }
}

/// Sections.
extension SnapshotEditor {
    /// The place of a section, or a failure of `kind` when there is none.
    private func section(
        _ id: ExactString,
        orFail kind: EditFailure.Kind
    ) throws(EditFailure) -> Int {
        if let place = snapshot.place(ofSection: id) { return place }
        throw failure(kind, "there is no section \"\(id)\"")
    }

    private mutating func insert(
        _ section: FeedSection,
        at place: Edit.Place
    ) throws(EditFailure) {
        guard snapshot.place(ofSection: section.id) == nil else {
            throw failure(.exists, "there is a section \"\(section.id)\" already")
        }
        for item in section.items where snapshot.place(ofItem: item.id) != nil {
            throw failure(.exists, "there is an item \"\(item.id)\" already")
        }
        snapshot.insert(section, at: try number(at: place))
    }

    private mutating func moveSection(
        _ id: ExactString,
        to place: Edit.Place
    ) throws(EditFailure) {
        let number = try section(id, orFail: .notFound)
        // Beside itself nothing happens.
        if place.neighbour == id { return }
        let target = try self.number(at: place)
        snapshot.moveSection(at: number, to: target > number ? target - 1 : target)
    }

    /// The place among the sections.
    private func number(at place: Edit.Place) throws(EditFailure) -> Int {
        switch place {
        case .start: 0
        case .end: snapshot.sections.count
        case .before(let id): try number(beside: id)
        case .after(let id): try number(beside: id) + 1
        }
    }

    private func number(beside id: ExactString) throws(EditFailure) -> Int {
        if let place = snapshot.place(ofSection: id) { return place }
        throw failure(.wrongPlace, "there is no section \"\(id)\" to be placed beside")
    }
}
