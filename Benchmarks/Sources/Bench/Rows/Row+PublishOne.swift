import Foundation

extension Row {
    /// The time of a publish of one change, for each kind of change.
    static let publishOne = Row(
        name: "publish-one",
        title: "Publish of one change",
        goal: "at most 1.5 × between feeds of 1,000 and of 1,000,000 items"
    ) { lab in
        let freshet = try lab.startFreshet()
        let counts = [1_000, lab.million]
        for count in counts {
            for shape in OneChange.Shape.allCases { try freshet.put(shape, count) }
        }
        var table = Table(columns: [
            "feed", "", "µs at \(counts[0].text)", "µs at \(counts[1].text)", "ratio", "CPU ratio",
        ])
        var all: [Spread] = []
        for change in OneChange.all {
            let found = try freshet.times(of: change, counts, rounds: lab.rounds)
            let time = Spread.ratio(found[1].map(\.time), to: found[0].map(\.time))
            all.append(time)
            table.rows.append([
                change.shape.rawValue, change.title,
                Spread(found[0].map { $0.time * 1e6 }).text(decimals: 0),
                Spread(found[1].map { $0.time * 1e6 }).text(decimals: 0), time.text(),
                Spread.ratio(found[1].map(\.cpu), to: found[0].map(\.cpu)).text(),
            ])
        }
        return Section(
            headline: "\(Spread(all.map(\.median)).text()) × the time, by the kind of change",
            tables: [table],
            notes: [
                """
                A `PATCH` with one edit or operation, on a new connection each. The feeds: all \
                items in one section (plain), ten in each (parts), two sections (halves), and one \
                that the server sorts and groups (collated).
                """
            ]
        )
    }
}

extension OneChange {
    fileprivate var title: String {
        type == "application/json" ? name : "JSON Patch: \(name)"
    }
}

extension Server {
    fileprivate func put(_ shape: OneChange.Shape, _ count: Int) throws {
        let body =
            switch shape {
            case .plain: FeedText.document(count)
            case .parts: FeedText.document(count, sections: count / 10)
            case .halves: FeedText.document(count, sections: 2)
            case .collated:
                FeedText.document(count, members: #""collate":{"by":"title","locale":"en"}"#)
            }
        _ = try put("\(shape)-\(count)", body)
    }

    /// Returns the times of one kind of change on feeds of some sizes, in seconds, round by round.
    fileprivate func times(
        of change: OneChange,
        _ counts: [Int],
        rounds: Int
    ) throws -> [[(time: Double, cpu: Double)]] {
        var number = [Int](repeating: 0, count: counts.count)
        return try Turns.run(
            rounds,
            counts.indices.map { side in
                {
                    let requests = (0..<(change.isOnce ? 1 : 50)).map { _ in
                        number[side] += 1
                        return Server.publish(
                            "PATCH",
                            "\(change.shape)-\(counts[side])",
                            Array(change.body(counts[side], number[side]).utf8),
                            type: change.type
                        )
                    }
                    let before = ProcessUse(of: processID).cpuSeconds
                    let times = try requests.map { request in
                        try Turns.seconds { _ = try exchange(request) }
                    }
                    let cpu = ProcessUse(of: processID).cpuSeconds - before
                    if change.isOnce { try put(change.shape, counts[side]) }
                    return (Spread(times).median, cpu / Double(requests.count))
                }
            }
        )
    }
}
