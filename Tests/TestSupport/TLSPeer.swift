import COpenSSL

/// The client's side of TLS, without a socket: records go in and come out as bytes.
package final class TLSPeer {
    /// What the client asks for.
    package struct Options {
        /// The only version it speaks.
        package var version = TLS1_3_VERSION
        /// Of TLS 1.2 and older.
        package var ciphers: String?
        package var protocols: [String] = []
        /// The session to go on with.
        package var session: Session?
        /// Whether its handshake is sent a byte at a time.
        package var isSentByByte = false
        /// Bytes of its first message that are sent, with nothing after them; `nil`: all of it, and
        /// the handshake goes on.
        package var helloByteLimit: Int?

        package init(version: CInt = TLS1_3_VERSION) {
            self.version = version
        }
    }

    /// What a client keeps to be known again.
    package final class Session {
        fileprivate let pointer: OpaquePointer

        fileprivate init(_ pointer: OpaquePointer) {
            self.pointer = pointer
        }

        /// What the server gave to go on with.
        package var ticket: [UInt8] {
            var bytes: UnsafePointer<UInt8>?
            var count = 0
            SSL_SESSION_get0_ticket(pointer, &bytes, &count)
            return Array(UnsafeBufferPointer(start: bytes, count: count))
        }

        deinit { SSL_SESSION_free(pointer) }
    }

    package static let versions = [TLS1_2_VERSION, TLS1_3_VERSION]

    private let context: OpaquePointer?
    private let ssl: OpaquePointer?
    private let input = BIO_new(BIO_s_mem())
    private let output = BIO_new(BIO_s_mem())

    init(_ options: Options) {
        ERR_clear_error()
        context = SSL_CTX_new(TLS_client_method())
        _ = freshet_setVersions(context, options.version, options.version)
        if let ciphers = options.ciphers { SSL_CTX_set_cipher_list(context, ciphers) }
        ssl = SSL_new(context)
        SSL_set_bio(ssl, input, output)
        SSL_set_connect_state(ssl)
        if let session = options.session { SSL_set_session(ssl, session.pointer) }
        let protocols = options.protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        if !protocols.isEmpty { SSL_set_alpn_protos(ssl, protocols, UInt32(protocols.count)) }
    }

    deinit {
        // OpenSSL takes a session for spoiled when its connection ends without a farewell.
        SSL_set_shutdown(ssl, SSL_SENT_SHUTDOWN | SSL_RECEIVED_SHUTDOWN)
        SSL_free(ssl)
        SSL_CTX_free(context)
    }

    package var version: String { String(cString: SSL_get_version(ssl)) }
    package var isResumed: Bool { SSL_session_reused(ssl) == 1 }
    package var hasCloseNotify: Bool { SSL_get_shutdown(ssl) & SSL_RECEIVED_SHUTDOWN != 0 }

    /// What the server chose; empty: nothing.
    package var chosenProtocol: String {
        var bytes: UnsafePointer<UInt8>?
        var count: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &bytes, &count)
        return String(decoding: UnsafeBufferPointer(start: bytes, count: Int(count)), as: UTF8.self)
    }

    package var session: Session? { SSL_get1_session(ssl).map { Session($0) } }

    /// The serial number of the server's certificate.
    package var serial: Int {
        let certificate = SSL_get1_peer_certificate(ssl)
        defer { X509_free(certificate) }
        return ASN1_INTEGER_get(X509_get_serialNumber(certificate))
    }

    /// How many certificates the server sent; none in a session that was resumed.
    package var certificateCount: Int { Int(OPENSSL_sk_num(SSL_get_peer_cert_chain(ssl))) }

    /// Goes on with the handshake.
    ///
    /// - Returns: Whether it is over.
    func shakeHands() throws -> Bool {
        ERR_clear_error()
        let result = SSL_do_handshake(ssl)
        if result == 1 { return true }
        try check(result)
        return false
    }

    func feed(_ bytes: [UInt8]) {
        BIO_write(input, bytes, CInt(bytes.count))
    }

    /// What is to be sent.
    package func takeOutput() -> [UInt8] {
        var bytes: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 32 << 10)
        while true {
            let count = BIO_read(output, &part, CInt(part.count))
            if count <= 0 { return bytes }
            bytes += part[..<Int(count)]
        }
    }

    /// Makes records of `bytes`.
    package func write(_ bytes: [UInt8]) throws {
        ERR_clear_error()
        if !bytes.isEmpty { try check(SSL_write(ssl, bytes, CInt(bytes.count))) }
    }

    /// - Returns: What there is; empty: nothing yet; `nil`: no more will come.
    func read() throws -> [UInt8]? {
        ERR_clear_error()
        var part = [UInt8](repeating: 0, count: 16 << 10)
        let count = SSL_read(ssl, &part, CInt(part.count))
        if count > 0 { return Array(part[..<Int(count)]) }
        if hasCloseNotify { return nil }
        try check(count)
        return []
    }

    /// Makes a farewell.
    package func sendCloseNotify() {
        ERR_clear_error()
        SSL_shutdown(ssl)
    }

    /// Asks for new keys: TLS 1.2 by another handshake, TLS 1.3 by a message.
    package func askForKeys() throws {
        ERR_clear_error()
        if version == "TLSv1.2" {
            SSL_renegotiate(ssl)
        } else {
            SSL_key_update(ssl, SSL_KEY_UPDATE_REQUESTED)
        }
        try check(SSL_do_handshake(ssl))
    }

    private func check(_ result: CInt) throws {
        if result > 0 { return }
        switch SSL_get_error(ssl, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: return
        default:
            let words = ERR_reason_error_string(ERR_peek_last_error()).map { String(cString: $0) }
            throw RawClient.Failure.tls(words ?? "ended")
        }
    }
}
