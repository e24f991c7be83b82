import FeedModel

/// Moves some items of a collated feed to their positions, while all other items are in theirs.
///
/// Items that tie keep their order, as when all items are sorted.
struct CollatedPlacement {
    /// The position at which an item belongs: its section, and its key there.
    ///
    /// Items without a string to sort by come last.
    private struct Rank: Comparable {
        let section: Int
        let key: CollationKey?

        static func < (left: Rank, right: Rank) -> Bool {
            guard left.section == right.section else { return left.section < right.section }
            guard let key = left.key else { return false }
            return right.key.map { key < $0 } ?? true
        }
    }

    /// An item to be placed.
    private struct Stray {
        let item: FeedItem
        let rank: Rank
        /// The item's old position, not counting other strays before it in its section.
        let home: ItemPosition
        /// The item's number among the strays, in their old order.
        let number: Int
        /// The item's index in its new section, not counting other strays there.
        var target = 0
    }

    private let collation: IndexedCollation
    private let member: ExactString
    private let numbers: [ExactString: Int]
    private var snapshot: Snapshot
    /// The ranks of items, each computed once: the same few items are compared with every stray.
    private var ranks: [ObjectIdentifier: Rank] = [:]

    /// Begins with a feed; `nil`: a section is not one of the collation's, or they are not in its
    /// order.
    init?(_ collation: IndexedCollation, by member: ExactString, of snapshot: Snapshot) {
        self.collation = collation
        self.member = member
        self.snapshot = snapshot.indexed()
        let titles = collation.sectionTitles
        let numbers = Dictionary(zip(titles.map(ExactString.init(_:)), titles.indices)) {
            first,
            _ in first
        }
        self.numbers = numbers
        let found = snapshot.sections.map { numbers[$0.id] ?? -1 }
        guard !found.contains(-1), zip(found, found.dropFirst()).allSatisfy({ $0 < $1 }) else {
            return nil
        }
    }

    /// Returns the feed with these items where they belong, and without empty sections.
    consuming func placing(_ ids: Set<ExactString>) -> Snapshot {
        var strays = takeOut(ids)
        for index in strays.indices { strays[index].target = target(of: strays[index]) }
        strays.sort { ($0.rank, $0.number) < ($1.rank, $1.number) }
        putIn(strays)
        for position in snapshot.sections.indices.reversed()
        where snapshot.sections[position].items.isEmpty {
            snapshot.removeSection(at: position)
        }
        return snapshot
    }

    private mutating func takeOut(_ ids: Set<ExactString>) -> [Stray] {
        let positions = ids.compactMap(snapshot.position(ofItem:)).sorted()
        var strays: [Stray] = []
        var before = 0
        for (number, position) in positions.enumerated() {
            if number > 0, positions[number - 1].section != position.section { before = 0 }
            let item = snapshot.sections[Int(position.section)].items[Int(position.index)]
            let home = ItemPosition(
                section: Int(position.section),
                index: Int(position.index) - before
            )
            strays.append(Stray(item: item, rank: rank(of: item), home: home, number: number))
            before += 1
        }
        for position in positions.reversed() { snapshot.removeItem(at: position) }
        return strays
    }

    private mutating func rank(of item: FeedItem) -> Rank {
        if let rank = ranks[ObjectIdentifier(item)] { return rank }
        let position = item.members[member]?.stringValue.map(collation.position(of:))
        let last = collation.sectionTitles.count - 1
        let rank = Rank(section: position?.section ?? last, key: position?.key)
        ranks[ObjectIdentifier(item)] = rank
        return rank
    }

    /// Returns the item's index in its section among items that are in their positions; among
    /// items that tie, the index nearest to its old position.
    private mutating func target(of stray: Stray) -> Int {
        guard let section = position(ofSection: stray.rank.section) else { return 0 }
        let items = snapshot.sections[section].items
        let first = partitionPoint(items) { $0 < stray.rank }
        let home = Int(stray.home.section)
        if home < section { return first }
        let last = partitionPoint(items) { !(stray.rank < $0) }
        return home > section ? last : min(max(Int(stray.home.index), first), last)
    }

    private mutating func partitionPoint(_ items: ItemList, _ isBefore: (Rank) -> Bool) -> Int {
        items.partitionPoint { isBefore(rank(of: $0)) }
    }

    /// Inserts items, given in their final order.
    private mutating func putIn(_ strays: [Stray]) {
        var section = -1
        var position = 0
        var before = 0
        for stray in strays {
            if stray.rank.section != section {
                section = stray.rank.section
                position = positionOrMake(section)
                before = 0
            }
            let row = ItemPosition(section: position, index: stray.target + before)
            snapshot.insert([stray.item], at: row)
            before += 1
        }
    }

    private func position(ofSection number: Int) -> Int? {
        snapshot.position(ofSection: ExactString(collation.sectionTitles[number]))
    }

    private mutating func positionOrMake(_ number: Int) -> Int {
        if let position = position(ofSection: number) { return position }
        let position = snapshot.sections.firstIndex { (numbers[$0.id] ?? 0) > number }
        let end = position ?? snapshot.sections.count
        snapshot.insert(collation.section(number, []), at: end)
        return end
    }
}
