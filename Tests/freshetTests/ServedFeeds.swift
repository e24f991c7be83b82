import FeedClient
import FeedModel
import Foundation
import HTTPServer
import Platform
import Testing

@testable import freshet

/// The command's parts together: a server on a port of its own, and the client that talks to it.
@Suite struct ServedFeeds {
    @Test func servedFeedsArePublishedAndRead() async throws {
        try await withServer { service in
            let feed = try #require(FeedName("news"))
            let first = try await service.publish(document("1", "2", "3"), to: feed)
            #expect(first.since == nil)
            #expect(first.counts.items.inserted == 3)
            let token = try #require(first.token)

            let second = try await service.publish(document("3", "1", "4"), to: feed)
            #expect(second.since == token)
            #expect(
                PublishFormatter(second).description
                    == "news \(token.epoch).2: 1 inserted, 1 removed, 1 moved"
            )

            let changes = try await service.get(feed, since: token)
            let text = String(decoding: changes, as: UTF8.self)
            #expect(text.hasPrefix(#"{"kind":"changes","feed":"news","since":"\#(token)""#))
            let patch = try await service.get(feed, since: second.token, format: .jsonPatch)
            #expect(String(decoding: patch, as: UTF8.self) == "[]")
        }
    }

    @Test func servedFeedsArePublishedOnlyOnTheVersionThatIsMeant() async throws {
        try await withServer { service in
            let feed = try #require(FeedName("news"))
            let token = try await service.publish(document("1"), to: feed).token
            let dry = try await service.publish(
                document("2"),
                to: feed,
                options: PublishOptions(isDryRun: true)
            )
            #expect(dry.isDryRun)
            #expect(dry.token == nil)
            let second = try await service.publish(
                document("2"),
                to: feed,
                options: PublishOptions(ifMatch: token)
            )
            #expect(second.since == token)
            await #expect {
                _ = try await service.publish(
                    document("3"),
                    to: feed,
                    options: PublishOptions(ifMatch: token)
                )
            } throws: { error in
                guard case .problem(412, "/problems/precondition", _) = error as? FeedServiceError
                else { return false }
                return true
            }
        }
    }

    @Test func servedFeedsNeedAKeyToBePublished() async throws {
        try await withServer(key: "another") { service in
            let feed = try #require(FeedName("news"))
            await #expect {
                _ = try await service.publish(document("1"), to: feed)
            } throws: { error in
                guard case .problem(401, "/problems/key", _) = error as? FeedServiceError else {
                    return false
                }
                return true
            }
        }
    }

    @Test func servedFeedsAreThoseOfTheDemo() async throws {
        try await withServer { service in
            try await service.checkReadiness()
            for name in ["contacts", "daily", "machine"] {
                let feed = try #require(FeedName(name))
                let view = FeedView(limit: 1)
                let snapshot = try await service.get(feed, view: view)
                #expect(String(decoding: snapshot, as: UTF8.self).contains(#""count":1,"#))
            }
        }
    }

    @Test func servedFeedsAreNotServedWhereThePortIsTaken() async throws {
        let options: ServeSettings.Options = ["port": ["0"], "loops": ["1"], "demo": ["true"]]
        var settings = try ServeSettings(options, .inMemory) { _ in false }
        let first = try ServerAssembly(settings)
        settings.port = first.port
        let error = #expect(throws: SystemError.self) { try ServerAssembly(settings) }
        await first.stop(within: .zero)
        #expect(error?.code == EADDRINUSE)
    }

    /// Serves on a free port, with a stop at the end.
    private func withServer(
        key: String = "a-key",
        _ body: (FeedService) async throws -> Void
    ) async throws {
        let options: ServeSettings.Options = [
            "port": ["0"], "key": ["a-key"], "loops": ["1"], "demo": ["true"],
        ]
        let settings = try ServeSettings(options, .inMemory) { _ in false }
        let server = try ServerAssembly(settings)
        server.start()
        let result: Result<Void, any Error>
        do {
            let address = ServeCommand.url(host: settings.host, port: server.port)
            let service = FeedService(baseURL: try #require(URL(string: address)), key: key)
            result = .success(try await body(service))
        } catch {
            result = .failure(error)
        }
        await server.stop(within: .seconds(10))
        try result.get()
    }

    private func document(_ ids: String...) -> Data {
        let items = ids.map { #"{"id":"\#($0)","text":"long enough to be worth a difference"}"# }
        return Data(#"{"items":[\#(items.joined(separator: ","))]}"#.utf8)
    }
}
