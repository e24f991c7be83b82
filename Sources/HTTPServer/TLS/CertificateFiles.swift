/// The paths of a server's certificate and private key, as PEM files (RFC 7468).
package struct CertificateFiles: Sendable, Equatable {
    /// The file with the server's certificate first, then the chain of certificates up to one that
    /// clients trust.
    package var certificate: String

    /// The file with the unencrypted private key; may be the same file as ``certificate``.
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// The reason why a certificate cannot be used, with the faulty file.
package struct CertificateError: Error, Equatable, CustomStringConvertible {
    package let file: String
    package let reason: String

    init(_ file: String, _ reason: String) {
        self.file = file
        self.reason = reason
    }

    package var description: String { "\(file): \(reason)" }
}
