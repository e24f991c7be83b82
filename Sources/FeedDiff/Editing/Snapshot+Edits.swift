package import FeedModel

extension Snapshot {
    /// This after `edits`, in order: all of them or, when one fails, none.
    ///
    /// - Parameters:
    ///   - edits: What to do.
    ///   - itemLimit: How many items the result may have.
    ///   - byteLimit: The most bytes, about, of items and members that the edits may rewrite:
    ///     without it, many small edits of one huge item would take hours.
    /// - Returns: The result, which shares with this whatever no edit touched.
    /// - Throws: The first edit that names what is not there or inserts what is.
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
