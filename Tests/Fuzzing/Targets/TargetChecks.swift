import HTTPWire

/// A target is decoded as one would by hand.
enum TargetChecks {
    static func run(_ input: [UInt8]) throws(Finding) {
        for method in ["GET", "OPTIONS", "CONNECT"] {
            let start = Array(method.utf8) + [0x20] + input
            var parser = RequestParser()
            let bytes = start + Array(" HTTP/1.1\r\nHost: h\r\n\r\n".utf8)
            guard let (count, isComplete) = try? parser.consume(bytes.span), isComplete,
                count == bytes.count
            else { continue }
            try check(parser.head)
        }
    }

    private static func check(_ head: RequestHead) throws(Finding) {
        let raw = head.string(head.target)
        guard head.targetParts.hasSegments else { return }
        var rest = raw[...]
        if !rest.hasPrefix("/"), let scheme = rest.firstRange(of: "://") {
            rest = rest[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let segments = (parts.first ?? "").dropFirst()
            .split(separator: "/", omittingEmptySubsequences: false)
            .map(Self.decoded)
        if let found = try? head.pathSegments() {
            try require(found.map(Optional.some) == segments, "\(found) of \(raw)")
        } else {
            try require(segments.contains(nil), "refused: \(raw)")
        }
        let query = head.targetParts.query
        try require(
            query.map(head.string) == (parts.count > 1 ? String(parts[1]) : nil),
            "the query of \(raw)"
        )
        if let query {
            try require(
                head.bytes.span.extracting(query).isPercentDecodable
                    == (Self.decoded(parts[1]) != nil),
                "the escapes of \(raw)"
            )
        }
        let path = parts.first.map(String.init) ?? ""
        try require(head.path == (path.isEmpty ? "/" : path), "\(head.path) of \(raw)")
    }

    /// A name and its value in a query.
    static func item(_ text: Substring) -> (name: String?, value: String?) {
        let parts = text.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let texts = parts.map { Substring($0.replacing("+", with: "%20")) }
        return (decoded(texts[0]), decoded(texts.count > 1 ? texts[1] : ""))
    }

    /// The text, unless an escape lacks a digit or the bytes are not UTF-8.
    private static func decoded(_ text: Substring) -> String? {
        var parts = text.split(separator: "%", omittingEmptySubsequences: false)
        var bytes = Array(parts.removeFirst().utf8)
        for part in parts {
            let digits = part.prefix(2)
            guard digits.count == 2, digits.allSatisfy(\.isHexDigit),
                let byte = UInt8(digits, radix: 16)
            else { return nil }
            bytes.append(byte)
            bytes += Array(part.dropFirst(2).utf8)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
