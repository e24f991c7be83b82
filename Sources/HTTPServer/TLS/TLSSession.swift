import CLinux
import COpenSSL
import Glibc
import Platform

/// The TLS session of one connection.
///
/// A session is used on its connection's event loop only. OpenSSL has a queue of errors for each
/// thread; it is cleared before each call, so that an error is not attributed to another
/// connection.
final class TLSSession {
    /// The state of a handshake after a step.
    enum Handshake {
        case done
        /// The handshake must wait until the socket is ready.
        case blocked
        /// The client sends HTTP without TLS.
        case plain
        case failed
    }

    /// The socket event to wait for before the next call that receives: TLS may have to send first.
    private(set) var inputNeed = Poller.Interest.input
    /// The socket event to wait for before the next call that sends: TLS may have to receive first.
    private(set) var outputNeed = Poller.Interest.output

    private let socket: CInt
    /// OpenSSL's object; `nil` once the client has turned out to use plain HTTP.
    private var ssl: OpaquePointer?
    /// Whether the first byte of the connection has arrived.
    private var hasBegun = false
    private var isEstablished = false
    /// Whether OpenSSL has failed; then nothing more may be sent, not even close_notify
    /// (SSL_get_error(3)).
    private var isBroken = false
    /// Whether the last call that sent must be repeated before anything else is sent
    /// (SSL_write(3)).
    private var isOutputPending = false

    init(_ context: TLSContext, socket: CInt) {
        self.socket = socket
        ERR_clear_error()
        ssl = context.makeSession(on: socket)
    }

    deinit { SSL_free(ssl) }

    /// Whether bytes are sent without TLS: a client that sent plain HTTP gets its error response in
    /// plain HTTP.
    var isPlain: Bool { ssl == nil }
}

/// Makes the handshake.
extension TLSSession {
    /// Continues the handshake as far as the bytes that have arrived allow.
    func shakeHands() -> Handshake {
        if !hasBegun {
            var first: UInt8 = 0
            let peeked = System.transfer { recv(socket, &first, 1, CInt(MSG_PEEK)) }
            switch peeked {
            case .bytes(1...): hasBegun = true
            case .blocked: return .blocked
            default: return .failed
            }
            // A method's first letter; a TLS handshake record begins with 22 (RFC 8446 §5.1).
            if UInt8(ascii: "A")...UInt8(ascii: "Z") ~= first {
                SSL_free(ssl)
                ssl = nil
                return .plain
            }
        }
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 {
            isEstablished = true
            inputNeed = .input
            return .done
        }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ: inputNeed = .input
        case SSL_ERROR_WANT_WRITE: inputNeed = .output
        default:
            isBroken = true
            return .failed
        }
        return .blocked
    }
}

/// Receives and sends.
extension TLSSession {
    /// The most bytes of content in one record (RFC 8446 §5.1).
    static let recordByteLimit = 16 << 10

    /// Reads the content of the next record, for which the buffer must have room: what OpenSSL has
    /// not read stays in the socket, whose events report it.
    func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        ERR_clear_error()
        let count = SSL_read(ssl, buffer.baseAddress, CInt(clamping: buffer.count))
        guard count > 0 else { return inputOutcome(count) }
        inputNeed = .input
        return .bytes(Int(count))
    }

    /// Returns the result of a read that has returned no data.
    private func inputOutcome(_ result: CInt) -> Transfer {
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ:
            inputNeed = .input
            return .blocked
        case SSL_ERROR_WANT_WRITE:
            inputNeed = .output
            return .blocked
        case SSL_ERROR_ZERO_RETURN: return .bytes(0)
        default:
            // The end of input without close_notify is an error, too: the content before it may be
            // cut off.
            isBroken = true
            return .failed
        }
    }

    /// Sends the bytes as records, until all are sent or the socket takes no more.
    ///
    /// If some are not sent, the next call must begin with the first unsent byte.
    func send(_ buffer: UnsafeRawBufferPointer) -> Transfer {
        var sum = 0
        while sum < buffer.count {
            ERR_clear_error()
            let rest = UnsafeRawBufferPointer(
                rebasing: buffer[sum...].prefix(TLSSession.recordByteLimit)
            )
            let count = SSL_write(ssl, rest.baseAddress, CInt(rest.count))
            isOutputPending = count <= 0
            if count > 0 {
                outputNeed = .output
                sum += Int(count)
                continue
            }
            switch SSL_get_error(ssl, count) {
            case SSL_ERROR_WANT_WRITE: outputNeed = .output
            case SSL_ERROR_WANT_READ: outputNeed = .input
            default:
                isBroken = true
                return .failed
            }
            return sum > 0 ? .bytes(sum) : .blocked
        }
        return .bytes(sum)
    }

    /// Sends a part of a file, one record at a time.
    func send(_ file: OpenFile, _ range: Range<Int>) -> Transfer {
        withUnsafeTemporaryAllocation(byteCount: TLSSession.recordByteLimit, alignment: 16) {
            part in
            var offset = range.lowerBound
            while offset < range.upperBound {
                let wanted = min(part.count, range.upperBound - offset)
                let read = System.transfer {
                    pread(file.descriptor.rawValue, part.baseAddress, wanted, off_t(offset))
                }
                guard case .bytes(let count) = read, count > 0 else {
                    return offset > range.lowerBound ? .bytes(offset - range.lowerBound) : read
                }
                switch send(UnsafeRawBufferPointer(rebasing: part[..<count])) {
                case .bytes(let sent):
                    offset += sent
                    if sent < count { return .bytes(offset - range.lowerBound) }
                case let other:
                    return offset > range.lowerBound ? .bytes(offset - range.lowerBound) : other
                }
            }
            return .bytes(range.count)
        }
    }

    /// Tells the peer that no more data will be sent (close_notify, RFC 8446 §6.1).
    func sendCloseNotify() {
        guard isEstablished, !isBroken, !isOutputPending else { return }
        ERR_clear_error()
        // A second call would wait for the peer's close_notify.
        guard SSL_get_shutdown(ssl) & SSL_SENT_SHUTDOWN == 0 else { return }
        if SSL_shutdown(ssl) < 0 { isBroken = true }
    }
}
