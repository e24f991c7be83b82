import FeedModel

/// The difference between two persistent lists, found without comparing storage that they share:
/// the time depends only on the parts that differ.
struct TreeDifference<Element: TreeElement> {
    /// The elements of both lists between two runs of shared elements.
    struct Gap {
        /// The position in the old list at which the gap begins.
        var oldStart: Int
        var old: ArraySlice<Element>
        /// The position in the new list at which the gap begins.
        var newStart: Int
        var new: ArraySlice<Element>

        /// The position in the old list at which the gap ends.
        var oldEnd: Int { oldStart + old.count }

        /// The position in the new list at which the gap ends.
        var newEnd: Int { newStart + new.count }

        /// Returns the position in the old list of an index in ``old``.
        func oldPosition(_ index: Int) -> Int { oldStart + index - old.startIndex }

        /// Returns the position in the new list of an index in ``new``.
        func newPosition(_ index: Int) -> Int { newStart + index - new.startIndex }
    }

    /// The parts of both lists that are not shared, in the order of both lists.
    private var unshared: [(old: Position, new: Position)] = []

    /// The bytes of the arrays that only the old list holds.
    private(set) var oldByteCount = 0

    private let oldCount: Int

    // The functions use closures instead of key paths: in generic code, each use of a key path
    // makes a new one.

    /// Compares two lists.
    init(from old: TreeList<Element>, to new: TreeList<Element>) {
        oldCount = old.count
        guard !old.isIdentical(to: new) else { return }
        var (before, after) = ([old.root], [new.root])
        for _ in new.height..<max(old.height, new.height) { before = expandOld(before[...]) }
        for _ in old.height..<max(old.height, new.height) { after = after.flatMap { $0.parts } }
        compare(Position(parts: before[...], start: 0), Position(parts: after[...], start: 0))
    }

    /// Returns the gaps, in the order of both lists; all elements between them are shared.
    ///
    /// A gap copies the elements of its parts, so gaps are made only on request: ``oldByteCount``
    /// does not need them.
    func gaps() -> [Gap] {
        unshared.compactMap { Gap(old: $0.old, new: $0.new) }
    }

    /// Returns the runs of shared elements around ``gaps()``, in the order of both lists.
    func runs(around gaps: [Gap]) -> [ListRun] {
        var runs: [ListRun] = []
        var (old, new) = (0, 0)
        for gap in gaps {
            runs.add(old: old, new: new, count: gap.oldStart - old)
            (old, new) = (gap.oldEnd, gap.newEnd)
        }
        runs.add(old: old, new: new, count: oldCount - old)
        return runs
    }

    /// A sequence of adjacent parts, with the position at which it begins.
    fileprivate struct Position {
        var parts: ArraySlice<TreePart<Element>>
        var start: Int

        var count: Int { parts.reduce(0) { $0 + $1.summary.count } }

        /// Removes and returns the first `length` parts.
        @discardableResult
        mutating func take(_ length: Int) -> Position {
            let taken = Position(parts: parts.prefix(length), start: start)
            parts = parts.dropFirst(length)
            start += taken.count
            return taken
        }

        /// The elements of all parts.
        var elements: [Element] {
            var elements: [Element] = []
            elements.reserveCapacity(count)
            for part in parts {
                part.forEachLeaf { for entry in $0 { elements.append(entry.element) } }
            }
            return elements
        }
    }

    /// Compares parts of the same depth.
    private mutating func compare(_ old: Position, _ new: Position) {
        var (old, new) = (old, new)
        let shorter = min(old.parts.count, new.parts.count)
        let start = zip(old.parts, new.parts).prefix { $0.isIdentical(to: $1) }.count
        let end = min(
            shorter - start,
            zip(old.parts.reversed(), new.parts.reversed()).prefix { $0.isIdentical(to: $1) }.count
        )
        old.take(start)
        new.take(start)
        compareMiddle(old.take(old.parts.count - end), new.take(new.parts.count - end))
    }

    /// Finds the shared parts that have the same order in both lists.
    private mutating func compareMiddle(_ old: Position, _ new: Position) {
        guard old.parts.count > 1, new.parts.count > 1 else {
            compareInside(old, new)
            return
        }
        let positions = Dictionary(
            zip(old.parts.lazy.map { $0.identity }, old.parts.indices),
            uniquingKeysWith: { first, _ in first }
        )
        var (oldRest, newRest) = (old, new)
        for index in new.parts.indices {
            guard let position = positions[new.parts[index].identity],
                position >= oldRest.parts.startIndex
            else { continue }
            compareInside(
                oldRest.take(position - oldRest.parts.startIndex),
                newRest.take(index - newRest.parts.startIndex)
            )
            oldRest.take(1)
            newRest.take(1)
        }
        compareInside(oldRest, newRest)
    }

    /// Compares the content of parts that are not shared.
    private mutating func compareInside(_ old: Position, _ new: Position) {
        guard !old.parts.isEmpty || !new.parts.isEmpty else { return }
        let isLeaf = (old.parts.first ?? new.parts.first)?.isLeaf ?? true
        if isLeaf || old.parts.isEmpty || new.parts.isEmpty {
            for part in old.parts { oldByteCount += part.summary.arrayByteCount }
            unshared.append((old, new))
        } else {
            compare(
                Position(parts: expandOld(old.parts)[...], start: old.start),
                Position(parts: new.parts.flatMap { $0.parts }[...], start: new.start)
            )
        }
    }

    private mutating func expandOld(_ parts: ArraySlice<TreePart<Element>>) -> [TreePart<Element>] {
        for part in parts { oldByteCount += part.arrayByteCount }
        return parts.flatMap { $0.parts }
    }
}

extension TreeDifference.Gap {
    /// Makes a gap of parts that are not shared, without the elements that both lists have at its
    /// start and end; `nil` if there are no others.
    fileprivate init?(
        old: TreeDifference.Position,
        new: TreeDifference.Position
    ) {
        let (before, after) = (old.elements, new.elements)
        let shorter = min(before.count, after.count)
        var start = 0
        while start < shorter, before[start].isIdentical(to: after[start]) { start += 1 }
        var end = 0
        while end < shorter - start,
            before[before.count - 1 - end].isIdentical(to: after[after.count - 1 - end])
        {
            end += 1
        }
        guard start + end < max(before.count, after.count) else { return nil }
        self.init(
            oldStart: old.start + start,
            old: before[start..<before.count - end],
            newStart: new.start + start,
            new: after[start..<after.count - end]
        )
    }
}
