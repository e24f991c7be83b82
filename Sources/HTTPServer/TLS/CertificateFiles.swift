/// The paths of a server's certificate and private key, as PEM files (RFC 7468).
package struct CertificateFiles: Sendable, Equatable {
    /// The file of the certificate, followed by the chain of certificates that leads to a trusted
    /// one.
    package var certificate: String

    /// The file of the unencrypted private key; may be the same file as ``certificate``.
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// The reason why a certificate cannot be used, with the faulty file.
package struct CertificateError: Error, Equatable, CustomStringConvertible {
    /// A fault of a certificate or key file.
    package enum Reason: Equatable, Sendable {
        /// The file cannot be read; with the system's message.
        case unreadable(String)
        case noCertificate
        /// The certificate with this number in the file, counted from 1, is malformed.
        case malformedCertificate(number: Int)
        case noKey
        case encryptedKey
        /// The key does not belong to the certificate in the file `certificate`.
        case keyDoesNotFit(certificate: String)
        /// OpenSSL refuses the certificate or key, with this message: the key is too short, for
        /// example.
        case refused(String)
    }

    package let file: String
    package let reason: Reason

    package var description: String { "\(file): \(words)" }

    private var words: String {
        switch reason {
        case .unreadable(let words): words
        case .noCertificate: "there is no certificate in it (PEM is expected)"
        case .malformedCertificate(let number): "certificate \(number) in it is malformed"
        case .noKey: "there is no private key in it (PEM is expected)"
        case .encryptedKey: "the private key is encrypted, and there is nobody to ask for its words"
        case .keyDoesNotFit(let certificate):
            "the private key does not fit the certificate in \(certificate)"
        case .refused(let words): "OpenSSL refuses it: \(words)"
        }
    }
}
