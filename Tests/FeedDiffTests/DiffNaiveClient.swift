import FeedDiff
import FeedModel
import Foundation

/// A client that knows the protocol alone: it reads documents with Foundation, and applies
/// changes to plain lists by the six steps.
struct DiffNaiveClient: Equatable {
    struct Row: Equatable {
        var id: ExactString
        var members: [String: Data]
    }

    struct Group: Equatable {
        var id: ExactString
        var members: [String: Data]
        var rows: [Row] = []
        /// The `count` of the document, which changes may update.
        var count: Int?
    }

    enum Failure: Error {
        case notOfTheForm(String)
    }

    var members: [String: Data] = [:]
    var groups: [Group] = []

    /// Reads a document `snapshot`.
    init(snapshot document: [UInt8]) throws {
        var object = try Self.object(document)
        for name in ["kind", "feed", "token", "reason", "count", "order", "total"] {
            object[name] = nil
        }
        let sections = try Self.objects(object.removeValue(forKey: "sections"))
        members = try Self.encoded(object)
        groups = try sections.map { section in
            var group = try Self.group(section)
            group.rows = try Self.objects(section["items"]).map(Self.row)
            return group
        }
    }

    /// The bytes that `order` is a check on.
    var orderText: String {
        groups.map { group in
            "#\(group.id)\n" + group.rows.map { " \($0.id)\n" }.joined()
        }
        .joined()
    }

    /// Drops the counts of the groups.
    mutating func forgetCounts() {
        for index in groups.indices { groups[index].count = nil }
    }

    /// The number of rows.
    var count: Int { groups.reduce(0) { $0 + $1.rows.count } }
}

/// The steps (docs/READING.md, "Applying changes").
extension DiffNaiveClient {
    /// Applies the object `changes`.
    mutating func apply(_ changes: [String: Any]) throws {
        let items = changes["items"] as? [String: Any] ?? [:]
        let sections = changes["sections"] as? [String: Any] ?? [:]
        let carriedRows = try takeOutRows(items)
        let carriedGroups = try takeOutGroups(sections)
        try putInGroups(sections, carriedGroups)
        try putInRows(items, carriedRows)
        try update(changes["feed"] as? [String: Any], sections, items)
    }

    private mutating func takeOutRows(_ items: [String: Any]) throws -> [Row] {
        var ids = (items["remove"] as? [String] ?? []).map { ExactString($0) }
        ids += try Self.objects(items["move"]).map { ExactString(try Self.string($0["id"])) }
        var taken: [Row] = []
        for id in ids {
            guard let position = position(of: id) else { throw Failure.notOfTheForm("\(id)") }
            taken.append(groups[position.group].rows.remove(at: position.row))
        }
        return taken
    }

    private mutating func takeOutGroups(_ sections: [String: Any]) throws -> [Group] {
        var ids = (sections["remove"] as? [String] ?? []).map { ExactString($0) }
        ids += try Self.objects(sections["move"]).map { ExactString(try Self.string($0["id"])) }
        return try ids.map { groups.remove(at: try groupIndex(of: $0)) }
    }

    private mutating func putInGroups(
        _ sections: [String: Any],
        _ carried: [Group]
    ) throws {
        var arrivals: [(index: Int, group: Group)] = []
        for insertion in try Self.objects(sections["insert"]) {
            let section = try Self.objects([insertion["section"] as Any])[0]
            arrivals.append((try Self.number(insertion["index"]), try Self.group(section)))
        }
        for move in try Self.objects(sections["move"]) {
            let id = ExactString(try Self.string(move["id"]))
            let group = carried.first { $0.id == id }
            guard let group else { throw Failure.notOfTheForm("move") }
            arrivals.append((try Self.number(move["index"]), group))
        }
        for arrival in arrivals.sorted(by: { $0.index < $1.index }) {
            guard arrival.index <= groups.count else { throw Failure.notOfTheForm("index") }
            groups.insert(arrival.group, at: arrival.index)
        }
    }

