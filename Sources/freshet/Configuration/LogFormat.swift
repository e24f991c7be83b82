/// The format of log lines.
enum LogFormat: String, CaseIterable, Sendable {
    case text
    case json
}
