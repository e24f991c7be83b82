import Dispatch
import Foundation
import HTTPServer
import Logging
import TestSupport
import Testing

@testable import freshet

/// A server that reads its configuration again.
@Suite struct Reloads {
    /// A server with a configuration file, and a connection to it that stays open.
    fileprivate struct Subject {
        let server: ServerAssembly
        let readAgain: () -> Void
        let client: RawClient
        let path: String
        let messages: Messages
    }

    private static let key = "the-key"
    private static let publisher =
        "keys: [{digest: \(KeyCommand.digest(key)), write: ['*']}]\n"

    private func withSubject(
        _ configuration: String,
        madeKey: String? = nil,
        tls: TLSPeer.Options? = nil,
        _ body: (Subject) async throws -> Void
    ) async throws {
        let path = NSTemporaryDirectory() + "freshet-\(UUID().uuidString).yaml"
        defer { try? FileManager.default.removeItem(atPath: path) }
        try Data(configuration.utf8).write(to: URL(fileURLWithPath: path))
        let options: ServeSettings.Options = ["port": ["0"], "loops": ["2"]]
        let source = SettingsSource(options, .inMemory, path: path)
        let messages = Messages()
        let logger = Logger(label: "test") { _ in messages.handler }
        let server = try ServerAssembly(source.read().settings)
        let output = LogOutput(.text, level: .info, descriptor: -1)
        let reload = {
            server.configuration.reload(from: source, output, logger, madeKey: madeKey)
        }
        server.start()
        let client = try RawClient(port: server.port, tls: tls)
        let subject = Subject(
            server: server,
            readAgain: reload,
            client: client,
            path: path,
            messages: messages
        )
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(subject))
        } catch {
            result = .failure(error)
        }
        await server.stop(within: .zero)
        try result.get()
    }

    @Test func reloadsChangeRightsOnAConnectionThatIsOpen() async throws {
        try await withSubject(Self.publisher) { subject in
            #expect(try subject.put() == 201)
            #expect(try subject.get("/feeds/news").status == 200)
            let first = try subject.get("/feeds/news")
            #expect(first["vary"] == "Accept-Encoding, Prefer")

            try await subject.reload(Self.publisher + "open-feeds: none\n")
            #expect(try subject.get("/feeds/news").status == 401)
            let closed = try subject.get("/feeds/news", key: Self.key)
            #expect(closed["vary"] == "Accept-Encoding, Prefer, Authorization")
            #expect(closed["cache-control"] == "private, no-cache")

            try await subject.reload("open-feeds: all\nlimits: {body-size: 10}\n" + Self.publisher)
            #expect(try subject.get("/feeds/news")["vary"] == "Accept-Encoding, Prefer")
            #expect(try subject.put() == 413)

            let other = "keys: [{digest: \(KeyCommand.digest("other")), write: [a]}]\n"
            try await subject.reload(other)
            #expect(try subject.put() == 401)
        }
    }

    @Test func reloadsSayWhatChanged() async throws {
        try await withSubject(Self.publisher) { subject in
            // Port and loops are options here, which win over the file.
            let text = Self.publisher + "open-feeds: [a]\nlog-level: debug\nloops: 3\nport: 1\n"
            let message = try await subject.reload(text)
            #expect(message == "configuration read again changed=log-level, open-feeds")
        }
    }

    @Test func reloadsSayWhatNeedsARestart() async throws {
        try await withSubject(Self.publisher) { subject in
            let text = Self.publisher + "host: 0.0.0.0\naccess-log: true\n"
            let message = try await subject.reload(text)
            #expect(message == "configuration read again changed=nothing")
            let second = await subject.messages.next()
            #expect(second == "what else changed needs a restart settings=host, access-log")
        }
    }

    @Test(arguments: ["port: [", "prot: 1", "keys: [{digest: x, write: a}]", "", nil])
    func reloadsKeepTheConfigurationBeforeWhenTheNewOneIsNotValid(_ text: String?) async throws {
        try await withSubject(Self.publisher) { subject in
            if let text {
                try Data(text.utf8).write(to: URL(fileURLWithPath: subject.path))
            } else {
                try FileManager.default.removeItem(atPath: subject.path)
            }
            subject.readAgain()
            let first = await subject.messages.next()
            #expect(first?.hasPrefix(subject.path) == true)
            let second = await subject.messages.next()
            #expect(second == "the configuration is not valid; the one before stays in force")
            #expect(try subject.put() == 201)
        }
    }

    @Test func reloadsBoundTheMemoryOfFeedsAnew() async throws {
        try await withSubject(Self.publisher + "memory-limit: 8MiB\n") { subject in
            #expect(try subject.put("a", byteCount: 700_000) == 201)
            let less = try await subject.reload(Self.publisher + "memory-limit: 1MiB\n")
            #expect(less == "configuration read again changed=memory-limit")
            #expect(try subject.put("b", byteCount: 700_000) == 503)
            #expect(try subject.put("b", byteCount: 100) == 201)
            #expect(try subject.get("/feeds/a").status == 200)
            try await subject.reload(Self.publisher + "memory-limit: 3MiB\n")
            #expect(try subject.put("c", byteCount: 700_000) == 201)
        }
    }

    @Test func reloadsKeepTheKeyThatWasMadeForAsLongAsThereIsNoOther() async throws {
        try await withSubject("", madeKey: Self.key) { subject in
            try await subject.reload("# no keys yet\n")
            #expect(try subject.put() == 201)
            #expect(try subject.put(host: "feeds.example") == 421)
            let other = KeyCommand.digest("other")
            try await subject.reload("keys: [{digest: \(other), write: [news]}]")
            #expect(try subject.put() == 401)
            #expect(try subject.put(key: "other") == 200)
            // A server with keys of its own may have a proxy before it, and any name.
            #expect(try subject.put(key: "other", host: "feeds.example") == 200)
        }
    }

    @Test func reloadsEndTheKeyThatWasMadeWhenOthersSignTokens() async throws {
        let secret = NSTemporaryDirectory() + "freshet-\(UUID().uuidString).secret"
        defer { try? FileManager.default.removeItem(atPath: secret) }
        try Data(repeating: 7, count: 40).write(to: URL(fileURLWithPath: secret))
        let signers =
            "signing-keys: [{kid: a, algorithm: HS256, secret-file: \(secret), write: '*'}]"
        try await withSubject("", madeKey: Self.key) { subject in
            try await subject.reload(signers)
            #expect(try subject.put() == 401)
            #expect(try subject.get("/feeds/news").status == 404)
        }
        // Whoever signs can publish.
        try await withSubject(signers) { subject in
            let message = try await subject.reload(signers)
            #expect(message == "configuration read again changed=nothing")
        }
    }

    @Test func reloadsServeTheCertificateThatIsThereNow() async throws {
        let certificate = TestCertificate(.ecdsa, serial: 1)
        defer { withExtendedLifetime(certificate) {} }
        let files = certificate.files
        let configuration = """
            tls-cert: \(files.certificate)
            tls-key: \(files.key)
            \(Self.publisher)
            """
        try await withSubject(configuration, tls: .init()) { subject in
            #expect(subject.client.tls?.serial == 1)
            try Self.replace(files, by: TestCertificate(.rsa, serial: 2))
            try await subject.reload(configuration)
            #expect(try subject.newSerial() == 2)
            #expect(try subject.get("/healthz").status == 200)

            // A key that does not fit: the certificate before stays in use.
            try Self.replace(files, by: TestCertificate(.ecdsa, serial: 3), isKeyAlone: true)
            let said = [try await subject.reload(configuration)]
            let rest = [await subject.messages.next(), await subject.messages.next()]
            #expect(
                (said + rest).contains(
                    "the certificate cannot be used; the one before stays in use"
                )
            )
            #expect((said + rest).contains { $0?.contains(files.key) == true })
            #expect(try subject.newSerial() == 2)
            #expect(try subject.get("/healthz").status == 200)
        }
    }

    /// Overwrites a certificate, or the key alone, as a tool that renews it does.
    private static func replace(
        _ files: CertificateFiles,
        by new: TestCertificate,
        isKeyAlone: Bool = false
    ) throws {
        try Data(contentsOf: URL(fileURLWithPath: new.files.key))
            .write(to: URL(fileURLWithPath: files.key))
        guard !isKeyAlone else { return }
        try Data(contentsOf: URL(fileURLWithPath: new.files.certificate))
            .write(to: URL(fileURLWithPath: files.certificate))
    }

    @Test func reloadsAreAskedForByASignal() async throws {
        let (stream, arrival) = AsyncStream.makeStream(of: Void.self)
        let signal = try ReloadSignal()
        kill(getpid(), SIGHUP)
        try signal.start { arrival.yield() }
        var arrivals = stream.makeAsyncIterator()
        await arrivals.next()
        kill(getpid(), SIGHUP)
        await arrivals.next()
        signal.stop()
    }
}

