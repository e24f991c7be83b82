/// A node of a list's tree: a leaf with elements, or an inner node with smaller parts.
///
/// Versions of a list share the parts that did not change. Each part is one array, which is copied
/// if it is changed while another version holds it (D. Comer, "The Ubiquitous B-Tree", 1979, for
/// the form; J. R. Driscoll and others, "Making Data Structures Persistent", 1989, for the copying
/// of paths). All leaves have the same depth.
package enum TreeNode<Element: TreeElement>: Sendable {
    case leaf(ContiguousArray<TreeEntry<Element>>)
    case inner(ContiguousArray<TreePart<Element>>)
}

/// A node of a list's tree with the sums over its elements.
package struct TreePart<Element: TreeElement>: Sendable {
    package internal(set) var node: TreeNode<Element>
    package internal(set) var summary: TreeSummary

    /// The most parts of a node.
    static var partLimit: Int { 16 }

    /// A part without elements.
    static var empty: TreePart { TreePart(node: .leaf([]), summary: TreeSummary()) }

    /// The number of elements of a leaf, or of parts directly in an inner node.
    var width: Int {
        switch node {
        case .leaf(let entries): entries.count
        case .inner(let parts): parts.count
        }
    }

    @inlinable package var isLeaf: Bool {
        if case .leaf = node { true } else { false }
    }

    /// The parts of an inner node; empty for a leaf.
    @inlinable package var parts: ContiguousArray<TreePart> {
        if case .inner(let parts) = node { parts } else { [] }
    }

    /// Computes the summary from the elements, or from the summaries of the parts.
    mutating func summarize() {
        var summary = TreeSummary()
        switch node {
        case .leaf(let entries):
            summary.count = entries.count
            let span = entries.span
            for index in span.indices {
                summary.itemCount += span[index].element.itemCount
                summary.byteCount += span[index].element.byteCount
                summary.memoryByteCount += span[index].element.memoryByteCount
            }
            summary.firstLabel = entries.first?.label ?? 0
            summary.order = Element.order(of: entries)
        case .inner(let parts):
            let span = parts.span
            for index in span.indices { summary.add(span[index].summary) }
        }
        if summary.count > 0 { summary.arrayByteCount += arrayByteCount }
        self.summary = summary
    }

    /// Returns the number of bytes of the JSON of the elements before an index.
    func byteCount(before index: Int) -> Int {
        switch node {
        case .leaf(let entries):
            return entries.prefix(index).reduce(0) { $0 + $1.element.byteCount }
        case .inner(let parts):
            let (position, start) = Self.position(of: index, in: parts, isNew: true)
            return parts[position].byteCount(before: index - start)
                + parts.prefix(position).reduce(0) { $0 + $1.summary.byteCount }
        }
    }

    /// Calls `body` with every leaf in order.
    package func forEachLeaf(_ body: (ContiguousArray<TreeEntry<Element>>) -> Void) {
        switch node {
        case .leaf(let entries): body(entries)
        case .inner(let parts): for part in parts { part.forEachLeaf(body) }
        }
    }

    /// Returns whether both share one array, which takes constant time.
    @inlinable package func isIdentical(to other: TreePart) -> Bool {
        switch (node, other.node) {
        case (.leaf(let left), .leaf(let right)): left.span.isIdentical(to: right.span)
        case (.inner(let left), .inner(let right)): left.span.isIdentical(to: right.span)
        default: false
        }
    }

    /// A number that differs from that of every other part that is not empty and exists at this
    /// time.
    @inlinable package var identity: UInt {
        switch node {
        case .leaf(let entries):
            unsafe entries.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        case .inner(let parts):
            unsafe parts.withUnsafeBufferPointer { UInt(bitPattern: $0.baseAddress) }
        }
    }

    /// The number of bytes of the part's own array, without those of the elements or parts in it.
    @inlinable package var arrayByteCount: Int {
        switch node {
        case .leaf(let entries): 32 + entries.count * MemoryLayout<TreeEntry<Element>>.stride
        case .inner(let parts): 32 + parts.count * MemoryLayout<TreePart>.stride
        }
    }
}

