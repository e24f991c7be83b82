import FeedModel
import FeedStore
import HTTPServer
import HTTPTypes
import HTTPWire

/// The reads that most clients send, answered from what is baked: `GET /feeds/{feed}` with
/// nothing or one plain `since` in the query.
///
/// Nothing is parsed that need not be; whatever is unusual goes the long way, which gives the same
/// answers.
extension FeedAPI {
    func hotRead(_ head: RequestHead) -> ReadyAnswer? {
        guard isHot, head.method == .get || head.method == .head,
            let target = HotTarget.of(head), let fields = HotFields.of(head),
            let version = store.current(named: head.bytes.span.extracting(target.name))
        else { return nil }
        let answers = bakery.atHand(version)
        let bytes = head.bytes.span
        let isStill = answers.isCurrent(target.since, in: bytes)
        // A malformed `since` is refused whatever the condition.
        guard let kind = answers.kind(since: target.since, in: bytes, isStill: isStill) else {
            return nil
        }
        if let condition = fields.ifNoneMatch {
            guard let coding = answers.coding(ofTag: condition, in: bytes) else { return nil }
            let response = bakery.notModified(version, answers, coding, isUnchanged: isStill)
            return ReadyAnswer(response, standing: answers.standing)
        }
        guard let coding = fields.coding(head),
            let made = answers.made(AnswerKey(kind: kind, coding: CodingChoice(coding)))
        else { return nil }
        return ReadyAnswer(made.response, standing: answers.standing)
    }
}

extension AnswersAtHand {
    /// Whether a bare token is there, and is this version's: the tag without its quotes.
    fileprivate func isCurrent(_ since: Range<Int>?, in bytes: Span<UInt8>) -> Bool {
        guard let since else { return false }
        return bytes.isSame(since, as: tag, 1..<tag.count - 1)
    }

    /// Whose tag a condition just is.
    ///
    /// A coding's tag is the plain one with the coding's name before the closing quote.
    fileprivate func coding(ofTag range: Range<Int>, in bytes: Span<UInt8>) -> ContentCoding? {
        let length = tag.count - 1
        guard range.count > length else { return nil }
        let place = range.lowerBound + length
        guard bytes.isSame(range.lowerBound..<place, as: tag, 0..<length) else { return nil }
        return switch range.count - length {
        case 1 where bytes[place] == UInt8(ascii: "\""): .identity
        case 6 where bytes.isEnd(place, "-gzip\""): .gzip
        case 9 where bytes.isEnd(place, "-deflate\""): .deflate
        default: nil
        }
    }

    /// Which document is asked for.
    ///
    /// - Returns: `nil` for a version of another epoch and for what is no token.
    fileprivate func kind(
        since range: Range<Int>?,
        in bytes: Span<UInt8>,
        isStill: Bool
    ) -> AnswerKey.Kind? {
        guard let since = range else { return .snapshot }
        if isStill { return .unchanged }
        let epoch = since.lowerBound..<since.lowerBound + 9
        // The epoch and the point, after the quote.
        guard 10...27 ~= since.count,
            bytes.isSame(epoch, as: tag, 1..<10),
            bytes[epoch.upperBound] != UInt8(ascii: "0")
        else { return nil }
        var version = 0
        for index in epoch.upperBound..<since.upperBound {
            let digit = bytes[index] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            version = version * 10 + Int(digit)
        }
        return .changes(since: version)
    }
}

/// The target of a hot read: `/feeds/NAME`, perhaps with `?since=TOKEN`.
private struct HotTarget {
    let name: Range<Int>
    let since: Range<Int>?

    /// "/feeds/" and "?since=" as the words that their seven bytes make.
    private static var path: UInt64 { 0x2f_7364_6565_662f }
    private static var since: UInt64 { 0x3d_6563_6e69_733f }

