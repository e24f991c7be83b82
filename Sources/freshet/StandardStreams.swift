import Foundation
import Glibc
import Platform
import TerminalReader

/// The output of the command.
enum StandardOutput {
    /// Opens standard descriptors that were closed at the start, so that any use of them fails.
    ///
    /// Otherwise a file or connection that is opened later would get the number of a standard
    /// descriptor, and with it the command's output.
    static func reserveDescriptors() {
        for descriptor: CInt in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // The system takes the lowest number that is free.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes lines for people, without the characters that a terminal would obey.
    ///
    /// - Throws: ``CommandFailure`` with the reason why they cannot be written; Swift's `print`
    ///   would give none.
    static func print(_ line: some CustomStringConvertible) throws {
        try write((ShownText.lines(line.description) + "\n").utf8)
    }

    /// Writes a document in JSON and a line feed, with escapes for the characters that a terminal
    /// would obey.
    static func print(json: some Sequence<UInt8>, isPretty: Bool = false) throws {
        try write(ShownJSON.bytes(Array(json), isPretty: isPretty) + [UInt8(ascii: "\n")])
    }

    /// Writes bytes without a character that a terminal would obey.
    ///
    /// - Throws: ``CommandFailure`` with the reason why they cannot be written.
    static func write(_ bytes: some Collection<UInt8>) throws {
        let code = Descriptor.write(Array(bytes), to: 1).code
        guard code == 0 else {
            let words = SystemError.words(code)
            throw CommandFailure.other("standard output cannot be written: \(words)")
        }
    }
}

/// The command's messages to people, so that standard output holds only the results.
enum StandardError {
    /// Writes a line at once, without the characters that a terminal would obey.
    static func print(_ line: String) {
        // The work goes on even where the message cannot be written.
        try? FileHandle.standardError.write(contentsOf: Data((ShownText.lines(line) + "\n").utf8))
    }

    /// Writes a message after the command's name, as a line.
    static func report(_ message: some StringProtocol) {
        print("freshet: \(message)")
    }
}
