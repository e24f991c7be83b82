/// The results of several ways to keep up with one list.
struct DayResult {
    private struct Way {
        let name: String
        var plain: [ReadingUse] = []
        var secure: [ReadingUse] = []
    }

    private static let compared = FileReader.conditionalName

    private let history: EditHistory
    private var ways: [Way] = []

    init(_ history: EditHistory) {
        self.history = history
    }

    /// Adds the rounds of one way.
    mutating func add(_ name: String, _ uses: [ReadingUse], isSecure: Bool) {
        var way = Way(name: name)
        let index = ways.firstIndex { $0.name == name } ?? ways.endIndex
        if index < ways.endIndex { way = ways.remove(at: index) }
        if isSecure { way.secure += uses } else { way.plain += uses }
        ways.insert(way, at: index)
    }

    /// The bytes received and sent, and the CPU time for them.
    func table(_ messages: (plain: Int, gzip: Int)) -> Table {
        let statistics = history.statistics
        let time = statistics.days == 1 ? "a day" : "\(statistics.days) days"
        var table = Table(
            title: """
                \(statistics.title.prefix(1).uppercased())\(statistics.title.dropFirst()), \
                \(statistics.items) items, \(statistics.changes) changes in \(time); polls \
                every \(statistics.pollMinutes) minutes:
                """,
            columns: [
                "", "received, kB", "of that heads, comments", "× `ETag` + gzip", "sent, kB",
                "TLS: received", "sent", "CPU, ms: server", "client", "TLS: server", "client",
            ]
        )
        table.rows = ways.map(row)
        for (name, size) in [("", messages.plain), (", gzip", messages.gzip)] {
            let texts = ["messages of rows\(name)", size.kilobytes, "–", ratio(Double(size))]
            table.rows.append(texts + Array(repeating: "–", count: 7))
        }
        return table
    }

    private func row(_ way: Way) -> [String] {
        func median(_ uses: [ReadingUse], _ value: (ReadingUse) -> Int) -> String {
            let spread = Spread(uses.map { Double(value($0)) })
            return spread.median.isFinite ? Int(spread.median).kilobytes : "–"
        }
        func milliseconds(_ uses: [ReadingUse], _ value: (ReadingUse) -> Double) -> String {
            let spread = Spread(uses.map { value($0) * 1000 }.filter { $0 > 0 })
            return spread.median.isFinite ? spread.median.text(1) : "–"
        }
        return [
            way.name,
            median(way.plain, \.received),
            median(way.plain, \.heads),
            ratio(Spread(way.plain.map { Double($0.received) }).median),
            median(way.plain, \.sent),
            median(way.secure, \.received),
            median(way.secure, \.sent),
            milliseconds(way.plain, \.serverSeconds),
            milliseconds(way.plain, \.clientSeconds),
            milliseconds(way.secure, \.serverSeconds),
            milliseconds(way.secure, \.clientSeconds),
        ]
    }

    private func received(_ name: String) -> Double {
        let way = ways.first { $0.name == name }
        return Spread((way?.plain ?? []).map { Double($0.received) }).median
    }

    private func ratio(_ size: Double) -> String {
        (size / received(DayResult.compared)).text()
    }

    /// The polls of the server that all this is about, in a few words.
    var headline: String {
        let size = received(DeltaReader.pollingName)
        return "\(history.statistics.title): \(Int(size).kilobytes) kB, \(ratio(size)) ×"
    }

    /// How far the bodies of the changes are from patches of the whole, of which the bytes are
    /// given where they are known.
    func distance(patches: Int?) -> [String] {
        let use = ways.first { $0.name == DeltaReader.pollingName }?.plain.first
        let bodies = use?.bodies ?? 0
        let ratio = patches.map { Double(bodies) / Double($0) } ?? .nan
        return [
            history.statistics.title, use?.decoded.kilobytes ?? "–", bodies.kilobytes,
            patches?.kilobytes ?? "–", ratio.text(1),
        ]
    }
}

extension Int {
    /// A number of bytes in units of 1,000: 12.3.
    fileprivate var kilobytes: String { (Double(self) / 1000).text(1) }
}