    static func of(_ head: RequestHead) -> HotTarget? {
        let bytes = head.bytes.span
        let end = head.target.upperBound
        let start = head.target.lowerBound + 7
        // What follows a target, the version, makes up for the eighth byte.
        guard start <= end, bytes.word(at: start - 7) << 8 == path << 8 else { return nil }
        var mark = start
        while mark < end, bytes[mark] != UInt8(ascii: "?") { mark += 1 }
        guard mark < end else { return HotTarget(name: start..<end, since: nil) }
        guard mark + 7 <= end, bytes.word(at: mark) << 8 == since << 8 else { return nil }
        return HotTarget(name: start..<mark, since: mark + 7..<end)
    }
}

/// The fields that a hot read depends on.
struct HotFields {
    private(set) var ifNoneMatch: Range<Int>?
    private var acceptEncoding: Range<Int>?

    /// Finds them.
    ///
    /// - Returns: `nil` for a request with a key, an If-Match or a preference, or with a field
    ///   twice.
    static func of(_ head: RequestHead) -> HotFields? {
        var found = HotFields()
        let fields = head.fields.span
        for index in fields.indices {
            switch fields[index].known {
            case .authorization, .ifMatch, .prefer: return nil
            case .ifNoneMatch:
                guard found.ifNoneMatch == nil else { return nil }
                found.ifNoneMatch = fields[index].value
            case .acceptEncoding:
                guard found.acceptEncoding == nil else { return nil }
                found.acceptEncoding = fields[index].value
            default: continue
            }
        }
        return found
    }

    /// The coding that is wanted, where that is plain: a list of codings without weights.
    func coding(_ head: RequestHead) -> ContentCoding? {
        guard let acceptEncoding else { return .identity }
        let bytes = head.bytes.span
        var coding = ContentCoding.identity
        var start = acceptEncoding.lowerBound
        for index in acceptEncoding {
            switch bytes[index] {
            case UInt8(ascii: ";"), UInt8(ascii: "*"): return nil
            case UInt8(ascii: ","), UInt8(ascii: " "), UInt8(ascii: "\t"):
                coding = bytes.preferred(coding, start..<index)
                start = index + 1
            default: continue
            }
        }
        return bytes.preferred(coding, start..<acceptEncoding.upperBound)
    }
}

extension Span<UInt8> {
    /// The better of a coding and the one that is named there: gzip, then deflate.
    fileprivate func preferred(_ coding: ContentCoding, _ range: Range<Int>) -> ContentCoding {
        if coding == .gzip || isGzip(range) { return .gzip }
        return isDeflate(range) ? .deflate : coding
    }

    /// Whether that text stands at a place.
    fileprivate func isEnd(_ start: Int, _ text: StaticString) -> Bool {
        text.withUTF8Buffer { text in
            for place in text.indices where self[start + place] != text[place] { return false }
            return true
        }
    }

    /// Whether the coding's name stands there, in either case.
    private func isDeflate(_ range: Range<Int>) -> Bool {
        guard range.count == 7 else { return false }
        let name: StaticString = "deflate"
        return name.withUTF8Buffer { name in
            for place in name.indices
            where self[range.lowerBound + place] | 0x20 != name[place] {
                return false
            }
            return true
        }
    }

    /// Whether a name of the coding stands there, in either case (RFC 9110 §8.4.1, §8.4.1.3).
    private func isGzip(_ range: Range<Int>) -> Bool {
        guard range.count == 4 || range.count == 6 && self[range.lowerBound] | 0x20 == 0x78,
            range.count == 4 || self[range.lowerBound + 1] == UInt8(ascii: "-")
        else { return false }
        let name = range.upperBound - 4
        return self[name] | 0x20 == UInt8(ascii: "g") && self[name + 1] | 0x20 == UInt8(ascii: "z")
            && self[name + 2] | 0x20 == UInt8(ascii: "i")
            && self[name + 3] | 0x20 == UInt8(ascii: "p")
    }
}
