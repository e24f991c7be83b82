import HTTPTypes
import HTTPWire

/// An event loop's buffer of output: the deferred output of some connections, then the output of
/// the connection that is being served.
///
/// The loop has the buffer behind a pointer: Swift would check every access to a property of an
/// object for exclusivity.
struct WriteBuffer {
    private var bytes: [UInt8] = []
    /// The index in `bytes` at which the output of the current connection begins, behind all
    /// deferred output.
    private var start = 0
    /// The ranges of the deferred output by connection, in the order in which they were deferred.
    private var deferred: [DeferredOutput.Part] = []
    /// Whether connections may defer their output, to be sent together.
    var defersOutput = false

    private var date = DateLine()

    /// The value of the Connection field in the head of a response (RFC 9112 §9.3).
    enum ConnectionOption {
        case none
        case close
        /// `keep-alive`, for an HTTP/1.0 client that asked for it.
        case keepAlive
    }

    /// The length in bytes from which a body is sent from its own storage, not copied to the
    /// buffer.
    static let copyByteLimit = 16 << 10

    /// The number of bytes of deferred output at which all of it is sent.
    private static let deferredByteLimit = 64 << 10

    /// Whether the current connection has no output in the buffer.
    var isEmpty: Bool { bytes.count == start }
    /// The number of bytes of output of the current connection.
    var byteCount: Int { bytes.count - start }

    /// Returns a copy of the current connection's output from an offset on.
    func copy(from offset: Int) -> [UInt8] { Array(bytes[(start + offset)...]) }

    /// Removes the output of the current connection.
    mutating func removeAll() {
        if start == 0 {
            bytes.removeAll(keepingCapacity: true)
        } else {
            bytes.removeLast(bytes.count - start)
        }
    }

    /// Appends bytes to the output of the current connection.
    mutating func append(_ content: some Collection<UInt8>) {
        bytes += content
    }
}

extension WriteBuffer {
    /// Appends the head of a response without a payload.
    ///
    /// - Parameters:
    ///   - framing: The means by which the client finds the end of the content; `nil`: the head has
    ///     no field for it.
    ///   - seconds: The time for the Date field, in seconds since 1970.
    mutating func appendHead(
        _ response: Response,
        framing: Framing?,
        _ option: ConnectionOption,
        now seconds: Int
    ) {
        date.refresh(seconds)
        ResponseHeadEncoder.append(status: response.status, fields: response.fields, to: &bytes)
        switch framing {
        case .length(let count):
            bytes += WriteBuffer.contentLength
            bytes.append(decimal: count)
            bytes.append(copying: WriteBuffer.lineEnd.span)
        case .chunks: bytes += WriteBuffer.chunkedCoding
        case nil: break
        }
        endHead(option)
    }

    /// The means by which the client finds the end of the content (RFC 9112 §6.3).
    enum Framing {
        case length(Int)
        case chunks
    }

    /// Appends a payload's head, and its body if it is short enough to be copied.
    mutating func append(
        _ payload: Payload,
        _ own: Response.OwnFields,
        _ option: ConnectionOption,
        withBody hasBody: Bool,
        now seconds: Int
    ) {
        date.refresh(seconds)
        let lastLine = date.lastLine
        let bodyByteCount = hasBody ? payload.bodyByteCount : 0
        let limit = payload.headByteLimit(own) + lastLine.count + bodyByteCount
        guard option == .none else {
            bytes.append(addingCapacity: limit) { payload.writeHead(own, to: &$0) }
            endHead(option)
            if hasBody { bytes.append(addingCapacity: limit) { payload.writeBody(to: &$0) } }
            return
        }
        bytes.append(addingCapacity: limit) { output in
            payload.writeHead(own, to: &output)
            output.append(copying: lastLine.span)
            if hasBody { payload.writeBody(to: &output) }
        }
    }

    /// Defers the output of the current connection, and returns whether the buffer is full, so that
    /// all deferred output should be sent.
    mutating func deferOutput(of connection: ConnectionID) -> Bool {
        deferred.append(DeferredOutput.Part(connection: connection, range: start..<bytes.count))
        start = bytes.count
        return start >= WriteBuffer.deferredByteLimit
    }

