import FeedModel

/// Functions that take the parts of an edit.
extension ObjectReader {
    /// Takes `at`, `before` or `after`; at most one of them may be present.
    mutating func position() throws(DocumentError) -> Edit.Position? {
        var positions: [(name: ExactString, position: Edit.Position)] = []
        if let at = try text("at") {
            guard at == "start" || at == "end" else {
                throw refusal(of: "at", "must be start or end")
            }
            positions.append(("at", at == "start" ? .start : .end))
        }
        if let id = try text("before") { positions.append(("before", .before(id))) }
        if let id = try text("after") { positions.append(("after", .after(id))) }
        if positions.count > 1 {
            throw refusal(of: positions[1].name, "cannot stand beside \(positions[0].name)")
        }
        return positions.first?.position
    }

    /// Takes a whole item.
    mutating func item(_ name: ExactString) throws(DocumentError) -> FeedItem {
        try FeedItem(required(name), path: path(of: name))
    }

    /// Takes the members to set, and the names in `unset`.
    mutating func edit(
        _ name: ExactString,
        by rules: MemberRules
    ) throws(DocumentError) -> Changes.MemberEdit {
        let set = try ObjectReader(required(name), path: path(of: name))
        var edit = Changes.MemberEdit(set: try set.members(by: rules))
        let unset = take("unset") ?? .array([])
        guard case .array(let names) = unset else {
            throw refusal(of: "unset", "must be an array")
        }
        let given = Set(edit.set.map(\.name))
        for (index, name) in names.enumerated() {
            func refusal(_ reason: String) -> DocumentError {
                let position = "\(path(of: "unset"))[\(index)]"
                return DocumentError(kind: .malformed, path: position, reason: reason)
            }
            guard case .string(let name) = name else { throw refusal("must be a string") }
            if rules.reserved.contains(name) { throw refusal(MemberRules.isReserved) }
            if given.contains(name) { throw refusal("cannot both be set and unset") }
            edit.unset.append(name)
        }
        return edit
    }

    /// Takes a section, which may have `items`.
    mutating func section(_ name: ExactString) throws(DocumentError) -> FeedSection {
        var reader = try ObjectReader(required(name), path: path(of: name))
        let id = try reader.requiredText("id")
        if let reason = id.refusalAsID { throw reader.refusal(of: "id", reason) }
        let items = try reader.items()
        return FeedSection(id: id, members: Members(try reader.members(by: .section)), items: items)
    }

    /// Takes `items`; their ids must differ.
    private mutating func items() throws(DocumentError) -> [FeedItem] {
        guard case .array(let values) = take("items") ?? .array([]) else {
            throw refusal(of: "items", "must be an array")
        }
        var items: [FeedItem] = []
        var positions: [ExactString: Int] = [:]
        let list = path(of: "items")
        for (index, value) in values.enumerated() {
            let item = try FeedItem(value, path: "\(list)[\(index)]")
            if let first = positions.updateValue(index, forKey: item.id) {
                throw DocumentError(
                    kind: .duplicateID,
                    path: "\(list)[\(index)].id",
                    reason: "used twice, first at \(list)[\(first)]"
                )
            }
            items.append(item)
        }
        return items
    }

    /// Returns the remaining members as those of a feed, a section or an item.
    private func members(by rules: MemberRules) throws(DocumentError) -> [Member] {
        var members: [Member] = []
        for entry in entries {
            if let reason = rules.refusal(of: entry) { throw refusal(of: entry.name, reason) }
            members.append(Member(name: entry.name, value: entry.value.text))
        }
        return members
    }
}
