import FeedFormats
import HTTPClient
import HTTPTypes

/// The hub of a source and the address to subscribe to there, as `Link` fields say (RFC 8288).
struct HubLinks: Equatable {
    private(set) var hub: String?
    private(set) var topic: String?

    /// - Parameter address: What relative references are relative to.
    init(_ fields: HTTPFields, address: String) {
        guard let name = HTTPField.Name("Link") else { return }
        for field in fields[values: name].prefix(20) {
            for link in HubLinks.split(field.prefix(8000), at: ",").prefix(50) {
                add(link, address)
            }
        }
    }

    private mutating func add(_ link: Substring, _ address: String) {
        guard let open = link.firstIndex(of: "<"), let close = link[open...].firstIndex(of: ">")
        else { return }
        let target = WebAddress.resolve(
            String(link[link.index(after: open)..<close]),
            base: address
        )
        guard WebAddress.isWeb(target) else { return }
        for parameter in HubLinks.split(link[link.index(after: close)...], at: ";") {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].filter({ $0 != " " }).lowercased() == "rel" else {
                continue
            }
            let relations = pair[1].filter { $0 != "\"" }.lowercased().split(separator: " ")
            if relations.contains("hub") { hub = hub ?? target }
            if relations.contains("self") { topic = topic ?? target }
        }
    }

    /// Parts between marks that are neither in quotes nor in angle brackets.
    private static func split(_ text: Substring, at mark: Character) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var (isQuoted, isAddress) = (false, false)
        for index in text.indices {
            switch text[index] {
            case "\"" where !isAddress: isQuoted.toggle()
            case "<" where !isQuoted: isAddress = true
            case ">" where !isQuoted: isAddress = false
            case mark where !isQuoted && !isAddress:
                parts.append(text[start..<index])
                start = text.index(after: index)
            default: break
            }
        }
        parts.append(text[start...])
        return parts
    }
}
