/// The name of a feed: `[a-z0-9][a-z0-9._-]{0,127}`, not ending in `.json`, `.atom` or `.rss`.
public struct FeedName: Hashable, Sendable {
    /// The name as it is written in paths.
    public let rawValue: String

    /// Makes a name from a text in a path or a document; `nil` if no feed can have it.
    public init?(_ text: some StringProtocol) {
        self.init(utf8: ContiguousArray(text.utf8).span)
    }

    /// Makes a name from bytes in a request; `nil` if no feed can have it.
    package init?(utf8 bytes: Span<UInt8>) {
        guard FeedName.isValid(bytes) else { return nil }
        self.init(lookingUp: bytes)
    }

    /// Makes a name from any bytes in a request, valid or not, only to look up a feed: no feed has
    /// a name that is not valid.
    package init(lookingUp bytes: Span<UInt8>) {
        rawValue = unsafe bytes.withUnsafeBufferPointer {
            unsafe String(decoding: $0, as: UTF8.self)
        }
    }

    /// Returns whether a feed can have `name`.
    package static func isValid(_ name: Span<UInt8>) -> Bool { refusal(of: name) == nil }

    /// Returns the reason why no feed can have a name; `nil` if one can.
    package static func refusal(of name: String) -> String? {
        name.withUTF8Span { refusal(of: $0) }
    }

    private static func refusal(of name: Span<UInt8>) -> String? {
        guard !name.isEmpty else { return "a feed's name cannot be empty" }
        guard name.count <= 128 else { return "a feed's name has at most 128 bytes" }
        guard name[0].isLowercaseLetterOrDigit else {
            return "a feed's name begins with one of a-z and 0-9"
        }
        for index in name.indices where !name[index].isInFeedName {
            return "a feed's name has only a-z, 0-9, \".\", \"_\" and \"-\""
        }
        return endsLikeAFormat(name) ? "a feed's name does not end in .json, .atom or .rss" : nil
    }

    /// Returns whether a name ends in `.json`, `.atom` or `.rss`.
    private static func endsLikeAFormat(_ name: Span<UInt8>) -> Bool {
        var dot = name.count - 1
        while dot >= 0, name[dot] != UInt8(ascii: ".") { dot -= 1 }
        guard dot >= 0 else { return false }
        let ending = FeedName(lookingUp: name.extracting(dot...)).rawValue
        return [".json", ".atom", ".rss"].contains(ending)
    }
}

extension FeedName: CustomStringConvertible, Comparable {
    /// The name.
    public var description: String { rawValue }

    /// Orders names by their bytes.
    public static func < (left: FeedName, right: FeedName) -> Bool {
        left.rawValue < right.rawValue
    }
}

extension UInt8 {
    /// Whether the byte is `a`–`z` or `0`–`9` in ASCII.
    fileprivate var isLowercaseLetterOrDigit: Bool {
        switch self {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: false
        }
    }

    /// Whether the byte is a character that names may contain.
    fileprivate var isInFeedName: Bool {
        switch self {
        case UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
        default: isLowercaseLetterOrDigit
        }
    }
}

/// A pattern for feed names: a name in which `*` stands for any run of characters (`news`,
/// `sports-*`, `*`).
package struct FeedPattern: Sendable, Hashable {
    /// The pattern as it was written.
    package let text: String

    /// The pieces between the stars; a single piece if there is none.
    private let pieces: [[UInt8]]
    /// The bytes of the text, with which the ends of a name are compared first: nearly all names
    /// that do not match differ there.
    private let bytes: [UInt8]
    /// The number of bytes before the first star, or of all bytes if there is no star.
    private let firstCount: Int
    /// The number of bytes after the last star, or of all bytes if there is no star.
    private let lastCount: Int

    /// Parses a pattern; `nil` if it contains a character that is neither `*` nor allowed in feed
    /// names.
    package init?(_ text: String) {
        let allowed = text.utf8.allSatisfy { $0.isInFeedName || $0 == UInt8(ascii: "*") }
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

    /// The pattern `*`, which matches every feed.
    package static let all = FeedPattern(checked: "*")

    /// Whether the pattern matches all feeds.
    package var isAll: Bool { pieces.allSatisfy(\.isEmpty) && pieces.count > 1 }

    /// The beginning of all matching names: the part before the first star.
    package var prefix: [UInt8] { pieces.first ?? [] }

    /// Whether the pattern matches all names with its prefix: it ends in its only star.
    package var isPrefix: Bool { pieces.count == 2 && pieces[1].isEmpty }

    /// Whether the pattern matches a single name.
    package var isExact: Bool { pieces.count == 1 }

    /// Whether the pattern matches at least one valid feed name.
    package var canName: Bool {
        guard let first = pieces.first, let last = pieces.last, pieces.count > 1 else {
            return FeedName(text) != nil
        }
        // The star may stand for a valid first letter, or for an ending that is not that of a
        // format.
        let middle = pieces.dropFirst().dropLast().joined()
        let letter = [UInt8(ascii: "a")]
        let beginnings = [first, first + letter, letter].filter { $0.starts(with: first) }
        return beginnings.contains { beginning in
            [[], letter].contains { filler in
                FeedName(utf8: ContiguousArray(beginning + middle + filler + last).span) != nil
            }
        }
    }

    /// Returns whether the pattern matches every name that another pattern matches.
    ///
    /// A star of the other pattern stands for any text, so only a star can match it.
    package func covers(_ other: FeedPattern) -> Bool { other.text.withUTF8Span { matches($0) } }

    /// Returns whether the pattern matches the name of `feed`.
    package func matches(_ feed: FeedName) -> Bool { feed.rawValue.withUTF8Span { matches($0) } }

    /// Returns whether the pattern matches a name.
    ///
    /// The first and the last piece must be at the ends. Between them, it is enough to try the
    /// leftmost match of each piece.
    package func matches(_ name: Span<UInt8>) -> Bool {
        let hasStar = firstCount < bytes.count
        guard hasStar ? name.count >= firstCount + lastCount : name.count == firstCount,
            name.has(bytes[..<firstCount], at: 0)
        else { return false }
        guard hasStar else { return true }
        let end = name.count - lastCount
        guard name.has(bytes[(bytes.count - lastCount)...], at: end) else { return false }
        var start = firstCount
        for index in 1..<pieces.count - 1 {
            let piece = pieces[index]
            while start + piece.count <= end, !name.has(piece[...], at: start) { start += 1 }
            guard start + piece.count <= end else { return false }
            start += piece.count
        }
        return true
    }
}

extension [FeedPattern] {
    /// Returns whether at least one of the patterns matches a name.
    package func names(_ name: Span<UInt8>) -> Bool {
        for pattern in self where pattern.matches(name) { return true }
        return false
    }
}

extension Span<UInt8> {
    /// Returns whether `piece` is at an index, which must leave room for it.
    fileprivate func has(_ piece: ArraySlice<UInt8>, at start: Int) -> Bool {
        var index = start
        for byte in piece {
            guard self[index] == byte else { return false }
            index += 1
        }
        return true
    }
}