extension TreePart {
    /// Makes a leaf.
    init(_ entries: ContiguousArray<TreeEntry<Element>>) {
        self.init(node: .leaf(entries), summary: TreeSummary())
        summarize()
    }

    /// Makes a node.
    init(_ parts: ContiguousArray<TreePart>) {
        self.init(node: .inner(parts), summary: TreeSummary())
        summarize()
    }
}

extension TreeSummary {
    /// Adds the summary of the next part.
    mutating func add(_ next: TreeSummary) {
        guard next.count > 0 else { return }
        if count == 0 {
            self = next
            return
        }
        count += next.count
        itemCount += next.itemCount
        byteCount += next.byteCount
        memoryByteCount += next.memoryByteCount
        arrayByteCount += next.arrayByteCount
        order = order.followed(by: next.order)
    }
}

extension TreePart {
    /// Takes out the entries of this leaf, which becomes empty; `nil` for an inner node.
    ///
    /// The function is never inlined, so that after its return only the result holds the entries.
    /// Changing them then copies only arrays that another version holds.
    @inline(never)
    mutating func takeEntries() -> ContiguousArray<TreeEntry<Element>>? {
        guard case .leaf(let entries) = node else { return nil }
        node = .leaf([])
        return entries
    }

    /// Takes out the parts of this node, which becomes empty; never inlined, like
    /// ``takeEntries()``.
    @inline(never)
    mutating func takeParts() -> ContiguousArray<TreePart>? {
        guard case .inner(let parts) = node else { return nil }
        node = .inner([])
        return parts
    }
}

/// Assigns labels, finds elements by their labels, and renews labels when there is no room.
///
/// A new element gets a label between those of its neighbours. If there is none, the smallest part
/// around it with enough room gets new labels at equal distances; the larger the part, the more
/// room it must have (M. A. Bender and others, "Two Simplified Algorithms for Maintaining Order in
/// a List", 2002).
extension TreePart {
    /// An element before and after its label was changed to make room.
    typealias Relabelling = (old: TreeEntry<Element>, new: TreeEntry<Element>)

    /// The distance between labels where room is not limited.
    static var labelStep: Int64 { 1 << 32 }

    /// Returns the element with a label and its index, or `nil`.
    func find(_ label: Int64) -> (index: Int, element: Element)? {
        switch node {
        case .leaf(let entries):
            let entries = entries.span
            var (low, high) = (0, entries.count)
            while low < high {
                let middle = (low + high) / 2
                if entries[middle].label < label { low = middle + 1 } else { high = middle }
            }
            guard low < entries.count, entries[low].label == label else { return nil }
            return (low, entries[low].element)
        case .inner(let parts):
            let parts = parts.span
            var start = 0
            var position = 0
            while position + 1 < parts.count, parts[position + 1].summary.firstLabel <= label {
                start += parts[position].summary.count
                position += 1
            }
            guard position < parts.count, let found = parts[position].find(label) else {
                return nil
            }
            return (start + found.index, found.element)
        }
    }

    /// Returns `count` labels between two others; `nil` if there are not enough.
    static func labels(_ count: Int, between lower: Int64?, and upper: Int64?) -> [Int64]? {
        let number = Int64(count)
        switch (lower, upper) {
        case (nil, nil): return (0..<number).map { $0 * labelStep }
        case (let lower?, nil):
            guard lower < .max - (number + 1) * labelStep else { return nil }
            return (1...number).map { lower + $0 * labelStep }
        case (nil, let upper?):
            guard upper > .min + (number + 1) * labelStep else { return nil }
            return (1...number).map { upper - (number + 1 - $0) * labelStep }
        case (let lower?, let upper?):
            let room = UInt64(bitPattern: upper &- lower)
            let step = min(room / (UInt64(count) + 1), UInt64(labelStep))
            guard step > 0 else { return nil }
            return (1...number).map { lower + $0 * Int64(step) }
        }
    }

