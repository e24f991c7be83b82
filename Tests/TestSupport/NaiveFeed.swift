package import FeedModel

/// A feed as a client holds it that knows the protocol's page and nothing else: it reads
/// snapshots and applies changes step by step.
package struct NaiveFeed: Equatable, Sendable {
    package struct Section: Equatable, Sendable {
        package var id: ExactString
        /// Without `id`, `count` and `items`.
        package var members: [ExactString: TestJSON]
        package var items: [TestJSON]

        package init(
            id: ExactString,
            members: [ExactString: TestJSON] = [:],
            items: [TestJSON] = []
        ) {
            self.id = id
            self.members = members
            self.items = items
        }
    }

    package var members: [ExactString: TestJSON] = [:]
    package var sections: [Section] = []

    package init() {}

    static let feedMembers: Set<ExactString> = [
        "kind", "feed", "token", "since", "reason", "count", "order", "total", "sections", "items",
        "changes",
    ]
    static let sectionMembers: Set<ExactString> = ["id", "count", "items"]

    /// Reads a snapshot, or the body of a PUT with `sections`.
    package init(document: TestJSON) {
        members = document.members.filter { !NaiveFeed.feedMembers.contains($0.key) }
        sections = document["sections"]?.list.map(Section.init(_:)) ?? []
    }
}

extension NaiveFeed.Section {
    init(_ value: TestJSON) {
        id = value["id"]?.text ?? ""
        members = value.members.filter { !NaiveFeed.sectionMembers.contains($0.key) }
        items = value["items"]?.list ?? []
    }

    /// As in the body of a PUT.
    package var document: TestJSON {
        .object(
            members.merging(["id": .string(id), "items": .array(items)]) { $1 }
        )
    }
}

extension NaiveFeed {
    /// The body of a PUT.
    package var document: TestJSON {
        .object(members.merging(["sections": .array(sections.map(\.document))]) { $1 })
    }

    package var itemIDs: [ExactString] {
        sections.flatMap(\.items).compactMap { $0["id"]?.text }
    }

    /// The place of an item: its section's and its own.
    package func position(of id: ExactString) -> (section: Int, index: Int)? {
        for (number, section) in sections.enumerated() {
            if let index = section.items.firstIndex(where: { $0["id"]?.text == id }) {
                return (number, index)
            }
        }
        return nil
    }

    /// Certain sections, and of those the first items.
    package func viewed(sections wanted: Set<ExactString>?, limit: Int?) -> NaiveFeed {
        var result = self
        result.sections.removeAll { wanted?.contains($0.id) == false }
        var rest = limit ?? Int.max
        for index in result.sections.indices {
            result.sections[index].items = Array(result.sections[index].items.prefix(rest))
            rest -= result.sections[index].items.count
        }
        return result
    }

    /// The check of 3.1.
    package var order: String {
        var text = ""
        for section in sections {
            text += "#" + section.id.string + "\n"
            for item in section.items { text += " " + (item["id"]?.string ?? "") + "\n" }
        }
        let digits = String(NaiveFeed.crc32(Array(text.utf8)), radix: 16)
        return String(repeating: "0", count: 8 - digits.count) + digits
    }

    /// Bit by bit, with the polynomial of RFC 1952.
    package static func crc32(_ bytes: [UInt8]) -> UInt32 {
        var register = UInt32.max
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 {
                register = register & 1 == 1 ? (register >> 1) ^ 0xedb8_8320 : register >> 1
            }
        }
        return ~register
    }
}

/// The steps of "Applying changes".
extension NaiveFeed {
    package mutating func apply(_ changes: TestJSON) {
        var taken: [ExactString: TestJSON] = [:]
        let items = changes["items"] ?? .null
        for id in (items["remove"]?.list ?? []).compactMap(\.text) { _ = take(item: id) }
        for move in items["move"]?.list ?? [] {
            guard let id = move["id"]?.text else { continue }
            taken[id] = take(item: id)
        }
        applySections(changes["sections"] ?? .null)
        place(items, taken)
        update(changes)
    }

    private mutating func take(item id: ExactString) -> TestJSON? {
        guard let (section, index) = position(of: id) else { return nil }
        return sections[section].items.remove(at: index)
    }

    private mutating func applySections(_ changes: TestJSON) {
        let removed = Set((changes["remove"]?.list ?? []).compactMap(\.text))
        sections.removeAll { removed.contains($0.id) }
        var incoming: [(Int, Section)] = []
        for insertion in changes["insert"]?.list ?? [] {
            guard let index = insertion["index"]?.int, let section = insertion["section"] else {
                continue
            }
            incoming.append((index, Section(section)))
        }
        for move in changes["move"]?.list ?? [] {
            guard let index = move["index"]?.int, let id = move["id"]?.text,
                let place = sections.firstIndex(where: { $0.id == id })
            else { continue }
            incoming.append((index, sections.remove(at: place)))
        }
        for (index, section) in incoming.sorted(by: { $0.0 < $1.0 }) {
            sections.insert(section, at: min(index, sections.count))
        }
    }

    private mutating func place(_ changes: TestJSON, _ taken: [ExactString: TestJSON]) {
        var incoming: [(section: ExactString, index: Int, item: TestJSON)] = []
        for insertion in changes["insert"]?.list ?? [] {
            guard let section = insertion["section"]?.text, let index = insertion["index"]?.int,
                let item = insertion["item"]
            else { continue }
            incoming.append((section, index, item))
        }
        for move in changes["move"]?.list ?? [] {
            guard let section = move["section"]?.text, let index = move["index"]?.int,
                let id = move["id"]?.text, let item = taken[id]
            else { continue }
            incoming.append((section, index, item))
        }
        for (section, index, item) in incoming.sorted(by: { $0.index < $1.index }) {
            guard let place = sections.firstIndex(where: { $0.id == section }) else { continue }
            let end = sections[place].items.count
            sections[place].items.insert(item, at: min(index, end))
        }
    }

    private mutating func update(_ changes: TestJSON) {
        members = NaiveFeed.edited(members, changes["feed"] ?? .null)
        for edit in changes["sections"]?["update"]?.list ?? [] {
            guard let place = sections.firstIndex(where: { $0.id == edit["id"]?.text }) else {
                continue
            }
            sections[place].members = NaiveFeed.edited(sections[place].members, edit)
        }
        for edit in changes["items"]?["update"]?.list ?? [] {
            guard let id = edit["id"]?.text, let (section, index) = position(of: id) else {
                continue
            }
            let item = sections[section].items[index]
            sections[section].items[index] = .object(NaiveFeed.edited(item.members, edit))
        }
    }

    package static func edited(
        _ members: [ExactString: TestJSON],
        _ edit: TestJSON
    ) -> [ExactString: TestJSON] {
        var members = members.merging(edit["set"]?.members ?? [:]) { $1 }
        for name in (edit["unset"]?.list ?? []).compactMap(\.text) { members[name] = nil }
        return members
    }
}
