import HTTPTypes
import HTTPWire

/// Output on its way to sockets, of one turn of an event loop: that of the connection which is
/// being served, behind what others have left to be sent.
struct WriteBuffer {
    private var bytes: [UInt8] = []
    /// Where in them that begins which nobody has left.
    private var start = 0
    /// What was left, in its order.
    private var left: [LeftOutput.Part] = []
    /// Whether output may be left.
    var takesLeftOutput = false

    private var date = DateLine()

    /// What the answer's head says of the connection (RFC 9112 §9.3).
    enum ConnectionOption {
        case none
        case close
        /// For a client of HTTP/1.0 that asked for it.
        case keepAlive
    }

    /// From how many bytes on a body is sent from where it is rather than copied.
    static let copyByteLimit = 16 << 10

    /// How much may be left.
    private static let leftByteLimit = 64 << 10

    /// Whether there is no output of the connection that is being served.
    var isEmpty: Bool { bytes.count == start }
    /// How much there is of it.
    var byteCount: Int { bytes.count - start }

    /// A copy of it, from a place on.
    func copy(from place: Int) -> [UInt8] { Array(bytes[(start + place)...]) }

    /// Removes it.
    mutating func removeAll() {
        if start == 0 {
            bytes.removeAll(keepingCapacity: true)
        } else {
            bytes.removeLast(byteCount)
        }
    }

    mutating func append(_ content: some Collection<UInt8>) {
        bytes += content
    }
}

extension WriteBuffer {
    /// Adds a head that is made for this answer.
    ///
    /// - Parameters:
    ///   - response: Whose status and fields it has.
    ///   - framing: The line that says where the content ends, if one does.
    ///   - option: What it says of the connection.
    ///   - seconds: The time for Date, since 1970.
    mutating func appendHead(
        _ response: Response,
        framing: Framing?,
        _ option: ConnectionOption,
        now seconds: Int
    ) {
        ResponseHeadEncoder.append(status: response.status, fields: response.fields, to: &bytes)
        switch framing {
        case .length(let count):
            bytes += WriteBuffer.contentLength
            bytes.append(decimal: count)
            appendLineEnd()
        case .chunks: bytes += WriteBuffer.chunkedCoding
        case nil: break
        }
        endHead(option, now: seconds)
    }

    /// How the content's end is found.
    enum Framing {
        case length(Int)
        case chunks
    }

    /// Adds the head of a cached response.
    mutating func appendHead(
        _ cached: CachedResponse,
        _ completion: CachedResponse.Completion,
        _ option: ConnectionOption,
        now seconds: Int
    ) {
        bytes.append(addingCapacity: cached.headByteLimit(completion)) {
            cached.writeHead(completion, to: &$0)
        }
        endHead(option, now: seconds)
    }

    /// Adds a cached response whose body is small enough to be copied.
    mutating func append(
        _ cached: CachedResponse,
        _ completion: CachedResponse.Completion,
        isHead: Bool,
        isLast: Bool,
        now seconds: Int
    ) {
        let bodyByteCount = isHead ? 0 : cached.bodyByteCount
        guard !isLast else {
            appendHead(cached, completion, .close, now: seconds)
            if bodyByteCount > 0 { appendBody(cached) }
            return
        }
        date.refresh(seconds)
        let limit = cached.headByteLimit(completion) + date.lastLine.count + bodyByteCount
        // Taken out for a moment: the date would be copied otherwise.
        var own: [UInt8] = []
        swap(&own, &bytes)
        defer { swap(&own, &bytes) }
        own.append(addingCapacity: limit) { output in
            cached.writeHead(completion, to: &output)
            output.append(bytesOf: date.lastLine)
            if bodyByteCount > 0 { cached.writeBody(to: &output) }
        }
    }

    /// Adds the body of a cached response, which is small enough to be copied.
    mutating func appendBody(_ cached: CachedResponse) {
        bytes.append(addingCapacity: cached.bodyByteCount) { cached.writeBody(to: &$0) }
    }

