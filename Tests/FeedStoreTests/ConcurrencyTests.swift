import FeedDiff
import FeedModel
import StoreModel
import TestSupport
import Testing

@testable import FeedStore

@Suite struct ManyThreads {
    @Test func noPublishIsLostAndNoReaderGoesBack() async throws {
        let store = FeedStore()
        try store.put(#"{"items": [{"id": "n", "value": 0}]}"#)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<8 {
                group.addTask {
                    for step in 0..<40 {
                        let step = try item(#"{"id": "\#(writer)-\#(step)"}"#)
                        _ = try store.publishInMemory(news) { version in
                            try increment(version, adding: step)
                        }
                        await Task.yield()
                    }
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    var last = 0
                    while last < 321 {
                        let version = try #require(store.current(news))
                        #expect(version.token.version >= last)
                        last = version.token.version
                        // Each version has one item and one count more than the one before.
                        #expect(version.count == last)
                        #expect(try value(in: version.snapshot) == last - 1)
                        #expect(store.version(version.token, of: news) === version)
                        await Task.yield()
                    }
                }
            }
            try await group.waitForAll()
        }
        let version = try #require(store.current(news))
        #expect(version.token.version == 321)
        #expect(try value(in: version.snapshot) == 320)
        #expect(Set(version.snapshot.sections[0].items.map(\.id)).count == 321)
    }

    @Test func oneOfManyMakesTheFeed() async throws {
        let store = FeedStore()
        let publications = await withTaskGroup(of: Publication.self) { group in
            for writer in 0..<16 {
                group.addTask {
                    store.publishInMemory(news) { version in
                        var snapshot = version?.snapshot ?? Snapshot()
                        snapshot.sections.append(FeedSection(id: ExactString("\(writer)")))
                        return snapshot
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(publications.count { $0.previous == nil } == 1)
        #expect(Set(publications.map(\.current.token.epoch)).count == 1)
        #expect(publications.map(\.current.token.version).sorted() == Array(1...16))
        #expect(store.current(news)?.snapshot.sections.count == 16)
    }
}

private func value(in snapshot: Snapshot) throws -> Int {
    try #require(snapshot.item("n")?.members["value"]?.wholeNumber)
}

private func increment(_ version: Version?, adding item: FeedItem) throws -> Snapshot {
    let snapshot = try #require(version).snapshot
    let next = try JSONText(parsing: Array("\(value(in: snapshot) + 1)".utf8))
    return try snapshot.applying([
        .insert(item, section: nil, at: nil),
        .set(Changes.MemberEdit(set: [Member(name: "value", value: next)]), item: "n"),
    ])
}