    /// Sends the current connection's output and the bytes of `next` from `nextStart` on with one
    /// call, as far as the socket takes them.
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

    /// Appends the chunk-size line (RFC 9112 §7.1).
    mutating func beginChunk(byteCount: Int) {
        bytes += String(byteCount, radix: 16).utf8
        bytes.append(copying: WriteBuffer.lineEnd.span)
    }

    /// Appends the line end that follows the bytes of a chunk.
    mutating func endChunk() {
        append(WriteBuffer.lineEnd)
    }

    /// Appends the last chunk, which ends the content (RFC 9112 §7.1).
    mutating func appendLastChunk() {
        append(WriteBuffer.lastChunk)
    }

    /// Appends `100 Continue`, which asks the client for the body (RFC 9110 §15.2.1).
    mutating func appendContinue() {
        append(WriteBuffer.continueAnswer)
    }

    /// Appends the end of a head: Date as it was last refreshed, Connection, and the empty line.
    private mutating func endHead(_ option: ConnectionOption) {
        guard option != .none else {
            bytes += date.lastLine
            return
        }
        bytes += date.lastLine.dropLast(2)
        bytes +=
            option == .close ? WriteBuffer.connectionClose : WriteBuffer.connectionKeepAlive
        bytes.append(copying: WriteBuffer.lineEnd.span)
    }

    private static let lineEnd = Array("\r\n".utf8)
    private static let contentLength = Array("Content-Length: ".utf8)
    private static let chunkedCoding = Array("Transfer-Encoding: chunked\r\n".utf8)
    private static let connectionClose = Array("Connection: close\r\n".utf8)
    private static let connectionKeepAlive = Array("Connection: keep-alive\r\n".utf8)
    private static let lastChunk = Array("0\r\n\r\n".utf8)
    private static let continueAnswer = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
}

/// Takes out deferred output: the outputs of several connections, which are sent one after another
/// later in the loop's round.
extension WriteBuffer {
    /// Takes out the deferred output; ``putBack(_:)`` returns its storage for later use.
    fileprivate mutating func takeDeferred() -> DeferredOutput? {
        guard !deferred.isEmpty else { return nil }
        let own = isEmpty ? [] : Array(bytes[start...])
        defer { (bytes, deferred, start) = (own, [], 0) }
        return DeferredOutput(bytes: bytes, parts: deferred)
    }

    /// Takes back the storage of deferred output that was sent.
    fileprivate mutating func putBack(_ taken: consuming DeferredOutput) {
        taken.parts.removeAll(keepingCapacity: true)
        deferred = taken.parts
        taken.bytes.removeAll(keepingCapacity: true)
        taken.bytes.append(copying: bytes.span)
        bytes = taken.bytes
    }
}

/// Deferred output that was taken out of the buffer to be sent.
private struct DeferredOutput {
    /// The output of one connection.
    struct Part {
        let connection: ConnectionID
        /// The range of the connection's output in `bytes`.
        let range: Range<Int>
    }

    var bytes: [UInt8]
    var parts: [Part]
}

/// Defers output, and sends it.
extension EventLoop {
    /// Defers the output of connections while `serve` runs, then sends it.
    func batchOutput(of serve: () -> Void) {
        writeBuffer.pointee.defersOutput = true
        serve()
        writeBuffer.pointee.defersOutput = false
        sendDeferredOutput()
    }

    /// Sends the deferred output of all connections.
    func sendDeferredOutput() {
        guard let deferred = writeBuffer.pointee.takeDeferred() else { return }
        for part in deferred.parts {
            connection(part.connection)?.sendDeferredOutput(deferred.bytes, part.range)
        }
        writeBuffer.pointee.putBack(deferred)
    }
}

/// The Date field as bytes, written anew each second (RFC 9110 §6.6.1).
struct DateLine {
    private var seconds = -1
    /// The Date line as the last line of a head, with the empty line that ends the head.
    private(set) var lastLine: [UInt8] = []

    /// Writes the line for a time, in seconds since 1970, unless it is already the one of that
    /// second.
    mutating func refresh(_ now: Int) {
        guard now != seconds else { return }
        seconds = now
        lastLine = Array("Date: ".utf8) + HTTPDate.format(now) + Array("\r\n\r\n".utf8)
    }
}
