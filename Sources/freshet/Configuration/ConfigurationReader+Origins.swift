import FeedAPI
import HTTPTypes
import Yams

/// Reads the origins whose pages may call the server from a browser.
extension ConfigurationReader {
    mutating func origins(_ node: Node) -> APIConfiguration.Origins? {
        let path = "allowed-origins"
        if let scalar = node.scalar {
            if scalar.string == "*" { return .any }
            report(node.mark, path, "must be \"*\" or a list of origins")
            return nil
        }
        return distinctTexts(node, path, of: "origins", refusal: ConfigurationReader.refusal)
            .map { .list($0) }
    }

    /// Returns the reason why no browser sends `text` as an origin; nil when a browser may send it.
    ///
    /// Browsers send origins as the HTML standard says, "ASCII serialization of an origin". They
    /// are compared byte by byte, so that another spelling in the settings matches no browser's.
    private static func refusal(origin text: String) -> String? {
        if text == "*" { return "\"*\" stands alone, not in a list" }
        let parts = text.split(separator: "://", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let scheme = parts.first, !scheme.isEmpty, let rest = parts.last,
            !rest.isEmpty
        else { return "must be an origin such as https://example.org, not \"\(text)\"" }
        if rest.contains("/") { return "an origin has no path: \"\(text)\"" }
        guard text.utf8.allSatisfy(isOfOrigin) else {
            return "an origin has lower-case letters, digits and - . : [ ], not \"\(text)\""
        }
        let usual = ["http": ":80", "https": ":443"][String(scheme)]
        if let usual, rest.hasSuffix(usual), !rest.hasPrefix("[") || rest.hasSuffix("]" + usual) {
            return "browsers leave out \(usual): write \(text.dropLast(usual.count))"
        }
        return nil
    }

    private static func isOfOrigin(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        default: "-._:[]/+".utf8.contains(byte)
        }
    }

    /// Reads the names of fields that pages of other origins may send.
    mutating func allowedFields(_ node: Node) -> [String]? {
        distinctTexts(node, "allowed-headers", of: "field names") { text in
            HTTPField.Name(text) == nil
                ? "is not the name of a field, such as X-App-Version: \"\(text)\"" : nil
        }
    }

    /// Reads a list of texts, and reports those that `refusal` has a reason against, and those that
    /// are there twice, in whatever case.
    private mutating func distinctTexts(
        _ node: Node,
        _ path: String,
        of what: String,
        refusal: (String) -> String?
    ) -> [String]? {
        guard let list = elements(node, path, of: what) else { return nil }
        var texts: [String] = []
        for (node, path) in list {
            guard let text = text(node, path) else { continue }
            let isTwice = texts.contains { $0.lowercased() == text.lowercased() }
            let reason = refusal(text) ?? (isTwice ? "\"\(text)\" is there twice" : nil)
            if let reason { report(node.mark, path, reason) } else { texts.append(text) }
        }
        return texts
    }
}
