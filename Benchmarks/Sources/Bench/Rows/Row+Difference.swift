import FeedBenchmarks
import FeedModel
import Foundation

#if DifferenceKit
import DifferenceKit
#endif

extension Row {
    /// The time to find the changes between two versions.
    static let difference = Row(
        name: "diff",
        title: "Diff",
        goal: "5 × as fast as DifferenceKit, with the fewest moves"
    ) { lab in
        var table = Table(columns: ["items", "edits"] + DifferenceRace.names + ["fewest"])
        var speeds: [(publish: Double, poll: Double)] = []
        var isFewest = true
        for count in lab.isShort ? [1_000, 10_000] : [1_000, 10_000, 100_000, 1_000_000] {
            for edits in [count / 1000, count / 100, count / 10] {
                let race = try DifferenceRace(count, edits: edits, in: lab)
                table.rows.append([count.text, max(4, edits).text] + race.cells)
                speeds.append(race.speed)
                isFewest = isFewest && race.isFewest
            }
        }
        let other = DifferenceRace.hasDifferenceKit ? "DifferenceKit" : "Heckel's algorithm"
        let (publish, poll) = (Spread(speeds.map(\.publish)), Spread(speeds.map(\.poll)))
        var section = Section(
            headline:
                "a poll \(poll.range(decimals: 1)) ×, a publish \(publish.range(decimals: 1)) × "
                + "as fast as \(other), with "
                + (isFewest ? "the fewest changes" : "more changes than the fewest"),
            tables: [table],
            notes: [DifferenceRace.note]
        )
        if !isFewest { section.hasFailed = true }
        return section
    }
}

/// A comparison of two lists by each algorithm in turn.
private struct DifferenceRace {
    let cells: [String]
    /// The speed as a ratio to the first of the others.
    let speed: (publish: Double, poll: Double)
    let isFewest: Bool

    init(_ count: Int, edits: Int, in lab: Lab) throws {
        let list = EditedList(count, edits: edits)
        let ours = try DifferenceBenchmark(
            from: EditedList.document(list.old),
            to: EditedList.document(list.new)
        )
        let (old, new) = (list.old.map(\.id), list.new.map(\.id))
        var sides: [() -> Int] = [{ ours.publish().total }, { ours.poll().total }]
        #if DifferenceKit
        sides.append { StagedChangeset(source: list.old, target: list.new).total }
        #endif
        sides.append { HeckelDifference(from: list.old, to: list.new).total }
        // This algorithm's time grows with the square of the edits, and so does its memory.
        if edits <= 4_000 { sides.append { new.difference(from: old).inferringMoves().total } }
        let changes = sides.map { $0() }
        let times = try Turns.run(
            lab.rounds,
            sides.map { side in
                { Turns.cpuSecondsPerRun(atLeast: lab.isShort ? 0.01 : 0.05) { _ = side() } }
            }
        )
        var cells = zip(times, changes).map { own, changes in
            let ratio = Spread.ratio(own, to: times[0])
            return "\((Spread(own).median * 1000).text(3)) ms (\(ratio.median.text(1)) ×), "
                + "\(changes.text) changes"
        }
        while cells.count < DifferenceRace.names.count { cells.append("–") }
        isFewest = changes[..<2].allSatisfy { $0 == list.fewest }
        self.cells = cells + [list.fewest.text]
        speed = (
            Spread.ratio(times[2], to: times[0]).median,
            Spread.ratio(times[2], to: times[1]).median
        )
    }

    private static let ours = ["freshet, a publish", "freshet, a poll"]

    #if DifferenceKit
    static let hasDifferenceKit = true
    static let names = ours + ["DifferenceKit", "Heckel", "standard library"]
    #else
    static let hasDifferenceKit = false
    static let names = ours + ["Heckel", "standard library"]
    #endif

    static let note = """
        Of the edits a quarter each takes out, puts in, moves and changes items. A publish of a \
        whole feed compares what was just read with what the store has, and makes a version that \
        shares with it; for a poll two such versions are compared. Times are those of a core; × is \
        to a publish. The others compare arrays in memory. Heckel's algorithm, of 1978, is what \
        DifferenceKit and its like are made of, here in a plain form; it and DifferenceKit compare \
        ids and one number, the \
        standard library (`difference(from:)` with `inferringMoves()`) ids alone, so that it finds \
        no changed items; where it would need minutes it is left out. The fewest changes are known \
        from the edits, and for the moves from the longest ascending run.
        """ + (hasDifferenceKit ? "" : " DifferenceKit: `make bench TRAITS=DifferenceKit`.")
}

extension ChangeCounts {
    fileprivate var total: Int {
        items.inserted + items.removed + items.moved + items.updated
    }
}

extension CollectionDifference {
    /// The number of changes; a move counts once, not as a removal and an insertion.
    fileprivate var total: Int {
        count - insertions.count { $0.isMove }
    }
}

extension CollectionDifference.Change {
    fileprivate var isMove: Bool {
        switch self {
        case .insert(_, _, let partner), .remove(_, _, let partner): partner != nil
        }
    }
}

#if DifferenceKit
extension EditedList.Element: Differentiable {
    var differenceIdentifier: String { id }

    func isContentEqual(to other: EditedList.Element) -> Bool { likes == other.likes }
}

extension StagedChangeset {
    fileprivate var total: Int { reduce(0) { $0 + $1.changeCount } }
}
#endif
