/// `/proc/loadavg` (proc_loadavg(5)): the number of processes that wanted to run, as an average.
struct LoadAverage: Equatable {
    /// The averages over 1, 5 and 15 minutes, as spelled in the file.
    var averages: [String]
    /// The numbers of processes and threads that want to run now, and of all.
    var running: String
    var total: String

    /// Reads the file's text; nil for text of another form.
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
