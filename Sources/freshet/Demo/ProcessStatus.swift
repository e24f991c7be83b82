/// `/proc/PID/stat` (proc_pid_stat(5)): one process.
struct ProcessStatus: Equatable {
    var pid: Int
    /// Up to 15 bytes; may hold spaces and parentheses.
    var name: String
    /// Ticks of the clock that it ran, in its own code and in the system's.
    var ticks: Int
    /// When it began, in ticks since the machine's start: tells it from an earlier one of its
    /// number.
    var start: Int
    /// Resident memory, in pages.
    var pages: Int

    /// nil for text of another form.
    init?(parsing text: String) {
        guard let open = text.firstIndex(of: "("), let close = text.lastIndex(of: ")"),
            open < close, let pid = Int(text[..<open].filter { !$0.isWhitespace })
        else { return nil }
        // The first word after the name is column 3.
        let words = text[text.index(after: close)...].split(whereSeparator: \.isWhitespace)
        guard words.count >= 22, let user = Int(words[11]), let system = Int(words[12]),
            let start = Int(words[19]), let pages = Int(words[21])
        else { return nil }
        self.pid = pid
        name = String(text[text.index(after: open)..<close])
        ticks = user + system
        self.start = start
        self.pages = pages
    }
}
