/// A table of the cost of everyday requests to the server, beside others.
struct EverydayTable {
    /// The results of one kind of request, round by round.
    struct Line {
        let name: String
        let status: Int
        /// The server's loads; ``others`` has the loads of the other servers by their names.
        let freshet: [Load]
        var others: [(name: String, loads: [Load])] = []
        /// Whether answers may have other statuses, too.
        var isMixed = false
        /// Whether connections resume a TLS session.
        var isResumed = false

        private func costs(_ loads: [Load]) -> [Double] { loads.map(\.cpuPerRequest) }

        func ratio(to name: String) -> Spread? {
            others.first { $0.name == name }.map { .ratio(costs(freshet), to: costs($0.loads)) }
        }

        func cost(of name: String) -> Spread? {
            others.first { $0.name == name }.map { Spread(costs($0.loads)) }
        }

        fileprivate var cells: [String] {
            [
                name, Spread(costs(freshet)).median.text(1),
                cost(of: EverydayTable.floor)?.median.text(1) ?? "–",
                cost(of: "nginx")?.median.text(1) ?? "–",
                ratio(to: EverydayTable.floor)?.text() ?? "–", ratio(to: "nginx")?.text() ?? "–",
                Spread(freshet.map(\.requestsPerSecond)).median.text(0),
                Spread(freshet.map { $0.p99 / 1000 }).text(), fault,
            ]
        }

        private var fault: String {
            let sides = [("", freshet)] + others.map { ("\($0.name): ", $0.loads) }
            return sides.compactMap { side, loads in fault(loads).map { side + $0 } }
                .joined(separator: "; ")
        }

        private func fault(_ loads: [Load]) -> String? {
            if let fault = loads.compactMap(\.fault).first { return fault }
            let resumed = Spread(loads.map(\.resumedShare)).median
            if isResumed, resumed < 0.9 { return "\((resumed * 100).text(0)) % resumed" }
            if isMixed { return nil }
            if let wrong = loads.first(where: { $0.status != status }) {
                return "status \(wrong.status)"
            }
            let strange = Spread(loads.map(\.strangerShare)).median
            return strange > 0 ? "\((strange * 100).text(1)) % other statuses" : nil
        }
    }

    /// The name of the server that does the least that can be done.
    static let floor = "ceiling"

    let title: String
    var lines: [Line] = []

    var table: Table {
        Table(
            title: title,
            columns: [
                "", "CPU µs/request", "ceiling", "nginx", "× ceiling", "× nginx", "requests/s",
                "p99, ms", "faults",
            ],
            rows: lines.map(\.cells)
        )
    }
}
