import FeedDiff
import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import StoreModel
import TestSupport
import Testing

@testable import FeedAPI

/// Streams of one feed, which share their events, against what each of them must be told: in step
/// or behind, with or without a coding, a view or the right to read, while the feed changes, goes
/// and comes, and rights change.
@Suite struct StreamsAtRandom {
    /// A stream, and what its reader has.
    private final class Reader {
        let stream: FeedStream
        let isGzip: Bool
        let hasKey: Bool
        var bytes: [UInt8] = []
        /// The tokens that its events are to lead to, one after the other; `nil`: no feed is there.
        var expected: [String?] = []

        init(_ stream: FeedStream, isGzip: Bool, hasKey: Bool) {
            self.stream = stream
            self.isGzip = isGzip
            self.hasKey = hasKey
        }

        /// Takes all that there is.
        func drain() throws {
            for _ in 0..<20 {
                switch stream.next(StreamWaker()) {
                case .bytes(let part): bytes += part
                case .shared(let shared, let own): bytes += shared.body + own
                case .askAgain: continue
                case .pending, .end: return
                }
            }
            Issue.record("it has no end")
        }

        /// The kinds of its events, and the versions that they lead from and to.
        func events() throws -> [(name: String, since: String?, token: String?)] {
            let all = bytes + stream.ending()
            let plain = isGzip ? try #require(gunzip(all)) : all
            var events: [(name: String, since: String?, token: String?)] = []
            for block in String(decoding: plain, as: UTF8.self).split(separator: "\n\n") {
                let lines = block.split(separator: "\n")
                guard let name = lines.first(where: { $0.hasPrefix("event: ") }) else { continue }
                let data = try #require(lines.first { $0.hasPrefix("data: ") })
                let document = try #require(TestJSON(String(data.dropFirst(6))))
                let token = document["token"]?.string
                if let token { #expect(lines.contains("id: \(token)")) }
                events.append((String(name.dropFirst(7)), document["since"]?.string, token))
            }
            return events
        }
    }

    private static func configuration(isOpen: Bool) -> APIConfiguration {
        var configuration = APIConfiguration.patient
        configuration.keys = [AccessKey(API.key)]
        if !isOpen { configuration.openFeeds = [] }
        return configuration
    }

    @Test(arguments: 0..<60) func eachIsToldWhatLeadsFromWhatItHas(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var isOpen = true
        let store = FeedStore()
        var api = FeedAPI(store: store, configuration: Self.configuration(isOpen: true))
        let name = try #require(FeedName("news"))
        var readers: [Reader] = []
        var tokens: [Token] = []
        var number = 0

        func publish() throws {
            number += 1
            let filler = String(repeating: "x", count: 300)
            let text = #"{"items":[{"id":"a","n":\#(number)},{"id":"f","text":"\#(filler)"}]}"#
            let snapshot = try Snapshot(publishing: Array(text.utf8))
            tokens.append(store.publishInMemory(name) { _ in snapshot }.current.token)
        }

        func drain(_ reader: Reader) throws {
            try reader.drain()
            let isThere = isOpen || reader.hasKey
            let token = isThere ? store.current(name)?.token : nil
            if reader.expected.isEmpty || reader.expected.last != .some(token.map { "\($0)" }) {
                reader.expected.append(token.map { "\($0)" })
            }
        }

        try publish()
        for _ in 0..<120 {
            switch Int.random(in: 0..<20, using: &random) {
            case 0..<2 where readers.count < 12:
                let isGzip = Bool.random(using: &random)
                let hasKey = Bool.random(using: &random)
                let since = tokens.randomElement(using: &random)
                var presentation = Presentation()
                presentation.alwaysSendsChanges = Int.random(in: 0..<4, using: &random) == 0
                let selection = FeedSelection(
                    name,
                    since: Bool.random(using: &random) ? since : nil,
                    presentation
                )
                let stream = FeedStream(
                    selection,
                    for: .local,
                    with: hasKey ? api.access.keys.first : nil,
                    of: api,
                    in: isGzip ? .gzip : .identity
                )
                readers.append(Reader(stream, isGzip: isGzip, hasKey: hasKey))
            case 0..<6: try publish()
            case 6 where number % 4 == 0: _ = store.remove(name) { _ in }
            case 7:
                isOpen.toggle()
                api = api.reconfigured(Self.configuration(isOpen: isOpen))
            case 8..<14: if let one = readers.randomElement(using: &random) { try drain(one) }
            default: for reader in readers { try drain(reader) }
            }
        }
        for reader in readers {
            try drain(reader)
            var last: String?
            var told: [String?] = []
            for event in try reader.events() {
                if event.name == "changes" { #expect(event.since == last || told.isEmpty) }
                last = event.token
                told.append(event.token)
            }
            #expect(told == reader.expected)
        }
        withExtendedLifetime(api) {}
    }
}
