/// A comparison of servers under the same load, in turns, with the first one.
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

    /// Returns the CPU time of a request to another side, as a ratio to the first side's.
    func costRatio(_ name: String) -> Spread {
        guard let index = sides.firstIndex(where: { $0.name == name }) else { return Spread([]) }
        return .ratio(loads[index].map(\.cpuPerRequest), to: loads[0].map(\.cpuPerRequest))
    }

    /// Returns a table of the medians with their spread.
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
