import FeedModel

/// A client's copy of a feed or a view, by the six steps of "Applying changes", word for word.
///
/// It is slow and strict, and shares nothing with the client of this package: it refuses every
/// document that the page gives a reason to refuse.
struct HeldFeed {
    /// A section: its members, `count` among them, and its items.
    struct Section {
        var members: [JSONValue.Entry]
        var items: [[JSONValue.Entry]]

        var id: ExactString? { members.id }
    }

    private let isView: Bool
    /// The feed's name, once a document has told it.
    private var feed: JSONValue?
    private var token: JSONValue = .null
    private var total: JSONValue?
    private var members: [JSONValue.Entry] = []
    var sections: [Section] = []

    private static let reserved: Set<ExactString> = [
        "kind", "feed", "token", "since", "reason", "count", "order", "total", "sections", "items",
        "changes",
    ]

    /// Makes a copy that holds nothing yet.
    ///
    /// - Parameter isView: Whether the copy is of a view, whose sections keep the counts that the
    ///   server tells.
    init(isView: Bool = false) { self.isView = isView }

    /// The content of the copy, in the form of `holds` in the cases.
    var document: JSONValue {
        var entries: [JSONValue.Entry] = []
        entries["token"] = token
        entries["members"] = .object(members)
        entries["sections"] = .array(
            sections.map { section in
                var entries = section.members
                entries["items"] = .array(section.items.map { .object($0) })
                return .object(entries)
            }
        )
        entries["total"] = total
        return .object(entries)
    }

    /// Takes a document; afterwards the copy holds its content.
    ///
    /// - Throws: ``CaseFailure`` where the document does not fit the copy, which then holds nothing
    ///   any more.
    mutating func take(_ document: JSONValue) throws(CaseFailure) {
        do {
            try takeWhole(document)
        } catch {
            drop()
            throw error
        }
    }

    private mutating func drop() {
        let feed = feed
        self = HeldFeed(isView: isView)
        self.feed = feed
    }

    private mutating func takeWhole(_ document: JSONValue) throws(CaseFailure) {
        guard let feed = document["feed"], feed == self.feed ?? feed else {
            throw CaseFailure("a document of the feed \(document["feed"]?.spelled ?? "nothing")")
        }
        self.feed = feed
        switch document["kind"]?.string {
        case "missing":
            drop()
            return
        case "snapshot": try replace(document)
        case "unchanged":
            guard document["token"] == token else {
                throw CaseFailure("unchanged is of another version")
            }
        case "changes":
            guard document["since"] == token else {
                throw CaseFailure("since is not the version held")
            }
            try apply(document["changes"] ?? .object([]))
        case let kind: throw CaseFailure("a document of the kind \(kind ?? "nothing")")
        }
        try check(document)
        guard let token = document["token"] else { throw CaseFailure("no token") }
        self.token = token
        total = document["total"]
    }

    private mutating func replace(_ document: JSONValue) throws(CaseFailure) {
        guard let entries = document.entries, let all = document["sections"]?.elements else {
            throw CaseFailure("a snapshot without sections")
        }
        members = entries.filter { !HeldFeed.reserved.contains($0.name) }
        sections = []
        for section in all {
            guard var entries = section.entries, let items = section["items"]?.elements else {
                throw CaseFailure("a section without items")
            }
            entries["items"] = nil
            sections.append(Section(members: entries, items: try items.map(HeldFeed.members)))
        }
    }

    static func members(of value: JSONValue) throws(CaseFailure) -> [JSONValue.Entry] {
        guard let entries = value.entries else { throw CaseFailure("what should be an object") }
        return entries
    }

    private func check(_ document: JSONValue) throws(CaseFailure) {
        let count = sections.reduce(0) { $0 + $1.items.count }
        guard document["count"]?.integer == count else {
            let told = document["count"]?.spelled ?? "told"
            throw CaseFailure("\(count) items are held, not \(told)")
        }
        var lines: [UInt8] = []
        for section in sections {
            lines += Array("#\(section.id?.string ?? "")\n".utf8)
            for item in section.items { lines += Array(" \(item.id?.string ?? "")\n".utf8) }
        }
        let digits = String(HeldFeed.checksum(lines), radix: 16)
        let order = String(repeating: "0", count: 8 - digits.count) + digits
        guard document["order"]?.string == order else {
            let told = document["order"]?.spelled ?? "told"
            throw CaseFailure("the order is \(order), not \(told)")
        }
    }

    /// Returns the CRC-32 of gzip (RFC 1952 §8), computed bit by bit.
    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var register = UInt32.max
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 {
                register = register & 1 == 1 ? register >> 1 ^ 0xEDB8_8320 : register >> 1
            }
        }
        return ~register
    }

    /// Changes the feed's own members.
    mutating func finish(_ edit: JSONValue?) throws(CaseFailure) {
        if let edit { try members.edit(edit) }
    }

    /// Counts the items of each section where the client counts them itself.
    mutating func count() {
        guard !isView else { return }
        for index in sections.indices {
            sections[index].members["count"] = .number("\(sections[index].items.count)")
        }
    }
}

extension [JSONValue.Entry] {
    var id: ExactString? { self["id"]?.string.map { ExactString($0) } }

    /// Gives members the values of an edit, and removes the members that it unsets.
    mutating func edit(_ edit: JSONValue) throws(CaseFailure) {
        for entry in edit["set"]?.entries ?? [] { self[entry.name] = entry.value }
        for name in edit["unset"]?.elements ?? [] {
            guard let name = name.string else { throw CaseFailure("unset names no member") }
            self[ExactString(name)] = nil
        }
    }
}