    /// Gives new labels, at least `least` apart, to the elements of the smallest part around
    /// `index` that has enough room, and returns whether a part had it; the elements with their new
    /// labels are appended to `relabelled`.
    ///
    /// - Parameter end: The first label after this part; `nil`: this part is the list's last.
    mutating func relabel(
        around index: Int,
        before end: Int64?,
        least: UInt64,
        into relabelled: inout [Relabelling]
    ) -> Bool {
        var threshold: UInt64 = 1 << 12
        if var parts = takeParts() {
            let (position, start) = Self.position(of: index, in: parts, isNew: true)
            let next = position + 1 < parts.count ? parts[position + 1].summary.firstLabel : end
            let isDone = parts[position].relabel(
                around: index - start,
                before: next,
                least: least,
                into: &relabelled
            )
            threshold = Self.threshold(of: parts)
            node = .inner(parts)
            if isDone { return true }
        }
        let count = UInt64(summary.count) + 1
        let room = end.map { UInt64(bitPattern: $0 &- summary.firstLabel) }
        let step = min(UInt64(Self.labelStep), (room ?? .max / 4) / count)
        guard step >= max(threshold, least) else { return false }
        guard summary.firstLabel < .max - Int64(step) * Int64(count) else { return false }
        relabel(from: summary.firstLabel, step: Int64(step), into: &relabelled)
        return true
    }

    /// Returns the least distance between new labels for the elements of a node: eight times that
    /// for the nodes below.
    private static func threshold(of parts: ContiguousArray<TreePart>) -> UInt64 {
        var threshold: UInt64 = 1 << 15
        var part = parts.first
        while let below = part?.parts.first {
            threshold <<= 3
            part = below
        }
        return threshold
    }

    /// Gives all elements new labels, from `first` on at a distance of `step`.
    mutating func relabel(
        from first: Int64,
        step: Int64,
        into relabelled: inout [Relabelling]
    ) {
        summary.firstLabel = first
        var label = first
        if var entries = takeEntries() {
            for index in entries.indices {
                let old = entries[index]
                entries[index].label = label
                relabelled.append((old, entries[index]))
                label += step
            }
            node = .leaf(entries)
        } else if var parts = takeParts() {
            for index in parts.indices {
                parts[index].relabel(from: label, step: step, into: &relabelled)
                label += step * Int64(parts[index].summary.count)
            }
            node = .inner(parts)
        }
    }
}

extension TreePart {
    /// Changes an element in place.
    mutating func update<Result>(_ index: Int, _ change: (inout Element) -> Result) -> Result {
        if var entries = takeEntries() {
            defer { node = .leaf(entries) }
            let before = TreeSummary(of: entries[index].element)
            let result = change(&entries[index].element)
            let after = TreeSummary(of: entries[index].element)
            summary.replace(before, with: after) { Element.order(of: entries) }
            return result
        }
        var parts = takeParts() ?? []
        defer { node = .inner(parts) }
        let (position, start) = Self.position(of: index, in: parts)
        let before = parts[position].summary
        let result = parts[position].update(index - start, change)
        summary.replace(before, with: parts[position].summary) { Self.order(of: parts) }
        return result
    }

    /// Returns this part with elements inserted, whose labels must be between those of their
    /// neighbours: several parts, of the same depth, if one would be too wide.
    consuming func inserting(_ new: ContiguousArray<TreeEntry<Element>>, at index: Int)
        -> ContiguousArray<TreePart>
    {
        if var entries = takeEntries() {
            entries.insert(contentsOf: new, at: index)
            return Self.leaves(entries, limit: Element.leafLimit)
        }
        var parts = takeParts() ?? []
        let (position, start) = Self.position(of: index, in: parts, isNew: true)
        var part = TreePart.empty
        swap(&part, &parts[position])
        parts.replaceSubrange(position...position, with: part.inserting(new, at: index - start))
        return Self.nodes(parts, limit: Self.partLimit)
    }

    /// Removes elements; the part may then be too narrow, which the caller repairs.
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
    ///
    /// - Parameter isNew: Whether an element is to be inserted: at the boundary of two parts the
    ///   first is chosen, which contains the element before.
    static func position(
        of index: Int,
        in parts: ContiguousArray<TreePart>,
        isNew: Bool = false
    ) -> (position: Int, start: Int) {
        let parts = parts.span
        var start = 0
        for position in parts.indices {
            let end = start + parts[position].summary.count
            if index < end || isNew && index == end { return (position, start) }
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

    /// Replaces the summary of a part by its new one in the sums, after the part was changed in
    /// place.
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
