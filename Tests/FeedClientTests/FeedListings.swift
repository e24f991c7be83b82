import FeedClient
import Testing

/// Lists of feeds, page by page.
@Suite struct FeedListings {
    private static func page(_ id: String, next: String?) -> ScriptedTransport.Answer {
        let next = next.map { ",\"next\":\"\($0)\"" } ?? ""
        return .response(
            200,
            [:],
            #"{"feeds":[{"id":"\#(id)","token":"q7x2m5kd.1","count":0,"changed":""}]\#(next)}"#
        )
    }

    @Test func areReadToTheirEnd() async throws {
        let transport = ScriptedTransport(
            Self.page("a", next: "?limit=1000&after=a"),
            Self.page("b", next: nil)
        )
        let feeds = try await transport.service(key: "secret").feeds()
        #expect(feeds.map(\.id) == ["a", "b"])
        #expect(transport.seen.map(\.target) == ["/feeds?limit=1000", "/feeds?limit=1000&after=a"])
    }

    /// The key is that of one server.
    @Test(arguments: [
        "http://127.0.0.2:1/feeds?after=a", "https://127.0.0.1:1/feeds?after=a", "//elsewhere/",
        "http://127.0.0.1:2/feeds?after=a",
    ])
    func leadToNoOtherServer(_ next: String) async throws {
        let transport = ScriptedTransport(Self.page("a", next: next), Self.page("b", next: nil))
        await #expect(throws: FeedServiceError.self) {
            try await transport.service(key: "secret").feeds()
        }
        #expect(transport.seen.count == 1)
    }

    @Test func thatLeadInACircleEnd() async throws {
        let pages = (0..<50).map { Self.page("\($0)", next: "?after=\($0 % 2)") }
        let transport = ScriptedTransport(answers: pages)
        _ = try? await transport.service().feeds()
        #expect(transport.seen.count < 5)
    }
}
