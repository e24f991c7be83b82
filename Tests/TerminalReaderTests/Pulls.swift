import FeedClient
import FeedModel
import FeedUI
import Foundation
import Testing

@testable import TerminalReader

/// Pulls by the wheel.
@Suite @MainActor struct Pulls {
    private func reader(rows: Int) throws -> Reader {
        let name = try #require(FeedName("news"))
        let reader = Reader([ReaderFeed(Feed(name, of: InMemoryServer().service()))])
        reader.resize(columns: 44, rows: rows)
        return reader
    }

    @Test(arguments: [3, 4, 5, 6, 9, 16, 60])
    func refreshOnceInEveryWindow(rows: Int) throws {
        let reader = try reader(rows: rows)
        let status = reader.frame().lines[rows - 1]
        var commands: [Reader.Command] = []
        for turn in 1...12 {
            _ = reader.advance(to: .milliseconds(20 * turn))
            commands += reader.take(.wheel(up: true))
            let lines = reader.frame().lines
            #expect(lines[rows - 1] == status, "the pull covers the status")
            let words = lines[1..<rows - 1].joined().map(\.text)
            // The first turn only says that something moves.
            #expect(turn == 1 || words.contains { $0.contains("refresh") }, "after \(turn) turns")
        }
        #expect(commands == [.refresh])
        _ = reader.advance(to: .seconds(1))
        reader.refreshed("nothing new")
        _ = reader.advance(to: .seconds(10))
        #expect(reader.isAtRest && reader.table.contentOffset.y == 0)
        // The next pull begins anew.
        commands = (0..<3).flatMap { _ in reader.take(.wheel(up: true)) }
        #expect(commands.isEmpty || rows > 9)
    }

    @Test func endWhereTheyDidNotGetFar() throws {
        let reader = try reader(rows: 5)
        for _ in 0..<3 {
            #expect(reader.take(.wheel(up: true)) == [])
            _ = reader.advance(to: reader.now + .seconds(3))
            #expect(reader.isAtRest && reader.table.contentOffset.y == 0)
        }
    }
}
