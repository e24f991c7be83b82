import HTTPTypes
import HTTPWire

/// Output on its way to sockets, of one turn of an event loop: that of the connection which is
/// being served, behind what others have left to be sent.
///
/// Its arrays are taken out to be changed, so that nothing is called within an access to a
/// property: that would cost every access to it a check for exclusivity at run time.
final class WriteBuffer {
    private var bytes: [UInt8] = []
    /// Where in them that begins which nobody has left.
    private var start = 0
    /// What was left, in its order.
    private var left: [LeftOutput.Part] = []
    /// Whether output may be left.
    var takesLeftOutput = false

    private let date = DateLine()

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
    func removeAll() {
        let start = start
        change { bytes in
            if start == 0 {
                bytes.removeAll(keepingCapacity: true)
            } else {
                bytes.removeLast(bytes.count - start)
            }
        }
    }

    func append(_ content: some Collection<UInt8>) {
        change { $0 += content }
    }

    private func change(_ change: (inout [UInt8]) -> Void) {
        var bytes: [UInt8] = []
        swap(&bytes, &self.bytes)
        change(&bytes)
        swap(&bytes, &self.bytes)
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
    func appendHead(
        _ response: Response,
        framing: Framing?,
        _ option: ConnectionOption,
        now seconds: Int
    ) {
        date.refresh(seconds)
        change { bytes in
            ResponseHeadEncoder.append(status: response.status, fields: response.fields, to: &bytes)
            switch framing {
            case .length(let count):
                bytes += WriteBuffer.contentLength
                bytes.append(decimal: count)
                bytes.append(bytesOf: WriteBuffer.lineEnd)
            case .chunks: bytes += WriteBuffer.chunkedCoding
            case nil: break
            }
            endHead(option, &bytes)
        }
    }

    /// How the content's end is found.
    enum Framing {
        case length(Int)
        case chunks
    }

    /// Adds the head of a cached response.
    func appendHead(
        _ cached: CachedResponse,
        _ perRequest: CachedResponse.PerRequestFields,
        _ option: ConnectionOption,
        now seconds: Int
    ) {
        date.refresh(seconds)
        change { bytes in
            bytes.append(addingCapacity: cached.headByteLimit(perRequest)) {
                cached.writeHead(perRequest, to: &$0)
            }
            endHead(option, &bytes)
        }
    }

    /// Adds a cached response whose body is small enough to be copied.
    func append(
        _ cached: CachedResponse,
        _ perRequest: CachedResponse.PerRequestFields,
        isHead: Bool,
        isLast: Bool,
        now seconds: Int
    ) {
        let bodyByteCount = isHead ? 0 : cached.bodyByteCount
        guard !isLast else {
            appendHead(cached, perRequest, .close, now: seconds)
            if bodyByteCount > 0 { appendBody(cached) }
            return
        }
        date.refresh(seconds)
        let limit = cached.headByteLimit(perRequest) + date.lastLine.count + bodyByteCount
        change { bytes in
            bytes.append(addingCapacity: limit) { output in
                cached.writeHead(perRequest, to: &output)
                output.append(bytesOf: date.lastLine)
                if bodyByteCount > 0 { cached.writeBody(to: &output) }
            }
        }
    }

    /// Adds the body of a cached response, which is small enough to be copied.
    func appendBody(_ cached: CachedResponse) {
        change { bytes in
            bytes.append(addingCapacity: cached.bodyByteCount) { cached.writeBody(to: &$0) }
        }
    }

    /// Leaves the output of the connection that is being served, or sends as much of it as the
    /// socket takes.
    ///
    func leaveOrSend(
        for connection: ConnectionID,
        on transport: borrowing Transport
    ) -> Departure {
        if takesLeftOutput {
            let part = LeftOutput.Part(connection: connection, range: start..<bytes.count)
            var left: [LeftOutput.Part] = []
            swap(&left, &self.left)
            left.append(part)
            swap(&left, &self.left)
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
        let sent = start..<(start + count)
        change { $0.removeSubrange(sent) }
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
    func appendChunk(_ first: [UInt8], _ second: [UInt8]) {
        change { bytes in
            bytes.append(hexadecimal: first.count + second.count)
            bytes.append(bytesOf: WriteBuffer.lineEnd)
            bytes.append(bytesOf: first)
            bytes.append(bytesOf: second)
            bytes.append(bytesOf: WriteBuffer.lineEnd)
        }
    }

    /// Adds a chunk that is kept, small enough to be copied.
    func appendChunk(_ cached: CachedResponse) {
        change { bytes in
            bytes.append(addingCapacity: cached.chunkByteCount) { cached.writeChunk(to: &$0) }
        }
    }

    /// Adds what stands before a chunk's bytes (RFC 9112 §7.1).
    func beginChunk(byteCount: Int) {
        change { bytes in
            bytes.append(hexadecimal: byteCount)
            bytes.append(bytesOf: WriteBuffer.lineEnd)
        }
    }

    /// Adds what stands after a chunk's bytes.
    func endChunk() {
        append(WriteBuffer.lineEnd)
    }

    func appendLastChunk() {
        append(WriteBuffer.lastChunk)
    }

    /// Tells the client to go on and send the body (RFC 9110 §15.2.1).
    func appendContinue() {
        append(WriteBuffer.continueAnswer)
    }

    /// Ends a head, with the date as of its last refreshing.
    private func endHead(_ option: ConnectionOption, _ bytes: inout [UInt8]) {
        if case .none = option { return bytes.append(bytesOf: date.lastLine) }
        bytes += date.lastLine.dropLast(2)
        bytes +=
            option == .close ? WriteBuffer.connectionClose : WriteBuffer.connectionKeepAlive
        bytes.append(bytesOf: WriteBuffer.lineEnd)
    }

    private static let lineEnd = Array("\r\n".utf8)
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
    func takeLeft() -> LeftOutput? {
        guard !left.isEmpty else { return nil }
        let own = isEmpty ? [] : Array(bytes[start...])
        defer { (bytes, left, start) = (own, [], 0) }
        return LeftOutput(bytes: bytes, parts: left)
    }

    func putBack(_ taken: consuming LeftOutput) {
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
