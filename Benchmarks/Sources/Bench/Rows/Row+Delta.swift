extension Row {
    /// The cost of a poll by readers who are one version behind.
    static let delta = Row(
        name: "delta",
        title: "Delta poll",
        goal: "CPU per request at most 1.1 × a not-modified poll's, however long the feed"
    ) { lab in
        let freshet = try lab.startFreshet()
        var sides: [Side] = []
        for count in [1_000, lab.million] {
            let feed = "of-\(count)"
            let first = try freshet.put(feed, FeedText.document(count))
            let current = try freshet.change(feed, [count / 2], likes: 1)
            let target = "/feeds/\(feed)"
            if sides.isEmpty {
                let poll = Request(target: target).with("If-None-Match", "\"\(current)\"")
                sides.append(Side("not modified", freshet, poll, status: 304))
            }
            let delta = Request(target: "\(target)?since=\(first)")
            sides.append(Side("one behind, \(count.text) items", freshet, delta))
        }
        let comparison = try Comparison(sides, connections: 64, in: lab)
        let found = sides[1...].map { comparison.costRatio($0.name).median.text() }
        return Section(
            headline: found.joined(separator: " and ") + " × a not-modified poll",
            tables: [comparison.table("64 connections:")]
        )
    }
}
