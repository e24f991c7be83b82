/// Labels: how they are assigned and found, and what happens when none are free.
///
/// A new element gets a label between those of its neighbours. If there is none, the smallest part
/// around it with enough room gets new labels at equal distances; the larger the part, the more
/// room it must have (M. A. Bender and others, "Two Simplified Algorithms for Maintaining Order in
/// a List", 2002).
extension TreePart {
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

    /// Returns the labels around a place of insertion.
    ///
    /// - Parameters:
    ///   - index: The index of the insertion.
    ///   - end: The label after this part, if there is one.
    /// - Returns: The labels on both sides, as far as there are any.
    func bounds(at index: Int, before end: Int64?) -> (lower: Int64?, upper: Int64?) {
        switch node {
        case .leaf(let entries):
            return (
                index > 0 ? entries[index - 1].label : nil,
                index < entries.count ? entries[index].label : end
            )
        case .inner(let parts):
            let (position, start) = Self.positionToInsert(at: index, in: parts)
            let next = position + 1 < parts.count ? parts[position + 1].summary.firstLabel : end
            return parts[position].bounds(at: index - start, before: next)
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

    /// Gives the elements around `index` new labels.
    ///
    /// - Parameters:
    ///   - index: The index of the insertion.
    ///   - end: The label after this part, if there is one.
    ///   - least: The least distance between the new labels.
    ///   - relabelled: Receives the elements with their new labels.
    /// - Returns: Whether there was room.
    mutating func relabel(
        around index: Int,
        before end: Int64?,
        least: UInt64,
        into relabelled: inout [TreeRelabelling<Element>]
    ) -> Bool {
        var threshold: UInt64 = 1 << 12
        if var parts = takeParts() {
            let (position, start) = Self.positionToInsert(at: index, in: parts)
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

    /// Returns the least distance that justifies new labels: eight times that of the parts below.
    private static func threshold(of parts: ContiguousArray<TreePart>) -> UInt64 {
        var threshold: UInt64 = 1 << 15
        var part = parts.first
        while let below = part?.parts.first {
            threshold <<= 3
            part = below
        }
        return threshold
    }

    /// Gives all elements new labels.
    mutating func relabel(
        from first: Int64,
        step: Int64,
        into relabelled: inout [TreeRelabelling<Element>]
    ) {
        summary.firstLabel = first
        var label = first
        if var entries = takeEntries() {
            for index in entries.indices {
                relabelled.append(
                    TreeRelabelling(
                        element: entries[index].element,
                        old: entries[index].label,
                        new: label
                    )
                )
                entries[index].label = label
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

/// An element whose label was changed to make room.
struct TreeRelabelling<Element: TreeElement> {
    var element: Element
    var old: Int64
    var new: Int64
}
