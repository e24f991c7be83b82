import COpenSSL

/// Signs texts as tokens are signed, for trying out.
package enum TokenSigner {
    /// The code of a text by a secret (RFC 7518 §3.2), 32 bytes.
    package static func code(_ text: [UInt8], _ secret: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
        let isMade = freshet_hmac(secret, secret.count, text, text.count, &code)
        precondition(isMade != 0, "there is memory for an HMAC")
        return code
    }

    /// The signature of a text by a private key in PEM.
    ///
    /// - Returns: 64 bytes, and for which algorithm the key is; `nil` for a key of another kind,
    ///   one that is encrypted, or none.
    package static func signature(
        _ text: [UInt8],
        _ privateKey: [UInt8]
    ) -> (bytes: [UInt8], algorithm: SigningKey.Algorithm)? {
        var signature = [UInt8](repeating: 0, count: 64)
        var isEd25519: CInt = 0
        let isSigned = freshet_sign(
            privateKey,
            privateKey.count,
            text,
            text.count,
            &signature,
            &isEd25519
        )
        guard isSigned != 0 else { return nil }
        return (signature, isEd25519 != 0 ? .edDSA : .es256)
    }
}
