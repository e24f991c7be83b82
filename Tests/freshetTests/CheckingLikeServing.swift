import Glibc
import HTTPServer
import TestSupport
import Testing

@testable import freshet

/// Whatever the server refuses to start with, `freshet check` refuses.
@Suite struct CheckingLikeServing {
    private func failure(_ text: String) -> String? {
        do throws(CommandFailure) {
            _ = try CheckCommand.verdict(Array(text.utf8), name: "freshet.yaml")
            return nil
        } catch {
            return error.message
        }
    }

    @Test(arguments: [
        ("tls-cert: /nowhere/c.pem\n", "a certificate needs its key"),
        ("tls-cert: /nowhere/c.pem\ntls-key: /nowhere/k.pem\n", "/nowhere/c.pem: No such file"),
        ("public: /nowhere\n", "there is no folder /nowhere"),
        ("host: nowhere.invalid\n", "host: nowhere.invalid cannot be listened on here"),
        ("host: 192.0.2.1\n", "host: 192.0.2.1 cannot be listened on here"),
        ("admin: 192.0.2.1:9090\n", "admin: 192.0.2.1 cannot be listened on here"),
        ("data: /dev/null\n", "data: /dev/null is no folder"),
        ("mirror: https://feeds.example.org\n", "following takes a key"),
        ("mirror-key: abcdefghijklmnopqrstuv\n", "does nothing without --mirror"),
        (
            "mirror: https://a.example\nmirror-key: abcdefghijklmnopqrstuv\ndata: postgres://a/b\n",
            "a mirror keeps feeds in a folder"
        ),
    ])
    func refuses(_ text: String, _ reason: String) {
        let message = failure(text)
        #expect(message?.hasPrefix("freshet.yaml:") == true)
        #expect(message?.contains(reason) == true, "\(message ?? "nothing")")
    }

    @Test func aPipeIsNoSecretThatIsWaitedFor() throws {
        let folder = try TemporaryFolder()
        #expect(mkfifo(folder.path("pipe"), 0o600) == 0)
        let key = "{kid: a, algorithm: HS256, secret-file: \(folder.path("pipe")), read: [a]}"
        #expect(failure("signing-keys: [\(key)]\n")?.contains("it is a pipe") == true)
    }

    @Test func warnsOfACertificate() throws {
        let certificate = TestCertificate(.ecdsa, days: -1)
        let files = certificate.files
        let text = "tls-cert: \(files.certificate)\ntls-key: \(files.key)\n"
        let verdict = try withExtendedLifetime(certificate) {
            try CheckCommand.verdict(Array(text.utf8), name: "freshet.yaml")
        }
        #expect(verdict.warnings.contains { $0.hasSuffix("the certificate has expired") })
    }
}
