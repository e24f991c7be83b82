extension SectionList {
    /// Returns the check of the order of all sections with only the first items of the feed.
    ///
    /// Sections whose items are all among the first are not examined, nor are items of the other
    /// sections.
    package func order(ofFirstItems limit: Int) -> UInt32 {
        var check = PrefixOrder(room: limit)
        check.add(tree.root)
        return check.finish()
    }

    /// Calls `body` with every part of the list in order.
    package func forEachLeaf(_ body: (ContiguousArray<TreeEntry<FeedSection>>) -> Void) {
        tree.forEachLeaf { entries in
            body(entries)
            return true
        }
    }
}

/// The check of the order of a feed's sections with only its first items.
private struct PrefixOrder {
    /// The number of items that may still be added.
    private var room: Int
    private var order = CRC32Part.empty
    /// The check of the heads of sections after ``order``.
    private var heads = CRC32()
    private var headByteCount = 0

    init(room: Int) { self.room = max(0, room) }

    mutating func add(_ part: TreePart<FeedSection>) {
        if part.summary.itemCount <= room {
            append(part.summary.order)
            room -= part.summary.itemCount
            return
        }
        switch part.node {
        case .inner(let parts): for part in parts { add(part) }
        case .leaf(let entries):
            let entries = entries.span
            // The properties are read one by one, because a whole section would be copied.
            for index in entries.indices {
                append(headOf: entries[index].element.id)
                let count = entries[index].element.items.tree.root.summary.count
                guard room > 0, count > 0 else { continue }
                let shown = entries[index].element.items.prefix(list: min(room, count))
                room -= shown.count
                append(shown.tree.summary.order)
            }
        }
    }

    private mutating func append(headOf id: ExactString) {
        FeedSection.addHead(of: id, to: &heads)
        headByteCount += FeedSection.headByteCount(of: id)
    }

    private mutating func append(_ next: CRC32Part) {
        if headByteCount > 0 {
            let part = CRC32Part(value: heads.value, byteCount: headByteCount)
            order = order.followed(by: part)
            (heads, headByteCount) = (CRC32(), 0)
        }
        order = order.followed(by: next)
    }

    mutating func finish() -> UInt32 {
        append(.empty)
        return order.value
    }
}
