import HTTPWire

/// Entries of the access log from one event loop, with the bytes that their lines quote.
struct AccessBatch: Sendable {
    /// The logged facts about one request and its response; the texts stand in the batch's bytes.
    struct Entry: Sendable {
        let peer: PeerAddress?
        let status: Int
        /// The number of bytes of content that the socket took.
        let byteCount: Int
        /// The times at which the head was read and the last byte was passed to the socket, in
        /// nanoseconds of a monotonic clock.
        let start: Int
        let end: Int
        /// Whether the whole response was passed to the socket.
        var isComplete = true
        /// The length of the request line in bytes, or of the part that arrived.
        fileprivate(set) var lineCount = 0
        /// The lengths of the quoted fields in bytes; -1 for a field that the request lacks.
        fileprivate(set) var refererCount = -1
        fileprivate(set) var userAgentCount = -1
        fileprivate(set) var traceCount = -1
        /// The name of the owner of the request's key.
        var user: String?
    }

    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = []
    /// The difference between wall-clock and monotonic time in nanoseconds, for the entries' times.
    private(set) var clockOffset = 0

    /// Adds an entry with the texts that it quotes.
    ///
    /// - Parameters:
    ///   - head: The request's head, or the part that arrived.
    ///   - entry: The entry without its texts.
    ///   - secrets: The prefixes of paths whose rest is a secret, each with a slash at its end.
    mutating func append(_ head: borrowing RequestHead, _ entry: Entry, hiding secrets: [String]) {
        var entry = entry
        let line = head.line(hiding: secrets)
        entry.lineCount = line.count
        bytes += line
        if let referer = head.referer {
            entry.refererCount = min(referer.count, AccessBatch.fieldByteLimit)
            bytes += head.bytes[referer].prefix(entry.refererCount)
        }
        if let agent = head.first(.userAgent) {
            entry.userAgentCount = min(agent.count, AccessBatch.fieldByteLimit)
            bytes += head.bytes[agent].prefix(entry.userAgentCount)
        }
        if let trace = head.traceID {
            entry.traceCount = trace.count
            bytes += trace
        }
        entries.append(entry)
    }

    /// Records ``clockOffset``; no entry may be added after that.
    mutating func close() {
        clockOffset = System.wallNanoseconds() - System.monotonicNanoseconds()
    }

    /// The most bytes of a field that are logged.
    static let fieldByteLimit = 1024
}

extension RequestHead {
    /// Returns the request line, or the part that arrived, with `…` in place of secrets.
    fileprivate func line(hiding secrets: [String]) -> [UInt8] {
        let line = bytes[..<lineCount]
        for secret in secrets {
            let name = Array(secret.utf8)
            let starts = line.indices.lazy.filter { line[$0...].starts(with: name) }
            guard let start = starts.first else { continue }
            let rest = line[(start + name.count)...]
            let end = rest.firstIndex(of: UInt8(ascii: " ")) ?? line.endIndex
            return line[..<rest.startIndex] + Array("…".utf8) + line[end...]
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
