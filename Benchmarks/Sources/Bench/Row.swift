/// One thing that is measured.
struct Row: Sendable {
    let name: String
    let title: String
    /// What is to be reached.
    let goal: String
    let measure: @Sendable (Lab) throws -> Section

    /// All there are, in the order of the results.
    static let all = [
        day, everyday, poll, delta, snapshot, secure, pull, storm, fanOut, idle, publish,
        publishOne, difference,
        feedMemory, historyMemory, accounting, manyFeeds, accessLog,
    ]

    static var names: String { all.map(\.name).joined(separator: ", ") }

    /// Measures it, and ends what it has started; a failure is told, and others go on.
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
