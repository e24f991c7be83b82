import HTTPWire
package import Logging

/// A line for every answer, written by a queue of its own.
package struct AccessLog: Sendable {
    /// How lines look.
    package enum Format: Sendable {
        /// The Combined Log Format of Apache and nginx: the Common one with referer and user agent.
        case combined
        /// A JSON object.
        case json
    }

    private let queue: LogQueue<AccessBatch>
    /// What paths begin with whose rest is a secret.
    let secretPaths: [String]

    /// Makes an access log.
    ///
    /// - Parameters:
    ///   - descriptor: Where it goes; whoever opened it closes it, later than the last line.
    ///   - format: How lines look.
    ///   - secretPaths: What paths begin with whose rest is a secret, as in `/websub/`.
    ///   - byteLimit: The most bytes that wait to be written.
    ///   - logger: Told when lines were dropped, and when nothing can be written any more.
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
                    metadata: ["count": "\(count)"]
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

    /// Hands over what a loop has gathered.
    func put(_ batch: AccessBatch) {
        let size = batch.bytes.count + batch.entries.count * MemoryLayout<AccessBatch.Entry>.stride
        queue.put(batch, lineCount: batch.entries.count, byteCount: size)
    }
}

/// An event loop's share of the access log: gathers entries, and hands them over in one piece when
/// the loop's turn is over or there are many.
final class AccessRecorder {
    private let log: AccessLog
    private var batch = AccessBatch()

    private static let entryLimit = 256
    private static let byteLimit = 64 << 10

    init(_ log: AccessLog) {
        self.log = log
    }

    func record(_ head: borrowing RequestHead, _ entry: AccessBatch.Entry) {
        batch.append(head, entry, hiding: log.secretPaths)
        let isFull =
            batch.entries.count >= AccessRecorder.entryLimit
            || batch.bytes.count >= AccessRecorder.byteLimit
        if isFull { handOver() }
    }

    func handOver() {
        guard !batch.entries.isEmpty else { return }
        batch.close()
        log.put(batch)
        batch = AccessBatch()
    }
}