    private mutating func putInRows(_ items: [String: Any], _ carried: [Row]) throws {
        var arrivals: [(section: ExactString, index: Int, row: Row)] = []
        for insertion in try Self.objects(items["insert"]) {
            let item = try Self.objects([insertion["item"] as Any])[0]
            arrivals.append(
                (
                    ExactString(try Self.string(insertion["section"])),
                    try Self.number(insertion["index"]), try Self.row(item)
                )
            )
        }
        for move in try Self.objects(items["move"]) {
            let id = ExactString(try Self.string(move["id"]))
            guard let row = carried.first(where: { $0.id == id }) else {
                throw Failure.notOfTheForm("move")
            }
            arrivals.append(
                (ExactString(try Self.string(move["section"])), try Self.number(move["index"]), row)
            )
        }
        for arrival in arrivals.sorted(by: { $0.index < $1.index }) {
            let group = try groupIndex(of: arrival.section)
            guard arrival.index <= groups[group].rows.count else {
                throw Failure.notOfTheForm("index")
            }
            groups[group].rows.insert(arrival.row, at: arrival.index)
        }
    }

    private mutating func update(
        _ feed: [String: Any]?,
        _ sections: [String: Any],
        _ items: [String: Any]
    ) throws {
        if let feed { try Self.edit(&members, feed) }
        for update in try Self.objects(sections["update"]) {
            let group = try groupIndex(of: ExactString(try Self.string(update["id"])))
            try Self.edit(&groups[group].members, update)
            if let count = update["count"] as? Int { groups[group].count = count }
        }
        for update in try Self.objects(items["update"]) {
            let id = ExactString(try Self.string(update["id"]))
            guard let position = position(of: id) else { throw Failure.notOfTheForm("\(id)") }
            try Self.edit(&groups[position.group].rows[position.row].members, update)
        }
    }

    private func position(of id: ExactString) -> (group: Int, row: Int)? {
        for (group, rows) in groups.map(\.rows).enumerated() {
            if let row = rows.firstIndex(where: { $0.id == id }) { return (group, row) }
        }
        return nil
    }

    private func groupIndex(of id: ExactString) throws -> Int {
        guard let index = groups.firstIndex(where: { $0.id == id }) else {
            throw Failure.notOfTheForm("section \(id)")
        }
        return index
    }
}

/// What Foundation reads.
extension DiffNaiveClient {
    static func object(_ document: [UInt8]) throws -> [String: Any] {
        let value = try JSONSerialization.jsonObject(with: Data(document))
        guard let object = value as? [String: Any] else { throw Failure.notOfTheForm("object") }
        return object
    }

    static func objects(_ value: Any?) throws -> [[String: Any]] {
        guard let value else { return [] }
        guard let list = value as? [[String: Any]] else { throw Failure.notOfTheForm("list") }
        return list
    }

    private static func string(_ value: Any?) throws -> String {
        guard let string = value as? String else { throw Failure.notOfTheForm("string") }
        return string
    }

    private static func number(_ value: Any?) throws -> Int {
        guard let number = value as? Int else { throw Failure.notOfTheForm("number") }
        return number
    }

    private static func group(_ section: [String: Any]) throws -> Group {
        var members = section
        for name in ["id", "count", "items"] { members[name] = nil }
        return Group(
            id: ExactString(try string(section["id"])),
            members: try encoded(members),
            count: section["count"] as? Int
        )
    }

    private static func row(_ item: [String: Any]) throws -> Row {
        Row(id: ExactString(try string(item["id"])), members: try encoded(item))
    }

    private static func edit(_ members: inout [String: Data], _ update: [String: Any]) throws {
        for name in update["unset"] as? [String] ?? [] { members[name] = nil }
        members.merge(try encoded(update["set"] as? [String: Any] ?? [:])) { $1 }
    }

    private static func encoded(_ object: [String: Any]) throws -> [String: Data] {
        try object.mapValues {
            try JSONSerialization.data(
                withJSONObject: $0,
                options: [.fragmentsAllowed, .sortedKeys]
            )
        }
    }
}
