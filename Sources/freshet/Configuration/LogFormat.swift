/// How log lines are written.
enum LogFormat: String, CaseIterable, Sendable {
    case text
    case json
}
