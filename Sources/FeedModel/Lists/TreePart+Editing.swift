extension TreePart {
    /// Changes an element in place.
    mutating func update<Result, Failure: Error>(
        _ index: Int,
        _ change: (inout Element) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        if var entries = takeEntries() {
            defer { node = .leaf(entries) }
            let before = TreeSummary(of: entries[index].element)
            let result = try change(&entries[index].element)
            let after = TreeSummary(of: entries[index].element)
            summary.replace(before, with: after) { Element.order(of: entries) }
            return result
        }
        var parts = takeParts() ?? []
        defer { node = .inner(parts) }
        let (position, start) = Self.position(of: index, in: parts)
        let before = parts[position].summary
        let result = try parts[position].update(index - start, change)
        summary.replace(before, with: parts[position].summary) { Self.order(of: parts) }
        return result
    }

    /// Inserts elements, with labels that fit there.
    ///
    /// - Returns: The parts that replace this one, of the same depth: several if it would be too
    ///   wide.
    consuming func inserting(_ new: ContiguousArray<TreeEntry<Element>>, at index: Int)
        -> ContiguousArray<TreePart>
    {
        if var entries = takeEntries() {
            entries.insert(contentsOf: new, at: index)
            return Self.leaves(entries, limit: Element.leafLimit)
        }
        var parts = takeParts() ?? []
        let (position, start) = Self.positionToInsert(at: index, in: parts)
        var part = TreePart.empty
        swap(&part, &parts[position])
        parts.replaceSubrange(position...position, with: part.inserting(new, at: index - start))
        return Self.nodes(parts, limit: Self.partLimit)
    }

    /// Removes elements; the rest may be too narrow.
    mutating func remove(_ range: Range<Int>) {
        if var entries = takeEntries() {
            entries.removeSubrange(range)
            node = .leaf(entries)
        } else {
            var parts = takeParts() ?? []
            Self.remove(range, from: &parts)
            node = .inner(parts)
        }
        summarize()
    }

    /// Returns as few leaves as the limit allows, of equal length.
    static func leaves(
        _ entries: ContiguousArray<TreeEntry<Element>>,
        limit: Int
    ) -> ContiguousArray<TreePart> {
        pieces(entries, limit: limit) { TreePart($0) }
    }

    /// Returns as few nodes as the limit allows, of equal width.
    static func nodes(_ parts: ContiguousArray<TreePart>, limit: Int) -> ContiguousArray<TreePart> {
        pieces(parts, limit: limit) { TreePart($0) }
    }

    private static func pieces<Piece>(
        _ list: ContiguousArray<Piece>,
        limit: Int,
        _ part: (ContiguousArray<Piece>) -> TreePart
    ) -> ContiguousArray<TreePart> {
        guard list.count > limit else { return [part(list)] }
        let number = (list.count + limit - 1) / limit
        var parts = ContiguousArray<TreePart>()
        for piece in 0..<number {
            let range = list.count * piece / number..<list.count * (piece + 1) / number
            parts.append(part(ContiguousArray(list[range])))
        }
        return parts
    }
}

extension TreePart {
    /// Returns the index of the part that contains an element, and the number of elements before
    /// that part.
    static func position(of index: Int, in parts: ContiguousArray<TreePart>) -> (
        position: Int, start: Int
    ) {
        let parts = parts.span
        var start = 0
        for position in parts.indices {
            let end = start + parts[position].summary.count
            if index < end { return (position, start) }
            start = end
        }
        preconditionFailure("an index past the end")
    }

    /// Returns the part to insert into, and the number of elements before it; at the boundary of
    /// two parts the first one, which also contains the element before.
    static func positionToInsert(
        at index: Int,
        in parts: ContiguousArray<TreePart>
    ) -> (position: Int, start: Int) {
        let parts = parts.span
        var start = 0
        for position in parts.indices {
            let end = start + parts[position].summary.count
            if index <= end { return (position, start) }
            start = end
        }
        preconditionFailure("an index past the end")
    }

    private static func order(of parts: ContiguousArray<TreePart>) -> CRC32Part {
        let parts = parts.span
        var order = CRC32Part.empty
        for index in parts.indices { order = order.followed(by: parts[index].summary.order) }
        return order
    }

    /// Removes elements from a node's parts, and joins parts that become too narrow with others.
    private static func remove(_ range: Range<Int>, from parts: inout ContiguousArray<TreePart>) {
        var start = 0
        var kept: ContiguousArray<TreePart> = []
        var touched: Int?
        kept.reserveCapacity(parts.count)
        for var part in consume parts {
            let end = start + part.summary.count
            let cut = range.clamped(to: start..<end)
            if cut.isEmpty {
                kept.append(part)
            } else if cut.count < part.summary.count {
                touched = touched ?? kept.count
                part.remove(cut.lowerBound - start..<cut.upperBound - start)
                kept.append(part)
            }
            start = end
        }
        parts = kept
        guard let touched else { return }
        // The cut parts are at most two, and are neighbours now.
        if touched + 1 < parts.count { join(touched + 1, in: &parts) }
        if touched < parts.count { join(touched, in: &parts) }
    }

    /// Joins a part that is too narrow with a neighbour, or moves elements from the neighbour to
    /// it.
    private static func join(_ position: Int, in parts: inout ContiguousArray<TreePart>) {
        let limit = parts[position].isLeaf ? Element.leafLimit : partLimit
        guard parts.count > 1, parts[position].width < limit / 4 else { return }
        let first = position == 0 ? 0 : position - 1
        var left = parts[first]
        var right = parts[first + 1]
        if let before = left.takeEntries(), let after = right.takeEntries() {
            let leaves = leaves(before + after, limit: limit * 3 / 4)
            parts.replaceSubrange(first...first + 1, with: leaves)
        } else if let before = left.takeParts(), let after = right.takeParts() {
            let nodes = nodes(before + after, limit: limit * 3 / 4)
            parts.replaceSubrange(first...first + 1, with: nodes)
        }
    }
}

extension TreeSummary {
    /// Makes the summary of one element.
    fileprivate init(of element: some TreeElement) {
        count = 1
        itemCount = element.itemCount
        byteCount = element.byteCount
        memoryByteCount = element.memoryByteCount
        order = element.order
    }

    /// Updates the sums after a part was changed in place.
    fileprivate mutating func replace(
        _ old: TreeSummary,
        with new: TreeSummary,
        order newOrder: () -> CRC32Part
    ) {
        itemCount += new.itemCount - old.itemCount
        byteCount += new.byteCount - old.byteCount
        memoryByteCount += new.memoryByteCount - old.memoryByteCount
        if old.order != new.order { order = newOrder() }
    }
}
