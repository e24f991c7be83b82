import FeedModel

extension DocumentEncoder {
    /// The RFC 6902 patch between two documents of ``document(_:)``, `[]` between equal ones.
    ///
    /// - Parameters:
    ///   - old: What to start from; `nil` where that is not known.
    ///   - new: What the patch leads to.
    ///   - changes: Those from `old` to `new`, where they are known.
    ///   - atAnyLength: Whether a patch is sent however long it is.
    /// - Returns: One `replace` of the path `""` where `old` is `nil`, or a patch would be longer
    ///   than the document.
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
        // The items alone are less than the document, which most patches are not compared with.
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

    /// The patch that puts a document in the place of any other.
    private func replacement(_ document: [UInt8]) -> [UInt8] {
        Array("[{\"op\":\"replace\",\"path\":\"\",\"value\":".utf8) + document + Array("}]".utf8)
    }
}
