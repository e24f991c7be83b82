import FeedModel

/// The pairs of equal ids in two versions of a feed: of sections, and of items.
///
/// Both versions are seen in the same view. Sections whose storage both versions share are not
/// compared.
struct SnapshotMatching {
    /// A section that the view of a version lists, with the items that the view shows.
    struct Listed {
        /// The index of the section in the version.
        var position: Int
        var section: FeedSection
        /// The number of all items of the section, in a view by sections or limit; otherwise `nil`.
        var fullCount: Int?
    }

    /// A section of the new version that does not share its storage with the old version.
    struct NewSection {
        var new: Listed
        /// The old version of this section; `nil` if it was inserted.
        var old: Listed?
        /// The pairs of items in both versions of the section.
        var matcher: SequenceMatcher
        /// The range of the section's items in ``SnapshotMatching/newUnmatched``.
        var unmatched: Range<Int>
    }

    /// The condition for pairing two items.
    enum Sameness {
        /// Both are one object: versions of a feed share unchanged items.
        case identity
        /// Both have the same id, and values with equal hashes, for a list that was just parsed
        /// and shares nothing.
        case value
        /// Both have the same id.
        case id

        fileprivate func key(of item: FeedItem) -> UInt64 {
            switch self {
            case .identity: UInt64(UInt(bitPattern: ObjectIdentifier(item)))
            case .value: item.json.valueHash
            case .id: item.id.keyedHash
            }
        }
    }

    private let old: ViewedSnapshot
    private let new: ViewedSnapshot

    /// The runs of sections that both versions have, in the order of the new one, shared or not.
    private(set) var sectionRuns: [ListRun] = []
    /// The new sections that are not shared, in feed order.
    private(set) var newSections: [NewSection] = []
    /// The old sections that were removed, in feed order.
    private(set) var removedSections: [Listed] = []
    /// The old items that the matchers did not pair, in feed order.
    ///
    /// The list has items of removed sections only if they may have moved to other sections. It is
    /// empty if ``newUnmatched`` is, because there may be very many old items.
    private(set) var oldUnmatched = UnmatchedItems()
    /// The sections in both versions with unpaired old items, ascending by the old position, and
    /// the indices of these items.
    private var oldRests: [(old: Listed, rows: [Range<Int>])] = []
    /// The new items that the matchers did not pair, in feed order.
    private(set) var newUnmatched = UnmatchedItems()

    /// Pairs sections by id, and items by walking along the paired sections.
    ///
    /// The time depends only on the differences: storage that both versions share is not compared.
    ///
    /// - Parameters:
    ///   - old: The earlier version.
    ///   - new: The later version, in the same view.
    ///   - same: The way in which a walk recognizes items.
    init(from old: ViewedSnapshot, to new: ViewedSnapshot, by same: Sameness) {
        (self.old, self.new) = (old, new)
        for (before, after) in matchSections() { add(after, partner: before, by: same) }
        oldRests.sort { $0.old.position < $1.old.position }
        guard !newUnmatched.isEmpty else { return }
        for (section, rows) in oldRests {
            for rows in rows { oldUnmatched.append(rows, of: section) }
        }
        addItemsOfRemovedSections()
        oldUnmatched.sort()
    }

    /// Adds a section of the new version, and pairs its items with those of the old section.
    private mutating func add(_ after: Listed, partner: Listed?, by same: Sameness) {
        let start = newUnmatched.count
        let matcher = SequenceMatcher(
            from: partner?.section.items ?? ItemList(),
            to: after.section.items,
            by: same
        )
        for rows in matcher.newUnmatched { newUnmatched.append(rows, of: after) }
        if let partner, !matcher.oldUnmatched.isEmpty {
            oldRests.append((partner, matcher.oldUnmatched))
        }
        newSections.append(
            NewSection(
                new: after,
                old: partner,
                matcher: matcher,
                unmatched: start..<newUnmatched.count
            )
        )
    }

