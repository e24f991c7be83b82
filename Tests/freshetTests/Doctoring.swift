import FeedJournal
import FeedModel
import Foundation
import Glibc
import HTTPClient
import HTTPServer
import TestSupport
import Testing

@testable import freshet

/// What `freshet doctor` says of each thing when it is well, and when it is not.
@Suite struct Doctoring {
    private func levels(_ findings: [Finding]) -> [String] {
        findings.map { "\($0.subject) \($0.level)" }
    }

    @Test(arguments: [(64, "fail"), (255, "fail"), (256, "warn"), (4095, "warn"), (4096, "ok")])
    func looksAtDescriptors(_ limit: Int, _ level: String) {
        #expect(MachineChecks.descriptors(limit: limit).level.rawValue == level)
    }

    @Test(arguments: [
        (8192, 8192, 5120, "ok"), (8192, 16_384, 7168, "warn"), (8192, 8192, 8192, "fail"),
        (128, 8192, 80, "warn"),
    ])
    func looksAtMemory(_ size: Int, _ machine: Int, _ feeds: Int, _ level: String) {
        let finding = MachineChecks.memory(
            byteCount: size << 20,
            machine: machine << 20,
            feeds: feeds << 20
        )
        #expect(finding.level.rawValue == level)
        #expect(finding.detail.contains("control group") == (size < machine))
    }

    @Test(arguments: [(true, "ok"), (false, "warn"), (nil, "ok")])
    func looksAtTheClock(_ isSynchronized: Bool?, _ level: String) {
        #expect(MachineChecks.clock(isSynchronized: isSynchronized).level.rawValue == level)
    }

    @Test(arguments: [(0.4, "ok"), (-1.9, "ok"), (5, "warn"), (-29, "warn"), (30, "fail")])
    func comparesClocks(_ seconds: Double, _ level: String) {
        let finding = MachineChecks.skew(seconds: seconds, from: "the database")
        #expect(finding.level.rawValue == level)
        guard level != "ok" else { return }
        #expect(finding.detail.contains(seconds < 0 ? "behind" : "ahead of"))
    }

    @Test(arguments: [
        ("3.0.15", [3, 0], "ok"), ("1.1.1w", [3, 0], "fail"), ("7.80.0", [7, 80], "ok"),
        ("7.79.9", [7, 80], "fail"), ("8.0", [7, 80], "ok"), ("none", [1, 0], "fail"),
    ])
    func looksAtLibraries(_ version: String, _ least: [Int], _ level: String) {
        let library = MachineChecks.Library(name: "libname", version: version, least: least)
        #expect(MachineChecks.library(library).level.rawValue == level)
    }

    @Test func knowsTheLibrariesThatAreLoaded() {
        for library in MachineChecks.libraries {
            #expect(MachineChecks.library(library).level == .ok, "\(library)")
        }
    }

    @Test(arguments: [(1024, 0, "ok"), (100, 0, "warn"), (1, 0, "fail"), (1024, 2048, "warn")])
    func looksAtTheDisk(_ free: Int, _ used: Int, _ level: String) {
        let finding = FileChecks.space(free: free << 20, used: used << 20)
        #expect(finding.level.rawValue == level)
    }

    @Test(arguments: [(0o600, "ok"), (0o640, "ok"), (0o644, "warn"), (0o666, "fail")])
    func looksAtSecrets(_ mode: Int, _ level: String) throws {
        let folder = try TemporaryFolder()
        try folder.write("secret", to: "app.key")
        #expect(chmod(folder.path("app.key"), mode_t(mode)) == 0)
        let finding = FileChecks.secret(folder.path("app.key"), "signing key")
        #expect(finding.level.rawValue == level)
        #expect(finding.line.contains(folder.path("app.key")))
    }

    @Test func looksForSecretsThatAreNotThere() throws {
        let folder = try TemporaryFolder()
        #expect(FileChecks.secret(folder.path("none"), "signing key").level == .fail)
        #expect(FileChecks.secret(folder.path, "signing key").level == .fail)
    }

    @Test(arguments: [(0o700, "ok"), (0o755, "ok"), (0o777, "fail")])
    func looksAtTheDataFolder(_ mode: Int, _ level: String) throws {
        let folder = try TemporaryFolder()
        #expect(chmod(folder.path, mode_t(mode)) == 0)
        let finding = try #require(FileChecks.dataFolder(folder.path).first)
        #expect(finding.subject == "data folder")
        #expect(finding.level.rawValue == level)
    }

