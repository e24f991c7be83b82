import TestSupport
import Testing

@testable import FeedModel

/// Random edits of an indexed snapshot, which must find everything where it is.
@Suite struct IndexedSnapshots {
    @Test(arguments: 0..<5 as Range<UInt64>)
    func indexedSnapshotsFindWhatIsThere(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var pair = TreeLists.Pair()
        var snapshot = Snapshot(sections: [FeedSection(id: "s", items: pair.items(200))]).indexed()
        var gone: [ExactString] = []
        var versions: [Snapshot] = []
        for step in 0..<600 {
            Self.edit(&snapshot, step, &pair, &gone, &generator)
            if step % 100 == 0 { versions.append(snapshot) }
        }
        for version in versions + [snapshot] { Self.check(version) }
        let there = Set(snapshot.sections.flatMap { $0.items.map(\.id) })
        #expect(gone.allSatisfy { there.contains($0) || snapshot.position(ofItem: $0) == nil })
        // Nothing is left behind for long of what went.
        let sections = snapshot.sections
        snapshot.index?.sweep(.max, in: sections)
        let anew = SnapshotIndex(of: snapshot.sections)
        #expect(snapshot.index?.counts == anew.counts)
    }

    /// However often a long section comes and goes, and whatever has its id.
    @Test(arguments: 0..<4 as Range<UInt64>)
    func indexedSnapshotsDoNotGrowByWhatWent(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var pair = TreeLists.Pair()
        var snapshot = Snapshot(sections: [FeedSection(id: "s", items: pair.items(50))]).indexed()
        var most = 0
        for step in 0..<40 {
            let id = ExactString(step % 3 == 0 ? "t" : "t\(step)")
            let items = pair.items(Int.random(in: 65...400, using: &generator))
            snapshot.insert(FeedSection(id: id, items: items), at: step % 2)
            Self.check(snapshot)
            let position = try #require(snapshot.position(ofSection: id))
            snapshot.removeSection(at: position)
            #expect(items.allSatisfy { snapshot.position(ofItem: $0.id) == nil })
            Self.check(snapshot)
            most = max(most, try #require(snapshot.index).counts[0])
            // The same items, elsewhere.
            if step % 4 == 0 {
                snapshot.insert(Array(items.prefix(5)), at: ItemPosition(section: 0, index: 1))
            }
        }
        #expect(most < 1000)
        let sections = snapshot.sections
        snapshot.index?.sweep(.max, in: sections)
        #expect(snapshot.index?.counts == SnapshotIndex(of: snapshot.sections).counts)
    }

    private static func edit(
        _ snapshot: inout Snapshot,
        _ step: Int,
        _ pair: inout TreeLists.Pair,
        _ gone: inout [ExactString],
        _ generator: inout SeededGenerator
    ) {
        let sections = snapshot.sections.count
        let target = Int.random(in: 0...sections, using: &generator)
        let section = min(target, sections - 1)
        let kind = Int.random(in: 0..<12, using: &generator)
        guard sections > 0, kind > 1 else {
            let items = pair.items(Int.random(in: 0...40, using: &generator))
            snapshot.insert(FeedSection(id: ExactString("t\(step)"), items: items), at: target)
            return
        }
        let count = snapshot.sections[section].items.count
        let row = Int.random(in: 0...count, using: &generator)
        let position = ItemPosition(section: section, index: row)
        switch kind {
        case 2...5:
            let number = Int.random(in: 0...60, using: &generator)
            snapshot.insert(pair.items(number), at: position)
        case 6 where row < count: gone.append(snapshot.removeItem(at: position).id)
        case 7: snapshot.removeItems(row..<min(count, row + 9), section: section)
        case 8 where row < count: snapshot.replaceItem(at: position, with: pair.items(1)[0])
        case 9 where row < count:
            let item = snapshot.removeItem(at: position)
            snapshot.insert([item], at: ItemPosition(section: section, index: row))
        case 10 where step % 3 == 0: gone += snapshot.removeSection(at: section).items.map(\.id)
        default:
            let other = Int.random(in: 0..<sections, using: &generator)
            snapshot.moveSection(at: section, to: other)
        }
    }

    private static func check(_ snapshot: Snapshot) {
        for (number, section) in snapshot.sections.enumerated() {
            #expect(snapshot.position(ofSection: section.id) == number)
            let wrong = section.items.enumerated().first { index, item in
                snapshot.position(ofItem: item.id) != ItemPosition(section: number, index: index)
            }
            #expect(wrong == nil)
        }
        #expect(snapshot.position(ofItem: "nowhere") == nil)
        #expect(snapshot.position(ofSection: "nowhere") == nil)
    }
}

@Suite struct HashIndices {
    /// Hashes that are alike as often as can be.
    @Test(arguments: [1, 20, 1000] as [UInt32])
    func hashIndicesKeepWhatCollides(range: UInt32) {
        var generator = SeededGenerator(seed: UInt64(range))
        var entries: [HashIndex.Entry] = []
        var index = HashIndex()
        for step in 0..<4000 {
            let hash = UInt32.random(in: 0..<range, using: &generator) * (.max / range)
            if Int.random(in: 0..<3, using: &generator) == 0, !entries.isEmpty {
                let position = Int.random(in: entries.indices, using: &generator)
                index.remove(entries.remove(at: position))
            } else {
                let entry = HashIndex.Entry(hash: hash, section: 1, label: Int64(step))
                entries.append(entry)
                index.insert(entry)
            }
        }
        let bulk = HashIndex(entries)
        for hash in Set(entries.map(\.hash)) {
            let wanted = entries.filter { $0.hash == hash }.map(\.label).sorted()
            #expect(index.entries(hash).map(\.label).sorted() == wanted)
            #expect(bulk.entries(hash).map(\.label).sorted() == wanted)
        }
        #expect(index.count == entries.count)
        for entry in entries { index.remove(entry) }
        #expect(index.count == 0)
    }
}

extension SnapshotIndex {
    /// The numbers of entries of items and of sections.
    fileprivate var counts: [Int] { [items.count, sections.count] }
}

extension HashIndex {
    fileprivate var count: Int {
        var (count, next): (Int, UInt64) = (0, 0)
        while next < 1 << 32 {
            let (entries, end) = bucket(around: UInt32(next))
            count += entries.count
            next = end
        }
        return count
    }
}
