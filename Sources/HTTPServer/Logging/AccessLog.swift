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
    /// The path prefixes behind which secrets stand, such as `/websub/`.
    let secretPaths: [String]

    /// Makes an access log.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor to write to; its opener must close it, after the last line.
    ///   - format: The format of the lines.
    ///   - secretPaths: The path prefixes behind which secrets stand, such as `/websub/`.
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

/// An event loop's part of the access log: collects entries, and passes them on as a batch at the
/// end of a round or when there are many.
extension EventLoop {
    func log(_ entry: AccessBatch.Entry, of head: borrowing RequestHead) {
        guard let access else { return }
        accessBatch.append(head, entry, hiding: access.secretPaths)
        if accessBatch.isFull { handOverLog() }
    }

    func handOverLog() {
        guard let access, !accessBatch.entries.isEmpty else { return }
        accessBatch.close()
        access.put(accessBatch)
        accessBatch = AccessBatch()
    }
}