    /// Adds items of removed sections to `oldUnmatched` if they may have moved to other sections.
    ///
    /// If there are few new items, their ids are looked up in the old version. Removing a long
    /// section then takes no longer than removing a short one.
    private mutating func addItemsOfRemovedSections() {
        let count = removedSections.reduce(0) { $0 + $1.section.items.count }
        guard count > 0 else { return }
        if old.base.isIndexed, newUnmatched.count < count / 8 {
            let positions = Set(removedSections.lazy.map(\.position))
            for item in newUnmatched.items {
                guard let position = old.base.position(ofItem: item.id), old.end.isBehind(position),
                    positions.contains(Int(position.section))
                else { continue }
                oldUnmatched.append(old.base.list[position], at: position)
            }
            return
        }
        for removed in removedSections {
            oldUnmatched.append(0..<removed.section.items.count, of: removed)
        }
    }
}

/// Pairing of sections.
extension SnapshotMatching {
    private typealias Gap = TreeDifference<FeedSection>.Gap
    private typealias Pair = (old: Listed?, new: Listed)

    /// Fills `sectionRuns` and `removedSections`.
    ///
    /// - Returns: The new sections that were inserted or must be compared with an old one, in feed
    ///   order.
    private mutating func matchSections() -> [Pair] {
        var pairs: [Pair] = []
        if old.givenCounts == nil, new.givenCounts == nil {
            let difference = TreeDifference(from: old.base.list.tree, to: new.base.list.tree)
            match(difference.gaps, into: &pairs)
            for run in difference.runs { addShared(run, to: &pairs) }
        } else {
            let (before, after) = (Array(old.base.list)[...], Array(new.base.list)[...])
            match([Gap(oldStart: 0, old: before, newStart: 0, new: after)], into: &pairs)
        }
        sectionRuns.sort { $0.new < $1.new }
        removedSections.sort { $0.position < $1.position }
        return pairs.sorted { $0.new.position < $1.new.position }
    }

    /// Matches sections whose storage is not shared, or not in the same order.
    private mutating func match(_ gaps: [Gap], into pairs: inout [Pair]) {
        var befores: [(section: FeedSection, position: Int)] = []
        for gap in gaps {
            for index in gap.old.indices {
                befores.append((gap.old[index], gap.oldPosition(index)))
            }
        }
        let keys = befores.map(\.section.id.keyedHash)
        let table = HashTable(keys)
        /// Returns the index in `befores` of the old section with an id.
        func partner(_ id: ExactString) -> Int? {
            var slot: Int?
            while let found = table.next(id.keyedHash, in: keys, after: &slot) {
                if befores[found].section.id == id { return found }
            }
            return nil
        }
        var remains = [Bool](repeating: false, count: befores.count)
        for gap in gaps {
            for index in gap.new.indices {
                let (section, position) = (gap.new[index], gap.newPosition(index))
                guard let partner = partner(section.id) else {
                    pairs.append((nil, new.listed(section, at: position)))
                    continue
                }
                remains[partner] = true
                let before = befores[partner]
                add(before.section, at: before.position, section, at: position, to: &pairs)
            }
        }
        for (before, remains) in zip(befores, remains) where !remains {
            removedSections.append(old.listed(before.section, at: before.position))
        }
    }

    /// Adds a section that both versions have, to be compared unless it is shared and shown alike.
    private mutating func add(
        _ before: FeedSection,
        at oldPosition: Int,
        _ after: FeedSection,
        at newPosition: Int,
        to pairs: inout [Pair]
    ) {
        sectionRuns.append(ListRun(old: oldPosition, new: newPosition, count: 1))
        let isShownAlike =
            old.shownCount(before.items, at: oldPosition)
            == new.shownCount(after.items, at: newPosition)
        if isShownAlike, old.givenCounts == nil, before.isIdentical(to: after) { return }
        pairs.append((old.listed(before, at: oldPosition), new.listed(after, at: newPosition)))
    }

