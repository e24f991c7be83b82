import FeedClient
import FeedModel
import FeedUI
import Foundation
import Testing

@testable import TerminalReader

/// Refreshes by a key.
@Suite @MainActor struct Refreshes {
    private func reader(rows: Int) throws -> Reader {
        let name = try #require(FeedName("news"))
        let reader = Reader([ReaderFeed(Feed(name, of: InMemoryServer().service()))])
        reader.resize(columns: 44, rows: rows)
        return reader
    }

    @Test(arguments: [3, 4, 5, 6, 9, 16, 60])
    func areShownInEveryWindow(rows: Int) throws {
        let reader = try reader(rows: rows)
        let status = reader.frame().lines[rows - 1]
        #expect(reader.take(.character("R")) == [.refresh])
        #expect(reader.take(.character("R")) == [])
        _ = reader.advance(to: .seconds(1))
        let lines = reader.frame().lines
        #expect(lines[rows - 1] == status, "the refresh covers the status")
        let words = lines[1..<rows - 1].joined().map(\.text)
        #expect(words.contains { $0.contains("refreshing") })
        reader.refreshed("nothing new")
        _ = reader.advance(to: .seconds(10))
        #expect(reader.nextChange == nil && reader.table.contentOffset.y == 0)
        #expect(reader.take(.character("R")) == [.refresh])
    }

    @Test func doNotBeginByTheWheel() throws {
        let reader = try reader(rows: 16)
        for _ in 0..<12 { #expect(reader.take(.wheel(up: true)) == []) }
        #expect(reader.nextChange == nil && reader.table.contentOffset.y == 0)
    }
}
