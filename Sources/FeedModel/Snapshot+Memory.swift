extension Snapshot {
    /// About the bytes of memory that it takes when nothing of it is shared; known without a look
    /// at its items.
    package var memoryByteCount: Int {
        members.memoryByteCount + list.tree.summary.memoryByteCount
    }

    /// The bytes of the knowledge where ids are that `next` does not share.
    package func indexByteCount(notIn next: Snapshot) -> Int {
        guard let index, let other = next.index else { return 0 }
        return index.byteCount(notIn: other) ?? SnapshotIndex.entryByteCount * count
    }
}