    /// Adds sections whose storage both versions share.
    ///
    /// The limits of the views may cut the two versions at different items, so the sections around
    /// these ends must be compared.
    private mutating func addShared(_ run: ListRun, to pairs: inout [Pair]) {
        let (oldEnd, newEnd) = (old.end.section - run.old, new.end.section - run.new)
        let first = min(max(0, min(oldEnd, newEnd)), run.count)
        let end = max(first, min(max(oldEnd, newEnd) + 1, run.count))
        sectionRuns.add(old: run.old, new: run.new, count: first)
        for offset in first..<end {
            let section = new.base.list[run.new + offset]
            add(section, at: run.old + offset, section, at: run.new + offset, to: &pairs)
        }
        if end < run.count {
            let rest = ListRun(old: run.old + end, new: run.new + end, count: run.count - end)
            sectionRuns.append(rest)
        }
    }
}

extension ViewedSnapshot {
    /// Returns a section with its shown items.
    fileprivate func listed(_ section: FeedSection, at position: Int) -> SnapshotMatching.Listed {
        var shown = section
        if position >= end.section { shown.items = end.part(of: section.items, at: position) }
        return SnapshotMatching.Listed(
            position: position,
            section: shown,
            fullCount: fullCount(section.items, at: position)
        )
    }

    /// Returns the number of a section's shown items.
    fileprivate func shownCount(_ items: ItemList, at position: Int) -> Int {
        if position < end.section { return items.count }
        return position == end.section ? end.index : 0
    }
}

extension SnapshotMatching {
    /// The number of items that were inserted or removed, or whose values differ.
    ///
    /// An item that moved between sections counts twice, as removed and as inserted. Items of
    /// removed sections count only if they are in ``oldUnmatched``.
    var changeCount: Int {
        let goneCount =
            newUnmatched.isEmpty
            ? oldRests.reduce(0) { $0 + $1.rows.reduce(0) { $0 + $1.count } }
            : oldUnmatched.count
        return newSections.reduce(newUnmatched.count + goneCount) { $0 + $1.changedCount }
    }

    /// The old positions, ascending, of items that the new version lacks, without the items of
    /// removed sections.
    var removedItems: [ItemPosition] {
        var removed: [ItemPosition] = []
        guard !newUnmatched.isEmpty else {
            for (section, rows) in oldRests {
                for row in rows.joined() {
                    removed.append(ItemPosition(section: section.position, index: row))
                }
            }
            return removed
        }
        let gone = Set(removedSections.lazy.map(\.position))
        for (index, partner) in oldUnmatched.partners.enumerated() where partner < 0 {
            let position = oldUnmatched.positions[index]
            if gone.isEmpty || !gone.contains(Int(position.section)) { removed.append(position) }
        }
        return removed
    }

    /// Whether both versions have the same sections at the same positions.
    var keepsSections: Bool {
        removedSections.isEmpty && newSections.allSatisfy { $0.old != nil }
            && sectionRuns.allSatisfy { $0.old == $0.new }
    }

    /// Pairs unmatched items of both versions.
    mutating func matchUnmatched(by same: Sameness) {
        for pair in oldUnmatched.pairs(with: newUnmatched, by: same) {
            oldUnmatched.partners[Int(pair.old)] = pair.new
            newUnmatched.partners[Int(pair.new)] = pair.old
        }
    }
}

extension SnapshotMatching.NewSection {
    /// Whether the section's list of items differs from the old one.
    var hasChanges: Bool {
        changedCount > 0 || !unmatched.isEmpty
            || new.section.items.count != old?.section.items.count
    }

    /// The number of items whose values differ.
    fileprivate var changedCount: Int { matcher.changedPairs.count { !$0.isEqual } }
}

/// The items that a walk along two lists did not pair, in feed order.
///
/// Positions and partners are in arrays of their own, because the items are objects scattered in
/// memory, and reading them is slow.
struct UnmatchedItems {
    private(set) var items: ContiguousArray<FeedItem> = []
    private(set) var positions: [ItemPosition] = []
    /// For each item, the index of its partner in the other version's list; -1: it has none.
    fileprivate(set) var partners: [Int32] = []

    var count: Int { items.count }
    var isEmpty: Bool { items.isEmpty }

    /// Adds an item.
    fileprivate mutating func append(_ item: FeedItem, at position: ItemPosition) {
        items.append(item)
        positions.append(position)
        partners.append(-1)
    }

