import HTTPWire

/// Answers of one event loop that are to be logged, with the bytes that their lines quote.
struct AccessBatch: Sendable {
    /// What is known of an answered request; its texts stand one after another in the batch's
    /// bytes.
    struct Entry: Sendable {
        let peer: PeerAddress?
        let status: Int
        /// Bytes of content that were given to the socket.
        let byteCount: Int
        /// When the head was read, and when the answer's last byte was given to the socket; in
        /// nanoseconds of a clock that never goes back.
        let start: Int
        let end: Int
        /// Whether the whole answer was given to the socket.
        var isComplete = true
        /// Bytes of the request line, or of what arrived of it.
        fileprivate(set) var lineCount = 0
        /// -1: there is no such field.
        fileprivate(set) var refererCount = -1
        fileprivate(set) var userAgentCount = -1
        fileprivate(set) var traceCount = -1
        /// What the owner of the request's key is called.
        var user: String?
    }

    private(set) var entries: [Entry] = []
    private(set) var bytes: [UInt8] = []
    /// What to add to an entry's times for nanoseconds since 1970.
    private(set) var clockOffset = 0

    /// Adds an entry with what it quotes.
    ///
    /// - Parameters:
    ///   - head: Of the request; what of it was read when it could not be read on.
    ///   - entry: Without its texts.
    ///   - secrets: What paths begin with whose rest is a secret, each with a slash at its end.
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

    /// Notes the time; nothing is added any more.
    mutating func close() {
        clockOffset = System.wallNanoseconds() - System.monotonicNanoseconds()
    }

    /// Of a field more is not quoted.
    static let fieldByteLimit = 1024
}

extension RequestHead {
    /// The request line, or what arrived of it, with `…` for the rest of paths that are secret.
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

    /// Bytes of the request line, or of what arrived of it.
    fileprivate var lineCount: Int {
        // Where fields were read, the line was; it does not end before its target does.
        let start = fields.isEmpty ? 0 : target.upperBound
        let end = bytes[start...].firstIndex { byte in
            byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n")
        }
        return end ?? bytes.count
    }

    /// The place of the first Referer (RFC 9110 §10.1.3).
    fileprivate var referer: Range<Int>? {
        for field in fields where field.known == .other && field.name.count == 7 {
            let name = bytes[field.name].lazy.map { $0 | 0x20 }
            if name.elementsEqual("referer".utf8) { return field.value }
        }
        return nil
    }
}
