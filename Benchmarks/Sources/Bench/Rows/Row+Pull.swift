extension Row {
    /// The cost of a request for many feeds at once, as for an app's screen.
    static let pull = Row(
        name: "pull",
        title: "Pull of 20 feeds",
        goal: "with one that has changed: CPU per request below 3 × one delta poll's"
    ) { lab in
        let freshet = try lab.startFreshet()
        var tokens: [String] = []
        for number in 0..<20 {
            tokens.append(try freshet.put("feed-\(number)", FeedText.document(1_000)))
        }
        let first = tokens[7]
        tokens[7] = try freshet.change("feed-7", [500], likes: 1)
        let current = target(tokens)
        let tag = try freshet.exchange(Request(target: current))["ETag"] ?? ""
        tokens[7] = first
        let sides = [
            Side("delta poll", freshet, Request(target: "/feeds/feed-7?since=\(first)")),
            Side("pull, one has changed", freshet, Request(target: target(tokens))),
            Side("pull, none has changed", freshet, Request(target: current)),
            Side(
                "pull, not modified",
                freshet,
                Request(target: current).with("If-None-Match", tag),
                status: 304
            ),
        ]
        let comparison = try Comparison(sides, connections: 64, in: lab)
        let found = comparison.costRatio("pull, one has changed").median.text()
        return Section(
            headline: "\(found) × a delta poll",
            tables: [comparison.table("64 connections, 20 feeds of 1,000 items:")]
        )
    }

    private static func target(_ tokens: [String]) -> String {
        let feeds = tokens.enumerated().map { "feed=feed-\($0.offset)@\($0.element)" }
        return "/pull?" + feeds.joined(separator: "&")
    }
}
