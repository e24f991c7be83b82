/// `/proc/PID/stat` (proc_pid_stat(5)): one process.
struct ProcessStatus: Equatable {
    var pid: Int
    /// The process's name, of up to 15 bytes; it may hold spaces and parentheses.
    var name: String
    /// The clock ticks that the process ran, in its own code and in the system's.
    var ticks: Int
    /// The start of the process, in ticks since the machine's start: it tells the process from an
    /// earlier one of the same number.
    var start: Int
    /// The resident memory, in pages.
    var pages: Int

    /// Reads the file's text; nil for text of another form.
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
