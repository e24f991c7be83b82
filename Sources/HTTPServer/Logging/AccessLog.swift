import HTTPWire
package import Logging
import Platform

/// The access log: a line for each response, written on a queue of its own.
package struct AccessLog: Sendable {
    /// The format of the lines.
    package enum Format: Sendable {
        /// The Combined Log Format of Apache and nginx: the Common Log Format with referer and user
        /// agent.
        case combined
        /// A JSON object.
        case json
    }

    private let queue: LogQueue
    let format: Format
    /// The prefixes of paths whose rest is a secret and is not logged, such as `/websub/`.
    let secretPaths: [String]

    /// Makes an access log.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor to write to; the caller closes it after the last line.
    ///   - secretPaths: The prefixes of paths whose rest is a secret, such as `/websub/`.
    ///   - byteLimit: The most bytes that wait to be written.
    package init(
        descriptor: CInt,
        format: Format,
        secretPaths: [String] = [],
        byteLimit: Int = 8 << 20,
        logger: Logger
    ) {
        self.format = format
        self.secretPaths = secretPaths
        queue = LogQueue(descriptor: descriptor, byteLimit: byteLimit) { event in
            switch event {
            case .dropped(let count):
                logger.warning(
                    "lines of the access log were dropped",
                    metadata: ["count": .stringConvertible(count)]
                )
            case .closed(let code):
                let error = SystemError(call: "write", code: code)
                logger.error("the access log has ended", metadata: ["reason": "\(error)"])
            }
        }
    }

    /// Calls `completion` once all lines are written, at the latest after `time`.
    package func flush(within time: Duration, completion: @escaping @Sendable () -> Void) {
        queue.flush(within: time, completion: completion)
    }

    /// Queues lines to be written.
    func put(_ lines: [UInt8], lineCount: Int) {
        queue.put(lines, lineCount: lineCount)
    }
}

/// Collects the lines of an event loop, and passes them to the access log together: when the loop
/// gives its thread back, at its timer, and when they are long.
extension EventLoop {
    /// Adds a line, if there is an access log.
    func log(_ line: AccessLine, of head: borrowing RequestHead) {
        guard let access else { return }
        line.append(of: head, for: access, to: &logLines)
        logLineCount += 1
        if logLines.count >= EventLoop.logLinesByteCount { handOverLog() }
    }

    /// Passes the loop's lines to the access log.
    func handOverLog() {
        guard let access, logLineCount > 0 else { return }
        access.put(logLines, lineCount: logLineCount)
        (logLines, logLineCount) = ([], 0)
    }

    /// The number of bytes at which lines are passed on.
    private static let logLinesByteCount = 64 << 10
}
