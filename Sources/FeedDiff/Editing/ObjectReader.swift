import FeedModel

/// Parses an object in a request: the members are taken one by one, and members that were not taken
/// are refused at the end.
struct ObjectReader {
    /// The path of the object in the document; empty for the document itself.
    let path: String

    /// The members that were not taken yet.
    private(set) var entries: [JSONValue.Entry]

    init(_ value: JSONValue, path: String) throws(DocumentError) {
        self.path = path
        entries = try value.object(at: path)
    }

    /// Returns the path of a member.
    func path(of name: ExactString) -> String {
        JSONPath.join(path, member: name.string)
    }

    /// Returns an error about a member, or about the object itself.
    func refusal(of name: ExactString?, _ reason: String) -> DocumentError {
        DocumentError(kind: .malformed, path: name.map(path(of:)) ?? path, reason: reason)
    }

    /// Takes a member, if it is present.
    mutating func take(_ name: ExactString) -> JSONValue? {
        entries.firstIndex { $0.name == name }.map { entries.remove(at: $0).value }
    }

    /// Takes a member; throws if it is missing.
    mutating func required(_ name: ExactString) throws(DocumentError) -> JSONValue {
        guard let value = take(name) else { throw refusal(of: name, "is missing") }
        return value
    }

    /// Takes a string, if it is present.
    mutating func text(_ name: ExactString) throws(DocumentError) -> ExactString? {
        try take(name)?.string(at: path(of: name))
    }

    /// Takes a string; throws if it is missing.
    mutating func requiredText(_ name: ExactString) throws(DocumentError) -> ExactString {
        try required(name).string(at: path(of: name))
    }

    /// Throws if a member was not taken.
    func finish() throws(DocumentError) {
        guard let rest = entries.first else { return }
        throw refusal(of: rest.name, "is no member that this can have")
    }
}

/// Takes the parts of an edit.
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
        try FeedItem(made: required(name).bytes, path: path(of: name))
    }

    /// Takes the members to set, and the names in `unset`.
    mutating func edit(
        _ name: ExactString,
        by rules: MemberRules
    ) throws(DocumentError) -> Changes.MemberEdit {
        let set = try ObjectReader(required(name), path: path(of: name))
        var edit = Changes.MemberEdit(set: try set.members(by: rules))
        let unset = path(of: "unset")
        let given = Set(edit.set.map(\.name))
        for (index, value) in try (take("unset") ?? .array([])).array(at: unset).enumerated() {
            func refusal(_ reason: String) -> DocumentError {
                DocumentError(kind: .malformed, path: "\(unset)[\(index)]", reason: reason)
            }
            let name = try value.string(at: "\(unset)[\(index)]")
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
        var items: [FeedItem] = []
        var positions: [ExactString: Int] = [:]
        let list = path(of: "items")
        for (index, value) in try (take("items") ?? .array([])).array(at: list).enumerated() {
            let item = try FeedItem(made: value.bytes, path: "\(list)[\(index)]")
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

/// Checks the members that an edit or a JSON Patch sets.
extension MemberRules {
    fileprivate static let isReserved = "belongs to the protocol"

    /// The most levels of nested objects and arrays of a value; an item's own object counts as one.
    private var depthLimit: Int {
        self == .item ? 63 : 64
    }

    /// Returns the reason why a member is not allowed, or `nil` if it is.
    func refusal(of entry: JSONValue.Entry) -> String? {
        if reserved.contains(entry.name) { return Self.isReserved }
        if isText(entry.name) {
            guard case .string = entry.value else { return "must be a string" }
        }
        if isNumber(entry.name), !entry.value.text.isWholeNumber {
            return "must be a whole number from 0"
        }
        if self == .feed, entry.name == "collate",
            (try? CollateRequest(entry.value)) == nil
        {
            return "must have by and locale alone, which are strings"
        }
        return entry.value.nesting > depthLimit ? "has more than 64 levels" : nil
    }
}
