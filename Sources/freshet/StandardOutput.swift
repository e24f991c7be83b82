import Foundation
import Glibc
import TerminalReader

/// The output of the command.
enum StandardOutput {
    /// Has standard descriptors that were closed at the start fail, so that no file or connection
    /// that is opened later gets the number of one, and what is printed to it.
    static func reserveDescriptors() {
        for descriptor: CInt in 0...2 where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest number that is free is taken.
            _ = open("/dev/null", descriptor == 0 ? O_WRONLY : O_RDONLY)
        }
    }

    /// Writes lines for people, without what a terminal would obey.
    ///
    /// - Parameter end: The text after them.
    /// - Throws: ``CommandFailure`` that says why it cannot be written: `print` would say nothing.
    static func print(_ line: some CustomStringConvertible, end: String = "\n") throws {
        try write((ShownText.lines(line.description) + end).utf8)
    }

    /// Writes a document in JSON and a line feed, with escapes for what a terminal would obey.
    static func print(json: some Sequence<UInt8>) throws {
        try write(ShownJSON.bytes(Array(json)) + [UInt8(ascii: "\n")])
    }

    /// Writes all of some bytes, in which there is nothing that a terminal would obey.
    ///
    /// - Throws: ``CommandFailure`` that says why they cannot be written.
    static func write(_ bytes: some Collection<UInt8>) throws {
        var rest = Array(bytes)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(1, $0.baseAddress, $0.count) }
            if count < 0 {
                let reason = errno
                if reason == EINTR { continue }
                if reason == EAGAIN {
                    // Who shares it, such as ssh, may have it never wait.
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
