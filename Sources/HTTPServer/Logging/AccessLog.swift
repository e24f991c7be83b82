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

    private let queue: LogQueue<AccessBatch>
    /// The prefixes of paths whose rest is a secret and is not logged, such as `/websub/`.
    let secretPaths: [String]

    /// Makes an access log.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor to write to; the caller closes it after the last line.
    ///   - format: The format of the lines.
    ///   - secretPaths: The prefixes of paths whose rest is a secret, such as `/websub/`.
    ///   - byteLimit: The most bytes that wait to be written.
    ///   - logger: The logger that reports dropped lines and the end of the log after an error.
    package init(
        descriptor: CInt,
        format: Format,
        secretPaths: [String] = [],
        byteLimit: Int = 8 << 20,
        logger: Logger
    ) {
        self.secretPaths = secretPaths
        queue = LogQueue(descriptor: descriptor, byteLimit: byteLimit) { batch, bytes in
            var writer = AccessLineWriter(batch, format)
            writer.append(to: &bytes)
        } report: { event in
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

    /// Queues a loop's batch to be written.
    func put(_ batch: AccessBatch) {
        let size = batch.bytes.count + batch.entries.count * MemoryLayout<AccessBatch.Entry>.stride
        queue.put(batch, lineCount: batch.entries.count, byteCount: size)
    }
}

/// Collects the entries of an event loop, and passes them to the access log as a batch: when the
/// loop gives its thread back, at its timer, and when the entries are many.
extension EventLoop {
    /// Adds an entry to the loop's batch, if there is an access log.
    func log(_ entry: AccessBatch.Entry, of head: borrowing RequestHead) {
        guard let access else { return }
        accessBatch.append(head, entry, hiding: access.secretPaths)
        if accessBatch.isFull { handOverLog() }
    }

    /// Passes the loop's batch to the access log, unless it is empty.
    func handOverLog() {
        guard let access, !accessBatch.entries.isEmpty else { return }
        accessBatch.close()
        access.put(accessBatch)
        accessBatch = AccessBatch()
    }
}
