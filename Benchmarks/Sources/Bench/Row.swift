/// A measurement, with its own section in the results.
struct Row: Sendable {
    let name: String
    let title: String
    /// The goal that the server is to reach.
    let goal: String
    let measure: @Sendable (Lab) throws -> Section

    /// All rows, in the order of the results.
    static let all = [
        day, everyday, poll, delta, snapshot, secure, pull, storm, fanOut, idle, publish,
        publishOne, difference,
        feedMemory, historyMemory, accounting, manyFeeds, accessLog,
    ]

    static var names: String { all.map(\.name).joined(separator: ", ") }

    /// Measures the row, and ends the servers that it has started; a failure is told, and other
    /// rows go on.
    func section(in lab: Lab) -> Section {
        defer { lab.endServers() }
        do {
            return try measure(lab)
        } catch let missing as MissingTool {
            return .missing(missing.description)
        } catch {
            return .failed("\(error)")
        }
    }
}