    @Test func looksAtWhatIsInTheDataFolder() throws {
        let folder = try TemporaryFolder()
        try SQLiteJournal(DataFolder(folder.path), SQLiteJournal.Settings { 1 }).close()
        #expect(chmod(folder.path("feeds.db"), 0o644) == 0)
        #expect(chmod(folder.path, 0o755) == 0)
        #expect(FileChecks.dataFolder(folder.path).first?.level == .warn)
        #expect(chmod(folder.path, 0o700) == 0)
        #expect(FileChecks.dataFolder(folder.path).first?.level == .ok)
        #expect(chmod(folder.path, 0o755) == 0)
        #expect(chmod(folder.path("feeds.db"), 0o600) == 0)
        #expect(FileChecks.dataFolder(folder.path).first?.level == .ok)
        let other = FileChecks.dataFolder(folder.path, user: geteuid() + 1)
        #expect(other.first?.level == .warn)
        #expect(other.first?.detail.contains("belongs to the user") == true)
    }

    /// Kubernetes gives a volume to root, and to a group that the server is in.
    @Test func looksIntoADataFolderThatIsTheGroups() throws {
        let folder = try TemporaryFolder()
        #expect(chmod(folder.path, 0o2770) == 0)
        let user = geteuid() + 1
        #expect(FileChecks.dataFolder(folder.path, user: user).first?.level == .ok)
        if geteuid() == 0 {
            #expect(chown(folder.path, user, getegid()) == 0)
            // Who is root enters any folder: whose it is still counts.
            #expect(FileChecks.dataFolder(folder.path, user: 0).first?.level == .warn)
        }
        try folder.write("", to: "lock")
        let files = FileChecks.dataFolder(folder.path, user: user).first
        #expect(files?.detail.hasPrefix("\(folder.path("lock")) belongs to the user") == true)
    }

    @Test func looksIntoTheDataFolder() throws {
        let folder = try TemporaryFolder()
        let journal = try SQLiteJournal(DataFolder(folder.path), SQLiteJournal.Settings { 1 })
        let used = FileChecks.dataFolder(folder.path).first
        #expect(used?.level == .ok && used?.detail.contains("is in use (process ") == true)
        journal.close()
        let sound = FileChecks.dataFolder(folder.path).first
        #expect(sound?.level == .ok && sound?.detail.hasPrefix("\(folder.path): ") == true)
        try folder.write(String(repeating: "x", count: 9000), to: "feeds.db")
        #expect(chmod(folder.path("feeds.db"), 0o600) == 0)
        let damaged = FileChecks.dataFolder(folder.path).first
        #expect(damaged?.level == .fail)
        #expect(damaged?.line.contains("; restore a backup: ") == true)
        try FileManager.default.createDirectory(
            atPath: folder.path("restored.whole"),
            withIntermediateDirectories: true
        )
        #expect(FileChecks.dataFolder(folder.path).first?.level == .warn)
    }

    @Test func looksForADataFolderThatIsNotThere() throws {
        let folder = try TemporaryFolder()
        #expect(FileChecks.dataFolder(folder.path("new")).first?.level == .ok)
        #expect(FileChecks.dataFolder(folder.path("a/b/new")).first?.level == .fail)
        try folder.write("x", to: "file")
        #expect(FileChecks.dataFolder(folder.path("file")).first?.level == .fail)
        // Nothing was made.
        #expect(!FileManager.default.fileExists(atPath: folder.path("new")))
    }

    @Test(arguments: [(100, "ok"), (10, "warn"), (-1, "fail")])
    func looksAtTheCertificate(_ days: Int, _ level: String) {
        let certificate = TestCertificate(.ecdsa, days: days)
        let findings = withExtendedLifetime(certificate) {
            FileChecks.certificate(certificate.files)
        }
        #expect(findings.map(\.level.rawValue) == [level])
        let missing = CertificateFiles(certificate: "/nowhere", key: "/nowhere")
        #expect(FileChecks.certificate(missing).map(\.level) == [.fail])
        let other = TestCertificate(.otherCurve)
        let unusable = withExtendedLifetime(other) { FileChecks.certificate(other.files) }
        #expect(unusable.map(\.level) == [.fail])
    }

    @Test func aCertificateThatIsNotValidYetIsNotAMatterOfTheKeysMode() throws {
        let certificate = TestCertificate(.ecdsa, start: 2)
        let findings = withExtendedLifetime(certificate) {
            FileChecks.certificate(certificate.files)
        }
        #expect(findings.map(\.level) == [.fail])
        #expect(findings.first?.advice == "look at the clock, or wait")
    }

