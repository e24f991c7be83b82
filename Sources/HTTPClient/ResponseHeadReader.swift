import HTTPTypes

/// Reads the lines of a head as libcurl passes them on: one at a time, with their ends.
struct ResponseHeadReader {
    enum Step {
        /// More lines are to come, or the line does not belong to the final response's head.
        case more
        case whole(HTTPClient.Response.Head)
        case tooLarge
    }

    private var head = HTTPClient.Response.Head()
    private var byteCount = 0
    private var isWhole = false

    /// Whether the head has begun and not ended.
    var isOpen: Bool { byteCount > 0 && !isWhole }

    mutating func read(_ line: UnsafeRawBufferPointer) -> Step {
        byteCount += line.count
        if byteCount > HTTPClient.Limits.headByteCount { return .tooLarge }
        // Trailers come as lines, too.
        if isWhole { return .more }
        var line = line[...]
        while let last = line.last, last == 0x0D || last == 0x0A { line.removeLast() }
        if line.isEmpty {
            guard head.status >= 200 else { return .more }
            isWhole = true
            return .whole(head)
        }
        if line.starts(with: "HTTP/".utf8) {
            // Each interim response begins anew (RFC 9110 §15.2).
            head = HTTPClient.Response.Head()
            let digits = line.drop { $0 != 0x20 }.dropFirst().prefix(3)
            head.status = Int(String(decoding: digits, as: UTF8.self)) ?? 0
        } else if let colon = line.firstIndex(of: 0x3A),
            let name = HTTPField.Name(String(decoding: line[..<colon], as: UTF8.self))
        {
            var value = line[(colon + 1)...].drop(while: isBlank)
            while let last = value.last, isBlank(last) { value.removeLast() }
            head.fields.append(HTTPField(name: name, lenientValue: value))
        }
        return .more
    }

    private func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
