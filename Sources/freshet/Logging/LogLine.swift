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
    let members: [(name: String, value: Value)]

    /// A member's value.
    enum Value: Equatable {
        case text(String)
        /// A number, as JSON writes it.
        case number(String)

        init(_ value: Logger.MetadataValue) {
            switch value {
            case .stringConvertible(let number as any BinaryInteger): self = .number("\(number)")
            default: self = .text("\(value)")
            }
        }

        fileprivate var text: String {
            switch self {
            case .text(let text), .number(let text): text
            }
        }
    }

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
            line.appendLogText(Array(value.text.utf8)[...])
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
            switch value {
            case .text(let text): line.appendLogJSON(Array(text.utf8)[...])
            case .number(let digits): line += digits.utf8
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
