import Foundation

/// Where the command talks to people, so that standard output holds only what was asked for.
enum StandardError {
    /// Writes one line at once.
    static func print(_ line: String) {
        // Where nobody can be told, the work goes on.
        try? FileHandle.standardError.write(contentsOf: Data((line + "\n").utf8))
    }
}
