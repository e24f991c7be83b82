/// `/proc/meminfo` (proc_meminfo(5)), in bytes.
struct MemoryInfo: Equatable {
    var total: Int
    var available: Int
    var cached: Int
    var swapTotal: Int
    var swapFree: Int

    /// Reads the file's text; nil when the total or the available memory is not in it.
    init?(parsing text: String) {
        var values: [Substring: Int] = [:]
        for line in text.split(separator: "\n") {
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count == 3, words[2] == "kB", let number = Int(words[1]) else { continue }
            values[words[0]] = number << 10
        }
        guard let total = values["MemTotal:"], let available = values["MemAvailable:"] else {
            return nil
        }
        self.total = total
        self.available = available
        cached = values["Cached:"] ?? 0
        swapTotal = values["SwapTotal:"] ?? 0
        swapFree = values["SwapFree:"] ?? 0
    }
}
