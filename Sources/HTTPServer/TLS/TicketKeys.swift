import COpenSSL
import Synchronization

/// The keys that encrypt a server's session tickets, and their rotation (RFC 5077 §5.5).
///
/// A key encrypts new tickets for half a day, and decrypts them for the tickets' lifetime of
/// another half day. After a day the key is deleted, so that old tickets cannot be decrypted any
/// more. The caller passes the time in.
struct TicketKeys {
    /// A key; a ticket names the key that has encrypted it.
    struct Key: Equatable {
        /// The name in the ticket, 16 random bytes.
        var name: [UInt8]
        /// The key of AES-256, 32 bytes.
        var cipher: [UInt8]
        /// The key of HMAC-SHA-256, 32 bytes.
        var authentication: [UInt8]
        /// The time at which the key was made, in seconds of a monotonic clock.
        var made: Int
    }

    /// The seconds for which a ticket is valid, and for which a key makes new tickets.
    static let lifetimeSeconds = 12 * 3600

    /// The keys whose tickets are still valid, the newest last.
    private(set) var keys: [Key] = []

    /// Returns the key for new tickets; makes one if the newest is too old.
    ///
    /// - Parameters:
    ///   - now: The time in seconds of a monotonic clock.
    ///   - random: Returns this number of random bytes; `nil` if it cannot.
    /// - Returns: `nil` if a key is needed and cannot be made.
    mutating func current(
        at now: Int,
        random: (Int) -> [UInt8]? = TicketKeys.random
    ) -> Key? {
        keys.removeAll { now - $0.made >= 2 * TicketKeys.lifetimeSeconds }
        if let last = keys.last, now - last.made < TicketKeys.lifetimeSeconds { return last }
        guard let name = random(16), let cipher = random(32), let authentication = random(32) else {
            return nil
        }
        let key = Key(name: name, cipher: cipher, authentication: authentication, made: now)
        keys.append(key)
        return key
    }

    /// Returns the key with this name, and whether it is too old to encrypt new tickets; `nil` if
    /// the name is unknown or the key is too old to decrypt tickets.
    func key(named name: some Sequence<UInt8>, at now: Int) -> (key: Key, isOld: Bool)? {
        keys.first { $0.name.elementsEqual(name) }.flatMap { key in
            let age = now - key.made
            guard age < 2 * TicketKeys.lifetimeSeconds else { return nil }
            return (key, isOld: age >= TicketKeys.lifetimeSeconds)
        }
    }

    private static func random(_ count: Int) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: count)
        return RAND_priv_bytes(&bytes, CInt(count)) == 1 ? bytes : nil
    }
}

/// Passes the keys to OpenSSL.
extension TicketKeys {
    /// The callback that OpenSSL calls for each ticket (SSL_CTX_set_tlsext_ticket_key_cb(3)).
    ///
    /// It returns 0 for an unknown key, 1 for a valid ticket, 2 for a valid ticket that should be
    /// replaced, and -1 for an error.
    static var callback:
        @convention(c) (
            OpaquePointer?, UnsafeMutablePointer<UInt8>?, UnsafeMutablePointer<UInt8>?,
            OpaquePointer?, OpaquePointer?, CInt
        ) -> CInt
    {
        { ssl, name, vector, cipher, authentication, isNew in
            guard let server = TLSSession.server(of: ssl), let name, let vector else { return -1 }
            let now = System.monotonicMilliseconds() / 1000
            if isNew == 1 {
                guard let key = server.ticketKeys.withLock({ $0.current(at: now) }),
                    RAND_bytes(vector, 16) == 1
                else { return -1 }
                name.update(from: key.name, count: 16)
                return key.set(vector, cipher, authentication, isNew: true) ? 1 : -1
            }
            let named = UnsafeBufferPointer(start: name, count: 16)
            guard
                let (key, isOld) = server.ticketKeys.withLock({ $0.key(named: named, at: now) })
            else { return 0 }
            guard key.set(vector, cipher, authentication, isNew: false) else { return -1 }
            // A TLS 1.3 ticket should be used only once (RFC 8446, C.4), so the client gets a new
            // one.
            return isOld || SSL_version(ssl) == TLS1_3_VERSION ? 2 : 1
        }
    }
}

extension TicketKeys.Key {
    /// Makes OpenSSL encrypt or decrypt a ticket with AES-256 and authenticate it with
    /// HMAC-SHA-256; returns false if OpenSSL fails.
    fileprivate func set(
        _ vector: UnsafePointer<UInt8>,
        _ cipher: OpaquePointer?,
        _ authentication: OpaquePointer?,
        isNew: Bool
    ) -> Bool {
        // OpenSSL reads the name and the value through the pointers that the parameter keeps.
        let name = Array(OSSL_MAC_PARAM_DIGEST.utf8CString)
        var digest = Array("SHA256".utf8CString)
        let isAuthenticationSet = name.withUnsafeBufferPointer { name in
            digest.withUnsafeMutableBufferPointer { digest in
                var parameters = [
                    OSSL_PARAM_construct_utf8_string(name.baseAddress, digest.baseAddress, 0),
                    OSSL_PARAM_construct_end(),
                ]
                return EVP_MAC_init(authentication, self.authentication, 32, &parameters) == 1
            }
        }
        guard isAuthenticationSet else { return false }
        let initialize = isNew ? EVP_EncryptInit_ex : EVP_DecryptInit_ex
        return initialize(cipher, EVP_aes_256_cbc(), nil, self.cipher, vector) == 1
    }
}
