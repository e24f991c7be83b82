import Glibc
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct Certificates {
    private func failure(_ files: CertificateFiles) -> CertificateError? {
        do {
            _ = try TLSContext(files)
            return nil
        } catch {
            return error
        }
    }

    /// Keeps the files of `certificate` until they are read.
    private func failure(of certificate: TestCertificate) -> CertificateError? {
        withExtendedLifetime(certificate) { failure(certificate.files) }
    }

    private func warnings(of certificate: TestCertificate) throws -> [String] {
        try withExtendedLifetime(certificate) { try TLSContext(certificate.files).warnings }
    }

    @Test func aKeyOfAnotherCertificateIsNamed() {
        let certificate = TestCertificate.ecdsa.files.certificate
        for other in [TestCertificate.rsa, TestCertificate(.ecdsa)] {
            let error = withExtendedLifetime(other) {
                failure(CertificateFiles(certificate: certificate, key: other.files.key))
            }
            #expect(error?.file == other.files.key)
            let reason = "the private key does not fit the certificate in \(certificate)"
            #expect(error?.reason == reason)
        }
    }

    @Test func aFileThatIsNotThereIsNamed() {
        let good = TestCertificate.ecdsa.files
        let missing = failure(CertificateFiles(certificate: "/nowhere/c.pem", key: good.key))
        #expect(missing?.description == "/nowhere/c.pem: No such file or directory")
        let folder = failure(CertificateFiles(certificate: good.certificate, key: "/"))
        #expect(folder?.description == "/: Is a directory")
    }

    @Test func aFileOfTheWrongKindIsNamed() {
        let good = TestCertificate.ecdsa.files
        let noKey = failure(CertificateFiles(certificate: good.certificate, key: good.certificate))
        let noKeyInIt = "there is no private key in it (PEM is expected)"
        #expect(noKey == CertificateError(good.certificate, noKeyInIt))
        let noCertificate = failure(CertificateFiles(certificate: good.key, key: good.key))
        let noneInIt = "there is no certificate in it (PEM is expected)"
        #expect(noCertificate == CertificateError(good.key, noneInIt))
        let neither = failure(CertificateFiles(certificate: "/dev/null", key: good.key))
        #expect(neither == CertificateError("/dev/null", noneInIt))
    }

    @Test func anEncryptedKeyIsNotAskedFor() {
        let certificate = TestCertificate(.ecdsa, words: "open sesame")
        let error = failure(of: certificate)
        #expect(error?.file == certificate.files.key)
        #expect(error?.reason.hasPrefix("the private key is encrypted") == true)
    }

    @Test func aKeyThatIsTooShortIsRefused() {
        let certificate = TestCertificate(.shortRSA)
        let error = failure(of: certificate)
        #expect(error?.file == certificate.files.certificate)
        #expect(error?.description.contains("key too small") == true)
    }

    @Test func aBrokenCertificateOfAChainIsCounted() throws {
        let good = TestCertificate(.ecdsa)
        let path = good.files.certificate
        let opened = open(path, O_WRONLY | O_APPEND)
        let text = "-----BEGIN CERTIFICATE-----\nbm90IG9uZQ==\n-----END CERTIFICATE-----\n"
        #expect(write(opened, text, text.utf8.count) == text.utf8.count)
        close(opened)
        let expected = CertificateError(path, "certificate 2 in it is malformed")
        #expect(failure(of: good) == expected)
    }

    @Test func oneThatIsOutOfDateIsUsedWithAWarning() throws {
        let certificate = TestCertificate(.rsa, days: -1)
        let path = certificate.files.certificate
        #expect(try warnings(of: certificate) == ["\(path): the certificate has expired"])
        #expect(try warnings(of: .rsa) == [])
    }

    @Test(arguments: [
        (TestCertificate.Kind.otherCurve, "a key on the curve secp256k1; make one for P-256"),
        (.pssRSA, "a key for RSA-PSS alone; make one for RSA, or for P-256"),
    ])
    func oneThatNoClientCanUseIsToldOf(
        _ kind: TestCertificate.Kind,
        _ words: String
    ) async throws {
        let certificate = TestCertificate(kind)
        let path = certificate.files.certificate
        let expected = ["\(path): no client can use a certificate with \(words)"]
        #expect(try warnings(of: certificate) == expected)
        // And none can.
        try await withSecureServer(certificate: certificate, echo) { server in
            #expect(throws: RawClient.Failure.self) {
                try RawClient(port: server.port, tls: .init())
            }
        }
    }

    @Test(arguments: [true, false]) func aPipeIsNotWaitedFor(_ isKey: Bool) throws {
        let folder = try TemporaryFolder()
        let pipe = folder.path("pipe")
        #expect(mkfifo(pipe, 0o600) == 0)
        let good = TestCertificate.ecdsa.files
        let error = failure(
            CertificateFiles(
                certificate: isKey ? good.certificate : pipe,
                key: isKey ? pipe : good.key
            )
        )
        #expect(error?.description == "\(pipe): it is a pipe, not a file")
    }

    @Test(arguments: [(30, 29...30), (-1, -2...(-1))])
    func knowsHowLongItIsGood(_ days: Int, _ expected: ClosedRange<Int>) throws {
        let certificate = TestCertificate(.ecdsa, days: days)
        let seconds = try withExtendedLifetime(certificate) {
            try TLSContext(certificate.files).remainingSeconds
        }
        #expect(expected.contains(Int((Double(seconds) / 86_400).rounded(.down))))
    }

    @Test func anotherOneIsToldFromTheSameReadAgain() throws {
        let server = TLSServer(try TLSContext(TestCertificate.ecdsa.files))
        #expect(try !server.replaceContext(with: TLSContext(TestCertificate.ecdsa.files)))
        #expect(try server.replaceContext(with: TLSContext(TestCertificate.rsa.files)))
    }

    @Test func aKeyThatEverybodyCanReadIsUsedWithAWarning() throws {
        let certificate = TestCertificate(.ecdsa)
        #expect(chmod(certificate.files.key, 0o644) == 0)
        let warnings = try warnings(of: certificate)
        #expect(warnings.count == 1)
        #expect(warnings.first?.hasPrefix(certificate.files.key) == true)
    }
}
