import FeedModel

/// Applies a JSON Patch to a whole document, which may be any JSON value.
struct DocumentPatch: PatchTarget {
    /// The document after the operations that were applied so far.
    private(set) var document: JSONValue

    init(_ document: JSONValue) {
        self.document = document
    }

    func value(at pointer: JSONPointer) throws(PatchStop) -> JSONValue {
        do throws(JSONPointerFault) {
            return try document.value(at: pointer)
        } catch {
            throw .fault(error.named(pointer))
        }
    }

    func isEqual(_ value: JSONValue, at pointer: JSONPointer) throws(PatchStop) -> Bool {
        try self.value(at: pointer) == value
    }

    mutating func put(_ value: JSONValue, at pointer: JSONPointer) throws(PatchStop) {
        guard let last = pointer.tokens.last else {
            document = value
            return
        }
        try document.change(at: pointer.tokens.dropLast(), pointer) {
            parent throws(JSONPointerFault) in
            try parent.insert(value, at: last)
        }
    }

    mutating func replace(_ value: JSONValue, at pointer: JSONPointer) throws(PatchStop) {
        try document.change(at: pointer.tokens[...], pointer) { $0 = value }
    }

    mutating func remove(at pointer: JSONPointer) throws(PatchStop) -> JSONValue {
        guard let last = pointer.tokens.last else {
            let reason = "the whole document cannot be taken away"
            throw .fault(JSONPointerFault(reason: reason))
        }
        return try document.change(at: pointer.tokens.dropLast(), pointer) {
            parent throws(JSONPointerFault) in
            try parent.remove(at: last)
        }
    }

    mutating func discard(at pointer: JSONPointer) throws(PatchStop) {
        _ = try remove(at: pointer)
    }

    func moveWhole(from: JSONPointer, to pointer: JSONPointer) -> Bool { false }
}
