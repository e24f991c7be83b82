/// The weights in an Accept-Encoding field (RFC 9110 §12.5.3) of the codings that the server makes,
/// and of those that proxies may add.
package struct AcceptEncoding: Sendable {
    /// A coding that a proxy may have added; its name is then in the entity tag.
    package enum Added: Int, CaseIterable, Sendable {
        case gzip, deflate, br, zstd
    }

    /// The weight of each case of ``Added``, in thousandths; `nil` if the field does not name it.
    private var added: InlineArray<4, Int16?>
    /// The weight of `identity`, in thousandths; `nil` if the field does not name it.
    private var identity: Int16?
    /// The weight of `*`, which holds for all codings that the field does not name.
    private var others: Int16?
    private let isAbsent: Bool

    /// Makes the preferences of a request without the field, which accepts every coding.
    package init() {
        (added, isAbsent) = (InlineArray(repeating: nil), true)
    }

    /// Parses a field's value.
    ///
    /// A malformed element is ignored; of two elements for the same coding the first counts.
    package init(_ value: Span<UInt8>) {
        (added, isAbsent) = (InlineArray(repeating: nil), false)
        var index = 0
        while index < value.count { index = add(value, from: index) + 1 }
    }

    /// Adds the element that begins at an index, and returns the index of the comma after it, or
    /// the end of the value.
    private mutating func add(_ value: Span<UInt8>, from start: Int) -> Int {
        let nameStart = value.afterBlanks(start..<value.count)
        let index = value.end(of: .token, from: nameStart)
        // Nearly all elements are a name alone. A malformed one has no weight.
        var end = index
        if index < value.count, value[index] != .comma {
            end = value.endOfUnquotedElement(index..<value.count)
        }
        guard 1...8 ~= index - nameStart, let weight = Self.weight(value, index..<end) else {
            return end
        }
        switch value.lowercasedNumber(in: nameStart..<index) {
        // gzip and x-gzip, its second name (RFC 9110 §8.4.1.3)
        case 0x67_7a_69_70, 0x78_2d_67_7a_69_70: note(weight, of: .gzip)
        // deflate
        case 0x64_65_66_6c_61_74_65: note(weight, of: .deflate)
        // br
        case 0x62_72: note(weight, of: .br)
        // zstd
        case 0x7a_73_74_64: note(weight, of: .zstd)
        // identity
        case 0x69_64_65_6e_74_69_74_79: if identity == nil { identity = weight }
        // *
        case 0x2a: if others == nil { others = weight }
        default: break
        }
        return end
    }

    private mutating func note(_ weight: Int16, of coding: Added) {
        if added[coding.rawValue] == nil { added[coding.rawValue] = weight }
    }

    /// Returns the weight after an element's name, `;q=` and a number (RFC 9110 §12.4.2), in
    /// thousandths; 1000 if nothing follows, `nil` if it is malformed.
    private static func weight(_ value: Span<UInt8>, _ range: Range<Int>) -> Int16? {
        let range = value.trimmed(range)
        guard !range.isEmpty else { return 1000 }
        guard value[range.lowerBound] == .semicolon else { return nil }
        let index = value.afterBlanks(range.lowerBound + 1..<range.upperBound)
        guard index + 2 < range.upperBound, value[index] | 0x20 == UInt8(ascii: "q"),
            value[index + 1] == .equals
        else { return nil }
        return value.weight(in: index + 2..<range.upperBound).map { Int16($0) }
    }
}

extension AcceptEncoding {
    /// Returns the weight of a coding in thousandths, from 0 (not acceptable) to 1000, by the rules
    /// for `*` and `identity`.
    ///
    /// Without the field every coding is acceptable (1000). `identity` is acceptable unless it is
    /// excluded; if the field does not mention it, it comes after all named codings (1).
    package func quality(of coding: ContentCoding) -> Int {
        guard !isAbsent else { return 1000 }
        let named = coding == .gzip ? added[Added.gzip.rawValue] : identity
        if let weight = named ?? others { return Int(weight) }
        return coding == .gzip ? 0 : 1
    }

    /// Returns whether the client accepts a coding that a proxy may have added.
    package func takes(_ coding: Added) -> Bool {
        isAbsent || added[coding.rawValue] ?? others ?? 0 > 0
    }

    /// The coding with the highest weight; gzip if both are equal.
    ///
    /// A request without the field gets the content without a coding, because clients that can
    /// decode send the field. A client that excludes every coding of the server gets the content
    /// without a coding, too: the field states a preference (RFC 9110 §12.1), and a refusal would
    /// not help.
    package var choice: CodingChoice {
        guard !isAbsent else { return .identity }
        let plain = quality(of: .identity)
        let gzip = quality(of: .gzip)
        guard gzip > 0, gzip >= plain else { return .identity }
        return CodingChoice(.gzip, isForced: plain == 0)
    }
}

extension RequestHead {
    /// The codings that the client accepts (RFC 9110 §12.5.3).
    package var acceptEncoding: AcceptEncoding {
        withValue(.acceptEncoding) { AcceptEncoding($0) } ?? AcceptEncoding()
    }
}

/// A content coding that the server makes (RFC 9110 §8.4.1).
package enum ContentCoding: Sendable, CaseIterable {
    /// The content without a coding.
    case identity
    case gzip

    /// The name in header fields.
    package var name: String {
        switch self {
        case .identity: "identity"
        case .gzip: "gzip"
        }
    }

    /// The suffix of the entity tag of content in this coding; it distinguishes the tag from that
    /// of the content without a coding (RFC 9110 §8.8.3.3).
    package var tagSuffix: String { self == .identity ? "" : "-" + name }
}

/// The choice of a content coding for the response to one request.
package struct CodingChoice: Sendable, Hashable {
    package var coding: ContentCoding

    /// Whether the client excludes the content without a coding: it is then coded even if that does
    /// not make it smaller.
    package var isForced: Bool

    package init(_ coding: ContentCoding, isForced: Bool = false) {
        self.coding = coding
        self.isForced = isForced
    }

    /// The choice of the content without a coding.
    package static let identity = CodingChoice(.identity)
}
