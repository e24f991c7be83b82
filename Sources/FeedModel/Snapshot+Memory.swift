extension Snapshot {
    /// The approximate number of bytes of memory that the snapshot takes if it shares nothing;
    /// computed without examining its items.
    package var memoryByteCount: Int {
        members.memoryByteCount + list.tree.summary.memoryByteCount
    }

    /// Returns the bytes of the index of ids that `next` does not share.
    package func indexByteCount(notIn next: Snapshot) -> Int {
        guard let index, let other = next.index else { return 0 }
        return index.byteCount(notIn: other) ?? SnapshotIndex.entryByteCount * count
    }
}
