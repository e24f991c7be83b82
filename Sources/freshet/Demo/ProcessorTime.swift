/// The first line of `/proc/stat` (proc_stat(5)): the time of all processors together since the
/// start, in clock ticks.
struct ProcessorTime: Equatable {
    var total: Int
    /// The ticks spent with nothing to do or waiting for disks.
    var idle: Int
    /// The number of processors.
    var processors: Int

    /// Reads the file's text; nil for text of another form.
    init?(parsing text: String) {
        let lines = text.split(separator: "\n")
        guard let words = lines.first?.split(separator: " "), words.first == "cpu",
            words.count >= 6
        else { return nil }
        // The time of guests is counted in the first two columns too.
        let ticks = words.dropFirst().prefix(8).compactMap { Int($0) }
        guard ticks.count >= 5 else { return nil }
        total = ticks.reduce(0, +)
        idle = ticks[3] + ticks[4]
        processors = lines.filter { $0.hasPrefix("cpu") && !$0.hasPrefix("cpu ") }.count
    }
}
