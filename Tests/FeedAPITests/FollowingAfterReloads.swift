import FeedModel
import FeedStore
import HTTPServer
import HTTPWire
import TestSupport
import Testing

@testable import FeedAPI

/// What a stream does when the configuration was read again.
@Suite struct FollowingAfterReloads {
    private static let key = "a key of the one who reads"

    private static func key(follow: [String] = ["*"], read: [String] = []) throws -> AccessKey {
        AccessKey(
            key,
            read: try read.map { try #require(FeedPattern($0)) },
            follow: try follow.map { try #require(FeedPattern($0)) }
        )
    }

    private func stream(_ api: FeedAPI, _ key: AccessKey) throws -> FollowStream {
        let request = try FeedSelection(parsing: Array(#"{"match":["*"]}"#.utf8), Presentation())
        return FollowStream(request, key, for: .local, of: api, in: .identity)
    }

    /// How many parts it has, and how often it has others take their turn.
    private func read(_ stream: FollowStream) -> (parts: Int, turns: Int) {
        var (parts, turns) = (0, 0)
        while true {
            switch stream.next(StreamWaker()) {
            case .bytes, .shared: parts += 1
            case .askAgain: turns += 1
            case .pending, .end: return (parts, turns)
            }
        }
    }

    /// All feeds are looked at again only where the reader may see others.
    @Test(arguments: [
        ("the same", false), ("origins", false), ("another key", false), ("open feeds", true),
        ("follow", true), ("read", true), ("derived", true),
    ])
    func allFeedsAreLookedAtAgainWhereRightsAreOthers(_ change: String, looks: Bool) throws {
        let key = try Self.key()
        let live = try LiveAPI { $0.keys = [key] }
        let one = #"{"items":[{"id":"a"}]}"#
        for number in 0..<1500 { try live.put("feed-\(number)", one) }
        let stream = try stream(live.api, key)
        #expect(read(stream).parts > 1500)
        #expect(read(stream) == (0, 0))
        var new = live.api.configuration
        switch change {
        case "origins": new.origins = .list(["https://app.example"])
        case "another key": new.keys.append(AccessKey("another key"))
        case "open feeds": new.openFeeds = [try #require(FeedPattern("feed-1"))]
        case "follow": new.keys = [try Self.key(follow: ["feed-*"])]
        case "read": new.keys = [try Self.key(read: ["feed-1"])]
        case "derived":
            new.derivedFeeds = [
                try #require(FeedName("made")): [try #require(FeedPattern("feed-1"))]
            ]
        default: break
        }
        let api = live.api.reconfigured(new)
        let (parts, turns) = read(stream)
        #expect((turns > 0) == looks)
        #expect(parts == (looks ? 1 : 0))
        // What changes is told by the new configuration.
        try live.put("feed-7", #"{"items":[{"id":"b"}]}"#)
        #expect(read(stream).parts == 1)
        withExtendedLifetime(api) {}
    }

    /// A stream may be made before a reload, and give its first event after it.
    @Test func aStreamEndsWithAKeyThatIsGoneBeforeItsFirstEvent() throws {
        let key = try Self.key()
        let live = try LiveAPI { $0.keys = [key] }
        try live.put("news", #"{"items":[{"id":"a"}]}"#)
        let news = FeedSelection(try #require(FeedName("news")), since: nil, Presentation())
        let streams: [any ResponseStream] = [
            try stream(live.api, key),
            FeedStream(news, for: .local, with: key, of: live.api, in: .identity),
        ]
        let api = live.api.reconfigured(APIConfiguration())
        for stream in streams {
            guard case .end = stream.next(StreamWaker()) else {
                Issue.record("\(stream) goes on with a key that is gone")
                continue
            }
        }
        withExtendedLifetime(api) {}
    }
}
