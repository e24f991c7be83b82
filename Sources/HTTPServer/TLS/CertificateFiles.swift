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
