import Glibc

/// A pipe that a log is written to; the write end closes with the last reference.
final class LogPipe: Sendable {
    let input: CInt
    let output: CInt

    init() {
        var ends: [CInt] = [-1, -1]
        precondition(pipe(&ends) == 0, "there are descriptors left")
        (output, input) = (ends[0], ends[1])
        // What is written after the reader has left is to fail, and not to end the tests.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Nobody writes any more.
    func endWriting() {
        close(input)
    }

    /// Nobody reads any more.
    func endReading() {
        close(output)
    }

    /// Reads what is there, waiting for at least one byte; empty at the end.
    func readSome() -> [UInt8] {
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while true {
            let count = read(output, &part, part.count)
            if count >= 0 { return Array(part[..<count]) }
            if errno != EINTR { return [] }
        }
    }

    /// Reads lines until nobody writes any more.
    func readLines() -> [String] {
        var bytes: [UInt8] = []
        while true {
            let part = readSome()
            if part.isEmpty { break }
            bytes += part
        }
        return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
