/// The id of a feed: `[a-z0-9][a-z0-9._-]{0,127}`, not ending in `.json`, `.atom` or `.rss`.
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
        rawValue = unsafe bytes.withUnsafeBufferPointer {
            unsafe String(decoding: $0, as: UTF8.self)
        }
    }

    /// Returns whether a feed can have that name.
    package static func isValid(_ name: Span<UInt8>) -> Bool {
        guard 1...128 ~= name.count, name[0].isLowercaseLetterOrDigit else { return false }
        for index in name.indices where !name[index].isInFeedName { return false }
        return !endsLikeAFormat(name)
    }

    /// Returns the reason why no feed can have a name; `nil` if one can.
    package static func refusal(of name: String) -> String? {
        let bytes = ContiguousArray(name.utf8)
        guard !isValid(bytes.span) else { return nil }
        guard let first = bytes.first else { return "a feed's name cannot be empty" }
        guard bytes.count <= 128 else { return "a feed's name has at most 128 bytes" }
        guard first.isLowercaseLetterOrDigit else {
            return "a feed's name begins with one of a-z and 0-9"
        }
        guard bytes.allSatisfy(\.isInFeedName) else {
            return "a feed's name has only a-z, 0-9, \".\", \"_\" and \"-\""
        }
        return "a feed's name does not end in .json, .atom or .rss"
    }

    /// Returns whether a name ends in `.json`, `.atom` or `.rss`.
    private static func endsLikeAFormat(_ name: Span<UInt8>) -> Bool {
        for format in [".json", ".atom", ".rss"] where name.count >= format.utf8.count {
            let start = name.count - format.utf8.count
            if format.utf8.enumerated().allSatisfy({ name[start + $0.offset] == $0.element }) {
                return true
            }
        }
        return false
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
    var isLowercaseLetterOrDigit: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self
            || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
    }

    /// Whether the byte is a character that names may contain.
    fileprivate var isInFeedName: Bool {
        isLowercaseLetterOrDigit || self == UInt8(ascii: ".") || self == UInt8(ascii: "-")
            || self == UInt8(ascii: "_")
    }
}
