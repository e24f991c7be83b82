import COpenSSL
package import FeedModel

/// A key that signs accepted tokens, with the most rights that its tokens can have
/// (docs/PROTOCOL.md, "Who may do what").
package final class SigningKey: Sendable {
    /// The algorithm of a key's signatures; it is fixed for the key, and a token cannot choose
    /// another one (RFC 8725 §3.1).
    package enum Algorithm: String, Sendable, CaseIterable {
        /// Ed25519 (RFC 8037 §3.1).
        case edDSA = "EdDSA"
        /// ECDSA with P-256 and SHA-256 (RFC 7518 §3.4).
        case es256 = "ES256"
        /// HMAC with SHA-256 (RFC 7518 §3.2).
        case hs256 = "HS256"

        /// Makes the algorithm that a token or a setting names; `Ed25519` (RFC 9864 §2.2) is
        /// `EdDSA`, too.
        package init?(name: String) {
            self.init(rawValue: name == "Ed25519" ? "EdDSA" : name)
        }
    }

    /// The name by which tokens refer to the key.
    package let kid: String
    package let algorithm: Algorithm
    /// The upper limit of the rights of tokens that the key has signed.
    let rights: FeedRights
    /// The public key in DER (RFC 5280 §4.1.2.7), or the accepted secrets of ``Algorithm/hs256``:
    /// the content of the key's file, preceded by the content without its line end if it has one.
    private let material: [[UInt8]]

    /// The fewest bytes of a secret (RFC 7518 §3.2).
    package static let leastSecretByteCount = 32

    /// The reason why the content of a key's file is refused.
    package enum Failure: Error, Equatable {
        case shortSecret(byteCount: Int)
        /// The file has no public key in PEM.
        case noPublicKey
        /// The file has a public key of another algorithm.
        case otherKind
    }

    /// Makes a key from the content of its file.
    ///
    /// - Parameter file: A secret, with or without a line end behind it, or a public key in PEM.
    package init(
        kid: String,
        algorithm: Algorithm,
        file: [UInt8],
        read: [FeedPattern] = [],
        write: [FeedPattern] = [],
        follow: [FeedPattern] = []
    ) throws(Failure) {
        self.kid = kid
        self.algorithm = algorithm
        rights = FeedRights(read: read, write: write, follow: follow)
        material =
            algorithm == .hs256
            ? try SigningKey.secrets(file) : [try SigningKey.publicKey(file, algorithm)]
    }

    private static func secrets(_ file: [UInt8]) throws(Failure) -> [[UInt8]] {
        guard file.count >= leastSecretByteCount else {
            throw .shortSecret(byteCount: file.count)
        }
        let end = file.last == UInt8(ascii: "\n") ? (file.dropLast().last == 0x0d ? 2 : 1) : 0
        let line = Array(file.dropLast(end))
        return end > 0 && line.count >= leastSecretByteCount ? [line, file] : [file]
    }

    private static func publicKey(
        _ file: [UInt8],
        _ algorithm: Algorithm
    ) throws(Failure) -> [UInt8] {
        var der = [UInt8](repeating: 0, count: 256)
        var isEd25519: CInt = 0
        let count = Int(freshet_publicKey(file, file.count, &der, der.count, &isEd25519))
        guard count != 0 else { throw .noPublicKey }
        guard count > 0, (isEd25519 != 0) == (algorithm == .edDSA) else { throw .otherKind }
        return Array(der.prefix(count))
    }
}

extension SigningKey {
    /// Returns whether `signature` is this key's signature of `text`.
    func hasSigned(_ text: [UInt8], _ signature: [UInt8]) -> Bool {
        switch algorithm {
        case .hs256:
            guard signature.count == SHA256Digest.byteCount else { return false }
            return material.contains { secret in
                guard let code = SigningKey.code(text, secret) else { return false }
                return CRYPTO_memcmp(code, signature, code.count) == 0
            }
        case .edDSA, .es256:
            guard signature.count == 64, let key = material.first else { return false }
            let isEd25519: CInt = algorithm == .edDSA ? 1 : 0
            return freshet_isSigned(key, key.count, isEd25519, text, text.count, signature) != 0
        }
    }

    /// Returns whether both keys verify the same tokens; the rights of the keys may differ.
    func signs(like other: SigningKey) -> Bool {
        self === other
            || kid == other.kid && algorithm == other.algorithm && material == other.material
    }
}

extension SigningKey: Hashable {
    package static func == (left: SigningKey, right: SigningKey) -> Bool {
        left.signs(like: right) && left.rights == right.rights
    }

    package func hash(into hasher: inout Hasher) { hasher.combine(kid) }
}

/// Computes the signatures of tokens, to verify tokens and to make tokens for trials.
extension SigningKey {
    /// Returns the HMAC with SHA-256 of a text (RFC 7518 §3.2), 32 bytes; `nil` if OpenSSL could
    /// not compute it, for example for lack of memory.
    package static func code(_ text: [UInt8], _ secret: [UInt8]) -> [UInt8]? {
        var code = [UInt8](repeating: 0, count: SHA256Digest.byteCount)
        let isMade = freshet_hmac(secret, secret.count, text, text.count, &code)
        return isMade != 0 ? code : nil
    }

    /// Returns the signature of a text by a private key in PEM, for trying out tokens.
    ///
    /// - Returns: 64 bytes, and the key's algorithm; `nil` for a key of another kind, for an
    ///   encrypted key, and for other text.
    package static func signature(
        _ text: [UInt8],
        _ privateKey: [UInt8]
    ) -> (bytes: [UInt8], algorithm: Algorithm)? {
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
