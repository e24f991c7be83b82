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

    @Test(arguments: ["{port: 80}\n", "{\"port\": 80}\n"])
    func takesAConfigurationInBraces(_ text: String) {
        #expect(failure(text) == nil)
        #expect(failure(text.replacing("port", with: "prot"))?.contains("port is meant?") == true)
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

    @Test func saysThatAFolderThatIsNotThereIsAWarning() throws {
        let text = "source-folder: /nowhere\n"
        let verdict = try CheckCommand.verdict(Array(text.utf8), name: "freshet.yaml")
        let reason = "source-folder: /nowhere is no folder that can be read"
        #expect(verdict.warnings == ["warning: freshet.yaml:1:16: \(reason)"])
    }
}

/// Configurations at random: those that `check` passes start, and those that start pass.
@Suite(.serialized) struct CheckAndServe {
    /// Lines of configurations, right ones and wrong ones; FOLDER is a folder of the test.
    private static let lines = [
        "host: 127.0.0.1", "host: localhost", "host: 192.0.2.1",
        "host: '::1'", "host: [::1]", "port: 0", "port: 80000", "port:", "admin: 127.0.0.1:0",
        "admin: 192.0.2.1:0", "admin: 127.0.0.1", "loops: 2", "loops: 0", "demo: yes", "demo: si",
        "history: 1MiB", "history: 1 MiB", "memory-limit: 1GiB", "memory-limit: 1",
        "stale-after: 7s", "stale-after: 7", "log-format: json", "log-format: xml",
        "log-level: trace", "log-level: loud", "access-log: off", "public: FOLDER",
        "public: FOLDER/gone", "public: FOLDER/file", "tls-cert: CERT", "tls-key: KEY",
        "tls-cert: FOLDER/gone", "tls-key: FOLDER/file", "tls-key: CERT", "data: memory",
        "data: FOLDER/data", "data: FOLDER/file", "data: FOLDER/file/data", "data: FOLDER/a/b/c",
        "data: ftp://a/b", "data: host=a dbname=b", "mirror: http://127.0.0.1:1",
        "mirror: 127.0.0.1:1", "mirror-key: abcdefghijklmnopqrstuv", "mirror-key: ü",
        "mirror-feeds: [a, 'b-*']", "mirror-feeds: none", "mirror-feeds: [A]",
        "publish-url: http://a.example", "trusted-proxies: '10.0.0.0/8, ::1'",
        "trusted-proxies: 10.0.0.1/8", "forwarded-field: forwarded",
        "forwarded-field: proxy-protocol", "forwarded-field: via", "open-feeds: none",
        "open-feeds: [a, a]", "open-feeds: []", "allowed-origins: ['https://a.example']",
        "allowed-origins: [a]", "allowed-headers: [X-A]", "allowed-headers: ['a b']",
        "public-url: https://a.example", "public-url: https://a.example/", "entry-base: http://a",
        "source-folder: FOLDER", "source-folder: FOLDER/gone",
        "keys: [{digest: DIGEST, write: [a]}]", "keys: [{digest: DIGEST}]",
        "keys: [{digest: abc, write: [a]}]", "keys: [{digest: DIGEST, write: ['']}]",
        "signing-keys: [{kid: a, algorithm: HS256, secret-file: FOLDER/secret, read: [a]}]",
        "signing-keys: [{kid: a, algorithm: HS256, secret-file: FOLDER/gone, read: [a]}]",
        "signing-keys: [{kid: a, algorithm: ES256, public-key: FOLDER/file, read: [a]}]",
        "feeds: {a: {source: {file: FOLDER/feed.json, every: 1h}}}",
        "feeds: {a: {source: 'http://127.0.0.1:1/'}}", "feeds: {a: {source: {file: b.json}}}",
        "feeds: {a: {derive: {from: [b]}}}", "feeds: {a: {derive: {from: [a]}}}",
        "feeds: {'a-*': {guard: 50%, keep-versions: 30d}}", "feeds: {a: {keep-versions: 0}}",
        "feeds: {a: {source: {url: 'http://127.0.0.1:1/', cacert: CERT}}}",
        "feeds: {a: {source: {url: 'http://127.0.0.1:1/', cacert: FOLDER/file}}}",
        "feeds: {a: {source: {url: 'http://127.0.0.1:1/', headers-file: FOLDER/gone}}}",
        "limits: {body-size: 1MiB, head-timeout: 5s}", "limits: {target-size: 64KiB}",
        "limits: {connections: 5}", "limits: {connections: 0}", "limits: {stop-timeout: 0s}",
        "rate-limits: {reads-by-key: 600/1m}", "rate-limits: {reads-by-key: 600}", "prot: 1",
        "write: [*]", "\thost: a", "keys: [", "# a remark",
    ]

    private func verdict(_ text: String, _ path: String) -> String? {
        do throws(CommandFailure) {
            _ = try CheckCommand.verdict(Array(text.utf8), name: path)
            return nil
        } catch {
            return error.message
        }
    }

    /// Returns the reason why no server starts; nil where one did, and was stopped.
    private func failure(_ path: String) async -> String? {
        do {
            let own = try? ConfigurationFile(parsing: Array(FileContents.read(path)))
            // A configuration without `data` would keep feeds in the folder of the tests.
            let environment = own?.places["data"] == nil ? Environment.inMemory : Environment([:])
            let source = SettingsSource(["port": ["0"]], environment, path: path)
            let settings = try source.read().settings
            let problems = settings.problems
            guard problems.isEmpty else { return problems.joined(separator: "\n") }
            let server = try ServerAssembly(settings)
            await server.stop(within: .zero)
            return nil
        } catch let failure as CommandFailure {
            return failure.message
        } catch {
            return "\(error)"
        }
    }

    @Test(arguments: 0..<6) func agree(_ seed: UInt64) async throws {
        let folder = try TemporaryFolder()
        let certificate = TestCertificate.ecdsa.files
        try folder.write("no folder, no key", to: "file")
        try folder.write(String(repeating: "s", count: 40), to: "secret")
        try folder.write(#"{"items":[]}"#, to: "feed.json")
        var random = SeededGenerator(seed: seed)
        for _ in 0..<20 {
            // Few lines of one name: a name that stands twice is refused at once.
            var names: Set<Substring> = []
            let chosen = Self.lines.shuffled(using: &random).prefix(
                Int.random(in: 1...4, using: &random)
            )
            .filter { names.insert($0.prefix { $0 != ":" }).inserted }
            let text =
                chosen.joined(separator: "\n")
                .replacing("FOLDER", with: folder.path)
                .replacing("CERT", with: certificate.certificate)
                .replacing("KEY", with: certificate.key)
                .replacing("DIGEST", with: String(repeating: "1a", count: 32)) + "\n"
            try folder.write(text, to: "freshet.yaml")
            let path = folder.path("freshet.yaml")
            let (checked, served) = (verdict(text, path), await failure(path))
            #expect(
                (checked == nil) == (served == nil),
                "\(text)\ncheck: \(checked ?? "")\nserve: \(served ?? "")"
            )
        }
    }
}
