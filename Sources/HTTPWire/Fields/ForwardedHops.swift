/// Reads the addresses in a value of Forwarded (RFC 7239 §4) or X-Forwarded-For, from the last to
/// the first; each proxy has appended the address of its client.
package struct ForwardedHops {
    private let hasParameters: Bool
    /// The index at which the unread part of the value ends; `nil` when all of it has been read.
    private var end: Int?

    /// Begins at the end of a value.
    ///
    /// - Parameters:
    ///   - value: The values of all fields with the name, joined by commas.
    ///   - hasParameters: Whether the field is Forwarded, not X-Forwarded-For.
    package init(_ value: Span<UInt8>, hasParameters: Bool) {
        self.hasParameters = hasParameters
        end = value.count
    }

    /// Returns the range of the next hop's address, without quotes, brackets and port.
    ///
    /// - Parameter value: The value that was passed to the initializer.
    /// - Returns: `nil` when all elements have been read, and also for an element without an
    ///   address.
    package mutating func next(in value: Span<UInt8>) -> Range<Int>? {
        guard let last = end else { return nil }
        // Quotes are ignored: from the end, an opening quote looks like a closing one, and no
        // address contains a comma.
        var start = last
        while start > 0, value[start - 1] != .comma { start -= 1 }
        end = start > 0 ? start - 1 : nil
        let element = value.trimmed(start..<last)
        return hasParameters
            ? ForwardedHops.node(in: element, of: value)
            : ForwardedHops.host(in: element, of: value)
    }

    /// Returns the range of the address in the `for` parameter of an element (RFC 7239 §5.2); `nil`
    /// without that parameter.
    private static func node(in element: Range<Int>, of value: Span<UInt8>) -> Range<Int>? {
        var start = element.lowerBound
        while start < element.upperBound {
            let next = value.firstIndex(of: .semicolon, in: start..<element.upperBound)
            let pair = value.trimmed(start..<(next ?? element.upperBound))
            start = (next ?? element.upperBound) + 1
            guard let equals = value.firstIndex(of: .equals, in: pair),
                value.equals("for", in: pair.lowerBound..<equals)
            else { continue }
            var node = equals + 1..<pair.upperBound
            if node.count >= 2, value[node.lowerBound] == .quote,
                value[node.upperBound - 1] == .quote
            {
                node = node.lowerBound + 1..<node.upperBound - 1
            }
            return host(in: node, of: value)
        }
        return nil
    }

    /// Returns the range of an address without its brackets and port (RFC 7239 §6); `nil` if it is
    /// empty.
    ///
    /// An IPv6 address without brackets has at least two colons, and so no port.
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
