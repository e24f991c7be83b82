import FeedModel

/// Puts some items of a collated feed in their positions, where all others are in theirs.
///
/// Items that tie keep the order that they have, as when all are sorted.
struct CollatedPlacement {
    /// Where an item belongs; those without a string to go by come last of all.
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
        /// Where it was, counted without the other strays before it in its section.
        let home: ItemPosition
        /// Its position in the order that it had among the strays.
        let number: Int
        /// Where it belongs in its new section, without other strays there.
        var target = 0
    }

    private let collation: IndexedCollation
    private let member: ExactString
    private let numbers: [ExactString: Int]
    private var snapshot: Snapshot
    /// The ranks that were worked out, each once: the same few items are looked at for every stray.
    private var ranks: [ObjectIdentifier: Rank] = [:]

    /// Begins with a feed.
    ///
    /// - Returns: `nil` where its sections are not those that the collation makes, in order.
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

    /// The feed with the items of some ids where they belong, and without empty sections.
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

    /// The position among those that are in theirs; where some tie, the one nearest to its home.
    private mutating func target(of stray: Stray) -> Int {
        guard let section = position(ofSection: stray.rank.section) else { return 0 }
        let items = snapshot.sections[section].items
        let first = partition(items) { $0 < stray.rank }
        let home = Int(stray.home.section)
        if home < section { return first }
        let last = partition(items) { !(stray.rank < $0) }
        return home > section ? last : min(max(Int(stray.home.index), first), last)
    }

    /// The number of items whose ranks are `isBefore`, which come first.
    private mutating func partition(_ items: ItemList, _ isBefore: (Rank) -> Bool) -> Int {
        var (low, high) = (0, items.count)
        while low < high {
            let middle = (low + high) / 2
            if isBefore(rank(of: items[middle])) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Puts items in that are in their final order.
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
