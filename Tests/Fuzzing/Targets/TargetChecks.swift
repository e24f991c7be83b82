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
        let target = try? RequestTarget(head)
        guard target == nil || target?.form == .origin || target?.form == .absolute else { return }
        var rest = raw[...]
        if !rest.hasPrefix("/"), let scheme = rest.firstRange(of: "://") {
            rest = rest[scheme.upperBound...].drop { $0 != "/" && $0 != "?" }
        }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let segments = (parts.first ?? "").dropFirst()
            .split(separator: "/", omittingEmptySubsequences: false)
            .map(Self.decoded)
        let items = (parts.count > 1 ? parts[1] : "").split(separator: "&").map(Self.item)
        guard let target else {
            let isBad =
                segments.contains(nil) || items.contains { $0.name == nil || $0.value == nil }
            try require(isBad, "refused: \(raw)")
            return
        }
        try require(target.segments.map(Optional.some) == segments, "\(target) of \(raw)")
        try require(target.rawQuery == (parts.count > 1 ? String(parts[1]) : nil), "\(target)")
        let path = parts.first.map(String.init) ?? ""
        try require(target.rawPath == (path.isEmpty ? "/" : path), "\(target) of \(raw)")
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
