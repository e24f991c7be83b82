import FeedClient
import FeedModel
import TerminalReader

/// The result of a publish in a line: `news q7x2m5kd.42: 1 inserted, 1 moved, 2 updated`.
struct PublishFormatter: CustomStringConvertible {
    let description: String

    init(_ answer: PublishResult) {
        let version = answer.token?.description ?? "(dry run)"
        description = ShownText.of(
            "\(answer.feed) \(version): \(PublishFormatter.changes(answer))"
        )
    }

    private static func changes(_ answer: PublishResult) -> String {
        guard answer.isChanged else { return "nothing changed" }
        var words = words(answer.counts.items)
        words += self.words(answer.counts.sections) { $0.counted("section") }
        return words.isEmpty ? "only the feed's own members changed" : words.joined(separator: ", ")
    }

    static func words(
        _ tally: ChangeCounts.Tally,
        _ number: (Int) -> String = { "\($0)" }
    ) -> [String] {
        [
            (tally.inserted, "inserted"), (tally.removed, "removed"), (tally.moved, "moved"),
            (tally.updated, "updated"),
        ].filter { $0.0 > 0 }.map { "\(number($0.0)) \($0.1)" }
    }
}

extension Int {
    /// Returns the number with the noun that it counts: `1 item`, `2 items`.
    func counted(_ noun: String) -> String {
        self == 1 ? "1 \(noun)" : "\(self) \(noun)s"
    }
}
