import TestSupport
import Testing

@testable import FeedModel

/// Random operations on a list and on an array beside it.
@Suite struct TreeLists {
    /// A list, and what it must hold.
    struct Pair {
        var list = ItemList()
        var array: [FeedItem] = []
        private var next = 0

        mutating func items(_ count: Int) -> [FeedItem] {
            (0..<count).map { _ in
                next += 1
                let bytes = Array("{\"id\":\"i\(next)\"}".utf8)
                return FeedItem(
                    id: ExactString("i\(next)"),
                    json: JSONText(checked: bytes, valueHash: 0)
                )
            }
        }
    }

    @Test(arguments: 0..<4 as Range<UInt64>)
    func treeListsAreWhatAnArrayWouldBe(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var pair = Pair()
        var versions: [(list: ItemList, array: [FeedItem])] = []
        // Lists that grow, that stay as long, and that shrink.
        for growth in [30, 10, 3, 12] {
            for _ in 0..<700 {
                try Self.step(&pair, growth: growth, &generator)
                if Int.random(in: 0..<100, using: &generator) == 0 {
                    versions.append((pair.list, pair.array))
                }
            }
        }
        // What became of a list later changed nothing in its earlier versions.
        for version in versions {
            try Self.check(version.list, version.array)
            #expect(version.list.prefix(list: 70).elementsEqual(version.array.prefix(70), by: ===))
        }
    }

    /// One operation; the list's inner order is looked at now and then.
    static func step(
        _ pair: inout Pair,
        growth: Int,
        _ generator: inout SeededGenerator
    ) throws {
        let count = pair.array.count
        let position = Int.random(in: 0...count, using: &generator)
        switch Int.random(in: 0..<30 + growth, using: &generator) {
        case 0..<growth:
            let items = pair.items(Int.random(in: 1...3, using: &generator))
            pair.list.insert(contentsOf: items, at: position)
            pair.array.insert(contentsOf: items, at: position)
        case growth:
            let items = pair.items(Int.random(in: 0...300, using: &generator))
            let end = Int.random(in: position...min(count, position + 400), using: &generator)
            pair.list.replaceSubrange(position..<end, with: items)
            pair.array.replaceSubrange(position..<end, with: items)
        case growth + 1...growth + 10 where position < count:
            pair.list.remove(at: position)
            pair.array.remove(at: position)
        case growth + 11...growth + 20 where position < count:
            let item = pair.items(1)[0]
            pair.list[position] = item
            pair.array[position] = item
        case growth + 21...growth + 25 where position < count:
            let target = Int.random(in: 0..<count, using: &generator)
            pair.list.insert(pair.list.remove(at: position), at: target)
            pair.array.insert(pair.array.remove(at: position), at: target)
        default:
            if Int.random(in: 0..<6, using: &generator) == 0 {
                try check(pair.list, pair.array)
            }
        }
    }

    static func check(_ list: ItemList, _ array: [FeedItem]) throws {
        #expect(list.elementsEqual(array, by: ===))
        #expect(list.indices.allSatisfy { list[$0] === array[$0] })
        let order = array.flatMap { Array(" \($0.id)\n".utf8) }
        #expect(list.tree.summary.order.value == naiveCRC32(order))
        #expect(list.byteCount == array.reduce(0) { $0 + $1.json.bytes.count })
        try check(list.tree)
    }

    /// Checks the form of a tree, and that each element is found by its label.
    private static func check(_ tree: TreeList<FeedItem>) throws {
        var labels: [Int64] = []
        tree.forEachLeaf { leaf in labels += leaf.map(\.label) }
        #expect(zip(labels, labels.dropFirst()).allSatisfy(<))
        for (index, label) in labels.enumerated() {
            let found = try #require(tree.root.find(label))
            #expect(found.index == index)
        }
        #expect(depth(tree.root, isRoot: true) == tree.height)
    }

    /// The levels above the leaves; -1 where they differ, or where a summary is wrong.
    private static func depth(_ part: TreePart<FeedItem>, isRoot: Bool) -> Int {
        var again = part
        again.summarize()
        guard again.summary == part.summary, isRoot || part.width > 0 else { return -1 }
        guard !part.isLeaf else { return part.width <= FeedItem.leafLimit ? 0 : -1 }
        let depths = Set(part.parts.map { depth($0, isRoot: false) })
        guard depths.count == 1, let depth = depths.first, depth >= 0,
            part.width <= TreePart<FeedItem>.partLimit, !isRoot || part.width > 1
        else { return -1 }
        return depth + 1
    }
}

@Suite struct Labels {
    /// Items that come one by one to the same position use up the labels there.
    @Test(arguments: [0, 1, 500, 999, 1000])
    func labelsAreGivenAnewWhereTheyRunOut(position: Int) throws {
        var pair = TreeLists.Pair()
        var snapshot = Snapshot(sections: [FeedSection(id: "s", items: pair.items(1000))]).indexed()
        var array = Array(snapshot.sections[0].items)
        for _ in 0..<5000 {
            let items = pair.items(1)
            snapshot.insert(items, at: ItemPosition(section: 0, index: position))
            array.insert(contentsOf: items, at: position)
        }
        try TreeLists.check(snapshot.sections[0].items, array)
        for (index, item) in array.enumerated() {
            #expect(snapshot.position(ofItem: item.id) == ItemPosition(section: 0, index: index))
        }
    }

    @Test func labelsHaveRoomForManyAtOnce() throws {
        var pair = TreeLists.Pair()
        var list = ItemList(pair.items(3))
        var array = Array(list)
        for position in [1, 2, 40, 2] {
            let items = pair.items(20_000)
            list.insert(contentsOf: items, at: position)
            array.insert(contentsOf: items, at: position)
        }
        try TreeLists.check(list, array)
    }
}
