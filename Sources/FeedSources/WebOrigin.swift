/// The scheme, host and port of an address (RFC 6454 §4).
struct WebOrigin: Equatable {
    private let text: String

    init(_ address: String) {
        let lowered = address.lowercased()
        guard let start = lowered.firstRange(of: "://") else {
            text = lowered
            return
        }
        let authority = lowered[start.upperBound...].prefix { !"/?#".contains($0) }
        let host =
            authority.lastIndex(of: "@").map { authority[authority.index(after: $0)...] }
            ?? authority
        let port = lowered.hasPrefix("https") ? ":443" : ":80"
        let full = host.hasSuffix(port) ? host.dropLast(port.count) : host
        text = String(lowered[..<start.upperBound] + full)
    }
}