    /// The advice goes with the warning, also where there are several.
    @Test func aKeyThatOthersReadIsToldBesideTheCertificate() throws {
        let certificate = TestCertificate(.ecdsa, days: -1)
        let findings = withExtendedLifetime(certificate) {
            #expect(chmod(certificate.files.key, 0o644) == 0)
            return FileChecks.certificate(certificate.files)
        }
        #expect(findings.map(\.level) == [.fail, .warn])
        #expect(findings.last?.advice == "chmod 600 \(certificate.files.key)")
    }

    @Test func looksAtTheWebClient() throws {
        let folder = try TemporaryFolder()
        #expect(FileChecks.webClient(folder.path).level == .fail)
        try folder.write("x", to: "index.html")
        #expect(FileChecks.webClient(folder.path).level == .ok)
        #expect(chmod(folder.path("index.html"), 0o666) == 0)
        #expect(FileChecks.webClient(folder.path).level == .fail)
    }

    @Test func looksAtPorts() async throws {
        let settings = try ServeSettings(["port": ["0"], "loops": ["1"]], .inMemory) {
            _ in false
        }
        let server = try ServerAssembly(settings)
        let port = server.port
        let check = { NetworkChecks.port(host: "127.0.0.1", port: $0, isServing: $1) }
        #expect(check(port, false).level == .fail)
        #expect(check(port, true).level == .ok)
        await server.stop(within: .zero)
        #expect(check(port, false).level == .ok)
        #expect(check(0, false).level == .ok)
        #expect(NetworkChecks.port(host: "192.0.2.1", port: 1, isServing: false).level == .fail)
    }

    @Test(arguments: [
        (200, "ready\n", "ok"), (200, "degraded: publishes are refused\n", "warn"),
        (503, "{}", "fail"), (200, "<html>", "fail"),
    ])
    func looksAtTheServer(_ status: Int, _ text: String, _ level: String) {
        let answer = NetworkChecks.Answer(status: status, text: text)
        #expect(NetworkChecks.server("http://a", .success(answer)).level.rawValue == level)
        #expect(NetworkChecks.server("http://a", .failure(.cancelled)).level == .warn)
    }

    /// A configuration without a certificate is asked by `http`, also where the server has one as an
    /// option.
    @Test func saysHowAServerWithTLSIsNamed() {
        guard case .bytes(let bytes) = Response(.unencrypted).body else {
            Issue.record("the refusal has no text")
            return
        }
        let text = String(decoding: bytes, as: UTF8.self)
        let answer = NetworkChecks.Answer(status: 400, text: text)
        let finding = NetworkChecks.server("http://a", .success(answer))
        #expect(finding.level == .fail)
        #expect(finding.advice?.contains("--server https://") == true)
    }

    @Test func looksAtTheDatabase() {
        let address = "postgres://127.0.0.1:1/nothing"
        let findings = NetworkChecks.database(address) { 0 }
        #expect(levels(findings) == ["database fail"])
    }
}

/// All of it together.
@Suite struct DoctoringServers {
    private func doctor(
        _ text: String,
        in folder: TemporaryFolder,
        options: ServeSettings.Options = ServeSettings.Options()
    ) throws -> Doctor {
        try folder.write(text, to: "freshet.yaml")
        let path = folder.path("freshet.yaml")
        return Doctor(source: SettingsSource(options, Environment([:]), path: path))
    }

    private func named(_ subject: String, _ findings: [Finding]) -> [Finding.Level] {
        findings.filter { $0.subject == subject }.map(\.level)
    }

    @Test func aServerThatRunsIsWell() async throws {
        let folder = try TemporaryFolder()
        let text = "open-feeds: all\ndata: \(folder.path("data"))\nloops: 1\nport: 0\n"
        var doctor = try doctor(text, in: folder)
        let server = try ServerAssembly(try doctor.source.read().settings)
        server.start()
        doctor.server = "http://127.0.0.1:\(server.port)"
        let findings = await doctor.findings()
        await server.stop(within: .zero)
        #expect(named("configuration", findings) == [.ok])
        #expect(named("server", findings) == [.ok])
        #expect(named("data folder", findings) == [.ok])
        #expect(named("clock", findings).last == .ok)
        #expect(named("libraries", findings).count == 4)
        let after = await doctor.findings()
        #expect(named("server", after) == [.warn])
    }

    @Test func aConfigurationThatIsWrongIsToldLineByLine() async throws {
        let folder = try TemporaryFolder()
        let findings = try await doctor("port: x\nkey: y\n", in: folder).findings()
        #expect(named("configuration", findings) == [.fail, .fail])
        #expect(findings.first?.detail.contains("freshet.yaml:1:") == true)
        #expect(named("descriptors", findings).count == 1)
    }

