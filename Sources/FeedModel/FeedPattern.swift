/// Names feeds: a feed's name, in which `*` stands for any run of characters (`news`,
/// `sports-*`, `*`).
package struct FeedPattern: Sendable, Hashable {
    /// As it was written.
    package let text: String

    /// The pieces between the stars; one piece when there is none.
    private let pieces: [[UInt8]]
    /// Of the text, what stands before the first star and behind the last one: nearly all names
    /// that do not fit are told by these.
    private let bytes: [UInt8]
    private let firstCount: Int
    private let lastCount: Int

    /// Reads a pattern.
    ///
    /// - Returns: `nil` when a character stands in it that is neither `*` nor one of a feed's name.
    package init?(_ text: String) {
        let allowed = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "*"):
                true
            default: false
            }
        }
        guard allowed, 1...256 ~= text.utf8.count else { return nil }
        self.init(checked: text)
    }

    private init(checked text: String) {
        self.text = text
        pieces = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
            .map(Array.init)
        bytes = Array(text.utf8)
        firstCount = pieces.first?.count ?? 0
        lastCount = pieces.last?.count ?? 0
    }

    /// Every feed: `*`.
    package static let all = FeedPattern(checked: "*")

    /// Whether it names all feeds.
    package var isAll: Bool { pieces.allSatisfy(\.isEmpty) && pieces.count > 1 }

    /// How all names that fit begin: what stands before the first star.
    package var prefix: [UInt8] { pieces.first ?? [] }

    /// Whether it names all feeds whose names begin so: it ends in its only star.
    package var isPrefix: Bool { pieces.count == 2 && pieces[1].isEmpty }

    /// Whether it names one feed.
    package var isExact: Bool { pieces.count == 1 }

    /// Whether any feed can have a name that fits.
    package var canName: Bool {
        guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else {
            return FeedName(text) != nil
        }
        // A star may stand for what a name has to begin with, or not to end like a format.
        let middle = pieces.dropFirst().dropLast().joined()
        let letter = [UInt8(ascii: "a")]
        let beginnings = [first, first + letter, letter].filter { $0.starts(with: first) }
        return beginnings.contains { beginning in
            [[], letter].contains { filler in
                FeedName(utf8: (beginning + middle + filler + last)[...]) != nil
            }
        }
    }

    /// Whether it names every feed that another one can name.
    ///
    /// A star of the other stands for anything, so only a star can stand for it.
    package func covers(_ other: FeedPattern) -> Bool { other.text.withUTF8Span { matches($0) } }

    /// Whether it names `feed`.
    package func matches(_ feed: FeedName) -> Bool { feed.rawValue.withUTF8Span { matches($0) } }

    /// Whether it names the feed of that name.
    ///
    /// Between the first and the last piece, which stand at the ends, the leftmost place of each
    /// piece is as good as any other.
    package func matches(_ name: Span<UInt8>) -> Bool {
        let hasStar = firstCount < bytes.count
        guard hasStar ? name.count >= firstCount + lastCount : name.count == firstCount,
            name.has(bytes[..<firstCount], at: 0)
        else { return false }
        guard hasStar else { return true }
        let end = name.count - lastCount
        guard name.has(bytes[(bytes.count - lastCount)...], at: end) else { return false }
        var start = firstCount
        for place in 1..<pieces.count - 1 {
            let piece = pieces[place]
            while start + piece.count <= end, !name.has(piece[...], at: start) { start += 1 }
            guard start + piece.count <= end else { return false }
            start += piece.count
        }
        return true
    }
}

extension [FeedPattern] {
    /// Whether one of them names the feed of that name.
    package func names(_ name: Span<UInt8>) -> Bool {
        for pattern in self where pattern.matches(name) { return true }
        return false
    }
}

extension Span<UInt8> {
    /// Whether `piece` stands at a place, which leaves room for it.
    fileprivate func has(_ piece: ArraySlice<UInt8>, at start: Int) -> Bool {
        var place = start
        for byte in piece {
            guard self[place] == byte else { return false }
            place += 1
        }
        return true
    }
}
