import FeedModel

/// The items that a walk along two lists did not pair, in feed order.
///
/// The data that is searched for all items is kept apart from the items, which are scattered in
/// memory, so that these are read as seldom as possible.
struct UnmatchedItems {
    private(set) var items: ContiguousArray<FeedItem> = []
    private(set) var positions: [ItemPosition] = []
    /// For each item, the index of its partner in the other list; -1 without one.
    var partners: [Int32] = []

    var count: Int { items.count }
    var isEmpty: Bool { items.isEmpty }

    /// Adds an item.
    mutating func append(_ item: FeedItem, at position: ItemPosition) {
        items.append(item)
        positions.append(position)
        partners.append(-1)
    }

    /// Adds a run of items of a section.
    mutating func append(_ run: SequenceMatcher.Unmatched, section: Int) {
        let start = items.count
        switch run.items {
        case .part(let part): items += part
        case .all(let list): list.forEachItem { items.append($0) }
        }
        addPositions(from: ItemPosition(section: section, index: run.index), after: start)
    }

    /// Adds all items of a section.
    mutating func append(_ list: ItemList, section: Int) {
        let start = items.count
        list.forEachItem { items.append($0) }
        addPositions(from: ItemPosition(section: section, index: 0), after: start)
    }

    private mutating func addPositions(from first: ItemPosition, after start: Int) {
        var position = first
        for _ in start..<items.count {
            positions.append(position)
            position.index += 1
        }
        partners.append(contentsOf: repeatElement(-1, count: items.count - start))
    }

    /// Sorts the items into feed order.
    mutating func sort() {
        guard !zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 }) else { return }
        let order = positions.indices.sorted { positions[$0] < positions[$1] }
        items = ContiguousArray(order.map { items[$0] })
        positions = order.map { positions[$0] }
        partners = order.map { partners[$0] }
    }

    /// The indices of the items without a partner.
    private var alone: [Int32] {
        var alone: [Int32] = []
        for (index, partner) in partners.enumerated() where partner < 0 {
            alone.append(Int32(truncatingIfNeeded: index))
        }
        return alone
    }
}

extension UnmatchedItems {
    /// The way in which two items are recognized as the same one.
    enum Sameness {
        /// The items are one object.
        case identity
        /// The items have equal hashes of their values, and the same id.
        case value
        case id

        fileprivate func key(of item: FeedItem) -> UInt64 {
            switch self {
            case .identity: UInt64(UInt(bitPattern: ObjectIdentifier(item)))
            case .value: item.json.valueHash
            case .id: item.id.keyedHash
            }
        }
    }

    /// Pairs the items without a partner that are the same.
    static func pair(_ old: inout UnmatchedItems, _ new: inout UnmatchedItems, by same: Sameness) {
        for pair in pairs(old, new, by: same) {
            old.partners[Int(pair.old)] = pair.new
            new.partners[Int(pair.new)] = pair.old
        }
    }

    private static func pairs(
        _ old: UnmatchedItems,
        _ new: UnmatchedItems,
        by same: Sameness
    ) -> [(old: Int32, new: Int32)] {
        let (oldAlone, newAlone) = (old.alone, new.alone)
        guard !oldAlone.isEmpty, !newAlone.isEmpty else { return [] }
        let (oldKeys, newKeys) = (old.keys(of: oldAlone, same), new.keys(of: newAlone, same))
        let table = HashTable(oldKeys)
        var pairs: [(old: Int32, new: Int32)] = []
        pairs.reserveCapacity(min(oldAlone.count, newAlone.count))
        let (oldItems, newItems) = (old.items.span, new.items.span)
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

    private func keys(of indices: [Int32], _ same: Sameness) -> [UInt64] {
        let items = items.span
        var keys: [UInt64] = []
        keys.reserveCapacity(indices.count)
        for index in indices { keys.append(same.key(of: items[Int(index)])) }
        return keys
    }
}
