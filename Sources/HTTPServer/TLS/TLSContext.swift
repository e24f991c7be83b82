import COpenSSL
import Glibc

/// The certificate and the TLS settings that a server's connections share.
///
/// Only TLS 1.2 and 1.3 are allowed, with authenticated encryption (RFC 9325 §4.2) and forward
/// secrecy; the server's order of preference for ciphers decides. Compression, renegotiation and
/// early data are disabled.
package final class TLSContext: Sendable {
    /// Warnings about the certificate and its key, in words; for example, that it has expired.
    package let warnings: [String]

    /// The seconds until the certificate expires; negative if it has expired.
    package let remainingSeconds: Int

    /// OpenSSL's context.
    ///
    /// OpenSSL counts references to it and locks its changes (openssl-threads(7)), and this type
    /// does not change it after initialization: hence `nonisolated(unsafe)`.
    nonisolated(unsafe) private let context: OpaquePointer

    /// Reads a certificate and its key.
    ///
    /// - Throws: ``CertificateError`` if a file cannot be read, or the certificate cannot be used
    ///   with the key.
    package init(_ files: CertificateFiles) throws(CertificateError) {
        ERR_clear_error()
        guard let context = SSL_CTX_new(TLS_server_method()) else {
            preconditionFailure("OpenSSL has no memory: \(TLSContext.lastError)")
        }
        do {
            TLSContext.setUp(context)
            (warnings, remainingSeconds) = try TLSContext.load(files, into: context)
        } catch {
            SSL_CTX_free(context)
            throw error
        }
        self.context = context
        // OpenSSL sends by write(2), which raises the signal if the peer is gone.
        signal(SIGPIPE, SIG_IGN)
    }

    /// Makes a context with the certificate and the key of another one, and with new keys for
    /// tickets.
    init(renewing other: TLSContext) {
        guard let context = SSL_CTX_new(TLS_server_method()) else {
            preconditionFailure("OpenSSL has no memory: \(TLSContext.lastError)")
        }
        TLSContext.setUp(context)
        let isCopied = freshet_copyCertificate(other.context, context) == 1
        precondition(isCopied, "a certificate in use can be used: \(TLSContext.lastError)")
        (warnings, remainingSeconds) = (other.warnings, other.remainingSeconds)
        self.context = context
    }

    /// The seconds for which a ticket is valid, and for which a context takes new connections.
    static let ticketSeconds = 12 * 3600

    deinit { SSL_CTX_free(context) }

    /// Returns whether both contexts have the same certificate.
    func hasSameCertificate(as other: TLSContext) -> Bool {
        let certificates = [self, other].map { SSL_CTX_get0_certificate($0.context) }
        return X509_cmp(certificates[0], certificates[1]) == 0
    }

    /// Makes OpenSSL's object for a connection, which keeps OpenSSL's context; the caller must free
    /// it.
    func makeSession(on socket: CInt) -> OpaquePointer {
        guard let session = SSL_new(context), SSL_set_fd(session, socket) == 1 else {
            preconditionFailure("OpenSSL has no memory: \(TLSContext.lastError)")
        }
        SSL_set_accept_state(session)
        return session
    }

    /// The version of OpenSSL that is loaded, such as "3.0.15" (OpenSSL_version(3)).
    package static var libraryVersion: String {
        let text = String(cString: OpenSSL_version(OPENSSL_VERSION_STRING))
        return text.split(separator: " ").first { $0.first?.isNumber == true }.map(String.init)
            ?? text
    }

    /// OpenSSL's message for the last error in this thread's queue (ERR_get_error(3)).
    private static var lastError: String {
        let code = ERR_peek_last_error()
        return ERR_reason_error_string(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

/// Sets the TLS versions, ciphers and protocols that the server accepts.
extension TLSContext {
    private static let ciphers = """
        ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:\
        ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:\
        ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305
        """
    private static let ciphersOf13 =
        "TLS_AES_128_GCM_SHA256:TLS_AES_256_GCM_SHA384:TLS_CHACHA20_POLY1305_SHA256"
    private static let groups = "X25519:P-256:P-384"
    private static let signatures = """
        ECDSA+SHA256:ed25519:RSA-PSS+SHA256:RSA+SHA256:ECDSA+SHA384:RSA-PSS+SHA384:RSA+SHA384:\
        ECDSA+SHA512:RSA-PSS+SHA512:RSA+SHA512
        """

    private static func setUp(_ context: OpaquePointer) {
        let isSet =
            freshet_setVersions(context, TLS1_2_VERSION, TLS1_3_VERSION) == 1
            && SSL_CTX_set_cipher_list(context, ciphers) == 1
            && SSL_CTX_set_ciphersuites(context, ciphersOf13) == 1
            && freshet_setGroups(context, groups) == 1
            && freshet_setSignatures(context, signatures) == 1
            && SSL_CTX_set_num_tickets(context, 1) == 1
        precondition(isSet, "OpenSSL can do what is asked of it: \(TLSContext.lastError)")
        SSL_CTX_set_options(context, freshet_serverOptions)
        // Without AUTO_RETRY, a TLS message without data ends a call that reads, so that a client
        // cannot keep the event loop in the call for long.
        freshet_setMode(
            context,
            SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
                | SSL_MODE_RELEASE_BUFFERS | SSL_MODE_NO_AUTO_CHAIN,
            SSL_MODE_AUTO_RETRY
        )
        freshet_keepNoSessions(context)
        SSL_CTX_set_timeout(context, CLong(ticketSeconds))
        SSL_CTX_set_session_id_context(context, "freshet", 7)
        SSL_CTX_set_alpn_select_cb(context, protocolSelection(), nil)
    }

    /// Returns the callback that selects `http/1.1`; a client that offers only other protocols is
    /// refused (RFC 7301 §3.2).
    private static func protocolSelection() -> SSL_CTX_alpn_select_cb_func {
        { _, chosen, chosenCount, offered, offeredCount, _ in
            let offers = UnsafeBufferPointer(start: offered, count: Int(offeredCount))
            let wanted = "http/1.1".utf8
            var index = 0
            while index < offers.count {
                let end = index + 1 + Int(offers[index])
                guard end <= offers.count else { break }
                if offers[(index + 1)..<end].elementsEqual(wanted) {
                    chosen?.pointee = offers.baseAddress.map { $0 + index + 1 }
                    chosenCount?.pointee = UInt8(wanted.count)
                    return SSL_TLSEXT_ERR_OK
                }
                index = end
            }
            return SSL_TLSEXT_ERR_ALERT_FATAL
        }
    }
}

/// Loads the certificate and its key, and checks them.
extension TLSContext {
    private static func load(
        _ files: CertificateFiles,
        into context: OpaquePointer
    ) throws(CertificateError) -> (warnings: [String], remainingSeconds: Int) {
        let certificateFile = try PEMFile(path: files.certificate)
        let keyFile = try PEMFile(path: files.key)
        let certificates = try certificateFile.certificates()
        defer { for certificate in certificates { X509_free(certificate) } }
        let key = try keyFile.privateKey()
        defer { EVP_PKEY_free(key) }
        guard X509_check_private_key(certificates[0], key) == 1 else {
            throw CertificateError(
                files.key,
                "the private key does not fit the certificate in \(files.certificate)"
            )
        }
        func take(_ file: String, _ result: CInt) throws(CertificateError) {
            if result == 1 { return }
            throw CertificateError(file, "OpenSSL refuses it: \(TLSContext.lastError)")
        }
        ERR_clear_error()
        try take(files.certificate, SSL_CTX_use_certificate(context, certificates[0]))
        try take(files.key, SSL_CTX_use_PrivateKey(context, key))
        for certificate in certificates.dropFirst() {
            try take(files.certificate, freshet_addToChain(context, certificate))
        }
        var warnings = warnings(certificates[0], certificateFile, keyFile)
        if let kind = unusableKind(of: key) {
            warnings.append("\(files.certificate): no client can use a certificate with \(kind)")
        }
        return (warnings, remainingSeconds(certificates[0]))
    }

    private static func remainingSeconds(_ certificate: OpaquePointer) -> Int {
        var (days, seconds): (CInt, CInt) = (0, 0)
        guard ASN1_TIME_diff(&days, &seconds, nil, X509_get0_notAfter(certificate)) == 1 else {
            return 0
        }
        return Int(days) * 86_400 + Int(seconds)
    }

    /// Returns a description of a key with which every handshake would fail; `nil` for any other
    /// key.
    ///
    /// Such a key fits none of the server's signature algorithms (RFC 8446 §4.2.3).
    private static func unusableKind(of key: OpaquePointer) -> String? {
        switch EVP_PKEY_get_base_id(key) {
        case EVP_PKEY_RSA_PSS: return "a key for RSA-PSS alone; make one for RSA, or for P-256"
        case EVP_PKEY_EC:
            var name = [CChar](repeating: 0, count: 64)
            guard EVP_PKEY_get_group_name(key, &name, name.count, nil) == 1 else { return nil }
            let curve = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init), as: UTF8.self)
            let isUsable = ["prime256v1", "secp384r1", "secp521r1"].contains(curve)
            return isUsable ? nil : "a key on the curve \(curve); make one for P-256"
        default: return nil
        }
    }

    private static func warnings(
        _ certificate: OpaquePointer,
        _ certificateFile: PEMFile,
        _ keyFile: PEMFile
    ) -> [String] {
        var warnings: [String] = []
        if X509_cmp_current_time(X509_get0_notAfter(certificate)) < 0 {
            warnings.append("\(certificateFile.path): the certificate has expired")
        }
        if X509_cmp_current_time(X509_get0_notBefore(certificate)) > 0 {
            warnings.append("\(certificateFile.path): the certificate is not valid yet")
        }
        if keyFile.isReadByOthers {
            warnings.append("\(keyFile.path): every user of this machine can read the private key")
        }
        return warnings
    }
}
