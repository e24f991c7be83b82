import FeedModel
import Foundation

/// A list of edits of a feed.
///
/// The server applies them in order, all or none (docs/PUBLISHING.md, "Edits").
///
/// Items, sections and members are `Encodable` values that become JSON objects.
public struct FeedEdits {
    private var edits: [String] = []
    private let encoder = FeedService.encoder

    /// Makes an empty list.
    public init() {}

    /// Inserts an item.
    ///
    /// - Parameters:
    ///   - item: The item, which must have an `id`.
    ///   - section: The section's id; `nil`: the first section.
    ///   - place: The position in the section; `nil`: the start.
    /// - Throws: The encoder's error.
    public mutating func insert(
        _ item: some Encodable,
        section: String? = nil,
        at place: ItemPlace? = nil
    ) throws {
        try add([("insert", json(item))] + text("section", section) + text(place))
    }

    /// Sets members of an item, and removes others.
    public mutating func set(
        _ members: some Encodable,
        unset: [String] = [],
        ofItem id: String
    ) throws {
        try add([("set", json(members))] + names(unset) + text("item", id))
    }

    /// Removes members of an item.
    public mutating func unset(_ names: [String], ofItem id: String) throws {
        try set([String: String](), unset: names, ofItem: id)
    }

    /// Replaces the item with the same `id`.
    public mutating func replace(_ item: some Encodable) throws {
        try add([("replace", json(item))])
    }

    /// Moves an item.
    ///
    /// - Parameters:
    ///   - id: The item's id.
    ///   - section: The id of the section to move it to; `nil`: its own.
    ///   - place: The position in the section; `nil`: the start.
    public mutating func move(
        _ id: String,
        section: String? = nil,
        at place: ItemPlace? = nil
    ) throws {
        try add(text("move", id) + text("section", section) + text(place))
    }

    /// Removes an item.
    public mutating func remove(_ id: String) throws {
        try add(text("remove", id))
    }

    /// Inserts a section.
    ///
    /// - Parameters:
    ///   - section: The section: an object with an `id`, and optionally `items`.
    ///   - place: The position among the sections; `nil`: the end.
    /// - Throws: The encoder's error.
    public mutating func insertSection(_ section: some Encodable, at place: ItemPlace? = nil) throws
    {
        try add([("insertSection", json(section))] + text(place))
    }

    /// Sets members of a section, and removes others.
    public mutating func setSection(
        _ members: some Encodable,
        unset: [String] = [],
        ofSection id: String
    ) throws {
        try add([("setSection", json(members))] + names(unset) + text("section", id))
    }

    /// Moves a section with its items.
    public mutating func moveSection(_ id: String, at place: ItemPlace? = nil) throws {
        try add(text("moveSection", id) + text(place))
    }

    /// Removes a section with its items.
    public mutating func removeSection(_ id: String) throws {
        try add(text("removeSection", id))
    }

    /// Sets members of the feed, such as `title`, and removes others.
    public mutating func setFeed(_ members: some Encodable, unset: [String] = []) throws {
        try add([("setFeed", json(members))] + names(unset))
    }

    /// The body of the request.
    var document: Data { Data("{\"edits\":[\(edits.joined(separator: ","))]}".utf8) }

    private typealias Part = (name: String, json: String)

    private mutating func add(_ parts: [Part]) throws {
        edits.append("{\(parts.map { "\"\($0.name)\":\($0.json)" }.joined(separator: ","))}")
    }

    private func json(_ value: some Encodable) throws -> String {
        String(decoding: try encoder.encode(value), as: UTF8.self)
    }

    private func text(_ name: String, _ value: String?) throws -> [Part] {
        try value.map { [(name, try json($0))] } ?? []
    }

    private func text(_ place: ItemPlace?) throws -> [Part] {
        try place.map { try text($0.member.name, $0.member.value) } ?? []
    }

    private func names(_ names: [String]) throws -> [Part] {
        names.isEmpty ? [] : [("unset", try json(names))]
    }
}
