import FeedModel

/// The result of a check: a state, and what to do about it.
struct Finding: Equatable, Sendable {
    enum Level: String, Sendable {
        case ok
        /// The thing works, but perhaps not for long, or not as intended.
        case warn
        /// The server does not start, or does not do its work.
        case fail
    }

    /// The thing that was checked.
    let subject: String
    let level: Level
    /// The state that was found.
    let detail: String
    /// The remedy.
    var advice: String?

    static func ok(_ subject: String, _ detail: String) -> Finding {
        Finding(subject: subject, level: .ok, detail: detail)
    }

    static func warn(_ subject: String, _ detail: String, _ advice: String?) -> Finding {
        Finding(subject: subject, level: .warn, detail: detail, advice: advice)
    }

    static func fail(_ subject: String, _ detail: String, _ advice: String) -> Finding {
        Finding(subject: subject, level: .fail, detail: detail, advice: advice)
    }

    /// The finding in a line, such as `warn  descriptors     1024 files; raise it`.
    var line: String {
        let columns = Finding.padded(level.rawValue, 6) + Finding.padded(subject, 15)
        let text = columns + detail + (advice.map { "; " + $0 } ?? "")
        // An error's message may have several lines.
        return text.split(separator: "\n").joined(separator: " ")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }

    /// Returns all findings as one document.
    static func document(_ findings: [Finding]) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("ok", !findings.contains { $0.level == .fail })
        writer.beginArray("findings")
        for finding in findings {
            writer.beginObject()
            writer.member("subject", finding.subject)
            writer.member("level", finding.level.rawValue)
            writer.member("detail", finding.detail)
            if let advice = finding.advice { writer.member("advice", advice) }
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.finish()
    }
}
