package import FeedModel

extension Snapshot {
    /// Returns the snapshot after `edits`, in order; if one fails, none is applied.
    ///
    /// - Parameters:
    ///   - edits: The edits to apply.
    ///   - itemLimit: The most items of the result.
    ///   - byteLimit: The approximate limit of the bytes of items and members that the edits may
    ///     rewrite: without it, many small edits of one huge item would take hours.
    /// - Returns: The result, which shares all unchanged parts with this snapshot.
    /// - Throws: The failure of the first edit that names a missing element or inserts an existing
    ///   one.
    package func applying(
        _ edits: [Edit],
        itemLimit: Int = 1_000_000,
        byteLimit: Int = 256 << 20
    ) throws(EditFailure) -> Snapshot {
        var editor = SnapshotEditor(self, byteLimit: byteLimit)
        for (index, edit) in edits.enumerated() {
            editor.index = index
            try editor.apply(edit)
        }
        let result = editor.snapshot
        guard result.count <= itemLimit else {
            throw editor.failure(
                .tooManyItems,
                "\(result.count) items, a feed may have \(itemLimit)"
            )
        }
        return result
    }
}
