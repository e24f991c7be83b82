import FeedModel

/// A client's copy of a feed or a view, which applies changes exactly by the six steps of
/// docs/READING.md, "Applying changes".
///
/// The implementation is simple, slow and strict, and shares no code with `FeedClient`, so that an
/// error there is not repeated here. It refuses every document that the page allows to refuse.
struct FeedReplica {
    /// A section: its members, including `count`, and its items.
    struct Section {
        var members: [JSONValue.Entry]
        var items: [[JSONValue.Entry]]

        var id: ExactString? { members.id }
    }

    private let isView: Bool
    /// The feed's name; `nil` before the first document.
    private var feed: JSONValue?
    private var token: JSONValue = .null
    private var total: JSONValue?
    private var members: [JSONValue.Entry] = []
    var sections: [Section] = []

    private static let reserved: Set<ExactString> = [
        "kind", "feed", "token", "since", "reason", "count", "order", "total", "sections", "items",
        "changes",
    ]

    /// Makes an empty copy.
    ///
    /// - Parameter isView: Whether the copy is of a view, which has only some items of each
    ///   section: `count` is then what the server sent, and not computed.
    init(isView: Bool = false) { self.isView = isView }

    /// The content of the copy, in the form of the member `holds` of the cases.
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

    /// Applies a document.
    ///
    /// - Throws: ``CaseFailure`` if the document does not fit the copy, which is then emptied.
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
        self = FeedReplica(isView: isView)
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
        members = entries.filter { !FeedReplica.reserved.contains($0.name) }
        sections = []
        for section in all {
            guard var entries = section.entries, let items = section["items"]?.elements else {
                throw CaseFailure("a section without items")
            }
            entries["items"] = nil
            sections.append(Section(members: entries, items: try items.map(FeedReplica.members)))
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
        let order = FeedReplica.checksum(lines).hexadecimal
        guard document["order"]?.string == order else {
            let told = document["order"]?.spelled ?? "told"
            throw CaseFailure("the order is \(order), not \(told)")
        }
    }

    /// Returns the CRC-32 of gzip (RFC 1952 §8).
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

    /// Applies the changes of the feed's own members.
    mutating func finish(_ edit: JSONValue?) throws(CaseFailure) {
        if let edit { try members.edit(edit) }
    }

    /// Sets the `count` of each section, unless this is a view.
    mutating func count() {
        guard !isView else { return }
        for index in sections.indices {
            sections[index].members["count"] = .number("\(sections[index].items.count)")
        }
    }
}

extension [JSONValue.Entry] {
    var id: ExactString? { self["id"]?.string.map { ExactString($0) } }

    /// Sets and removes members by the `set` and `unset` of an edit.
    mutating func edit(_ edit: JSONValue) throws(CaseFailure) {
        for entry in edit["set"]?.entries ?? [] { self[entry.name] = entry.value }
        for name in edit["unset"]?.elements ?? [] {
            guard let name = name.string else { throw CaseFailure("unset names no member") }
            self[ExactString(name)] = nil
        }
    }
}

/// Takes the steps of "Applying changes" (docs/READING.md).
extension FeedReplica {
    mutating func apply(_ changes: JSONValue) throws(CaseFailure) {
        let (ofItems, ofSections) = (changes["items"], changes["sections"])
        let moved = try takeItems(ofItems)
        let movedSections = try takeSections(ofSections)
        try putSections(ofSections, movedSections)
        try putItems(ofItems, moved)
        try finish(changes["feed"])
        for entry in list("update", ofSections) {
            let index = try section(entry["id"])
            try sections[index].members.edit(entry)
            if let count = entry["count"] { sections[index].members["count"] = count }
        }
        for entry in list("update", ofItems) {
            let (section, index) = try item(entry["id"])
            try sections[section].items[index].edit(entry)
        }
        count()
    }

    /// Removes the items that move, and the items to remove.
    ///
    /// - Returns: The items that move, in the order of the moves.
    private mutating func takeItems(
        _ changes: JSONValue?
    ) throws(CaseFailure) -> [[JSONValue.Entry]] {
        var moved: [[JSONValue.Entry]] = []
        for entry in list("move", changes) {
            let (section, index) = try item(entry["id"])
            moved.append(sections[section].items.remove(at: index))
        }
        for id in list("remove", changes) {
            let (section, index) = try item(id)
            sections[section].items.remove(at: index)
        }
        return moved
    }

    private mutating func takeSections(_ changes: JSONValue?) throws(CaseFailure) -> [Section] {
        var moved: [Section] = []
        for entry in list("move", changes) {
            moved.append(sections.remove(at: try section(entry["id"])))
        }
        for id in list("remove", changes) { sections.remove(at: try section(id)) }
        return moved
    }

    private mutating func putSections(
        _ changes: JSONValue?,
        _ moved: [Section]
    ) throws(CaseFailure) {
        var placed: [(index: Int, element: Section)] = []
        for entry in list("insert", changes) {
            guard let section = entry["section"] else { throw CaseFailure("an insert of nothing") }
            let members = try FeedReplica.members(of: section)
            placed.append((try index(entry), Section(members: members, items: [])))
        }
        for (entry, section) in zip(list("move", changes), moved) {
            placed.append((try index(entry), section))
        }
        try put(placed, into: &sections)
    }

    private mutating func putItems(
        _ changes: JSONValue?,
        _ moved: [[JSONValue.Entry]]
    ) throws(CaseFailure) {
        var placed: [Int: [(index: Int, element: [JSONValue.Entry])]] = [:]
        for entry in list("insert", changes) {
            guard let item = entry["item"] else { throw CaseFailure("an insert of nothing") }
            let place = (try index(entry), try FeedReplica.members(of: item))
            placed[try section(entry["section"]), default: []].append(place)
        }
        for (entry, item) in zip(list("move", changes), moved) {
            placed[try section(entry["section"]), default: []].append((try index(entry), item))
        }
        for (section, items) in placed { try put(items, into: &sections[section].items) }
    }

    private func put<Element>(
        _ placed: [(index: Int, element: Element)],
        into list: inout [Element]
    ) throws(CaseFailure) {
        for (index, element) in placed.sorted(by: { $0.index < $1.index }) {
            guard 0...list.count ~= index else {
                throw CaseFailure("no position \(index) in a list of \(list.count)")
            }
            list.insert(element, at: index)
        }
    }

    private func list(_ name: ExactString, _ changes: JSONValue?) -> [JSONValue] {
        changes?[name]?.elements ?? []
    }

    private func index(_ entry: JSONValue) throws(CaseFailure) -> Int {
        guard let index = entry["index"]?.integer else { throw CaseFailure("no index") }
        return index
    }

    private func section(_ id: JSONValue?) throws(CaseFailure) -> Int {
        guard let id = id?.string.map({ ExactString($0) }),
            let index = sections.firstIndex(where: { $0.id == id })
        else { throw CaseFailure("no section \(id?.spelled ?? "named")") }
        return index
    }

    private func item(_ id: JSONValue?) throws(CaseFailure) -> (section: Int, index: Int) {
        guard let id = id?.string.map({ ExactString($0) }) else {
            throw CaseFailure("no item is named")
        }
        for (number, section) in sections.enumerated() {
            if let index = section.items.firstIndex(where: { $0.id == id }) {
                return (number, index)
            }
        }
        throw CaseFailure("no item \"\(id)\"")
    }
}
