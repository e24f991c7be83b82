import Foundation
import Glibc

/// The resources that a process and all processes started by it have used (on Linux).
struct ProcessUse {
    /// The time on a core, in seconds.
    private(set) var cpuSeconds = 0.0
    /// The memory of their own (RssAnon), in bytes.
    private(set) var memoryByteCount = 0

    init(of processID: Int32) {
        for process in ProcessUse.family(of: processID) { add(process) }
    }

    private mutating func add(_ process: Int32) {
        cpuSeconds += ProcessUse.cpuSeconds(of: process)
        let anonymous = ProcessUse.text("/proc/\(process)/status").split(separator: "\n")
            .first { $0.hasPrefix("RssAnon:") }
        let words = anonymous?.split(whereSeparator: \.isWhitespace) ?? []
        memoryByteCount += (words.count > 1 ? Int(words[1]) ?? 0 : 0) * 1024
    }

    /// Returns the time by the process's own clock, which also counts threads that have ended.
    private static func cpuSeconds(of process: Int32) -> Double {
        var clock = clockid_t()
        var time = timespec()
        guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else {
            return 0
        }
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// Returns a process and all processes below it.
    private static func family(of processID: Int32) -> [Int32] {
        let folders = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
        var children: [Int32: [Int32]] = [:]
        for process in folders.compactMap({ Int32($0) }) {
            // The name, in parentheses, may have spaces.
            let fields = text("/proc/\(process)/stat").split(separator: ")").last?
                .split(separator: " ")
            if let fields, fields.count > 1, let parent = Int32(fields[1]) {
                children[parent, default: []].append(process)
            }
        }
        var found = [processID]
        var index = 0
        while index < found.count {
            found += children[found[index]] ?? []
            index += 1
        }
        return found
    }

    private static func text(_ path: String) -> String {
        (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
    }
}
