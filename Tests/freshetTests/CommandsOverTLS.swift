import ArgumentParser
import FeedClient
import FeedModel
import Foundation
import HTTPServer
import Platform
import TestSupport
import Testing

@testable import freshet

/// What the commands ask with, over TLS and for long.
@Suite(.timeLimit(.minutes(2))) struct CommandsOverTLS {
    private func withServer(
        _ certificate: TestCertificate,
        _ body: (URL) async throws -> Void
    ) async throws {
        let options: ServeSettings.Options = [
            "port": ["0"], "key": ["a-key"], "loops": ["1"],
            "tls-cert": [certificate.files.certificate], "tls-key": [certificate.files.key],
        ]
        let settings = try ServeSettings(options, .inMemory) { _ in false }
        let server = try ServerAssembly(settings)
        server.start()
        let result: Result<Void, any Error>
        do {
            let address = "https://localhost:\(server.port)"
            result = .success(try await body(try #require(URL(string: address))))
        } catch {
            result = .failure(error)
        }
        await server.stop(within: .seconds(10))
        try result.get()
    }

    private func service(
        _ url: URL,
        authorities: String? = nil,
        verifiesServers: Bool = true
    ) throws -> FeedService {
        var options = authorities.map { ["--cacert", $0] } ?? []
        if !verifiesServers { options.append("--insecure") }
        let client = try TrustOptions.parse(options).client(Environment([:]), for: url)
        return FeedService(baseURL: url, key: "a-key", transport: CurlTransport(client))
    }

    @Test func trustWhatTheyAreToldTo() async throws {
        let certificate = TestCertificate(.ecdsa)
        try await withServer(certificate) { url in
            try await service(url, authorities: certificate.files.certificate).checkReadiness()
            try await service(url, verifiesServers: false).checkReadiness()
            let error = await #expect(throws: FeedServiceError.self) {
                try await service(url).checkReadiness()
            }
            let failure = error?.failure(about: nil, at: url, hasKey: true)
            #expect(failure?.message.contains("--cacert FILE") == true)
            #expect(failure?.message.contains("is it running") == false)
        }
    }

    @Test func sayThatAServerSpeaksTLS() async throws {
        try await withServer(TestCertificate(.ecdsa)) { url in
            let address = url.absoluteString.replacing("https:", with: "http:")
            let plain = try service(try #require(URL(string: address)))
            let error = await #expect(throws: FeedServiceError.self) {
                try await plain.checkReadiness()
            }
            #expect(
                error?.cause?.hasPrefix("400: This port speaks") == true
            )
        }
    }

    @Test func nameCertificatesThatCannotBeRead() throws {
        let folder = try TemporaryFolder()
        try folder.write("none", to: "none.pem")
        let none = try ServiceOptions.parse(["--cacert", folder.path("none.pem")])
        let failure = #expect(throws: CommandFailure.self) { try none.service(Environment([:])) }
        #expect(failure?.message.contains("there is no certificate in PEM in it") == true)
        let options = try ServiceOptions.parse(["--cacert", "/nowhere/ca.pem"])
        #expect(
            throws: CommandFailure.usage(
                "cannot read /nowhere/ca.pem: No such file or directory (--cacert, FRESHET_CACERT)"
            )
        ) { try options.service(Environment([:])) }
    }

    @Test func followAStream() async throws {
        let certificate = TestCertificate(.ecdsa)
        try await withServer(certificate) { url in
            let service = try service(url, verifiesServers: false)
            let name = try #require(FeedName("news"))
            _ = try await service.publish(Data(#"{"items":[{"id":"a"}]}"#.utf8), to: name)
            var events = service.follow([Feed(name, of: service, showsChanges: true)])
                .makeAsyncIterator()
            guard case .replaced = try await events.next()?.change else {
                Issue.record("no snapshot")
                return
            }
            _ = try await service.insert(["id": "b"], into: name)
            let news = try await events.next()?.change
            guard case .changes(let changes) = news else {
                Issue.record("no changes: \(String(describing: news))")
                return
            }
            #expect(changes.insertedItems.map(\.item.id) == ["b"])
        }
    }

    @Test(arguments: [
        ("127.0.0.1:8097", "http://127.0.0.1:8097"), ("localhost:1", "http://localhost:1"),
        ("https://feeds.example/below", "https://feeds.example/below"),
    ])
    func understandAnAddress(_ given: String, as expected: String) throws {
        let options = try ServiceOptions.parse(["--server", given])
        #expect(try options.service(Environment([:])).baseURL.absoluteString == expected)
    }

    @Test(arguments: [
        ("gett", "get"), ("publsh", "publish"), ("wach", "watch"), ("lst", "list"),
        ("wtahc", "watch"), ("SERVE", "serve"),
    ])
    func knowWhatWasMeant(_ given: String, _ meant: String) {
        let failure = #expect(throws: CommandFailure.self) { try MisspeltCommand.check(given) }
        #expect(failure?.message.contains("did you mean “\(meant)”?") == true)
        #expect(throws: Never.self) { try MisspeltCommand.check(meant) }
        #expect(throws: Never.self) { try MisspeltCommand.check("--help") }
        #expect(throws: Never.self) { try MisspeltCommand.check(nil) }
    }

    @Test func sayWhichServerItWas() throws {
        let url = try #require(URL(string: "http://127.0.0.1:1"))
        let name = FeedName("news")
        let lost = FeedServiceError.unreachable("refused").failure(
            about: name,
            at: url,
            hasKey: true
        )
        #expect(lost.message.contains("http://127.0.0.1:1") && lost.status == 1)
        let refused = FeedServiceError.problem(status: 401, type: "", detail: "needs a key")
        #expect(refused.failure(about: name, at: url, hasKey: false).message.contains("--key"))
        #expect(!refused.failure(about: name, at: url, hasKey: true).message.contains("--key"))
        #expect(lost.message.contains("is it running"))
        let wrong = FeedServiceError.problem(status: 422, type: "", detail: "twice")
        let failure = wrong.failure(about: name, at: url, hasKey: true)
        #expect(failure.status == 2 && failure.message.hasPrefix("news at http://127.0.0.1:1: "))
    }

    @Test(arguments: [
        (
            "edits[1]: there is no item \"9\" (line 1, byte 25, at /edits/1)",
            "there is no item \"9\""
        ),
        ("there is no feed (here)", "there is no feed (here)"), ("", ""),
    ])
    func sayNothingOfEditsThatNobodyWrote(_ detail: String, _ expected: String) {
        let problem = FeedServiceError.problem(status: 409, type: "", detail: detail)
        #expect(
            problem.withoutPlaces == .problem(status: 409, type: "", detail: expected)
        )
    }

    @Test func nameTheOptionOfAListenerThatCannotBeOpened() async throws {
        func settings(_ admin: Int) throws -> ServeSettings {
            let options: ServeSettings.Options = [
                "port": ["0"], "key": ["a-key"], "loops": ["1"], "admin": ["127.0.0.1:\(admin)"],
            ]
            return try ServeSettings(options, .inMemory) { _ in false }
        }
        let server = try ServerAssembly(try settings(0))
        let port = try #require(server.adminPort)
        let failure = #expect(throws: AdminListenerFailure.self) {
            try ServerAssembly(try settings(port))
        }
        #expect(failure?.error.code == EADDRINUSE)
        await server.stop(within: .zero)
    }
}
