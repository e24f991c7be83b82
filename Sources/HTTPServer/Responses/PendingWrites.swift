/// What of an answer the socket did not take at once, in order.
struct PendingWrites {
    private enum Part {
        case bytes([UInt8], from: Int)
        /// The body of an answer that many share.
        case shared(CachedResponse, from: Int)
        case file(OpenFile, Range<Int>)
    }

    private var parts: [Part] = []

    /// The most bytes that are sent at a time, about: a reader who is as fast as the server takes
    /// any number with one call.
    static let turnByteCount = 512 << 10

    var isEmpty: Bool { parts.isEmpty }

    /// Bytes that wait.
    var byteCount: Int {
        parts.reduce(0) { sum, part in
            switch part {
            case .bytes(let bytes, let start): sum + bytes.count - start
            case .shared(let cached, let start): sum + cached.bodyByteCount - start
            case .file(_, let range): sum + range.count
            }
        }
    }

    /// Puts `bytes` from index `start` on at the end; shares the array's storage.
    mutating func append(_ bytes: [UInt8], from start: Int = 0) {
        guard start < bytes.count else { return }
        parts.append(.bytes(bytes, from: start))
    }

    /// The same with the body of an answer that many share.
    mutating func append(_ cached: CachedResponse, from start: Int) {
        guard start < cached.bodyByteCount else { return }
        parts.append(.shared(cached, from: start))
    }

    mutating func append(_ file: OpenFile, _ range: Range<Int>) {
        guard !range.isEmpty else { return }
        parts.append(.file(file, range))
    }

    /// Sends until all is gone, the socket takes no more, or others' turn has come: a reader who is
    /// as fast as the server would have it for as long as an answer is long.
    ///
    /// - Returns: The bytes sent by the last call for it, `.blocked` or what failed; and the sum
    ///   of bytes sent.
    mutating func send(through transport: borrowing Transport) -> (last: Transfer, byteCount: Int) {
        var sum = 0
        while let part = parts.first {
            guard sum < PendingWrites.turnByteCount else { return (.blocked, sum) }
            let result = PendingWrites.send(part, through: transport)
            guard case .bytes(let count) = result else { return (result, sum) }
            sum += count
            if let rest = PendingWrites.rest(of: part, after: count) {
                // A file that became shorter: the announced length cannot be kept.
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

/// What it keeps in memory.
extension PendingWrites {
    /// Bytes that nobody else has.
    var ownByteCount: Int {
        var sum = 0
        for case .bytes(let bytes, _) in parts { sum += bytes.count }
        return sum
    }

    /// The answer in it that many share; there is one at most, for nothing is added behind what
    /// waits but its end.
    var shared: CachedResponse? {
        for case .shared(let cached, _) in parts { return cached }
        return nil
    }
}
