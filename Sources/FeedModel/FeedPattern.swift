/// Names feeds: a feed's name, in which `*` stands for any run of characters (`news`,
/// `sports-*`, `*`).
package struct FeedPattern: Sendable, Hashable {
    /// As it was written.
    package let text: String

    /// The pieces between the stars; one piece when there is none.
    private let pieces: [[UInt8]]

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
    }

    /// Every feed: `*`.
    package static let all = FeedPattern(checked: "*")

    /// Whether it names all feeds.
    package var isAll: Bool { pieces.allSatisfy(\.isEmpty) && pieces.count > 1 }

    /// How all names that fit begin: what stands before the first star.
    package var prefix: [UInt8] { pieces.first ?? [] }

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
        guard let first = pieces.first, let last = pieces.last else { return false }
        guard pieces.count > 1 else { return name.count == first.count && name.has(first, at: 0) }
        guard name.count >= first.count + last.count, name.has(first, at: 0),
            name.has(last, at: name.count - last.count)
        else { return false }
        var start = first.count
        let end = name.count - last.count
        for place in 1..<pieces.count - 1 {
            let piece = pieces[place]
            while start + piece.count <= end, !name.has(piece, at: start) { start += 1 }
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
    fileprivate func has(_ piece: [UInt8], at start: Int) -> Bool {
        for index in piece.indices where self[start + index] != piece[index] { return false }
        return true
    }
}
