import FeedClient
import FeedModel

/// What a publish did, in one line: `news q7x2m5kd.42: 1 inserted, 1 moved, 2 updated`.
struct PublishedWords: CustomStringConvertible {
    let description: String

    init(_ answer: PublishedAnswer) {
        let version = answer.token?.description ?? "(dry run)"
        description = "\(answer.feed) \(version): \(PublishedWords.changes(answer))"
    }

    private static func changes(_ answer: PublishedAnswer) -> String {
        guard answer.isChanged else { return "nothing changed" }
        var words = words(answer.counts.items) { $0 }
        words += self.words(answer.counts.sections) { $0 == "1" ? "1 section" : "\($0) sections" }
        return words.isEmpty ? "only the feed's own members changed" : words.joined(separator: ", ")
    }

    private static func words(
        _ tally: ChangeCounts.Tally,
        _ number: (String) -> String
    ) -> [String] {
        [
            (tally.inserted, "inserted"), (tally.removed, "removed"), (tally.moved, "moved"),
            (tally.updated, "updated"),
        ].filter { $0.0 > 0 }.map { "\(number(String($0.0))) \($0.1)" }
    }
}
