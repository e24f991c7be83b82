import Foundation

extension Row {
    /// A publisher who sends one change.
    static let publishOne = Row(
        name: "publish-one",
        title: "Publish of one change",
        goal: "at most 1.5 × between feeds of 1,000 and of 1,000,000 items"
    ) { lab in
        let freshet = try lab.startFreshet()
        let counts = [1_000, lab.million]
        for count in counts { _ = try freshet.put("of-\(count)", FeedText.document(count)) }
        var likes = 0
        let turn = { (count: Int) in
            let before = ProcessUse(of: freshet.processID).cpuSeconds
            let times = try (0..<50).map { number in
                likes += 1
                return try Turns.seconds {
                    try freshet.change("of-\(count)", [(number * 7919) % count], likes: likes)
                }
            }
            let cpu = ProcessUse(of: freshet.processID).cpuSeconds - before
            return (time: Spread(times).median, cpu: cpu / 50)
        }
        let found = try Turns.run(lab.rounds, counts.map { count in { try turn(count) } })
        var table = Table(columns: ["items", "µs", "ratio", "CPU µs", "ratio"])
        for (count, own) in zip(counts, found) {
            table.rows.append([
                count.text,
                Spread(own.map { $0.time * 1e6 }).text(decimals: 0),
                Spread.ratio(own.map(\.time), to: found[0].map(\.time)).text(),
                Spread(own.map { $0.cpu * 1e6 }).text(decimals: 0),
                Spread.ratio(own.map(\.cpu), to: found[0].map(\.cpu)).text(),
            ])
        }
        let time = Spread.ratio(found[1].map(\.time), to: found[0].map(\.time)).median
        let cpu = Spread.ratio(found[1].map(\.cpu), to: found[0].map(\.cpu)).median
        return Section(
            headline: "\(time.text()) × the time, \(cpu.text()) × the CPU time",
            tables: [table],
            notes: ["A `PATCH` with one edit, on a new connection each."]
        )
    }
}
