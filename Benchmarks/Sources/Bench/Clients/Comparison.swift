/// Servers under the same load, in turns, compared with the first.
struct Comparison {
    private let sides: [Side]
    private let loads: [[Load]]

    /// Runs the rounds.
    init(_ sides: [Side], connections: Int, in lab: Lab) throws {
        self.sides = sides
        for side in sides {
            _ = Load(side, connections: connections, seconds: min(0.3, lab.seconds))
        }
        loads = try Turns.run(
            lab.rounds,
            sides.map { side in
                { Load(side, connections: connections, seconds: lab.seconds) }
            }
        )
    }

    /// How much of the first side's CPU time a request costs another side.
    func costRatio(_ name: String) -> Spread {
        guard let index = sides.firstIndex(where: { $0.name == name }) else { return Spread([]) }
        return .ratio(loads[index].map(\.cpuPerRequest), to: loads[0].map(\.cpuPerRequest))
    }

    /// Medians, and how they spread.
    func table(_ title: String) -> Table {
        var table = Table(
            title: title,
            columns: ["", "requests/s", "ratio", "CPU µs/request", "ratio", "p99, ms", "faults"]
        )
        for (side, own) in zip(sides, loads) {
            let rates = own.map(\.requestsPerSecond)
            table.rows.append([
                side.name,
                Spread(rates).text(decimals: 0),
                Spread.ratio(rates, to: loads[0].map(\.requestsPerSecond)).text(),
                Spread(own.map(\.cpuPerRequest)).text(),
                costRatio(side.name).text(),
                Spread(own.map { $0.p99 / 1000 }).text(),
                fault(of: side, own),
            ])
        }
        return table
    }

    private func fault(of side: Side, _ loads: [Load]) -> String {
        if let fault = loads.compactMap(\.fault).first { return fault }
        if let wrong = loads.first(where: { $0.status != side.status }) {
            return "status \(wrong.status)"
        }
        let mixed = loads.first { $0.strangerShare > 0 }
        return mixed.map { "other statuses than \($0.status)" } ?? ""
    }
}
