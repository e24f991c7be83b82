import HTTPTypes
import HTTPWire

/// Answers on their way to one connection's socket, of one turn of an event loop.
struct WriteBuffer {
    private(set) var bytes: [UInt8] = []
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

    var isEmpty: Bool { bytes.isEmpty }
    var byteCount: Int { bytes.count }

    mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
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
            bytes += WriteBuffer.lineEnd
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
        bytes += cached.head
        bytes.append(completion, openField: cached.openField)
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
        bytes.append(bytesOf: cached.head)
        bytes.append(completion, openField: cached.openField)
        endHead(isLast ? .close : .none, now: seconds)
        if !isHead, !cached.body.isEmpty { bytes.append(bytesOf: cached.body) }
    }

    /// Sends as much as the socket takes.
    ///
    /// - Returns: Whether that was all; what is left is in it as before.
    mutating func send(on transport: borrowing Transport) -> Bool {
        let result = bytes.withUnsafeBytes { transport.send($0) }
        guard case .bytes(let count) = result else { return false }
        if count == bytes.count {
            removeAll()
            return true
        }
        bytes.removeFirst(count)
        return false
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
        if case .none = option { return date.appendAsLast(to: &bytes, seconds: seconds) }
        date.append(to: &bytes, seconds: seconds)
        bytes +=
            option == .close ? WriteBuffer.connectionClose : WriteBuffer.connectionKeepAlive
        bytes += WriteBuffer.lineEnd
    }

    private static let contentLength = Array("Content-Length: ".utf8)
    private static let chunkedCoding = Array("Transfer-Encoding: chunked\r\n".utf8)
    private static let connectionClose = Array("Connection: close\r\n".utf8)
    private static let connectionKeepAlive = Array("Connection: keep-alive\r\n".utf8)
    private static let lineEnd = Array("\r\n".utf8)
    private static let lastChunk = Array("0\r\n\r\n".utf8)
    private static let continueAnswer = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
}
