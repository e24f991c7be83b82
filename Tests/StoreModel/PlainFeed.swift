package import FeedDiff
package import FeedModel

/// A feed as plain arrays: each item and section has an id and perhaps a number `v`.
package struct PlainFeed: Equatable {
    package struct Row: Equatable {
        package var id: String
        package var value: Int?

        package init(id: String, value: Int? = nil) {
            self.id = id
            self.value = value
        }
    }

    package struct Part: Equatable {
        package var id: String
        package var value: Int?
        package var rows: [Row] = []

        package init(id: String, value: Int? = nil, rows: [Row] = []) {
            self.id = id
            self.value = value
            self.rows = rows
        }
    }

    package var value: Int?
    package var parts: [Part] = []

    package init() {}

    package init(_ snapshot: Snapshot) {
        value = snapshot.members.number
        parts = snapshot.sections.map(Part.init)
    }

    /// The body of its `PUT`.
    package var json: String {
        let sections = parts.map { part in
            let items = part.rows.map { Self.object(id: $0.id, value: $0.value) + "}" }
            return Self.object(id: part.id, value: part.value)
                + #", "items": [\#(items.joined(separator: ", "))]}"#
        }
        let members = value.map { #""v": \#($0), "# } ?? ""
        return #"{\#(members)"sections": [\#(sections.joined(separator: ", "))]}"#
    }

    private static func object(id: String, value: Int?) -> String {
        #"{"id": "\#(id)""# + (value.map { #", "v": \#($0)"# } ?? "")
    }

    package func partIndex(_ id: String) -> Int? { parts.firstIndex { $0.id == id } }

    package func position(of id: String) -> (part: Int, row: Int)? {
        for (part, content) in parts.enumerated() {
            if let row = content.rows.firstIndex(where: { $0.id == id }) { return (part, row) }
        }
        return nil
    }
}

extension PlainFeed.Row {
    package init(_ item: FeedItem) {
        self.init(id: item.id.string, value: item.members.number)
    }
}

extension PlainFeed.Part {
    package init(_ section: FeedSection) {
        self.init(
            id: section.id.string,
            value: section.members.number,
            rows: section.items.map(PlainFeed.Row.init)
        )
    }
}

extension Members {
    fileprivate var number: Int? { self["v"]?.wholeNumber }
}

extension Int? {
    /// This after an edit of the member `v`.
    fileprivate func applying(_ edit: Changes.MemberEdit) -> Int? {
        if edit.unset.contains("v") { return nil }
        return edit.set.last.map { $0.value.wholeNumber } ?? self
    }
}

/// The edits of a `PATCH`, one at a time.
extension PlainFeed {
    /// Applies an edit and returns whether it could be.
    package mutating func apply(_ edit: Edit) -> Bool {
        let before = self
        let isDone =
            switch edit {
            case .insert(let item, let section, let position):
                insert(Row(item), section?.string, position ?? .start)
            case .put(let item, let section, let position):
                replace(Row(item)) || insert(Row(item), section?.string, position ?? .start)
            case .set(let edit, let id): set(edit, id.string)
            case .replace(let item): replace(Row(item))
            case .move(let id, let section, let position):
                move(id.string, section?.string, position ?? .start)
            case .remove(let id): remove(id.string) != nil
            case .insertSection(let section, let position):
                insert(Part(section), position ?? .end)
            case .setSection(let edit, let id): setPart(edit, id.string)
            case .moveSection(let id, let position): movePart(id.string, position ?? .end)
            case .removeSection(let id): removePart(id.string) != nil
            case .setFeed(let edit): setFeed(edit)
            }
        if !isDone { self = before }
        return isDone
    }

    private mutating func insert(_ row: Row, _ section: String?, _ position: Edit.Position) -> Bool
    {
        guard self.position(of: row.id) == nil else { return false }
        switch position {
        case .start, .end:
            if section == nil, parts.isEmpty { parts = [Part(id: "main")] }
            guard let part = section.map({ partIndex($0) }) ?? 0 else { return false }
            parts[part].rows.insert(row, at: position == .start ? 0 : parts[part].rows.count)
        case .before(let id), .after(let id):
            guard let (part, index) = self.position(of: id.string) else { return false }
            guard section == nil || section == parts[part].id else { return false }
            parts[part].rows.insert(row, at: position == .before(id) ? index : index + 1)
        }
        return true
    }

    private mutating func replace(_ row: Row) -> Bool {
        guard let (part, index) = position(of: row.id) else { return false }
        parts[part].rows[index] = row
        return true
    }

    private mutating func set(_ edit: Changes.MemberEdit, _ id: String) -> Bool {
        guard let (part, index) = position(of: id) else { return false }
        let value = parts[part].rows[index].value
        return replace(Row(id: id, value: value.applying(edit)))
    }

    private mutating func remove(_ id: String) -> Row? {
        guard let (part, index) = position(of: id) else { return nil }
        return parts[part].rows.remove(at: index)
    }

    private mutating func move(_ id: String, _ section: String?, _ position: Edit.Position) -> Bool
    {
        guard let (part, _) = self.position(of: id) else { return false }
        if position == .before(ExactString(id)) || position == .after(ExactString(id)) {
            return section == nil || section == parts[part].id
        }
        let isBeside = position != .start && position != .end
        let section = section ?? (isBeside ? nil : parts[part].id)
        guard let row = remove(id) else { return false }
        return insert(row, section, position)
    }

    private mutating func insert(_ part: Part, _ position: Edit.Position) -> Bool {
        guard partIndex(part.id) == nil else { return false }
        guard part.rows.allSatisfy({ self.position(of: $0.id) == nil }) else { return false }
        switch position {
        case .start: parts.insert(part, at: 0)
        case .end: parts.append(part)
        case .before(let id), .after(let id):
            guard let index = partIndex(id.string) else { return false }
            parts.insert(part, at: position == .before(id) ? index : index + 1)
        }
        return true
    }

    private mutating func setPart(_ edit: Changes.MemberEdit, _ id: String) -> Bool {
        guard let index = partIndex(id) else { return false }
        parts[index].value = parts[index].value.applying(edit)
        return true
    }

    private mutating func setFeed(_ edit: Changes.MemberEdit) -> Bool {
        value = value.applying(edit)
        return true
    }

    private mutating func removePart(_ id: String) -> Part? {
        partIndex(id).map { parts.remove(at: $0) }
    }

    private mutating func movePart(_ id: String, _ position: Edit.Position) -> Bool {
        guard partIndex(id) != nil else { return false }
        if position == .before(ExactString(id)) || position == .after(ExactString(id)) {
            return true
        }
        guard let part = removePart(id) else { return false }
        return insert(part, position)
    }
}

/// Changes, step by step as a client applies them.
extension PlainFeed {
    package mutating func apply(_ changes: Changes) {
        value = value.applying(changes.feed)
        var rows: [String: Row] = [:]
        for id in changes.removedItems { _ = remove(id.string) }
        for move in changes.movedItems { rows[move.id.string] = remove(move.id.string) }
        for id in changes.removedSections { _ = removePart(id.string) }
        var positions: [(index: Int, part: Part)] = changes.insertedSections.map {
            ($0.index, Part(id: $0.id.string, value: $0.members.number))
        }
        for move in changes.movedSections {
            if let part = removePart(move.id.string) { positions.append((move.index, part)) }
        }
        for (index, part) in positions.sorted(by: { $0.index < $1.index }) {
            parts.insert(part, at: index)
        }
        put(changes, moved: rows)
        for update in changes.updatedSections { _ = setPart(update.edit, update.id.string) }
        for update in changes.updatedItems { _ = set(update.edit, update.id.string) }
    }

    private mutating func put(_ changes: Changes, moved rows: [String: Row]) {
        var positions = changes.insertedItems.map { ($0.section.string, $0.index, Row($0.item)) }
        for move in changes.movedItems {
            guard let row = rows[move.id.string] else { continue }
            positions.append((move.section.string, move.index, row))
        }
        for (section, index, row) in positions.sorted(by: { $0.1 < $1.1 }) {
            guard let part = partIndex(section) else { continue }
            parts[part].rows.insert(row, at: index)
        }
    }
}
