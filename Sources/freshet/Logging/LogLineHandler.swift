import Foundation
import Logging

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
            nanoseconds: Int(Date().timeIntervalSince1970 * 1_000_000) * 1000,
            level: event.level,
            label: label,
            message: "\(event.message)",
            members: all.sorted { $0.key < $1.key }.map { ($0.key, LogLine.Value($0.value)) }
        )
        output.write(line.bytes(output.format))
    }
}
