package import FeedModel

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
        changes: Changes? = nil,
        atAnyLength: Bool = false
    ) -> [UInt8] {
        guard let old else { return replacement(document(new)) }
        let changes = changes ?? Changes(from: old, to: new)
        if atAnyLength { return PatchWriter.patch(changes, from: old, to: new) }
        // The items alone are less than the document, which most patches are not compared with.
        let least = changes.leastPatchByteCount
        if least > new.itemByteCount {
            let document = document(new)
            if least > document.count { return replacement(document) }
        }
        let patch = PatchWriter.patch(changes, from: old, to: new)
        if patch.count <= new.itemByteCount { return patch }
        let document = document(new)
        return patch.count <= document.count ? patch : replacement(document)
    }

    /// The patch that puts a document in the place of any other.
    private func replacement(_ document: [UInt8]) -> [UInt8] {
        Array("[{\"op\":\"replace\",\"path\":\"\",\"value\":".utf8) + document + Array("}]".utf8)
    }
}

extension Changes {
    /// Bytes that no patch of them is shorter than, so that one that is too long need not be made:
    /// an operation for each section and item, with places of one digit.
    var leastPatchByteCount: Int {
        func length(_ operation: StaticString) -> Int { operation.utf8CodeUnitCount }
        let remove = length(#"{"op":"remove","path":"/sections/0"},"#)
        let move = length(#"{"op":"move","from":"/sections/0","path":"/sections/0"},"#)
        let places = length("/items/0")
        let added = length(#"{"op":"add","path":"/sections/0/items/0","value":},"#)
        var count = removedSections.count * remove + movedSections.count * move
        count += removedItems.count * (remove + places) + movedItems.count * (move + 2 * places)
        // Those of a section that came stand within it.
        let isAlone = insertedSections.isEmpty
        return insertedItems.reduce(count) { count, insertion in
            count + insertion.item.json.bytes.count + (isAlone ? added : 0)
        }
    }
}
