/// A connection's output that the socket did not take at once, in order.
struct PendingWrites {
    private enum Part {
        case bytes([UInt8], from: Int)
        /// The body of a payload from an index on; other connections may hold it, too.
        case shared(Payload, from: Int)
        case file(OpenFile, Range<Int>)
    }

    private var parts: [Part] = []

    /// The approximate number of bytes sent in one turn.
    static let turnByteCount = 512 << 10

    var isEmpty: Bool { parts.isEmpty }

    /// The number of bytes that wait to be sent.
    var byteCount: Int {
        parts.reduce(0) { sum, part in
            switch part {
            case .bytes(let bytes, let start): sum + bytes.count - start
            case .shared(let cached, let start): sum + cached.bodyByteCount - start
            case .file(_, let range): sum + range.count
            }
        }
    }

    /// Appends `bytes` from index `start` on; the array's storage is shared, not copied.
    mutating func append(_ bytes: [UInt8], from start: Int = 0) {
        guard start < bytes.count else { return }
        parts.append(.bytes(bytes, from: start))
    }

    /// Appends the body of a payload from index `start` on.
    mutating func append(_ cached: Payload, from start: Int) {
        guard start < cached.bodyByteCount else { return }
        parts.append(.shared(cached, from: start))
    }

    mutating func append(_ file: OpenFile, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        parts.append(.file(file, range))
    }

    /// Sends the parts until none is left, the socket takes no more, or ``turnByteCount`` is
    /// reached.
    ///
    /// Without that limit, a reader as fast as the server would keep the loop busy for a whole
    /// response.
    ///
    /// - Returns: The result of the last call: the bytes sent, `.blocked` or the failure; and the
    ///   sum of the bytes sent.
    mutating func send(through transport: borrowing Transport) -> (last: Transfer, byteCount: Int) {
        var sum = 0
        while let part = parts.first {
            guard sum < PendingWrites.turnByteCount else { return (.blocked, sum) }
            let result = PendingWrites.send(part, through: transport)
            guard case .bytes(let count) = result else { return (result, sum) }
            sum += count
            if let rest = PendingWrites.rest(of: part, after: count) {
                // The file has become shorter, so the announced Content-Length cannot be kept.
                if count == 0 { return (.failed(0), sum) }
                parts[0] = rest
            } else {
                parts.removeFirst()
            }
        }
        return (.bytes(sum), sum)
    }

    private static func send(_ part: Part, through transport: borrowing Transport) -> Transfer {
        switch part {
        case .bytes(let bytes, let start):
            bytes.withUnsafeBytes {
                let part = $0[start...].prefix(turnByteCount)
                return transport.send(UnsafeRawBufferPointer(rebasing: part))
            }
        case .shared(let cached, let start):
            send(.bytes(cached.body, from: start), through: transport)
        case .file(let file, let range): transport.send(file, range.prefix(turnByteCount))
        }
    }

    private static func rest(of part: Part, after count: Int) -> Part? {
        switch part {
        case .bytes(let bytes, let start):
            start + count < bytes.count ? .bytes(bytes, from: start + count) : nil
        case .shared(let cached, let start):
            start + count < cached.bodyByteCount ? .shared(cached, from: start + count) : nil
        case .file(let file, let range):
            count < range.count ? .file(file, range.dropFirst(count)) : nil
        }
    }
}

/// The memory that the pending writes hold.
extension PendingWrites {
    /// The number of bytes that only this connection holds.
    var ownByteCount: Int {
        var sum = 0
        for case .bytes(let bytes, _) in parts { sum += bytes.count }
        return sum
    }

    /// The payload among the parts, if any.
    ///
    /// There is one at most: only the rest of one response is appended while parts are pending.
    var shared: Payload? {
        for case .shared(let cached, _) in parts { return cached }
        return nil
    }
}
