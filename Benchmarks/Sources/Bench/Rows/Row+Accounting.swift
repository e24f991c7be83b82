import CLoad
import FeedBenchmarks

extension Row {
    /// The server's own account of the memory of feeds, which its limit goes by, beside the
    /// allocator's.
    static let accounting = Row(
        name: "accounting",
        title: "What feeds are said to take",
        goal: "within 20 % of what the allocator has handed out"
    ) { lab in
        var table = Table(columns: ["", "said", "handed out", "ratio"])
        var ratios: [Double] = []
        for sample in MemorySample.all(lab.isShort ? 10 : 1) {
            let (said, held) = try sample.measure()
            ratios.append(Double(said) / Double(held))
            table.rows.append([
                sample.name, said.text, held.text, (ratios.last ?? .nan).text(),
            ])
        }
        return Section(
            headline: "\(Spread(ratios).text()) ×",
            tables: [table],
            notes: [
                """
                A store in this process: the growth of its own account, and that of the bytes \
                which malloc has handed out (`mallinfo2`).
                """
            ]
        )
    }
}

/// A sample whose memory is measured.
private struct MemorySample {
    let name: String
    /// The work before the measurement.
    var before: (StoreBenchmark) throws -> Void = { _ in }
    /// The work that is measured.
    let work: (StoreBenchmark) throws -> Void

    func measure() throws -> (said: Int, held: Int) {
        let store = StoreBenchmark()
        // Tables that every process has do not count as the feeds'.
        try store.put("other", FeedText.document(10))
        try store.patch("other", FeedText.edits([1], likes: 1))
        try store.get("/feeds/other", coding: "gzip")
        try before(store)
        let (said, held) = (MemorySample.said(store), MemorySample.heldByteCount)
        try work(store)
        let found = (MemorySample.said(store) - said, MemorySample.heldByteCount - held)
        // The store ends only here: data attached to versions is theirs.
        withExtendedLifetime(store) {}
        return found
    }

    private static func said(_ store: StoreBenchmark) -> Int {
        let cost = store.cost
        return cost.current + cost.history + cost.attached
    }

    private static var heldByteCount: Int { load_heap_size() }
}

extension MemorySample {
    static func all(_ divisor: Int) -> [MemorySample] {
        feeds(divisor) + histories(divisor) + answers(divisor)
    }

    private static func feeds(_ divisor: Int) -> [MemorySample] {
        [
            MemorySample(name: "a feed of \((100_000 / divisor).text) items of 160 bytes") {
                try $0.put("a", FeedText.document(100_000 / divisor))
            },
            MemorySample(name: "the same in sections of ten") {
                let count = 100_000 / divisor
                try $0.put("a", FeedText.document(count, sections: count / 10))
            },
            MemorySample(name: "\((100_000 / divisor).text) items of 12 bytes") {
                let items = (0..<100_000 / divisor).map { #"{"id":"\#($0)"}"# }
                try $0.put("a", Array(#"{"items":[\#(items.joined(separator: ","))]}"#.utf8))
            },
            MemorySample(name: "\((10_000 / divisor).text) items of 3,000 bytes") {
                let text = String(repeating: "x", count: 2980)
                let items = (0..<10_000 / divisor).map { #"{"id":"\#($0)","t":"\#(text)"}"# }
                try $0.put("a", Array(#"{"items":[\#(items.joined(separator: ","))]}"#.utf8))
            },
            MemorySample(name: "\((20_000 / divisor).text) feeds of five items") { store in
                let body = FeedText.document(5)
                for number in 0..<20_000 / divisor { try store.put("feed-\(number)", body) }
            },
            MemorySample(name: "\((20_000 / divisor).text) feeds of one item") { store in
                let body = FeedText.document(1)
                for number in 0..<20_000 / divisor { try store.put("feed-\(number)", body) }
            },
        ]
    }

    private static func histories(_ divisor: Int) -> [MemorySample] {
        let count = 999 / divisor
        let start: (StoreBenchmark) throws -> Void = { store in
            try store.put("a", FeedText.document(10_000))
            try store.patch("a", FeedText.edits([0], likes: 1))
        }
        return [
            MemorySample(name: "\(count.text) versions of 10,000 items, by PATCH", before: start) {
                for number in 0..<count {
                    try $0.patch("a", FeedText.edits([number * 7919 % 10_000], likes: number + 2))
                }
            },
            MemorySample(name: "the same by PUT of all", before: start) {
                for number in 0..<count {
                    let changed = number * 7919 % 10_000
                    try $0.put("a", FeedText.document(10_000) { $0 == changed ? number + 2 : 0 })
                }
            },
            MemorySample(name: "\(count.text) versions, an item inserted in each", before: start) {
                for number in 0..<count {
                    let place = number * 7919 % 10_000
                    let edit = #"{"insert":{"id":"n\#(number)"},"after":"\#(place)"}"#
                    try $0.patch("a", Array(#"{"edits":[\#(edit)]}"#.utf8))
                }
            },
            MemorySample(name: "a past version of \((10_000).text) items, all of them gone") {
                try $0.put("a", FeedText.document(10_000))
                try $0.put("a", Array(#"{"items":[]}"#.utf8))
            },
            MemorySample(name: "the same, gone with their section") {
                try $0.put("a", FeedText.document(10_000, sections: 2))
                try $0.patch("a", Array(#"{"edits":[{"removeSection":"s1"}]}"#.utf8))
                try $0.patch("a", Array(#"{"edits":[{"removeSection":"s0"}]}"#.utf8))
            },
        ]
    }

    private static func answers(_ divisor: Int) -> [MemorySample] {
        let count = 2_000 / divisor
        return [
            MemorySample(name: "answers: the snapshot of 10,000 items, and with gzip") {
                try $0.put("a", FeedText.document(10_000))
            } work: {
                try $0.get("/feeds/a")
                try $0.get("/feeds/a", coding: "gzip")
            },
            MemorySample(name: "answers: those of \(count.text) feeds of five items") { store in
                for number in 0..<count { try store.put("feed-\(number)", FeedText.document(5)) }
            } work: { store in
                for number in 0..<count {
                    try store.get("/feeds/feed-\(number)")
                    try store.get("/feeds/feed-\(number)?limit=2")
                }
            },
        ]
    }
}