    /// Adds items of a section.
    fileprivate mutating func append(_ rows: Range<Int>, of listed: SnapshotMatching.Listed) {
        listed.section.items.append(rows, to: &items)
        var position = ItemPosition(section: listed.position, index: rows.lowerBound)
        for _ in rows {
            positions.append(position)
            position.index += 1
        }
        partners += repeatElement(-1, count: rows.count)
    }

    /// Sorts the items into feed order.
    fileprivate mutating func sort() {
        guard !zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 }) else { return }
        let order = positions.indices.sorted { positions[$0] < positions[$1] }
        items = ContiguousArray(order.map { items[$0] })
        positions = order.map { positions[$0] }
        partners = order.map { partners[$0] }
    }

    /// Returns the pairs of items that have no partner yet, as indices in both lists.
    fileprivate func pairs(
        with new: UnmatchedItems,
        by same: SnapshotMatching.Sameness
    ) -> [(old: Int32, new: Int32)] {
        let (oldAlone, newAlone) = (alone, new.alone)
        guard !oldAlone.isEmpty, !newAlone.isEmpty else { return [] }
        let (oldKeys, newKeys) = (keys(of: oldAlone, same), new.keys(of: newAlone, same))
        let table = HashTable(oldKeys)
        var pairs: [(old: Int32, new: Int32)] = []
        pairs.reserveCapacity(min(oldAlone.count, newAlone.count))
        let (oldItems, newItems) = (items.span, new.items.span)
        for (number, key) in newKeys.enumerated() {
            var slot: Int?
            while let found = table.next(key, in: oldKeys, after: &slot) {
                let pair = (old: oldAlone[found], new: newAlone[number])
                guard same == .identity || oldItems[Int(pair.old)].id == newItems[Int(pair.new)].id
                else { continue }
                pairs.append(pair)
                break
            }
        }
        return pairs
    }

    /// The indices of the items without a partner.
    private var alone: [Int32] {
        var alone: [Int32] = []
        for (index, partner) in partners.enumerated() where partner < 0 {
            alone.append(Int32(truncatingIfNeeded: index))
        }
        return alone
    }

    private func keys(of indices: [Int32], _ same: SnapshotMatching.Sameness) -> [UInt64] {
        let items = items.span
        var keys: [UInt64] = []
        keys.reserveCapacity(indices.count)
        for index in indices {
            keys.append(same.key(of: items[Int(index)]))
        }
        return keys
    }
}

/// A table of positions in a list of hashes, with open addressing and linear probing in one array.
private struct HashTable {
    private var slots: [Int32]
    private let shift: UInt64

    /// Makes a table of the positions of hashes, at most half full.
    init(_ hashes: [UInt64]) {
        let width = max(2, Int.bitWidth - hashes.count.leadingZeroBitCount + 1)
        slots = Array(repeating: -1, count: 1 << width)
        shift = UInt64(64 - width)
        for (position, hash) in hashes.enumerated() {
            var slot = self.slot(of: hash)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(position)
        }
    }

    /// Returns the next position of a hash in the list that the table was made from, or `nil`.
    ///
    /// - Parameters:
    ///   - hash: The hash to find.
    ///   - hashes: The list.
    ///   - slot: The slot of the previous result; `nil` at first.
    /// - Returns: The position.
    func next(_ hash: UInt64, in hashes: [UInt64], after slot: inout Int?) -> Int? {
        var next = slot.map { ($0 + 1) & (slots.count - 1) } ?? self.slot(of: hash)
        while slots[next] >= 0 {
            let position = Int(slots[next])
            if hashes[position] == hash {
                slot = next
                return position
            }
            next = (next + 1) & (slots.count - 1)
        }
        return nil
    }

    /// Returns the first slot to search: multiplicative hashing with the golden ratio.
    ///
    /// The upper bits of the product depend on all bits of the hash (Knuth, "The Art of Computer
    /// Programming", volume 3, section 6.4).
    private func slot(of hash: UInt64) -> Int {
        Int((hash &* 0x9e37_79b9_7f4a_7c15) >> shift)
    }
}
