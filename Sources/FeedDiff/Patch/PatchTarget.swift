import FeedModel

/// What the operations of a JSON Patch change: each method is a part of them, and how they make of
/// these what RFC 6902 says is in ``JSONPatchOperation`` alone.
protocol PatchTarget {
    /// The value that a pointer leads to.
    mutating func value(at pointer: JSONPointer) throws(PatchStop) -> JSONValue

    /// Whether a pointer leads to a value (RFC 6902 §4.6).
    mutating func isEqual(_ value: JSONValue, at pointer: JSONPointer) throws(PatchStop) -> Bool

    /// Adds a value (RFC 6902 §4.1).
    mutating func put(_ value: JSONValue, at pointer: JSONPointer) throws(PatchStop)

    /// Puts a value in the place of another one (RFC 6902 §4.3).
    mutating func replace(_ value: JSONValue, at pointer: JSONPointer) throws(PatchStop)

    /// Takes a value away (RFC 6902 §4.2) and returns it.
    mutating func remove(at pointer: JSONPointer) throws(PatchStop) -> JSONValue

    /// Takes a value away that is not needed.
    mutating func discard(at pointer: JSONPointer) throws(PatchStop)

    /// Moves a value without taking it apart (RFC 6902 §4.4).
    ///
    /// - Returns: Whether that was possible; else nothing was done.
    mutating func moveWhole(from: JSONPointer, to pointer: JSONPointer) throws(PatchStop) -> Bool
}

/// Why an operation was not applied.
enum PatchStop: Error {
    /// It fails, on every target.
    case fault(JSONPointerFault)
    /// Only a ``DocumentPatch`` can tell.
    case needsDocument
}
