import FeedClient
import FeedModel
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import freshet

/// What `freshet watch` prints.
@Suite(.timeLimit(.minutes(2))) struct Watches {
    private static let first = """
        {"items":[{"id":"a","title":"One"},{"id":"b"},{"id":"c"},\
        {"id":"e","text":"\(String(repeating: "long ", count: 60))"}]}
        """
    private static let second = """
        {"items":[{"id":"c","title":"Three"},{"id":"a","title":"One"},\
        {"id":"d\u{301}","name":"a\\u001b[31mred\\nline"},\
        {"id":"e","text":"\(String(repeating: "long ", count: 60))"}]}
        """

    private static let time = Date.distantPast.formatted(.iso8601)

    /// Collects lines until there are so many.
    private final class Lines: Sendable {
        private let lines = Mutex<[String]>([])
        private let waiting = Mutex<(count: Int, line: CheckedContinuation<Void, Never>)?>(nil)

        func add(_ line: Data) {
            let count = lines.withLock { lines in
                lines.append(String(decoding: line, as: UTF8.self))
                return lines.count
            }
            waiting.withLock { waiting in
                guard let due = waiting, count >= due.count else { return }
                due.line.resume()
                waiting = nil
            }
        }

        func first(_ count: Int) async -> [String] {
            await withCheckedContinuation { line in
                waiting.withLock { waiting in
                    if lines.withLock(\.count) >= count {
                        line.resume()
                    } else {
                        waiting = (count, line)
                    }
                }
            }
            return lines.withLock(\.self)
        }
    }

    private func watch(isJSON: Bool, _ body: (FeedService, FeedName, Lines) async throws -> Void)
        async throws
    {
        let options: ServeSettings.Options = ["port": ["0"], "key": ["a-key"], "loops": ["1"]]
        let server = try ServerAssembly(try ServeSettings(options, .inMemory) { _ in false })
        server.start()
        let address = try #require(URL(string: "http://127.0.0.1:\(server.port)"))
        let service = FeedService(baseURL: address, key: "a-key")
        let name = try #require(FeedName("news"))
        let lines = Lines()
        let watching = Watching([name], of: service, view: FeedView(), isJSON: isJSON)
        let task = Task {
            try await watching.run(clock: { .distantPast }, print: lines.add) {
                Issue.record("\($0)")
            }
        }
        let result: Result<Void, any Error>
        do {
            result = .success(try await body(service, name, lines))
        } catch {
            result = .failure(error)
        }
        task.cancel()
        _ = try? await task.value
        await server.stop(within: .zero)
        try result.get()
    }

    @Test(arguments: [("/x/state", true), ("", false), ("state", false), (nil, false)])
    func watchKeepsPlacesBelowAWholePath(_ folder: String?, _ isTaken: Bool) {
        let path = WatchCommand.places(folder.map { ["XDG_STATE_HOME": $0] } ?? [:]).path
        #expect(
            path.hasSuffix(isTaken ? "/freshet/places.json" : "/.local/state/freshet/places.json")
        )
        #expect(path.hasPrefix("/x/state/") == isTaken)
    }

    @Test func watchesTellAPersonWhatChanged() async throws {
        try await watch(isJSON: false) { service, name, lines in
            #expect(await lines.first(1) == ["\(Self.time) news: no such feed"])
            let old = try await service.publish(Data(Self.first.utf8), to: name).token
            let epoch = try #require(old).epoch
            #expect(await lines.first(2).last == "\(Self.time) news \(epoch).1: 4 items, 1 section")
            _ = try await service.publish(Data(Self.second.utf8), to: name)
            #expect(
                await lines.first(7).dropFirst(2) == [
                    "\(Self.time) news \(epoch).2: 1 inserted, 1 removed, 1 moved, 1 updated",
                    "  + main/d\u{301}  a[31mred line", "  - b",
                    "  > main/c  Three", "  ~ c  Three (title)",
                ]
            )
        }
    }

    /// Also where a whole document would be shorter than the changes.
    @Test func watchesShowEveryDifference() async throws {
        try await watch(isJSON: false) { service, name, lines in
            #expect(await lines.first(1) == ["\(Self.time) news: no such feed"])
            let items = (0..<40).map { #"{"id":"\#($0)"}"# }.joined(separator: ",")
            let sections = #"[{"id":"s","title":"S","items":[\#(items)]}]"#
            _ = try await service.publish(Data(#"{"sections":\#(sections)}"#.utf8), to: name)
            #expect(await lines.first(2).count == 2)
            let other = #"{"title":"T","sections":[{"id":"s","title":"U"},{"id":"t"}]}"#
            _ = try await service.publish(Data(other.utf8), to: name)
            let shown = await lines.first(46).dropFirst(2)
            #expect(shown.first?.hasSuffix(".2: 40 removed, 2 sections changed") == true)
            #expect(
                shown.dropFirst().prefix(3) == [
                    "  ~ feed (title)", "  + section t", "  ~ section s (title)",
                ]
            )
            #expect(shown.suffix(40).sorted() == (0..<40).map { "  - \($0)" }.sorted())
        }
    }

    @Test func watchesTellAScriptWhatTheServerSent() async throws {
        try await watch(isJSON: true) { service, name, lines in
            #expect(await lines.first(1) == [#"{"kind":"missing","feed":"news"}"#])
            _ = try await service.publish(Data(Self.first.utf8), to: name)
            #expect(await lines.first(2).last?.hasPrefix(#"{"kind":"snapshot","feed""#) == true)
            let long = Self.first.replacing("One", with: "One, and two, and three, and four")
            _ = try await service.publish(Data(long.utf8), to: name)
            let line = await lines.first(3).last ?? ""
            #expect(TestJSON(Array(line.utf8))?["token"]?.string?.hasSuffix(".2") == true)
        }
    }
}
