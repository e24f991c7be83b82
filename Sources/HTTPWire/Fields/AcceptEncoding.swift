/// What of Accept-Encoding (RFC 9110 §12.5.3) concerns the codings that the server makes.
package struct AcceptEncoding: Sendable, Equatable {
    /// In thousandths, of each coding that is named; `*` names all others.
    private var gzip: Int16?
    private var deflate: Int16?
    private var identity: Int16?
    private var others: Int16?
    private let isAbsent: Bool

    /// What a request without the field accepts: everything.
    package init() {
        isAbsent = true
    }

    /// Reads a field's value.
    ///
    /// An element that is malformed counts as absent; of two for the same coding the first counts.
    package init(_ value: Span<UInt8>) {
        isAbsent = false
        var rest: Range<Int>? = value.indices
        while let element = value.nextUnquotedElement(in: &rest) { add(value, element) }
    }

    private mutating func add(_ value: Span<UInt8>, _ element: Range<Int>) {
        var end = element.lowerBound
        while end < element.upperBound, value[end] != .semicolon, !value[end].isBlank { end += 1 }
        // What is no name of a coding names none that is known.
        let name = element.lowerBound..<end
        guard let weight = Self.weight(value, end..<element.upperBound) else { return }
        switch name.count {
        // RFC 9110 §8.4.1.3: gzip has a second name.
        case 4 where value.equals("gzip", in: name), 6 where value.equals("x-gzip", in: name):
            gzip = gzip ?? weight
        case 7 where value.equals("deflate", in: name): deflate = deflate ?? weight
        case 8 where value.equals("identity", in: name): identity = identity ?? weight
        case 1 where value.equals("*", in: name): others = others ?? weight
        default: break
        }
    }

    /// What follows an element's name: nothing, or `;q=` and a weight (RFC 9110 §12.4.2).
    private static func weight(_ value: Span<UInt8>, _ range: Range<Int>) -> Int16? {
        guard !range.isEmpty else { return 1000 }
        var index = value.afterBlanks(range)
        guard index < range.upperBound, value[index] == .semicolon else { return nil }
        index = value.afterBlanks(index + 1..<range.upperBound)
        guard index + 2 < range.upperBound, value[index] | 0x20 == UInt8(ascii: "q"),
            value[index + 1] == .equals
        else { return nil }
        return value.weight(in: index + 2..<range.upperBound).map { Int16($0) }
    }
}

extension AcceptEncoding {
    /// From 0 to 1000 (thousandths), by the rules for `*` and `identity`.
    ///
    /// Without the field every coding is acceptable (1000). `identity` is acceptable unless it is
    /// excluded; where nothing is said of it, it comes after all codings that are named (1).
    ///
    /// - Returns: 0 when the coding is not acceptable.
    package func quality(of coding: ContentCoding) -> Int {
        guard !isAbsent else { return 1000 }
        return switch coding {
        case .gzip: Int(gzip ?? others ?? 0)
        case .deflate: Int(deflate ?? others ?? 0)
        case .identity: Int(identity ?? others ?? 1)
        }
    }

    /// The coding with the highest weight; of equal ones gzip, then deflate.
    ///
    /// A request without the field gets the content as it is: a client that can decode says so. A
    /// client that excludes everything the server can send gets it too: the field is a wish
    /// (RFC 9110 §12.1), and a refusal would serve nobody.
    package var choice: CodingChoice {
        guard !isAbsent else { return .identity }
        let plain = quality(of: .identity)
        let (gzip, deflate) = (quality(of: .gzip), quality(of: .deflate))
        let best = max(gzip, deflate)
        guard best > 0, best >= plain else { return .identity }
        return CodingChoice(gzip >= deflate ? .gzip : .deflate, isForced: plain == 0)
    }
}

extension RequestHead {
    /// How the answer should be coded (RFC 9110 §12.5.3).
    package var codingChoice: CodingChoice {
        let choice = withValue(.acceptEncoding) { value in
            value.choosesGzipAtOnce ? CodingChoice(.gzip) : AcceptEncoding(value).choice
        }
        return choice ?? AcceptEncoding().choice
    }
}

extension Span<UInt8> {
    /// Whether a value of Accept-Encoding names gzip first, and has no weights, which is what
    /// browsers send: nothing that follows can change the choice then.
    var choosesGzipAtOnce: Bool {
        count >= 4 && equals("gzip", in: 0..<4) && (count == 4 || self[4] == .comma)
            && firstIndex(of: .semicolon, in: 0..<count) == nil
    }
}
