import FeedModel
import HTTPWire

extension Token {
    /// Reads a token with or without quotes, `W/` and the suffix of a coding.
    init?(lenient text: Span<UInt8>) {
        var range = 0..<text.count
        if range.count >= 2, text.isSame(0..<2, as: "W/") { range = 2..<text.count }
        let quote = UInt8(ascii: "\"")
        if range.count >= 2, text[range.lowerBound] == quote, text[range.upperBound - 1] == quote {
            range = range.lowerBound + 1..<range.upperBound - 1
        }
        // A token ends in a digit, and most come without a suffix.
        if let last = range.last, text[last] > UInt8(ascii: "9") {
            for suffix in ["-gzip", "-deflate"] as [StaticString] {
                let start = range.upperBound - suffix.utf8CodeUnitCount
                guard start >= range.lowerBound, text.isSame(start..<range.upperBound, as: suffix)
                else { continue }
                range = range.lowerBound..<start
                break
            }
        }
        self.init(utf8: text.extracting(range))
    }
}