extension Reloads.Subject {
    /// Writes the file and has it read.
    ///
    /// - Returns: What is logged of that.
    @discardableResult
    fileprivate func reload(_ text: String) async throws -> String? {
        try Data(text.utf8).write(to: URL(fileURLWithPath: path))
        readAgain()
        return await messages.next()
    }

    /// The serial number of the certificate that a new connection gets.
    fileprivate func newSerial() throws -> Int? {
        try RawClient(port: server.port, tls: .init()).tls?.serial
    }

    fileprivate func get(_ target: String, key: String? = nil) throws -> RawResponse {
        let field = key.map { "Authorization: Bearer \($0)\r\n" } ?? ""
        try client.send("GET \(target) HTTP/1.1\r\nHost: a\r\n\(field)\r\n")
        return try client.receive()
    }

    /// Publishes a feed.
    ///
    /// - Returns: The status.
    fileprivate func put(
        _ feed: String = "news",
        key: String = "the-key",
        host: String = "localhost",
        byteCount: Int = 0
    ) throws -> Int {
        let text = String(repeating: "x", count: byteCount)
        let body = #"{"items":[{"id":"\#(UUID().uuidString)","text":"\#(text)"}]}"#
        let other = try RawClient(port: server.port)
        try other.send(
            "PUT /feeds/\(feed) HTTP/1.1\r\nHost: \(host)\r\nAuthorization: Bearer \(key)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
                + body
        )
        return try other.receive().status
    }
}

/// What a logger was told, to be awaited.
private final class Messages: Sendable {
    private let stream: AsyncStream<String>
    private let arrival: AsyncStream<String>.Continuation

    init() {
        (stream, arrival) = AsyncStream.makeStream(of: String.self)
    }

    var handler: Handler { Handler(arrival: arrival) }

    /// The next message with its metadata.
    func next() async -> String? {
        var iterator = stream.makeAsyncIterator()
        return await iterator.next()
    }

    struct Handler: LogHandler {
        let arrival: AsyncStream<String>.Continuation
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.notice

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            let members = (event.metadata ?? [:]).map { " \($0.key)=\($0.value)" }
            arrival.yield("\(event.message)" + members.joined())
        }
    }
}
