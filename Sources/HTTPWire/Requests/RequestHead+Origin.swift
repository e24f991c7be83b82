extension RequestHead {
    /// The first Origin field, as far as the head was read; nil when there is none.
    package var origin: [UInt8]? { first(.origin).map { Array(bytes[$0]) } }
}

extension Span<UInt8> {
    /// The value of the last Origin field before an empty line, in the rest of a head that was
    /// refused.
    ///
    /// - Returns: nil when there is none that is whole.
    package var origin: [UInt8]? {
        var found: [UInt8]?
        var start = 0
        while let end = firstIndex(of: .lineFeed, in: start..<count) {
            let line = start..<(end > start && self[end - 1] == .carriageReturn ? end - 1 : end)
            if let colon = firstIndex(of: .colon, in: line), equals("origin", in: start..<colon) {
                var value: [UInt8] = []
                value.append(copying: extracting(trimmed(colon + 1..<line.upperBound)))
                found = value
            }
            if line.isEmpty, found != nil { break }
            start = end + 1
        }
        return found
    }
}
