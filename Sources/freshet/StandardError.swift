import Foundation
import TerminalReader

/// Where the command talks to people, so that standard output holds only what was asked for.
enum StandardError {
    /// Writes a line at once, without what a terminal would obey.
    static func print(_ line: String) {
        // Where nobody can be told, the work goes on.
        try? FileHandle.standardError.write(contentsOf: Data((ShownText.lines(line) + "\n").utf8))
    }
}
