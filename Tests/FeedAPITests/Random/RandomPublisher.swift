import FeedModel
import TestSupport

/// Makes up publishes and does the same to its own copy of the feed, by the protocol's page.
struct RandomPublisher {
    /// A request, as it is sent.
    struct Request {
        var method: String
        var path = ""
        var body: String?
        var type = "application/json"
    }

    var feed = NaiveFeed()
    var random: SeededGenerator
    var lastID = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    /// A request, after which the feed on the server has to be ``feed``.
    mutating func next() -> Request {
        switch Int.random(in: 0..<10, using: &random) {
        case 0..<3: return whole()
        case 3..<6: return edits()
        case 6: return jsonPatch()
        default: return feed.itemIDs.isEmpty ? whole() : single()
        }
    }

    mutating func whole() -> Request {
        for _ in 0..<Int.random(in: 0...12, using: &random) { _ = edit() }
        if Int.random(in: 0..<8, using: &random) == 0, !feed.sections.isEmpty {
            let place = feed.sections.indices.randomElement(using: &random) ?? 0
            feed.sections[place].items.shuffle(using: &random)
        }
        if Int.random(in: 0..<12, using: &random) == 0 { feed.sections.shuffle(using: &random) }
        return Request(method: "PUT", body: feed.document.serialized)
    }

    private mutating func edits() -> Request {
        var list: [TestJSON] = []
        for _ in 0..<Int.random(in: 0...8, using: &random) { list.append(edit()) }
        return Request(method: "PATCH", body: TestJSON.object(["edits": .array(list)]).serialized)
    }
}
