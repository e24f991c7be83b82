import HTTPTypes
import HTTPWire

/// Output on its way to sockets, collected in one turn of an event loop.
///
/// The buffer holds the output that other connections have deferred, then the output of the
/// connection that is being served.
///
/// Its arrays are taken out to be changed, so that no function is called within an access to a
/// property: Swift would then check every access to it for exclusivity at run time.
final class WriteBuffer {
    private var bytes: [UInt8] = []
    /// The index in `bytes` where the current connection's output begins, behind all deferred
    /// output.
    private var start = 0
    /// The parts of the deferred output, in the order in which they were added.
    private var left: [LeftOutput.Part] = []
    /// Whether the output of a connection may be deferred, to be sent with that of other
    /// connections.
    var takesLeftOutput = false

    private let date = DateLine()

    /// The value of the Connection field in an answer's head (RFC 9112 §9.3).
    enum ConnectionOption {
        case none
        case close
        /// `keep-alive`, for a client of HTTP/1.0 that asked for it.
        case keepAlive
    }

    /// The length in bytes from which a body is sent from its own storage instead of being copied.
    static let copyByteLimit = 16 << 10

    /// The number of bytes at which the deferred output counts as full.
    private static let leftByteLimit = 64 << 10

    /// Whether the connection that is being served has no output in the buffer.
    var isEmpty: Bool { bytes.count == start }
    /// The number of bytes that the connection being served has in the buffer.
    var byteCount: Int { bytes.count - start }

    /// Returns a copy of the connection's output from an offset on.
    func copy(from offset: Int) -> [UInt8] { Array(bytes[(start + offset)...]) }

    /// Removes the output of the connection that is being served.
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
    /// Adds a head that is made for this answer alone.
    ///
    /// - Parameters:
    ///   - response: The answer with the status and the fields.
    ///   - framing: The line that says where the content ends; `nil` for an answer without content.
    ///   - option: The value of the Connection field.
    ///   - seconds: The time for the Date field, in seconds since 1970.
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

    /// The way in which a client finds the end of the content.
    enum Framing {
        case length(Int)
        case chunks
    }

    /// Adds a response that was made for many, with its body if that is small enough to be copied.
    func append(
        _ payload: Payload,
        _ own: Response.OwnFields,
        _ option: ConnectionOption,
        withBody hasBody: Bool,
        now seconds: Int
    ) {
        date.refresh(seconds)
        let bodyByteCount = hasBody ? payload.bodyByteCount : 0
        let limit = payload.headByteLimit(own) + date.lastLine.count + bodyByteCount
        change { bytes in
            guard option == .none else {
                bytes.append(addingCapacity: limit) { payload.writeHead(own, to: &$0) }
                endHead(option, &bytes)
                if hasBody { bytes.append(addingCapacity: limit) { payload.writeBody(to: &$0) } }
                return
            }
            bytes.append(addingCapacity: limit) { output in
                payload.writeHead(own, to: &output)
                output.append(bytesOf: date.lastLine)
                if hasBody { payload.writeBody(to: &output) }
            }
        }
    }

    /// Defers the output of the connection that is being served, or sends as much of it as the
    /// socket takes.
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

    /// The result of an attempt to defer or send output.
    enum Departure {
        /// The output is deferred; if the buffer is full, other connections must not defer more.
        case left(isFull: Bool)
        case sent(byteCount: Int)
        /// The socket did not take all output; the rest is still in the buffer.
        case blocked
    }

    /// Sends the connection's output and a part of the bytes that follow it, with one call, as far
    /// as the socket takes them.
    ///
    /// - Parameters:
    ///   - next: The bytes that follow the output.
    ///   - nextStart: The index in `next` at which to begin.
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

    /// Adds a chunk made of two pieces, which must be small enough to be copied (RFC 9112 §7.1).
    func appendChunk(_ first: [UInt8], _ second: [UInt8]) {
        change { bytes in
            bytes.append(hexadecimal: first.count + second.count)
            bytes.append(bytesOf: WriteBuffer.lineEnd)
            bytes.append(bytesOf: first)
            bytes.append(bytesOf: second)
            bytes.append(bytesOf: WriteBuffer.lineEnd)
        }
    }

    /// Adds a cached chunk, which must be small enough to be copied.
    func appendChunk(_ cached: Payload) {
        change { bytes in
            bytes.append(addingCapacity: cached.chunkByteCount) { cached.writeChunk(to: &$0) }
        }
    }

    /// Adds the line that stands before a chunk's bytes (RFC 9112 §7.1).
    func beginChunk(byteCount: Int) {
        change { bytes in
            bytes.append(hexadecimal: byteCount)
            bytes.append(bytesOf: WriteBuffer.lineEnd)
        }
    }

    /// Adds the line end that stands after a chunk's bytes.
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

    /// Ends a head with the Date field as it was last refreshed.
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

/// Deferred output, which is sent together with that of other connections.
extension WriteBuffer {
    /// Takes out the deferred output; ``putBack(_:)`` returns its storage for later use.
    ///
    /// - Returns: `nil` if no output was deferred.
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

/// Output that connections have deferred, to be sent later in the loop's turn.
struct LeftOutput {
    struct Part {
        let connection: ConnectionID
        /// The bytes of this part.
        let range: Range<Int>
    }

    fileprivate(set) var bytes: [UInt8]
    fileprivate(set) var parts: [Part]
}

/// The Date field, written once a second (RFC 9110 §6.6.1).
final class DateLine {
    private var seconds = -1
    /// The Date line as the last line of a head, followed by the empty line that ends the head.
    private(set) var lastLine: [UInt8] = []

    /// Makes the line for a time, in seconds since 1970.
    func refresh(_ now: Int) {
        guard now != seconds else { return }
        seconds = now
        lastLine = Array("Date: ".utf8) + HTTPDate.format(now) + Array("\r\n\r\n".utf8)
    }
}
