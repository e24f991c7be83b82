import Foundation
import HTTPServer
import Logging
import Synchronization
import TerminalReader

/// The output of log lines: its descriptor, the lines' format and the lowest level; all loggers
/// share it.
final class LogOutput: Sendable {
    let format: LogFormat
    private let lowest: Atomic<Int>
    private let queue: LogQueue

    /// The most bytes that waiting lines may hold.
    private static let byteLimit = 1 << 20

    /// Makes an output of lines from a level up.
    init(_ format: LogFormat, level: Logger.Level, descriptor: CInt = STDERR_FILENO) {
        self.format = format
        lowest = Atomic(LogOutput.rank(level))
        queue = LogQueue(descriptor: descriptor, byteLimit: LogOutput.byteLimit)
    }

    /// The lowest level that is written; it may change at any time.
    var level: Logger.Level {
        get { Logger.Level.allCases[lowest.load(ordering: .relaxed)] }
        set { lowest.store(LogOutput.rank(newValue), ordering: .relaxed) }
    }

    /// Returns a logger that writes to this output.
    func logger(_ label: String) -> Logger {
        Logger(label: label) { LogLineHandler(self, label: $0) }
    }

    /// Announces something that the person or script that started the server must know, whatever
    /// the lowest level is: as a plain line of text, or as a line of the log in JSON, after the
    /// lines that were logged before.
    func announce(_ words: String, level: Logger.Level = .notice) {
        guard format == .json else {
            return write(Array("\(ShownText.lines("freshet: \(words)"))\n".utf8))
        }
        let line = LogLine(
            level: level,
            label: "freshet",
            message: words,
            members: []
        )
        write(line.bytes(format))
    }

    func write(_ line: [UInt8]) {
        queue.put(line)
    }

    /// Waits until all lines are written, at the latest for `time`.
    func flush(within time: Duration) async {
        await withCheckedContinuation { written in
            queue.flush(within: time) { written.resume() }
        }
    }

    private static func rank(_ level: Logger.Level) -> Int {
        Logger.Level.allCases.firstIndex(of: level) ?? 0
    }
}

/// Writes a log line for each event of a logger.
struct LogLineHandler: LogHandler {
    var metadata: Logger.Metadata = [:]

    private let output: LogOutput
    private let label: String
    /// The level of this logger alone; `nil` for the output's level.
    private var ownLevel: Logger.Level?

    init(_ output: LogOutput, label: String) {
        self.output = output
        self.label = label
    }

    var logLevel: Logger.Level {
        get { ownLevel ?? output.level }
        set { ownLevel = newValue }
    }

    subscript(metadataKey key: String) -> Logger.Metadata.Value? {
        get { metadata[key] }
        set { metadata[key] = newValue }
    }

    func log(event: LogEvent) {
        let own = event.metadata ?? [:]
        let all = metadata.isEmpty ? own : metadata.merging(own) { $1 }
        let line = LogLine(
            level: event.level,
            label: label,
            message: "\(event.message)",
            members: all.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        )
        output.write(line.bytes(output.format))
    }
}
