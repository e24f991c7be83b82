import FeedModel

/// A target of the operations of a JSON Patch.
///
/// The methods are the building blocks of the operations; ``JSONPatchOperation`` combines them as
/// RFC 6902 says.
protocol PatchTarget {
    /// Returns the value that a pointer leads to.
    mutating func value(at pointer: JSONPointer) throws(PatchStop) -> JSONValue

    /// Returns whether a pointer leads to a value that equals the given one (RFC 6902 §4.6).
    mutating func isEqual(_ value: JSONValue, at pointer: JSONPointer) throws(PatchStop) -> Bool

    /// Adds a value (RFC 6902 §4.1).
    mutating func put(_ value: JSONValue, at pointer: JSONPointer) throws(PatchStop)

    /// Replaces a value with another one (RFC 6902 §4.3).
    mutating func replace(_ value: JSONValue, at pointer: JSONPointer) throws(PatchStop)

    /// Removes a value (RFC 6902 §4.2) and returns it.
    mutating func remove(at pointer: JSONPointer) throws(PatchStop) -> JSONValue

    /// Removes a value without returning it.
    mutating func discard(at pointer: JSONPointer) throws(PatchStop)

    /// Moves a value without parsing it (RFC 6902 §4.4).
    ///
    /// - Returns: Whether this was possible; if not, the target is unchanged.
    mutating func moveWhole(from: JSONPointer, to pointer: JSONPointer) throws(PatchStop) -> Bool
}

/// The reason why an operation was not applied.
enum PatchStop: Error {
    /// The operation fails on every target.
    case fault(JSONPointerFault)
    /// The operation needs a ``DocumentPatch``.
    case needsDocument
}
