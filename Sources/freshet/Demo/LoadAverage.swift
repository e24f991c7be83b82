/// The content of `/proc/loadavg` (proc_loadavg(5)): how many tasks, processes and threads, run or
/// wait for a processor or a disk.
struct LoadAverage: Equatable {
    /// The averages over 1, 5 and 15 minutes, as spelled in the file.
    var averages: [String]
    /// The number of tasks that run or wait for a processor now, as spelled in the file.
    var running: String
    /// The number of all tasks, as spelled in the file.
    var total: String

    /// Parses the file's text; `nil` for text in another format.
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
