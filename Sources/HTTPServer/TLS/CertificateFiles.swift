/// Where a server's certificate and its key are, as PEM (RFC 7468).
package struct CertificateFiles: Sendable, Equatable {
    /// The file of the certificate, and after it of those that lead to a trusted one.
    package var certificate: String

    /// The file of its private key, which is not encrypted; may be the same file.
    package var key: String

    package init(certificate: String, key: String) {
        self.certificate = certificate
        self.key = key
    }
}

/// Why a certificate cannot be used; says which file is at fault.
package struct CertificateError: Error, Equatable, CustomStringConvertible {
    /// What is wrong with a file.
    package enum Reason: Equatable, Sendable {
        /// With the words of the system.
        case unreadable(String)
        case noCertificate
        /// One of several, counted from 1, is not well formed.
        case malformedCertificate(number: Int)
        case noKey
        case encryptedKey
        /// The key belongs to another certificate than that in `certificate`.
        case keyDoesNotFit(certificate: String)
        /// With the words of OpenSSL: a key that is too short, for example.
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
