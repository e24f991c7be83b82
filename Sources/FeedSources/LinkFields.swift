import FeedFormats
import HTTPClient
import HTTPTypes

/// The `Link` fields of a response (RFC 8288): a source's hub, the address to subscribe to there,
/// and the feeds of a page.
struct LinkFields: Equatable {
    private(set) var hub: String?
    private(set) var topic: String?
    /// The addresses of feeds, as a page's `<link rel="alternate">` has them; each once.
    private(set) var feeds: [String] = []

    /// - Parameter address: The base address of relative references.
    init(_ fields: HTTPFields, address: String) {
        guard let name = HTTPField.Name("Link") else { return }
        for field in fields[values: name].prefix(20) {
            for link in LinkFields.split(field.prefix(8000), at: ",").prefix(50) {
                add(link, address)
            }
        }
    }

    private mutating func add(_ link: Substring, _ address: String) {
        guard let open = link.firstIndex(of: "<"), let close = link[open...].firstIndex(of: ">")
        else { return }
        let reference = String(link[link.index(after: open)..<close])
        let target = WebAddress.resolve(WebAddress.withWebScheme(reference), base: address)
        guard WebAddress.isWeb(target) else { return }
        var relations: [Substring] = []
        var type = ""
        for parameter in LinkFields.split(link[link.index(after: close)...], at: ";") {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2 else { continue }
            let value = pair[1].filter { $0 != "\"" }.lowercased()
            switch pair[0].filter({ $0 != " " }).lowercased() {
            case "rel": relations += value.split(separator: " ")
            case "type": type = value
            default: break
            }
        }
        if relations.contains("hub") { hub = hub ?? target }
        if relations.contains("self") { topic = topic ?? target }
        if relations.contains("alternate"), PageLinks.isFeed(type), !feeds.contains(target) {
            feeds.append(target)
        }
    }

    /// Splits a text at separators that are neither in quotes nor in angle brackets.
    private static func split(_ text: Substring, at separator: Character) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var (isQuoted, isAddress) = (false, false)
        for index in text.indices {
            switch text[index] {
            case "\"" where !isAddress: isQuoted.toggle()
            case "<" where !isQuoted: isAddress = true
            case ">" where !isQuoted: isAddress = false
            case separator where !isQuoted && !isAddress:
                parts.append(text[start..<index])
                start = text.index(after: index)
            default: break
            }
        }
        parts.append(text[start...])
        return parts
    }
}
