import CLinux
import Glibc

/// How a connection's bytes travel, bare or by TLS: all that it receives and sends goes through
/// here.
struct Transport: ~Copyable {
    /// The socket, non-blocking.
    private let descriptor: Descriptor

    /// `nil`: bytes travel bare.
    private let session: TLSSession?

    /// Bytes that encrypting may send at a time, before others have their turn.
    static let turnByteLimit = 256 << 10

    init(_ descriptor: consuming Descriptor, _ tls: TLSServer? = nil) {
        session = tls?.makeSession(on: descriptor.rawValue)
        self.descriptor = descriptor
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        if let session, !session.isPlain { return session.receive(into: buffer) }
        return System.receive(descriptor.rawValue, into: buffer)
    }

    func send(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        if let session, !session.isPlain {
            let part = buffer.prefix(Transport.turnByteLimit)
            return session.send(UnsafeRawBufferPointer(rebasing: part))
        }
        return System.send(descriptor.rawValue, buffer)
    }

    /// Sends two buffers, with one call if they are not encrypted.
    func send(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Transfer {
        guard let session, !session.isPlain else {
            return System.send(descriptor.rawValue, first, second)
        }
        let result = send(first)
        guard result == .bytes(first.count) else { return result }
        switch send(second) {
        case .bytes(let count): return .bytes(first.count + count)
        case .blocked: return result
        case .failed(let code): return .failed(code)
        }
    }

    /// Sends a part of a file.
    func send(_ file: OpenFile, _ range: Range<Int>) -> Transfer {
        if let session, !session.isPlain {
            return session.send(file, range.prefix(Transport.turnByteLimit))
        }
        return System.send(descriptor.rawValue, file: file.descriptor.rawValue, range: range)
    }

    /// Tells the peer that nothing more will be sent.
    func endOutput() {
        session?.sendCloseNotify()
        shutdown(descriptor.rawValue, CInt(SHUT_WR))
    }

    /// Has what the peer did not take dropped with the socket, which resets the connection:
    /// otherwise the system would keep those bytes for as long as the peer answers its probes.
    func giveUpOutput() {
        System.dropOutputOnClose(of: descriptor.rawValue)
    }
}

/// What comes before TLS.
extension Transport {
    /// Takes what has arrived of a proxy's header, and nothing behind it.
    ///
    /// - Returns: `nil` when it is malformed.
    func receive(proxyHeaderInto header: inout ProxyHeader) -> Transfer? {
        withUnsafeTemporaryAllocation(byteCount: 512, alignment: 1) { buffer in
            let peeked = System.receive(descriptor.rawValue, into: buffer, CInt(MSG_PEEK))
            guard case .bytes(let count) = peeked else { return peeked }
            let bytes = UnsafeMutableBufferPointer(
                rebasing: buffer.bindMemory(to: UInt8.self)[..<count]
            )
            guard let taken = try? header.take(bytes.span) else { return nil }
            return System.receive(
                descriptor.rawValue,
                into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<taken])
            )
        }
    }
}

/// What TLS adds.
extension Transport {
    /// Whether bytes are encrypted.
    var isSecure: Bool { session.map { !$0.isPlain } ?? false }

    /// Whether bytes have arrived that no event will tell of.
    var hasBufferedInput: Bool { session?.hasBufferedInput ?? false }

    /// Goes on with the handshake, which comes before all else.
    func shakeHands() -> TLSSession.Handshake { session?.shakeHands() ?? .done }

    /// Ends the session; the socket stays open.
    func endSession() { session?.sendCloseNotify() }

    /// What the socket must be ready for.
    func need(for interest: Poller.Interest) -> Poller.Interest {
        guard let session, !session.isPlain else { return interest }
        switch interest {
        case .input: return session.inputNeed
        case .output: return session.outputNeed
        default: return interest
        }
    }
}
