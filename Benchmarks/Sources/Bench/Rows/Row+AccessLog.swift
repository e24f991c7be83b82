extension Row {
    /// The cost of a log line for every answer.
    static let accessLog = Row(
        name: "log",
        title: "Access log",
        goal: "no figure is set"
    ) { lab in
        let sides = try [("without", []), ("with", ["--access-log"])].map { name, options in
            let freshet = try lab.startFreshet(options)
            let token = try freshet.put("bench", FeedText.document(100))
            let request = Request(target: "/feeds/bench").with("If-None-Match", "\"\(token)\"")
            return Side(name, freshet, request, status: 304)
        }
        let comparison = try Comparison(sides, connections: 64, in: lab)
        return Section(
            headline: "a not-modified poll costs \(comparison.costRatio("with").median.text()) × "
                + "as much CPU time with it",
            tables: [comparison.table("Not-modified polls, 64 connections:")]
        )
    }
}
