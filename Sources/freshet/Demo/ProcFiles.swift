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

/// `/proc/self/mounts` (proc_pid_mounts(5)): the file systems of the machine.
struct MountTable: Equatable {
    struct Mount: Equatable {
        var device: String
        var folder: String
        var kind: String
    }

    /// The mounts that keep files on a device, each device once, where it was mounted first.
    var disks: [Mount] = []

    init(parsing text: String) {
        var seen: Set<String> = []
        for line in text.split(separator: "\n") {
            let words = line.split(separator: " ").map { MountTable.unescaped($0) }
            guard words.count >= 3 else { continue }
            let mount = Mount(device: words[0], folder: words[1], kind: words[2])
            let isOnDevice = mount.device.hasPrefix("/") && mount.kind != "squashfs"
            guard isOnDevice || mount.folder == "/", seen.insert(mount.device).inserted else {
                continue
            }
            disks.append(mount)
        }
    }

    /// Returns a word with escapes such as `\040` resolved: white space and backslashes stand in
    /// octal in the file (getmntent(3)).
    private static func unescaped(_ word: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Array(word.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(3)
            guard byte == UInt8(ascii: "\\"), digits.count == 3,
                let code = UInt8(String(decoding: digits, as: UTF8.self), radix: 8)
            else {
                bytes.append(byte)
                continue
            }
            bytes.append(code)
            rest = rest.dropFirst(3)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}

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
