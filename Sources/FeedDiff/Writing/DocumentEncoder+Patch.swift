import FeedModel

extension DocumentEncoder {
    /// Returns the RFC 6902 patch between two documents of ``document(_:)``; `[]` if they are
    /// equal.
    ///
    /// - Parameters:
    ///   - old: The version to start from; `nil` if it is not known.
    ///   - new: The version that the patch leads to.
    ///   - changes: The changes from `old` to `new`, if they are known.
    ///   - atAnyLength: Whether to return a patch however long it is.
    /// - Returns: A patch; if `old` is `nil`, or the patch would be longer than the document, a
    ///   single `replace` of the path `""`.
    package func patch(
        from old: ViewedSnapshot?,
        to new: ViewedSnapshot,
        changes: PlacedChanges? = nil,
        atAnyLength: Bool = false
    ) -> [UInt8] {
        guard let old else { return replacement(document(new)) }
        let changes = changes ?? PlacedChanges(from: old, to: new)
        func write(byteLimit: Int) -> [UInt8]? {
            PatchWriter.patch(changes, from: old, to: new, byteLimit: byteLimit)
        }
        if atAnyLength { return write(byteLimit: .max) ?? [] }
        // The items are shorter than the document, so most patches need not be compared with the
        // document.
        let least = changes.leastPatchByteCount(to: new)
        let isLong = least > new.itemByteCount / 4
        let limit = isLong ? documentByteCount(new) : .max
        guard least <= limit, let patch = write(byteLimit: limit) else {
            return replacement(document(new))
        }
        let isShort = isLong || patch.count <= new.itemByteCount
        return isShort || patch.count <= documentByteCount(new)
            ? patch : replacement(document(new))
    }

    /// Returns the patch that replaces any document with this one.
    private func replacement(_ document: [UInt8]) -> [UInt8] {
        Array("[{\"op\":\"replace\",\"path\":\"\",\"value\":".utf8) + document + Array("}]".utf8)
    }
}
