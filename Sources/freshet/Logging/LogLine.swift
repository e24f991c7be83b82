import Foundation
import HTTPServer
import Logging

/// A line of the server's log.
struct LogLine {
    /// The line's time, in nanoseconds since 1970.
    var nanoseconds = Int(Date().timeIntervalSince1970 * 1_000_000) * 1000
    let level: Logger.Level
    let label: String
    let message: String
    let members: [(name: String, value: Logger.MetadataValue)]

    /// Returns the line with its line feed; no text in the line can end it.
    func bytes(_ format: LogFormat) -> [UInt8] {
        var line: [UInt8] = []
        switch format {
        case .text: appendText(to: &line)
        case .json: appendJSON(to: &line)
        }
        line.append(UInt8(ascii: "\n"))
        return line
    }

    private func appendText(to line: inout [UInt8]) {
        line.appendLogTime(nanoseconds: nanoseconds)
        line += " \(level) \(label): ".utf8
        line.appendLogText(Array(message.utf8)[...], isQuoted: false)
        for (name, value) in members {
            line.append(UInt8(ascii: " "))
            line.appendLogText(Array(name.utf8)[...])
            line += "=\"".utf8
            line.appendLogText(Array("\(value)".utf8)[...])
            line.append(UInt8(ascii: "\""))
        }
    }

    private func appendJSON(to line: inout [UInt8]) {
        line += "{\"time\":\"".utf8
        line.appendLogTime(nanoseconds: nanoseconds)
        line += "\",\"level\":\"\(level)\",\"logger\":".utf8
        line.appendLogJSON(Array(label.utf8)[...])
        line += ",\"message\":".utf8
        line.appendLogJSON(Array(message.utf8)[...])
        for (name, value) in members {
            line.append(UInt8(ascii: ","))
            line.appendLogJSON(Array(name.utf8)[...])
            line.append(UInt8(ascii: ":"))
            if case .stringConvertible(let number as any BinaryInteger) = value {
                line += "\(number)".utf8
            } else {
                line.appendLogJSON(Array("\(value)".utf8)[...])
            }
        }
        line.append(UInt8(ascii: "}"))
    }
}

/// The format of log lines.
enum LogFormat: String, CaseIterable, Sendable {
    case text
    case json
}
