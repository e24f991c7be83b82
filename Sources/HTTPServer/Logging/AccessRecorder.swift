import HTTPWire

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
        batch.append(head, entry)
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
