/// The value of Range with the unit "bytes" (RFC 9110 §14.1.2, §14.2).
package struct ByteRanges: Sendable, Equatable {
    /// One range as it was asked for.
    private enum Spec: Sendable, Equatable {
        /// From a byte to another, or to the end.
        case from(Int, through: Int?)
        /// So many bytes at the end.
        case last(Int)
    }

    private let specs: [Spec]

    /// The most ranges that are looked at; asking for more is as asking for none.
    ///
    /// Many small or overlapping ranges are how a small request makes much work (§17.15).
    package static let countLimit = 16

    /// Reads a field's value; numbers that are too large to count count as the largest.
    ///
    /// `nil` for what is to be ignored: another unit, what is malformed, a range that ends before
    /// it begins, and more than ``countLimit`` of them.
    ///
    /// - Parameter value: As sent.
    package init?(_ value: String) {
        var scanner = FieldScanner(value)
        guard scanner.lowercasedToken() == "bytes", scanner.skip(.equals) else { return nil }
        var specs: [Spec] = []
        for element in scanner.elements() {
            guard specs.count < Self.countLimit, let spec = Self.spec(element) else { return nil }
            specs.append(spec)
        }
        guard !specs.isEmpty else { return nil }
        self.specs = specs
    }

    private static func spec(_ scanner: FieldScanner) -> Spec? {
        var scanner = scanner
        let first = scanner.number()
        guard scanner.skip(UInt8(ascii: "-")) else { return nil }
        let last = scanner.number()
        guard scanner.isAtEnd else { return nil }
        switch (first, last) {
        case (nil, nil): return nil
        case (nil, let count?): return .last(count)
        case (let first?, nil): return .from(first, through: nil)
        case (let first?, let last?): return first <= last ? .from(first, through: last) : nil
        }
    }
}

extension ByteRanges {
    /// What becomes of a request for ranges.
    package enum Outcome: Sendable, Equatable {
        /// All of it: there is nothing of which a part could be sent.
        case whole
        /// These parts, none empty and no two of them touching, in the order asked for (206).
        case parts([Range<Int>])
        /// None of them lies inside (416).
        case unsatisfiable
    }

    /// Lays the ranges over a content.
    ///
    /// Those outside are left out, and those that overlap or touch become one in the place of the
    /// first (§15.3.7.2).
    ///
    /// - Parameter length: Of the content, in bytes.
    /// - Returns: What to send.
    package func outcome(length: Int) -> Outcome {
        var parts: [Range<Int>] = []
        var isSatisfiable = false
        for spec in specs {
            guard let range = Self.range(spec, length) else { continue }
            isSatisfiable = true
            if !range.isEmpty { Self.add(range, to: &parts) }
        }
        if !parts.isEmpty { return .parts(parts) }
        return isSatisfiable ? .whole : .unsatisfiable
    }

    /// - Returns: `nil` for a range that cannot be satisfied (§14.1.2).
    private static func range(_ spec: Spec, _ length: Int) -> Range<Int>? {
        switch spec {
        case .from(let first, let last):
            guard first < length else { return nil }
            return first..<(last.map { min($0, length - 1) + 1 } ?? length)
        case .last(let count):
            return count > 0 ? (length - min(count, length))..<length : nil
        }
    }

    private static func add(_ range: Range<Int>, to parts: inout [Range<Int>]) {
        var merged = range
        var place = parts.count
        // A range that grew may now touch others: as many rounds as there are ranges, which are
        // few.
        while let index = parts.firstIndex(where: { $0.touches(merged) }) {
            let part = parts.remove(at: index)
            merged =
                min(part.lowerBound, merged.lowerBound)..<max(part.upperBound, merged.upperBound)
            place = min(place, index)
        }
        parts.insert(merged, at: place)
    }
}

extension Range<Int> {
    /// Whether the two overlap or one begins where the other ends.
    fileprivate func touches(_ other: Range<Int>) -> Bool {
        lowerBound <= other.upperBound && other.lowerBound <= upperBound
    }
}

extension FieldScanner {
    /// A decimal number; the largest there is for one that is larger.
    fileprivate mutating func number() -> Int? {
        text(where: \.isDigit).flatMap { Array($0.utf8).span.wholeNumber }
    }
}
