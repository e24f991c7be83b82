/// The form of log lines.
enum LogFormat: String, CaseIterable, Sendable {
    case text
    case json
}
