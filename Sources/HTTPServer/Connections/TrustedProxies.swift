import HTTPWire

/// The proxies whose word about a request's client address is trusted.
///
/// Each proxy appends the address of its own client to a list, so only the entries of trusted
/// proxies can be believed. The list is read from its end, up to the first address that is not a
/// trusted proxy's.
package struct TrustedProxies: Sendable, Equatable {
    /// The place where the proxies state the client's address.
    ///
    /// Only one field is read: a proxy that appends to one may pass on the other as its client made
    /// it up.
    package enum Field: String, Sendable, CaseIterable {
        case xForwardedFor = "x-forwarded-for"
        /// The Forwarded field (RFC 7239).
        case forwarded
        /// No field: each connection begins with a ``ProxyHeader``.
        case proxyProtocol = "proxy-protocol"
    }

    package var networks: [Network]
    package var field: Field

    /// The most addresses read from a list; no chain of proxies is longer.
    private static let hopLimit = 32

    package init(_ networks: [Network] = [], field: Field = .xForwardedFor) {
        self.networks = networks
        self.field = field
    }

    /// Returns the address of a request's client.
    ///
    /// - Parameters:
    ///   - head: The request's head.
    ///   - peer: The other end of its connection.
    /// - Returns: The last address of the list that is not a trusted proxy's, or else its first
    ///   one; `peer` if it is not trusted or states no address.
    func client(of head: RequestHead, from peer: PeerAddress?) -> PeerAddress? {
        guard let peer, readsFields, trusts(peer),
            let value = head.value(named: field.rawValue).map({ Array($0.utf8) })
        else { return peer }
        var client = peer
        var hops = ForwardedHops(value.span, hasParameters: field == .forwarded)
        for _ in 0..<TrustedProxies.hopLimit {
            guard let range = hops.next(in: value.span),
                let address = PeerAddress(value.span.extracting(range))
            else { break }
            client = address
            guard trusts(address) else { break }
        }
        return client
    }

    /// Whether a field of the request may state the client's address.
    var readsFields: Bool { !networks.isEmpty && field != .proxyProtocol }

    /// Returns whether a connection must begin with a ``ProxyHeader``: one from a trusted proxy
    /// must, and no other may.
    func speaksFirst(_ peer: PeerAddress?) -> Bool {
        field == .proxyProtocol && peer.map(trusts) == true
    }

    private func trusts(_ address: PeerAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }
}

extension TrustedProxies {
    /// An address, or all addresses with a common prefix (RFC 4632 §3.1, RFC 4291 §2.3).
    package struct Network: Sendable, Equatable {
        private let start: PeerAddress
        /// The length of the prefix, of 128 bits.
        private let length: Int

        /// Parses `10.0.0.0/8`, `fd00::/8`, or a single address.
        ///
        /// - Returns: `nil` if it is malformed, or has bits beyond its length.
        package init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count <= 2, let address = PeerAddress(Array(parts[0].utf8).span) else {
                return nil
            }
            var length = 128
            if parts.count == 2 {
                let digits = parts[1]
                guard let given = Int(digits), String(given) == digits, given >= 0,
                    given <= (address.isIPv4 ? 32 : 128)
                else { return nil }
                length = address.isIPv4 ? 96 + given : given
            }
            guard address.first(length) == address else { return nil }
            start = address
            self.length = length
        }

        func contains(_ address: PeerAddress) -> Bool { address.first(length) == start }
    }
}
