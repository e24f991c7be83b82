import HTTPWire

/// Entries of the access log from one event loop, with the parts of requests that their lines
/// quote.
struct AccessBatch: Sendable {
    /// The logged facts about one request and its response; texts are ranges of
    /// ``AccessBatch/bytes``.
    struct Entry: Sendable {
        /// The sender of the request; `nil` if its address is not an IP address.
        let peer: PeerAddress?
        let status: Int
        /// The number of bytes of content that the socket took.
        let byteCount: Int
        /// The time at which the head was read, in nanoseconds of a monotonic clock.
        let start: Int
        /// The time at which the last byte was passed to the socket, in nanoseconds of the same
        /// clock.
        let end: Int
        /// Whether the whole response was passed to the socket.
        var isComplete = true
        /// The request line, or the part that arrived.
        fileprivate(set) var line = 0..<0
        /// The value of Referer; `nil` if the request lacks it.
        fileprivate(set) var referer: Range<Int>?
        /// The value of User-Agent; `nil` if the request lacks it.
        fileprivate(set) var userAgent: Range<Int>?
        /// The id of the request's trace; `nil` if the request names none.
        fileprivate(set) var trace: Range<Int>?
        /// The name of the owner of the request's key; `nil` without one.
        var user: String?
    }

    private(set) var entries: [Entry] = []
    /// The texts that the entries quote.
    private(set) var bytes: [UInt8] = []
    /// The wall-clock time less the monotonic time, in nanoseconds, for the entries' times.
    private(set) var clockOffset = 0

    /// Adds an entry with the texts that it quotes.
    ///
    /// - Parameters:
    ///   - head: The request's head, or the part that arrived.
    ///   - entry: The entry without its texts.
    ///   - secrets: The prefixes of paths whose rest is a secret, each with a slash at its end; the
    ///     log has `…` in place of the rest.
    mutating func append(_ head: borrowing RequestHead, _ entry: Entry, hiding secrets: [String]) {
        var entry = entry
        entry.line = append(head.line(hiding: secrets))
        entry.referer = head.referer.map { append(head.field($0)) }
        entry.userAgent = head.first(.userAgent).map { append(head.field($0)) }
        entry.trace = head.traceID.map { append($0) }
        entries.append(entry)
    }

    /// Adds a text, and returns its range in ``bytes``.
    private mutating func append(_ text: some Collection<UInt8>) -> Range<Int> {
        let start = bytes.count
        bytes += text
        return start..<bytes.count
    }

    /// Whether the batch has so many entries or bytes that it must be passed on.
    var isFull: Bool { entries.count >= 256 || bytes.count >= 64 << 10 }

    /// Records ``clockOffset``; no entry may be added after that.
    mutating func close() {
        clockOffset = System.wallNanoseconds() - System.monotonicNanoseconds()
    }
}

extension RequestHead {
    /// Returns a field's value as far as it is logged, at most 1024 bytes.
    fileprivate func field(_ value: Range<Int>) -> ArraySlice<UInt8> {
        bytes[value].prefix(1024)
    }

    /// Returns the request line, or the part that arrived, with `…` in place of secrets.
    fileprivate func line(hiding secrets: [String]) -> [UInt8] {
        let line = bytes[..<lineCount]
        for secret in secrets {
            let starts = line.indices.lazy.compactMap { line[$0...].end(ofPrefix: secret.utf8) }
            guard let start = starts.first else { continue }
            let end = line[start...].firstIndex(of: UInt8(ascii: " ")) ?? line.endIndex
            return line[..<start] + Array("…".utf8) + line[end...]
        }
        return Array(line)
    }

    /// The length of the request line in bytes, or of the part that arrived.
    fileprivate var lineCount: Int {
        // With fields, the line is complete; it ends somewhere after its target.
        let start = fields.isEmpty ? 0 : target.upperBound
        let end = bytes[start...].firstIndex { byte in
            byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
        }
        return end ?? bytes.count
    }

    /// The range of the first Referer field's value (RFC 9110 §10.1.3).
    fileprivate var referer: Range<Int>? {
        for field in fields where field.known == .other && field.name.count == 7 {
            let name = bytes[field.name].lazy.map { $0 | 0x20 }
            if name.elementsEqual("referer".utf8) { return field.value }
        }
        return nil
    }
}

extension ArraySlice<UInt8> {
    /// Returns the index behind a text with which the slice begins, whose bytes may be
    /// percent-encoded; `nil` if it begins otherwise.
    fileprivate func end(ofPrefix text: some Sequence<UInt8>) -> Int? {
        var index = startIndex
        for byte in text {
            guard index < endIndex else { return nil }
            if self[index] == byte {
                index += 1
                continue
            }
            let escape = self[index...].prefix(3)
            let digits = String(decoding: escape.dropFirst(), as: UTF8.self)
            guard escape.first == UInt8(ascii: "%"), UInt8(digits, radix: 16) == byte else {
                return nil
            }
            index = escape.endIndex
        }
        return index
    }
}
