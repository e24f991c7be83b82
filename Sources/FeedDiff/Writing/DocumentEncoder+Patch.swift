import FeedModel

extension DocumentEncoder {
    /// The RFC 6902 patch between two documents of ``document(_:)``, `[]` between equal ones.
    ///
    /// - Parameters:
    ///   - old: What to start from; `nil` where that is not known.
    ///   - new: What the patch leads to.
    ///   - atAnyLength: Whether a patch is sent however long it is.
    /// - Returns: One `replace` of the path `""` where `old` is `nil`, or a patch would be longer
    ///   than the document.
    package func patch(
        from old: ViewedSnapshot?,
        to new: ViewedSnapshot,
        atAnyLength: Bool = false
    ) -> [UInt8] {
        let patch = old.map { PatchWriter.patch(from: $0, to: new) }
        if atAnyLength, let patch { return patch }
        // The items alone are less than the document, which most patches are not compared with.
        if let patch, patch.count <= new.snapshot.itemByteCount { return patch }
        let document = document(new)
        if let patch, patch.count <= document.count { return patch }
        return Array("[{\"op\":\"replace\",\"path\":\"\",\"value\":".utf8) + document
            + Array("}]".utf8)
    }
}
