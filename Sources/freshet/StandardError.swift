import Foundation
import TerminalReader

/// The command's messages to people, so that standard output holds only the results.
enum StandardError {
    /// Writes a line at once, without the characters that a terminal would obey.
    static func print(_ line: String) {
        // The work goes on even where the message cannot be written.
        try? FileHandle.standardError.write(contentsOf: Data((ShownText.lines(line) + "\n").utf8))
    }
}
