import FeedFormats
import FeedModel
import TestSupport
import Testing

@testable import FeedAPI

/// Feeds that begin with the oldest, in the formats for feed readers.
@Suite(.bothWays) struct OldestFirstFeeds {
    private func document(_ days: [Int]) -> String {
        let items = days.map { day in
            let date = "20\(10 + day / 28)-01-\(10 + day % 28 / 2)T\(10 + day % 2):00:00Z"
            return "{\"id\":\"\(day)\",\"published\":\"\(date)\"}"
        }
        return "{\"items\":[\(items.joined(separator: ","))]}"
    }

    private func ids(_ api: API, _ query: String) async throws -> [String] {
        let response = try await api.get("/feeds/news.json\(query)")
        return try FeedReader().read(response.body).entries.compactMap { entry in
            // What stands before it is of the server.
            entry.guid?.split(separator: "/").last.map(String.init)
        }
    }

    @Test func beginWithTheNewestWhereNotAllHaveRoom() async throws {
        let api = API()
        try await api.put("news", document(Array(0..<50)))
        #expect(try await ids(api, "").count == 50)
        #expect(try await ids(api, "") == (0..<50).map { "\($0)" })
        var pages: [[String]] = []
        for offset in stride(from: 0, to: 60, by: 20) {
            pages.append(try await ids(api, "?limit=20&offset=\(offset)"))
        }
        #expect(pages.flatMap(\.self) == (0..<50).reversed().map { "\($0)" })
        // A page begins behind an item.
        #expect(try await ids(api, "?limit=20&after=31") == (11...30).reversed().map { "\($0)" })
        let response = try await api.get("/feeds/news.json?limit=20")
        #expect(response["Link"]?.contains("after=30&offset=20") == true)
    }

    @Test func areTheSameTheOtherWayRound() async throws {
        let api = API()
        try await api.put("news", document((0..<50).reversed()))
        #expect(try await ids(api, "?limit=20") == (30..<50).reversed().map { "\($0)" })
        try await api.put("news", document(Array(0..<10)))
        #expect(try await ids(api, "?limit=5") == (0..<5).map { "\($0)" })
    }
}
