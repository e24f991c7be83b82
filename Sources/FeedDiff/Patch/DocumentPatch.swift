package import FeedModel

/// Applies a JSON Patch to a whole document, which may be any JSON value.
struct DocumentPatch: PatchTarget {
    /// The document after the operations that were applied so far.
    private(set) var document: JSONValue

    init(_ document: JSONValue) {
        self.document = document
    }

    func value(at pointer: JSONPointer) throws(PatchFailure) -> JSONValue {
        do throws(PatchFailure) {
            return try document.value(at: pointer)
        } catch {
            throw error.named(pointer)
        }
    }

    mutating func put(_ value: JSONValue, at pointer: JSONPointer) throws(PatchFailure) {
        guard let last = pointer.tokens.last else {
            document = value
            return
        }
        try document.change(at: pointer.tokens.dropLast(), pointer) {
            parent throws(PatchFailure) in
            try parent.insert(value, at: last)
        }
    }

    mutating func replace(_ value: JSONValue, at pointer: JSONPointer) throws(PatchFailure) {
        try document.change(at: pointer.tokens[...], pointer) { $0 = value }
    }

    mutating func remove(at pointer: JSONPointer) throws(PatchFailure) {
        guard let last = pointer.tokens.last else {
            throw .fault("the whole document cannot be taken away")
        }
        try document.change(at: pointer.tokens.dropLast(), pointer) {
            parent throws(PatchFailure) in
            try parent.remove(at: last)
        }
    }

    func moveWhole(from: JSONPointer, to pointer: JSONPointer) -> Bool { false }
}

/// A target of the operations of a JSON Patch.
///
/// The methods are the building blocks of the operations; ``JSONPatchOperation`` combines them (RFC
/// 6902 §4).
protocol PatchTarget {
    /// Returns the value that a pointer leads to.
    mutating func value(at pointer: JSONPointer) throws(PatchFailure) -> JSONValue

    /// Adds a value (RFC 6902 §4.1).
    mutating func put(_ value: JSONValue, at pointer: JSONPointer) throws(PatchFailure)

    /// Replaces a value with another one (RFC 6902 §4.3).
    mutating func replace(_ value: JSONValue, at pointer: JSONPointer) throws(PatchFailure)

    /// Removes a value (RFC 6902 §4.2).
    mutating func remove(at pointer: JSONPointer) throws(PatchFailure)

    /// Moves a value without parsing it (RFC 6902 §4.4), and returns whether this was possible; if
    /// not, the target is unchanged.
    mutating func moveWhole(from: JSONPointer, to pointer: JSONPointer) throws(PatchFailure) -> Bool
}

/// The reason why an operation was not applied.
enum PatchFailure: Error {
    /// The operation fails on every target, for this reason.
    case fault(String)
    /// Only a ``DocumentPatch`` can apply the operation.
    case needsDocument

    static let nothing = PatchFailure.fault("leads to nothing")

    /// Returns the failure with the pointer before the reason.
    func named(_ pointer: JSONPointer) -> PatchFailure {
        guard case .fault(let reason) = self else { return self }
        return .fault("“\(pointer.text)” \(reason)")
    }
}

extension Snapshot {
    /// The document of a `PUT` of this snapshot as a tree, for JSON Patch.
    package var tree: JSONValue {
        var entries = members.entries
        let sections = sections.map { section in
            let items = section.items.map { JSONValue($0.json) }
            let id = JSONValue.Entry(name: "id", value: .string(section.id))
            let list = JSONValue.Entry(name: "items", value: .array(items))
            return JSONValue.object([id] + section.members.entries + [list])
        }
        entries.append(JSONValue.Entry(name: "sections", value: .array(sections)))
        return .object(entries)
    }
}

extension Members {
    fileprivate var entries: [JSONValue.Entry] {
        list.map { JSONValue.Entry(name: $0.name, value: JSONValue($0.value)) }
    }
}
