/// An address to listen on, with its port: `127.0.0.1:9090`, `[::1]:9090`.
struct ListenAddress: Equatable, Sendable {
    let host: String
    /// 0: any that is free.
    let port: Int

    /// Reads an address.
    ///
    /// - Returns: `nil` for a text without a host or a port; an IPv6 address needs its brackets.
    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":"),
            let port = UInt16(text[text.index(after: colon)...])
        else { return nil }
        var host = text[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") {
            host = host.dropFirst().dropLast()
        } else if host.contains(":") {
            return nil
        }
        guard !host.isEmpty, !host.contains(where: { "/[] ".contains($0) }) else { return nil }
        self.host = String(host)
        self.port = Int(port)
    }
}
