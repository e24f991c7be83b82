import FeedModel

/// An address to listen on, with its port: `127.0.0.1:9090`, `[::1]:9090`.
struct ListenAddress: Equatable, Sendable {
    let host: String
    /// The port; 0 for any free port.
    let port: Int

    /// Reads a host and a port up to 65535, an IPv6 address with its brackets; `nil` for any other
    /// text.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = Int(digits: text[text.index(after: colon)...].utf8), port <= 65_535
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { "/[] ".contains($0) }) else { return nil }
        self.host = String(host)
        self.port = port
    }
}
