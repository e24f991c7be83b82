import COpenSSL
import Foundation
package import HTTPServer

/// A certificate that signs itself, made for a test, in files that go with it.
package final class TestCertificate: Sendable {
    package enum Kind: Sendable, CaseIterable {
        case ecdsa
        case rsa
        /// With a key that is no longer long enough.
        case shortRSA
        /// On a curve that clients do not know.
        case otherCurve
        /// For RSA-PSS alone.
        case pssRSA

        fileprivate var isOnCurve: Bool { self == .ecdsa || self == .otherCurve }
    }

    /// Where it and its key are.
    package let files: CertificateFiles
    package let folder: String

    /// One of each kind that is good, for tests that change nothing about them.
    package static let ecdsa = TestCertificate(.ecdsa)
    package static let rsa = TestCertificate(.rsa)

    /// Makes one.
    ///
    /// - Parameters:
    ///   - kind: Of its key.
    ///   - serial: Tells it from others.
    ///   - start: The day from which it is good, counted from today.
    ///   - days: For how many it is good; a negative number: it was good until then.
    ///   - words: Encrypt its key.
    package init(
        _ kind: Kind,
        serial: Int = 1,
        start: Int = -100,
        days: Int = 30,
        words: String? = nil
    ) {
        folder = NSTemporaryDirectory() + "/freshet-\(UUID().uuidString)"
        files = CertificateFiles(
            certificate: "\(folder)/certificate.pem",
            key: "\(folder)/key.pem"
        )
        let key = TestCertificate.makeKey(kind)
        defer { EVP_PKEY_free(key) }
        let certificate = TestCertificate.makeCertificate(
            key,
            serial: serial,
            days: (start, days)
        )
        defer { X509_free(certificate) }
        let keyText = TestCertificate.text(of: key, words)
        do {
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: true
            )
            try TestCertificate.text { PEM_write_bio_X509($0, certificate) }
                .write(toFile: files.certificate, atomically: false, encoding: .utf8)
            try keyText.write(toFile: files.key, atomically: false, encoding: .utf8)
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600],
                ofItemAtPath: files.key
            )
        } catch {
            preconditionFailure("the folder for temporary files can be written to: \(error)")
        }
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    private static func makeKey(_ kind: Kind) -> OpaquePointer? {
        let rsa = kind == .pssRSA ? EVP_PKEY_RSA_PSS : EVP_PKEY_RSA
        let context = EVP_PKEY_CTX_new_id(kind.isOnCurve ? EVP_PKEY_EC : rsa, nil)
        defer { EVP_PKEY_CTX_free(context) }
        EVP_PKEY_keygen_init(context)
        if kind.isOnCurve {
            let curve = kind == .ecdsa ? NID_X9_62_prime256v1 : NID_secp256k1
            EVP_PKEY_CTX_set_ec_paramgen_curve_nid(context, curve)
        } else {
            EVP_PKEY_CTX_set_rsa_keygen_bits(context, kind == .shortRSA ? 1024 : 2048)
        }
        var key: OpaquePointer?
        EVP_PKEY_keygen(context, &key)
        return key
    }

    private static func text(of key: OpaquePointer?, _ words: String?) -> String {
        text { bio in
            guard let words else {
                PEM_write_bio_PrivateKey(bio, key, nil, nil, 0, nil, nil)
                return
            }
            let count = CInt(words.utf8.count)
            PEM_write_bio_PKCS8PrivateKey(bio, key, EVP_aes_256_cbc(), words, count, nil, nil)
        }
    }

    private static func makeCertificate(
        _ key: OpaquePointer?,
        serial: Int,
        days: (start: Int, end: Int)
    ) -> OpaquePointer? {
        let certificate = X509_new()
        X509_set_version(certificate, 2)
        ASN1_INTEGER_set(X509_get_serialNumber(certificate), serial)
        X509_gmtime_adj(X509_getm_notBefore(certificate), days.start * 86400)
        X509_gmtime_adj(X509_getm_notAfter(certificate), days.end * 86400)
        let name = X509_get_subject_name(certificate)
        X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_UTF8, "localhost", -1, -1, 0)
        X509_set_issuer_name(certificate, name)
        X509_set_pubkey(certificate, key)
        X509_sign(certificate, key, EVP_sha256())
        return certificate
    }

    private static func text(_ write: (OpaquePointer?) -> Void) -> String {
        let bio = BIO_new(BIO_s_mem())
        defer { BIO_free(bio) }
        write(bio)
        var bytes = [UInt8](repeating: 0, count: 64 << 10)
        let count = BIO_read(bio, &bytes, CInt(bytes.count))
        return String(decoding: bytes.prefix(max(0, Int(count))), as: UTF8.self)
    }
}
