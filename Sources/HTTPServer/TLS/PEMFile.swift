import COpenSSL
import Glibc
import Platform

/// The content of a file of PEM texts (RFC 7468).
struct PEMFile {
    let path: String
    /// Whether every user of the machine may read the file.
    let isReadByOthers: Bool
    private let content: [UInt8]

    /// The most bytes that are read, far more than a chain of certificates takes.
    private static let byteLimit = 1 << 20

    /// Reads a file.
    init(path: String) throws(CertificateError) {
        func failure() -> CertificateError {
            CertificateError(path, SystemError.words())
        }
        self.path = path
        // Without O_NONBLOCK, a pipe in place of the file could block until something writes to it.
        let opened = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard opened >= 0 else { throw failure() }
        let descriptor = Descriptor(owning: opened)
        var status = stat()
        guard fstat(descriptor.rawValue, &status) == 0 else { throw failure() }
        if status.st_mode & S_IFMT == S_IFIFO {
            throw CertificateError(path, "it is a pipe, not a file")
        }
        isReadByOthers = status.st_mode & S_IROTH != 0
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 16 << 10)
        while content.count < PEMFile.byteLimit {
            let count = read(descriptor.rawValue, &part, part.count)
            guard count >= 0 else { throw failure() }
            if count == 0 { break }
            content += part[..<count]
        }
        self.content = content
    }

    /// Calls `body` with an OpenSSL BIO that reads the content.
    private func withBIO<Result>(
        _ body: (OpaquePointer?) throws(CertificateError) -> Result
    ) throws(CertificateError) -> Result {
        ERR_clear_error()
        defer { ERR_clear_error() }
        // The BIO reads the bytes in place, so they must not move while it is used.
        let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(1, content.count))
        defer {
            OPENSSL_cleanse(copy.baseAddress, copy.count)
            copy.deallocate()
        }
        _ = copy.initialize(from: content)
        let bio = BIO_new_mem_buf(copy.baseAddress, CInt(content.count))
        defer { BIO_free(bio) }
        return try body(bio)
    }

    /// Returns the certificates in the file, in order; the caller must free them.
    ///
    /// - Throws: ``CertificateError`` if the file has no certificate, or a malformed one.
    func certificates() throws(CertificateError) -> [OpaquePointer] {
        try withBIO { bio throws(CertificateError) in
            var found: [OpaquePointer] = []
            while let certificate = PEM_read_bio_X509(bio, nil, nil, nil) {
                found.append(certificate)
            }
            // At the end of the file, OpenSSL finds no more PEM text.
            let code = ERR_peek_last_error()
            let isAtEnd =
                code >> 23 & 0xff == UInt(ERR_LIB_PEM)
                && code & 0x7f_ffff == UInt(PEM_R_NO_START_LINE)
            if isAtEnd, !found.isEmpty { return found }
            for certificate in found { X509_free(certificate) }
            throw CertificateError(
                path,
                isAtEnd
                    ? "there is no certificate in it (PEM is expected)"
                    : "certificate \(found.count + 1) in it is malformed"
            )
        }
    }

    /// Returns the private key in the file; the caller must free it.
    ///
    /// - Throws: ``CertificateError`` if the file has no key, or an encrypted one.
    func privateKey() throws(CertificateError) -> OpaquePointer {
        try withBIO { bio throws(CertificateError) in
            var isEncrypted = false
            let key = withUnsafeMutablePointer(to: &isEncrypted) { asked in
                PEM_read_bio_PrivateKey(
                    bio,
                    nil,
                    { _, _, _, asked in
                        asked?.assumingMemoryBound(to: Bool.self).pointee = true
                        return -1
                    },
                    asked
                )
            }
            if let key { return key }
            throw CertificateError(
                path,
                isEncrypted
                    ? "the private key is encrypted, and there is nobody to ask for its words"
                    : "there is no private key in it (PEM is expected)"
            )
        }
    }
}
