import Foundation

/// Statistics of a public list that was watched, for histories that are made like it.
struct ListStatistics: Sendable {
    /// How a number is spread over its occurrences.
    struct Quantiles: Sendable {
        private let knots: [(share: Double, value: Double)]

        /// Takes the number that a tenth of the occurrences reach at most, the median, the number
        /// that nine tenths reach at most, and the greatest.
        init(_ tenth: Double, _ median: Double, _ ninetieth: Double, _ most: Double) {
            knots = [(0, tenth), (0.1, tenth), (0.5, median), (0.9, ninetieth), (1, most)]
        }

        /// Returns the number that a share of the occurrences reach at most; between two that are
        /// known it grows by equal factors.
        func value(at share: Double) -> Double {
            let end = knots.firstIndex { $0.share > share } ?? knots.count - 1
            let (low, high) = (knots[end - 1], knots[end])
            let part = (share - low.share) / (high.share - low.share)
            return (low.value + 1) * pow((high.value + 1) / (low.value + 1), part) - 1
        }

        func random(using random: inout SplitMix64) -> Int {
            Int(value(at: .random(in: 0..<1, using: &random)).rounded())
        }
    }

    /// How many items a change touches in one way.
    struct Touched: Sendable {
        let counts: Quantiles
        /// The share of the changes that touch any.
        let share: Double

        init(_ counts: Quantiles, in changes: Int, of all: Int) {
            self.counts = counts
            share = Double(changes) / Double(all)
        }

        func random(using random: inout SplitMix64) -> Int {
            let place = Double.random(in: 0..<1, using: &random)
            return place < 1 - share ? 0 : max(1, Int(counts.value(at: place).rounded()))
        }
    }

    /// A member of the items; the first one is their id.
    struct Member: Sendable {
        enum Content: Sendable {
            case address
            /// The id once more.
            case link
            /// As in e-mail, or as in RFC 3339.
            case mailTime, time
            case number
            /// A line or a paragraph: half of the words stay when it is reworded.
            case text
            /// HTML, in which a few words are changed.
            case longText
        }

        let name: String
        let content: Content
        /// In bytes.
        let lengths: Quantiles
        /// The share of the items that are updated in which it changes.
        let updates: Double

        init(_ name: String, _ content: Content, _ lengths: Quantiles, updates: Double = 0) {
            (self.name, self.content, self.lengths) = (name, content, lengths)
            self.updates = updates
        }
    }

    let name: String
    let title: String
    let days: Int
    /// How many minutes readers let pass between two polls.
    var pollMinutes = 5
    /// How often it was looked at in that time.
    let looks: Int
    /// How many looks found a change.
    let changes: Int
    let items: Int
    let inserted: Touched
    let removed: Touched
    let moved: Touched
    let updated: Touched
    let members: [Member]
    /// How many words texts are made of: the more, the less a list can be compressed.
    let words: Int
    /// A seed whose history has about the sizes of the list.
    let seed: UInt64
}

extension ListStatistics {
    static let all = [frontPage, worldPage, fires]

    /// The front page of a news site.
    static let frontPage = ListStatistics(
        name: "front-page",
        title: "a front page of news",
        days: 1,
        looks: 86,
        changes: 70,
        items: 66,
        inserted: Touched(Quantiles(0, 1, 3, 6), in: 53, of: 70),
        removed: Touched(Quantiles(0, 1, 3, 14), in: 48, of: 70),
        moved: Touched(Quantiles(0, 1, 3, 7), in: 37, of: 70),
        updated: Touched(Quantiles(0, 1, 3, 7), in: 55, of: 70),
        members: [
            Member("id", .address, Quantiles(38, 46, 52, 67)),
            Member("url", .link, Quantiles(38, 46, 52, 67)),
            Member("title", .text, Quantiles(45, 58, 73, 107), updates: 0.22),
            Member("summary", .text, Quantiles(82, 98, 130, 198), updates: 0.24),
            Member("published", .mailTime, Quantiles(29, 29, 29, 29), updates: 0.85),
        ],
        words: 3000,
        seed: 47
    )

    /// The page of the same site for the rest of the world.
    static let worldPage = ListStatistics(
        name: "world-page",
        title: "a page of world news",
        days: 1,
        looks: 36,
        changes: 31,
        items: 29,
        inserted: Touched(Quantiles(0, 0, 2, 4), in: 14, of: 31),
        removed: Touched(Quantiles(0, 0, 2, 4), in: 14, of: 31),
        moved: Touched(Quantiles(0, 0, 1, 2), in: 8, of: 31),
        updated: Touched(Quantiles(0, 1, 1, 2), in: 17, of: 31),
        members: [
            Member("id", .address, Quantiles(43, 48, 54, 55)),
            Member("url", .link, Quantiles(43, 48, 54, 55)),
            Member("title", .text, Quantiles(43, 53, 65, 92), updates: 0.3),
            Member("summary", .text, Quantiles(79, 98, 121, 211), updates: 0.42),
            Member("published", .mailTime, Quantiles(29, 29, 29, 29), updates: 0.6),
        ],
        words: 3000,
        seed: 47
    )

    /// The forest fires of a state: numbers, and reports that grow long.
    static let fires = ListStatistics(
        name: "fires",
        title: "a list of forest fires",
        days: 30,
        pollMinutes: 30,
        looks: 357,
        changes: 354,
        items: 20,
        inserted: Touched(Quantiles(0, 0, 0, 2), in: 30, of: 354),
        removed: Touched(Quantiles(0, 0, 0, 4), in: 24, of: 354),
        moved: Touched(Quantiles(0, 0, 0, 1), in: 12, of: 354),
        updated: Touched(Quantiles(1, 1, 3, 12), in: 320, of: 354),
        members: [
            Member("id", .address, Quantiles(38, 46, 52, 67)),
            Member("title", .text, Quantiles(6, 10, 16, 24)),
            Member("county", .text, Quantiles(5, 8, 12, 20)),
            Member("location", .text, Quantiles(20, 38, 60, 80)),
            Member("updated", .time, Quantiles(20, 20, 20, 20), updates: 0.74),
            Member("started", .time, Quantiles(20, 20, 20, 20)),
            Member("content_html", .longText, Quantiles(4, 4, 6_488, 35_256), updates: 0.46),
        ] + numbers(22, changing: [0.3, 0.28, 0.25, 0.22, 0.2, 0.17]),
        words: 400,
        seed: 51
    )

    private static func numbers(_ count: Int, changing shares: [Double]) -> [Member] {
        (0..<count).map { number in
            let name = "figure\(number + 1)"
            let updates = number < shares.count ? shares[number] : 0
            return Member(name, .number, Quantiles(1, 2, 4, 6), updates: updates)
        }
    }
}
