import Foundation
import Glibc
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
    /// - Parameter end: The text after the lines.
    /// - Throws: ``CommandFailure`` with the reason why they cannot be written; Swift's `print`
    ///   would give none.
    static func print(_ line: some CustomStringConvertible, end: String = "\n") throws {
        try write((ShownText.lines(line.description) + end).utf8)
    }

    /// Writes a document in JSON and a line feed, with escapes for the characters that a terminal
    /// would obey.
    static func print(json: some Sequence<UInt8>) throws {
        try write(ShownJSON.bytes(Array(json)) + [UInt8(ascii: "\n")])
    }

    /// Writes bytes without a character that a terminal would obey.
    ///
    /// - Throws: ``CommandFailure`` with the reason why they cannot be written.
    static func write(_ bytes: some Collection<UInt8>) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            if count < 0 {
                let reason = errno
                if reason == EINTR { continue }
                if reason == EAGAIN {
                    // Another process that shares standard output, such as ssh, may have set it not
                    // to wait.
                    DescriptorWait.untilReady(1, for: CInt(POLLOUT))
                    continue
                }
                let words = String(cString: strerror(reason))
                throw CommandFailure.other("standard output cannot be written: \(words)")
            }
            rest = rest.dropFirst(count)
        }
    }
}
