/// The addresses in a value of Forwarded (RFC 7239) or X-Forwarded-For, from the last to the first.
package struct ForwardedHops {
    /// Whether each is said as `for=…`, among other things.
    private let hasParameters: Bool
    /// What is left of the list; `nil` behind its first element.
    private var end: Int?

    /// - Parameters:
    ///   - value: Of all fields of that name.
    ///   - hasParameters: Whether it is Forwarded.
    package init(_ value: Span<UInt8>, hasParameters: Bool) {
        self.hasParameters = hasParameters
        end = value.count
    }

    /// Where the address of the next hop stands, without quotes, brackets and port.
    ///
    /// - Parameter value: The same.
    /// - Returns: `nil` at the end, and for an element that names none.
    package mutating func next(in value: Span<UInt8>) -> Range<Int>? {
        guard let last = end else { return nil }
        // From the end, no quote can be told from one that opens; no address has a comma within.
        var start = last
        while start > 0, value[start - 1] != .comma { start -= 1 }
        end = start > 0 ? start - 1 : nil
        let element = value.trimmed(start..<last)
        return hasParameters
            ? ForwardedHops.node(in: element, of: value)
            : ForwardedHops.host(in: element, of: value)
    }

    /// The value of `for` among an element's parameters.
    private static func node(in element: Range<Int>, of value: Span<UInt8>) -> Range<Int>? {
        var start = element.lowerBound
        while start < element.upperBound {
            let next = value.firstIndex(of: .semicolon, in: start..<element.upperBound)
            let pair = value.trimmed(start..<(next ?? element.upperBound))
            start = (next ?? element.upperBound) + 1
            guard let mark = value.firstIndex(of: .equals, in: pair),
                value.equals("for", in: pair.lowerBound..<mark)
            else { continue }
            var node = mark + 1..<pair.upperBound
            if node.count >= 2, value[node.lowerBound] == .quote,
                value[node.upperBound - 1] == .quote
            {
                node = node.lowerBound + 1..<node.upperBound - 1
            }
            return host(in: node, of: value)
        }
        return nil
    }

    /// An address without its brackets and port: one of IPv6 that has neither has two colons.
    private static func host(in node: Range<Int>, of value: Span<UInt8>) -> Range<Int>? {
        guard let first = node.first else { return nil }
        if value[first] == UInt8(ascii: "[") {
            guard let end = value.firstIndex(of: UInt8(ascii: "]"), in: node) else { return nil }
            return first + 1..<end
        }
        guard let colon = value.firstIndex(of: .colon, in: node) else { return node }
        let hasTwo = value.firstIndex(of: .colon, in: colon + 1..<node.upperBound) != nil
        return hasTwo ? node : first..<colon
    }
}
