import FeedModel
import FeedStore
import StoreModel
import TestSupport
import Testing

@testable import FeedAPI

/// Derived feeds for feed readers: entries keep the ids that they have in their own feeds.
@Suite struct DerivedFormats {
    private func api(publicURL: String?) throws -> API {
        let names = try ["all", "second", "news", "wire"].map { try #require(FeedName($0)) }
        let from = try [["news", "wire"], ["all"]].map { list in
            try list.map { try #require(FeedPattern($0)) }
        }
        let api = API {
            $0.publicURL = publicURL
            $0.sources = SomeSources()
            $0.derivedFeeds = [names[0]: from[0], names[1]: from[1]]
        }
        let items = #"{"id":"news/a/b","title":"A"},{"id":"wire/urn:x:1","title":"B"}"#
        let first = try Snapshot(parsing: Array("{\"items\":[\(items)]}".utf8))
        _ = api.store.publishInMemory(names[0]) { _ in first }
        let second = try Snapshot(
            parsing: Array(#"{"items":[{"id":"all/news/a/b"},{"id":"all/wire/urn:x:1"}]}"#.utf8)
        )
        _ = api.store.publishInMemory(names[1]) { _ in second }
        return api
    }

    @Test(arguments: ["all", "second"])
    func nameTheFeedsThatEntriesAreOf(_ name: String) async throws {
        let api = try api(publicURL: "https://f.example")
        let atom = try await api.get("/feeds/\(name).atom").text
        #expect(atom.contains("<id>https://f.example/feeds/news/items/a%2Fb</id>"))
        #expect(atom.contains("<id>urn:x:1</id>"))
        #expect(atom.contains("<source><id>https://f.example/feeds/news</id>"))
        #expect(atom.contains("<source><id>https://f.example/feeds/wire</id>"))
        #expect(atom.contains("<id>https://f.example/feeds/\(name)</id>"))
        let json = try await api.get("/feeds/\(name).json").text
        #expect(json.contains(#""id":"https://f.example/feeds/news/items/a%2Fb""#))
        #expect(json.contains(#""id":"urn:x:1""#))
    }

    @Test func haveTagsThatDependOnWhatTheirFeedsKeep() async throws {
        let with = try api(publicURL: nil)
        let tag = try #require(try await with.get("/feeds/all.atom")["ETag"])
        #expect(try await with.get("/feeds/all.atom", ["If-None-Match": tag]).status == 304)
        let without = API(store: with.store) {
            $0.derivedFeeds = [:]
        }
        #expect(try await without.get("/feeds/all.atom", ["If-None-Match": tag]).status == 200)
    }
}