    /// Leaves the output of the connection that is being served, or sends as much of it as the
    /// socket takes.
    ///
    mutating func leaveOrSend(
        for connection: ConnectionID,
        on transport: borrowing Transport
    ) -> Departure {
        if takesLeftOutput {
            left.append(LeftOutput.Part(connection: connection, range: start..<bytes.count))
            start = bytes.count
            return .left(isFull: start >= WriteBuffer.leftByteLimit)
        }
        let result = bytes.withUnsafeBytes {
            transport.send(UnsafeRawBufferPointer(rebasing: $0[start...]))
        }
        guard case .bytes(let count) = result else { return .blocked }
        if count == byteCount {
            removeAll()
            return .sent(byteCount: count)
        }
        bytes.removeSubrange(start..<(start + count))
        return .blocked
    }

    /// What has become of output.
    enum Departure {
        /// It waits, with that of others, which are not to leave more if it is full.
        case left(isFull: Bool)
        case sent(byteCount: Int)
        /// The socket did not take all of it; the rest is there.
        case blocked
    }

    /// Sends as much as the socket takes of it, with one call, and of a part of what comes next.
    ///
    /// - Parameters:
    ///   - next: What comes next.
    ///   - nextStart: Where in that the part begins.
    func send(with next: [UInt8], from nextStart: Int, on transport: borrowing Transport)
        -> Transfer
    {
        bytes.withUnsafeBytes { bytes in
            let first = UnsafeRawBufferPointer(rebasing: bytes[start...])
            if next.isEmpty { return transport.send(first) }
            return next.withUnsafeBytes { next in
                let part = next[nextStart...].prefix(PendingWrites.turnByteCount)
                return transport.send(first, UnsafeRawBufferPointer(rebasing: part))
            }
        }
    }

    /// Adds a chunk of two pieces that are small enough to be copied (RFC 9112 §7.1).
    mutating func appendChunk(_ first: [UInt8], _ second: [UInt8]) {
        beginChunk(byteCount: first.count + second.count)
        bytes.append(bytesOf: first)
        bytes.append(bytesOf: second)
        endChunk()
    }

    /// Adds what stands before a chunk's bytes (RFC 9112 §7.1).
    mutating func beginChunk(byteCount: Int) {
        bytes.append(hexadecimal: byteCount)
        appendLineEnd()
    }

    /// Adds what stands after a chunk's bytes.
    mutating func endChunk() {
        appendLineEnd()
    }

    private mutating func appendLineEnd() {
        bytes.append(UInt8(ascii: "\r"))
        bytes.append(UInt8(ascii: "\n"))
    }

    mutating func appendLastChunk() {
        bytes += WriteBuffer.lastChunk
    }

    /// Tells the client to go on and send the body (RFC 9110 §15.2.1).
    mutating func appendContinue() {
        bytes += WriteBuffer.continueAnswer
    }

    private mutating func endHead(_ option: ConnectionOption, now seconds: Int) {
        date.refresh(seconds)
        if case .none = option { return bytes.append(bytesOf: date.lastLine) }
        bytes += date.lastLine.dropLast(2)
        bytes +=
            option == .close ? WriteBuffer.connectionClose : WriteBuffer.connectionKeepAlive
        appendLineEnd()
    }

    private static let contentLength = Array("Content-Length: ".utf8)
    private static let chunkedCoding = Array("Transfer-Encoding: chunked\r\n".utf8)
    private static let connectionClose = Array("Connection: close\r\n".utf8)
    private static let connectionKeepAlive = Array("Connection: keep-alive\r\n".utf8)
    private static let lastChunk = Array("0\r\n\r\n".utf8)
    private static let continueAnswer = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
}

/// Output that is left, to be sent with that of others.
extension WriteBuffer {
    /// Takes out what was left; ``putBack(_:)`` keeps its storage for what comes next.
    ///
    /// - Returns: `nil` if nothing was.
    mutating func takeLeft() -> LeftOutput? {
        guard !left.isEmpty else { return nil }
        let own = isEmpty ? [] : Array(bytes[start...])
        defer { (bytes, left, start) = (own, [], 0) }
        return LeftOutput(bytes: bytes, parts: left)
    }

    mutating func putBack(_ taken: consuming LeftOutput) {
        taken.parts.removeAll(keepingCapacity: true)
        left = taken.parts
        taken.bytes.removeAll(keepingCapacity: true)
        taken.bytes.append(bytesOf: bytes)
        bytes = taken.bytes
    }
}

/// Output that connections have left to be sent.
struct LeftOutput {
    struct Part {
        let connection: ConnectionID
        /// Where among the bytes it is.
        let range: Range<Int>
    }

    fileprivate(set) var bytes: [UInt8]
    fileprivate(set) var parts: [Part]
}
