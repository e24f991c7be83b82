/// The value of a Range field with the unit "bytes" (RFC 9110 §14.1.2, §14.2).
package struct ByteRanges: Sendable, Equatable {
    /// A range in the form in which it was requested.
    private enum Spec: Sendable, Equatable {
        /// The bytes from one index to another, or to the end.
        case from(Int, through: Int?)
        /// A number of bytes at the end.
        case last(Int)
    }

    private let specs: [Spec]

    /// The most ranges that are served; in a request for more ranges, Range is ignored.
    ///
    /// Many small or overlapping ranges let a small request cause much work (RFC 9110 §17.15).
    package static let countLimit = 16

    /// Parses a field's value; numbers too large for `Int` become the largest one.
    ///
    /// The result is `nil` for a value that must be ignored: with another unit, malformed, with a
    /// range that ends before it begins, or with more than ``countLimit`` ranges.
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
    /// The outcome of a request for ranges.
    package enum Outcome: Sendable, Equatable {
        /// The whole content, because it is empty and has no parts.
        case whole
        /// These parts, none of them empty and no two touching, in the requested order (206).
        case parts([Range<Int>])
        /// None of the ranges lies inside the content (416).
        case unsatisfiable
    }

    /// Applies the ranges to a content of `length` bytes.
    ///
    /// Ranges outside the content are left out. Ranges that overlap or touch are merged, at the
    /// position of the first one (RFC 9110 §15.3.7.2).
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

    /// Returns the bytes of a content of this length that a requested range selects; `nil` for a
    /// range that cannot be satisfied (RFC 9110 §14.1.2).
    private static func range(_ spec: Spec, _ length: Int) -> Range<Int>? {
        switch spec {
        case .from(let first, let last):
            guard first < length else { return nil }
            return first..<(last.map { min($0, length - 1) + 1 } ?? length)
        case .last(let count):
            return count > 0 ? (length - min(count, length))..<length : nil
        }
    }

    /// Adds a range to the parts, and merges it with the parts that it touches.
    private static func add(_ range: Range<Int>, to parts: inout [Range<Int>]) {
        var merged = range
        var position = parts.count
        // A merged range may now touch others: there are at most as many rounds as ranges, which
        // are few.
        while let index = parts.firstIndex(where: { $0.touches(merged) }) {
            let part = parts.remove(at: index)
            merged =
                min(part.lowerBound, merged.lowerBound)..<max(part.upperBound, merged.upperBound)
            position = min(position, index)
        }
        parts.insert(merged, at: position)
    }
}

extension Range<Int> {
    fileprivate func touches(_ other: Range<Int>) -> Bool {
        lowerBound <= other.upperBound && other.lowerBound <= upperBound
    }
}

extension FieldScanner {
    /// Takes a decimal number; a number beyond `Int` becomes the largest `Int`, and without digits
    /// the result is `nil`.
    fileprivate mutating func number() -> Int? {
        text(where: \.isDigit).flatMap { Array($0.utf8).span.wholeNumber }
    }
}
