import COpenSSL
import Synchronization

/// A server's ``TicketKeyring``, shared by the handshakes of all loops; it outlives the
/// certificates.
final class TicketKeys: Sendable {
    private let keyring = Mutex(TicketKeyring())

    /// Returns the function that OpenSSL calls for a ticket (SSL_CTX_set_tlsext_ticket_key_cb(3)).
    static func callback() -> (
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?,
            OpaquePointer?, OpaquePointer?, CInt
        ) -> CInt
    ) {
        { ssl, name, vector, cipher, authentication, isNew in
            guard let keys = TLSSession.of(ssl)?.ticketKeys, let name, let vector else { return -1 }
            if isNew == 1 { return keys.seal(name, vector, cipher, authentication) }
            let result = keys.open(name, vector, cipher, authentication)
            // A ticket is for one use in TLS 1.3 (RFC 8446, C.4): the client gets a new one.
            return result == 1 && SSL_version(ssl) == TLS1_3_VERSION ? 2 : result
        }
    }

    private func seal(
        _ name: UnsafeMutablePointer<UInt8>,
        _ vector: UnsafeMutablePointer<UInt8>,
        _ cipher: OpaquePointer?,
        _ authentication: OpaquePointer?
    ) -> CInt {
        guard let key = current(at: TicketKeys.now()), RAND_bytes(vector, 16) == 1 else {
            return -1
        }
        name.update(from: key.name, count: 16)
        return TicketKeys.set(key, vector, cipher, authentication, isNew: true) ? 1 : -1
    }

    /// - Returns: 0 for a ticket of an unknown key, 1 for a valid one, 2 for a valid ticket that
    ///   should be replaced, -1 for an error.
    private func open(
        _ name: UnsafePointer<UInt8>,
        _ vector: UnsafePointer<UInt8>,
        _ cipher: OpaquePointer?,
        _ authentication: OpaquePointer?
    ) -> CInt {
        let name = UnsafeBufferPointer(start: name, count: 16)
        let found = keyring.withLock { $0.key(named: name, at: TicketKeys.now()) }
        guard let (key, isOld) = found else { return 0 }
        guard TicketKeys.set(key, vector, cipher, authentication, isNew: false) else { return -1 }
        return isOld ? 2 : 1
    }

    /// Returns the time of a monotonic clock, in seconds.
    private static func now() -> Int { System.monotonicMilliseconds() / 1000 }

    private func current(at now: Int) -> TicketKeyring.Key? {
        keyring.withLock { keyring in
            keyring.current(at: now) { count in
                var bytes = [UInt8](repeating: 0, count: count)
                return RAND_priv_bytes(&bytes, CInt(count)) == 1 ? bytes : nil
            }
        }
    }

    /// Makes OpenSSL encrypt or decrypt with AES-256 and authenticate with HMAC-SHA-256.
    private static func set(
        _ key: TicketKeyring.Key,
        _ vector: UnsafePointer<UInt8>,
        _ cipher: OpaquePointer?,
        _ authentication: OpaquePointer?,
        isNew: Bool
    ) -> Bool {
        // The parameter keeps the pointers to its name and its value.
        let name = Array(OSSL_MAC_PARAM_DIGEST.utf8CString)
        var digest = Array("SHA256".utf8CString)
        let isAuthenticationSet = name.withUnsafeBufferPointer { name in
            digest.withUnsafeMutableBufferPointer { digest in
                var parameters = [
                    OSSL_PARAM_construct_utf8_string(name.baseAddress, digest.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                return EVP_MAC_init(authentication, key.authentication, 32, &parameters) == 1
            }
        }
        guard isAuthenticationSet else { return false }
        let initialize = isNew ? EVP_EncryptInit_ex : EVP_DecryptInit_ex
        return initialize(cipher, EVP_aes_256_cbc(), nil, key.cipher, vector) == 1
    }
}
