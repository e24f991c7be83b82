import CLinux
import Glibc
import Platform

/// A connection's socket, with or without TLS; all input and output goes through it.
struct Transport: ~Copyable {
    /// The socket, non-blocking.
    private let descriptor: Descriptor

    /// The TLS session; `nil`: the server does not use TLS.
    private let session: TLSSession?

    /// The TLS session; `nil`: bytes are not encrypted.
    private var encryption: TLSSession? { session.flatMap { $0.isPlain ? nil : $0 } }

    init(_ descriptor: consuming Descriptor, _ tls: TLSServer? = nil) {
        session = tls?.makeSession(on: descriptor.rawValue)
        self.descriptor = descriptor
    }

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        encryption?.receive(into: buffer) ?? System.receive(descriptor.rawValue, into: buffer)
    }

    /// Drops the bytes that wait in the socket; closing it with unread ones would reset the
    /// connection, and the peer could lose what was sent.
    func dropInput(by buffer: UnsafeMutableRawBufferPointer) {
        _ = System.receive(descriptor.rawValue, into: buffer)
    }

    func send(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        encryption?.send(buffer) ?? System.send(descriptor.rawValue, buffer)
    }

    /// Sends two buffers; with one call if they are not encrypted.
    func send(_ first: UnsafeRawBufferPointer, _ second: UnsafeRawBufferPointer) -> Transfer {
        guard isSecure else { return System.send(descriptor.rawValue, first, second) }
        let result = send(first)
        guard result == .bytes(first.count) else { return result }
        switch send(second) {
        case .bytes(let count): return .bytes(first.count + count)
        case .blocked: return result
        case .failed: return .failed
        }
    }

    /// Sends a part of a file.
    func send(_ file: OpenFile, _ range: Range<Int>) -> Transfer {
        encryption?.send(file, range)
            ?? System.send(descriptor.rawValue, file: file.descriptor.rawValue, range: range)
    }

    /// Half-closes the socket: the client learns that no more bytes follow.
    func endOutput() {
        session?.sendCloseNotify()
        shutdown(descriptor.rawValue, CInt(SHUT_WR))
    }

    /// Makes the closing of the socket drop unsent output and reset the connection.
    ///
    /// Otherwise the system would hold the unsent bytes for as long as the client answers the
    /// system's probes.
    func giveUpOutput() {
        System.dropOutputOnClose(of: descriptor.rawValue)
    }
}

/// Receives the header of the PROXY protocol, which precedes TLS.
extension Transport {
    /// Receives the bytes of the header that have arrived, and no bytes after it; `nil` if the
    /// header is malformed.
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

/// Runs the TLS session.
extension Transport {
    /// Whether bytes are encrypted.
    var isSecure: Bool { encryption != nil }

    /// Continues the handshake, which precedes all other input and output.
    func shakeHands() -> TLSSession.Handshake { session?.shakeHands() ?? .done }

    /// Ends the session; the socket stays open.
    func endSession() { session?.sendCloseNotify() }

    /// Returns the socket events to watch for; with TLS, sending may need input and the reverse.
    func need(for interest: Poller.Interest) -> Poller.Interest {
        switch interest {
        case .input: encryption?.inputNeed ?? interest
        case .output: encryption?.outputNeed ?? interest
        default: interest
        }
    }
}