    @Test func aConfigurationWithSecretsIsForOneUser() async throws {
        let folder = try TemporaryFolder()
        let text = "port: 0\nmirror: http://127.0.0.1:1\nmirror-key: abcdefghijklmnopqrstuv\n"
        let doctor = try doctor(text, in: folder)
        #expect(chmod(folder.path("freshet.yaml"), 0o644) == 0)
        #expect(named("configuration", await doctor.findings()) == [.warn])
        #expect(chmod(folder.path("freshet.yaml"), 0o600) == 0)
        #expect(named("configuration", await doctor.findings()) == [.ok])
        #expect(chmod(folder.path("freshet.yaml"), 0o602) == 0)
        #expect(named("configuration", await doctor.findings()) == [.fail])
    }

    @Test(arguments: [
        "data: postgres://feeds:secret@127.0.0.1:1/feeds",
        "data: postgres://127.0.0.1:1/feeds?user=feeds&password=secret",
        "public-url: https://user:secret@feeds.example",
        "feeds: {a: {source: 'https://user:secret@feeds.example/a'}}",
        "feeds: {a: {source: 'https://key@feeds.example/a'}}",
        "feeds: {a: {source: {url: 'https://user:secret@feeds.example/a'}}}",
        "feeds: {a: {source: {url: 'https://a.example', private-hub: 'http://a:b@c.example'}}}",
        "feeds: {a: {source: {url: 'https://a.example', proxy: 'http://a:b@c.example:1'}}}",
    ])
    func anAddressWithAPasswordIsASecret(_ text: String) throws {
        #expect(try ConfigurationFile(parsing: Array(text.utf8)).hasSecrets)
    }

    @Test(arguments: [
        "data: freshet-data", "data: postgres://feeds@db-1:5432,db-2:5432/feeds",
        "data: postgres://127.0.0.1:1/a@b:c", "public-url: https://feeds.example",
        "feeds: {a: {source: 'https://feeds.example/@a:b'}}",
    ])
    func anAddressWithoutAPasswordIsNoSecret(_ text: String) throws {
        #expect(try !ConfigurationFile(parsing: Array(text.utf8)).hasSecrets)
    }

    @Test func aMirrorsKeyElsewhereIsNoSecretOfTheFile() async throws {
        let folder = try TemporaryFolder()
        let text = "port: 0\nmirror: http://127.0.0.1:1\n"
        let doctor = try doctor(text, in: folder, options: ["mirror-key": ["abcdefghijklmnop"]])
        #expect(chmod(folder.path("freshet.yaml"), 0o644) == 0)
        #expect(named("configuration", await doctor.findings()) == [.ok])
    }

    @Test func aSecretOfASigningKeyIsLookedAt() async throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "s", count: 40), to: "app.key")
        #expect(chmod(folder.path("app.key"), 0o644) == 0)
        let key = "{kid: a, algorithm: HS256, secret-file: \(folder.path("app.key")), read: [a]}"
        let findings = try await doctor("port: 0\nsigning-keys: [\(key)]\n", in: folder).findings()
        #expect(named("signing key", findings) == [.warn])
    }

    @Test func aConfigurationFromAPipeIsReadOnce() async throws {
        let folder = try TemporaryFolder()
        try folder.write(String(repeating: "s", count: 40), to: "app.key")
        #expect(chmod(folder.path("app.key"), 0o644) == 0)
        let key = "{kid: a, algorithm: HS256, secret-file: \(folder.path("app.key")), read: [a]}"
        let pipe = Pipe()
        pipe.fileHandleForWriting.write(Data("port: 0\nsigning-keys: [\(key)]\n".utf8))
        try pipe.fileHandleForWriting.close()
        let path = "/dev/fd/\(pipe.fileHandleForReading.fileDescriptor)"
        let source = SettingsSource(ServeSettings.Options(), .inMemory, path: path)
        let findings = await Doctor(source: source).findings()
        #expect(named("configuration", findings) == [.ok])
        #expect(named("signing key", findings) == [.warn])
    }

    @Test func findingsAreADocumentToo() throws {
        let findings = [
            Finding.ok("memory", "8 GiB"), .fail("port", "8080 is taken", "choose another"),
        ]
        let document = try #require(TestJSON(Finding.document(findings)))
        #expect(document["ok"] == .bool(false))
        #expect(document["findings"]?.list.map { $0["level"]?.string } == ["ok", "fail"])
        #expect(document["findings"]?[1]?["advice"]?.string == "choose another")
        #expect(findings[1].line == "fail  port           8080 is taken; choose another")
    }
}
