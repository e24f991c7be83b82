import Foundation

extension Row {
    /// Measures what it takes to keep up with a list for a day.
    static let day = Row(
        name: "day",
        title: "A day of a list",
        goal: "a front page, asked for every 5 minutes: at most 100 kB, and at most 0.16 × what "
            + "`ETag` and gzip take"
    ) { lab in
        let day = try DayServers(in: lab)
        // Readers wait meanwhile.
        let histories = ListStatistics.all.map(EditHistory.init)
        var left = day.missing
        var patches: [Int?] = histories.map { _ in nil }
        do {
            patches = try histories.map { try $0.bytePatchSize(in: lab) }
        } catch let tool as MissingTool {
            left.append("byte patches, as \(tool)")
        }
        let quiet = try day.endQuiet()
        var section = Section()
        var distances = Table(
            title: "What is left, bodies alone:",
            columns: ["", "changes, JSON, kB", "as sent, kB", "byte patches, kB", "×"]
        )
        for (history, patches) in zip(histories, patches) {
            let result = try day.result(of: history, quiet)
            try section.tables.append(result.table(history.rowMessageSizes()))
            distances.rows.append(result.distance(patches: patches))
            section.headline += (section.headline.isEmpty ? "" : "; ") + result.headline
        }
        section.tables.append(distances)
        section.notes = left.map { "Left out: \($0)." } + DayServers.notes
        return section
    }
}
