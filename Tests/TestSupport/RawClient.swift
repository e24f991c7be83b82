import Glibc

/// A connection of a test: sends bytes as they are, and reads answers strictly.
///
/// Calls block, for at most 60 seconds.
package final class RawClient {
    /// What went wrong on the connection.
    package enum Failure: Error {
        case cannotConnect(errno: CInt)
        case sendFailed(errno: CInt)
        /// The server ended the connection in the middle of an answer.
        case ended(after: [UInt8])
        /// Nothing came for 60 seconds.
        case timedOut(after: [UInt8])
        case malformed(String)
        /// With the words of OpenSSL.
        case tls(String)
    }

    /// TLS; `nil`: bytes travel bare.
    package private(set) var tls: TLSPeer?

    private let descriptor: CInt
    private var buffer: [UInt8] = []

    /// Connects to a port of this machine.
    ///
    /// - Parameters:
    ///   - port: Of 127.0.0.1.
    ///   - receiveByteCount: The socket's receive buffer, to be a slow reader.
    ///   - sendByteCount: The socket's send buffer, to send much to one who reads late.
    ///   - preamble: What is sent before TLS.
    ///   - tls: What to ask for of TLS.
    /// - Throws: ``Failure/cannotConnect(errno:)``, ``Failure/tls(_:)``.
    package init(
        port: Int,
        receiveByteCount: Int? = nil,
        sendByteCount: Int? = nil,
        preamble: [UInt8] = [],
        tls: TLSPeer.Options? = nil
    ) throws {
        descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var time = timeval(tv_sec: 60, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        var noDelay: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &noDelay, 4)
        if var bytes = receiveByteCount.map(CInt.init) {
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, 4)
        }
        if var bytes = sendByteCount.map(CInt.init) {
            setsockopt(descriptor, SOL_SOCKET, SO_SNDBUF, &bytes, 4)
        }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        let result = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        if result != 0 { throw Failure.cannotConnect(errno: errno) }
        try sendBare(preamble)
        if let tls { try begin(tls) }
    }

    deinit { close(descriptor) }

    /// Sends all of `text`.
    package func send(_ text: String) throws {
        try send(Array(text.utf8))
    }

    /// Sends all of `bytes`.
    package func send(_ bytes: [UInt8]) throws {
        guard let tls else {
            try sendBare(bytes)
            return
        }
        try tls.write(bytes)
        try sendOutput(of: tls)
    }

    /// Sends what TLS has made so far.
    package func sendOutput(of tls: TLSPeer) throws {
        try sendBare(tls.takeOutput())
    }

    private func begin(_ options: TLSPeer.Options) throws {
        let peer = TLSPeer(options)
        while true {
            let isOver = try peer.shakeHands()
            let output = peer.takeOutput()
            if let limit = options.helloByteLimit {
                try sendBare(Array(output.prefix(limit)))
                return
            }
            if options.isSentByByte {
                for byte in output { try sendBare([byte]) }
            } else {
                try sendBare(output)
            }
            if isOver { break }
            let input = try receiveBare()
            if input.isEmpty { throw Failure.tls("ended") }
            peer.feed(input)
        }
        tls = peer
    }

    /// Sends bytes as they are.
    package func sendBare(_ bytes: [UInt8]) throws {
        var offset = 0
        while offset < bytes.count {
            let sent = bytes[offset...].withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
            }
            if sent < 0 { throw Failure.sendFailed(errno: errno) }
            offset += sent
        }
    }

    /// Says that nothing more will be sent.
    package func endSending() {
        shutdown(descriptor, 1)
    }

    /// Resets the connection rather than closing it.
    package func reset() {
        var linger = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<linger>.size))
        shutdown(descriptor, 2)
    }

    /// Waits until the server has closed its end, or reset it, whatever is there to be read before.
    ///
    /// - Returns: Whether that has come within 60 seconds.
    package func waitForEnd() -> Bool {
        // POLLRDHUP (poll(2)), which Glibc's module leaves out.
        var event = pollfd(fd: descriptor, events: 0x2000, revents: 0)
        return poll(&event, 1, 20_000) == 1
    }

    /// Reads one answer; its content by Content-Length, chunks, or to the end of the connection.
    ///
    /// - Parameter isHead: Whether the request's method was HEAD: there is no content.
    /// - Returns: The answer, whole.
    /// - Throws: ``Failure``.
    package func receive(isHead: Bool = false) throws -> RawResponse {
        let head = try readHead()
        var response = try RawResponse(head: head)
        if isHead || response.status / 100 == 1 || [204, 304].contains(response.status) {
            return response
        }
        if response.values("transfer-encoding") == ["chunked"] {
            response.body = try readChunks()
        } else if let length = response.values("content-length").first {
            guard let count = Int(length) else { throw Failure.malformed("length \(length)") }
            response.body = try read(count)
        } else {
            response.body = try readToEnd()
        }
        return response
    }

    /// Whether the server has ended the connection, with nothing more sent before.
    package func isEnded() throws -> Bool {
        if !buffer.isEmpty { return false }
        do {
            return try !fill()
        } catch Failure.sendFailed {
            return true
        }
    }

    /// All that comes until the server ends the connection.
    package func readToEnd() throws -> [UInt8] {
        while try fill() {}
        defer { buffer = [] }
        return buffer
    }

    /// What has come, or comes next; `nil` where the server ends the connection.
    package func readSome() throws -> [UInt8]? {
        if buffer.isEmpty, try !fill() { return nil }
        defer { buffer = [] }
        return buffer
    }

    /// All bytes up to the end of the first `text` that comes.
    ///
    /// - Throws: ``Failure`` when the server ends the connection before.
    @discardableResult
    package func read(through text: String) throws -> String {
        let mark = Array(text.utf8)
        var searched = 0
        while true {
            if let start = buffer.firstIndex(of: mark, from: searched) {
                return String(decoding: try read(start + mark.count), as: UTF8.self)
            }
            searched = max(0, buffer.count - mark.count)
            guard try fill() else { throw Failure.ended(after: buffer) }
        }
    }

    /// Exactly `count` bytes.
    package func read(_ count: Int) throws -> [UInt8] {
        while buffer.count < count {
            if try !fill() { throw Failure.ended(after: buffer) }
        }
        defer { buffer.removeFirst(count) }
        return Array(buffer[..<count])
    }

    /// A head, without its last empty line.
    package func readHead() throws -> [UInt8] {
        try readLine(upTo: Array("\r\n\r\n".utf8))
    }

    private func readChunks() throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            let line = String(decoding: try readLine(upTo: [13, 10]), as: UTF8.self)
            guard let count = Int(line, radix: 16) else { throw Failure.malformed("chunk \(line)") }
            body += try read(count)
            guard try read(2) == [13, 10] else {
                throw Failure.malformed("no line end after a chunk")
            }
            if count == 0 { return body }
        }
    }

    /// The bytes before `end`, which is taken too.
    private func readLine(upTo end: [UInt8]) throws -> [UInt8] {
        var searched = 0
        while true {
            if let index = buffer.firstIndex(of: end, from: searched) {
                defer { buffer.removeFirst(index + end.count) }
                return Array(buffer[..<index])
            }
            searched = max(0, buffer.count - end.count)
            if try !fill() { throw Failure.ended(after: buffer) }
        }
    }

    /// - Returns: `false` at the end of the connection.
    private func fill() throws -> Bool {
        while let tls {
            guard let content = try tls.read() else { return false }
            if !content.isEmpty {
                buffer += content
                return true
            }
            let input = try receiveBare()
            if input.isEmpty { return false }
            tls.feed(input)
        }
        let part = try receiveBare()
        buffer += part
        return !part.isEmpty
    }

    /// - Returns: Nothing at the end of the connection.
    private func receiveBare() throws -> [UInt8] {
        while true {
            var failure: CInt?
            let part = [UInt8](unsafeUninitializedCapacity: 64 << 10) { part, filled in
                let count = recv(descriptor, part.baseAddress, part.count, 0)
                filled = max(0, count)
                if count < 0 { failure = errno }
            }
            switch failure {
            case nil: return part
            case EINTR: continue
            case EAGAIN: throw Failure.timedOut(after: buffer)
            case .some(let failure): throw Failure.sendFailed(errno: failure)
            }
        }
    }
}

extension [UInt8] {
    fileprivate func firstIndex(of pattern: [UInt8], from start: Int) -> Int? {
        guard count >= pattern.count, start <= count - pattern.count else { return nil }
        var index = start
        while index <= count - pattern.count {
            var equal = 0
            while equal < pattern.count, self[index + equal] == pattern[equal] { equal += 1 }
            if equal == pattern.count { return index }
            index += 1
        }
        return nil
    }
}
