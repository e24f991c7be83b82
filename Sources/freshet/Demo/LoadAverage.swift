/// `/proc/loadavg` (proc_loadavg(5)): how many processes wanted to run of late.
struct LoadAverage: Equatable {
    /// Over 1, 5 and 15 minutes, as spelled there.
    var averages: [String]
    /// Processes and threads that want to run now, and all there are.
    var running: String
    var total: String

    /// nil for text of another form.
    init?(parsing text: String) {
        let words = text.split(whereSeparator: \.isWhitespace)
        guard words.count >= 4 else { return nil }
        let tasks = words[3].split(separator: "/")
        guard tasks.count == 2 else { return nil }
        averages = words[..<3].map(String.init)
        running = String(tasks[0])
        total = String(tasks[1])
    }
}
