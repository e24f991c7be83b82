/// Origins as browsers send them (the HTML standard, "ASCII serialization of an origin"): they are
/// compared byte by byte, so that another spelling in the settings matches no browser's.
enum OriginText {
    /// Returns the reason why no browser sends `text` as an origin; nil when a browser may send it.
    static func refusal(_ text: String) -> String? {
        if text == "*" { return "\"*\" stands alone, not in a list" }
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let scheme = parts.first, !scheme.isEmpty, let rest = parts.last,
            !rest.isEmpty
        else { return "must be an origin such as https://example.org, not \"\(text)\"" }
        if rest.contains("/") { return "an origin has no path: \"\(text)\"" }
        guard text.utf8.allSatisfy(isAllowed) else {
            return "an origin has lower-case letters, digits and - . : [ ], not \"\(text)\""
        }
        let usual = ["http": ":80", "https": ":443"][String(scheme)]
        if let usual, rest.hasSuffix(usual), !rest.hasPrefix("[") || rest.hasSuffix("]" + usual) {
            return "browsers leave out \(usual): write \(text.dropLast(usual.count))"
        }
        return nil
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._:[]/+".utf8.contains(byte)
        }
    }
}
