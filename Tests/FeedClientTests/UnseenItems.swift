import FeedModel
import Foundation
import Testing

@testable import FeedClient

/// The items that came above the row that a reader sees first.
@Suite(.timeLimit(.minutes(2))) @MainActor struct UnseenItems {
    private let server = InMemoryServer()
    private let name: FeedName
    private let feed: LiveFeed<[String: String]>

    init() throws {
        name = try #require(FeedName("news"))
        feed = LiveFeed(name, of: server.service())
    }

    private func show(_ ids: String...) async throws {
        try server.replace(name, withItems: ids.map { ["id": $0, "text": "longer than a change"] })
        await feed.refresh()
    }

    private func unseen() -> [String] {
        #expect(feed.newAbove == feed.unseenAbove.count)
        return feed.unseenAbove.map(\.string).sorted()
    }

    @Test func areThoseThatCameAboveIt() async throws {
        try await show("a", "b", "c")
        await feed.readerIs(at: "b")
        try await show("m", "n", "a", "b", "o", "c")
        #expect(unseen() == ["m", "n"])
    }

    @Test func areNoneAtTheTop() async throws {
        try await show("a", "b", "c")
        try await show("m", "a", "b", "c")
        #expect(unseen() == [])
        await feed.readerIs(at: "b")
        try await show("n", "m", "a", "b", "c")
        #expect(unseen() == ["n"])
        await feed.readerIs(at: nil)
        #expect(unseen() == [])
    }

    @Test func areNoMoreWhatWent() async throws {
        try await show("a", "b", "c")
        await feed.readerIs(at: "b")
        try await show("m", "n", "a", "b", "c")
        try await show("n", "a", "b", "c")
        #expect(unseen() == ["n"])
        // It comes back as one more.
        try await show("m", "n", "a", "b", "c")
        #expect(unseen() == ["m", "n"])
        try await show("a", "b", "c")
        #expect(unseen() == [])
    }

    @Test func areNoMoreWhatIsSeen() async throws {
        try await show("a", "b", "c")
        await feed.readerIs(at: "c")
        try await show("m", "n", "o", "a", "b", "c")
        for (place, rest) in [("a", ["m", "n", "o"]), ("o", ["m", "n"]), ("m", [])] {
            await feed.readerIs(at: place)
            #expect(unseen() == rest)
        }
        // They were seen, also when they are above again.
        await feed.readerIs(at: "c")
        #expect(unseen() == [])
    }

    @Test func areNoMoreWhatMovedBelow() async throws {
        try await show("a", "b", "c")
        await feed.readerIs(at: "b")
        try await show("m", "n", "a", "b", "c")
        try await show("n", "a", "b", "m", "c")
        #expect(unseen() == ["n"])
    }

    @Test func areAlsoWhatCameAboveARowThatWentSince() async throws {
        try await show("a", "b", "c")
        await feed.readerIs(at: "b")
        try await show("m", "a", "c")
        #expect(unseen() == ["m"])
        try await show("n", "m", "a", "c", "o")
        #expect(unseen() == ["m", "n"])
        try await show("n", "m", "a")
        #expect(unseen() == ["m", "n"])
        try await show()
        #expect(unseen() == [])
    }

    @Test func areWhatCameWithASection() async throws {
        func show(_ sections: String) async throws {
            try server.publish(Data(#"{"sections":[\#(sections)]}"#.utf8), to: name)
            await feed.refresh()
        }
        let last = #"{"id":"z","items":[{"id":"z1"},{"id":"z2"}]}"#
        try await show(last)
        await feed.readerIs(at: "z2")
        try await show(#"{"id":"a","items":[{"id":"a1"},{"id":"a2"}]},\#(last)"#)
        #expect(unseen() == ["a1", "a2"])
    }

    @Test func areNoneOfAFirstCopy() async throws {
        await feed.readerIs(at: "b")
        try await show("a", "b", "c")
        #expect(unseen() == [])
    }
}
