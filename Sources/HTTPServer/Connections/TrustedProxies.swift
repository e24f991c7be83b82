import HTTPWire

/// The proxies whose word is taken for who sent a request.
///
/// Each proxy adds the address that it was sent from to the end of a list, so that only what
/// trusted ones have added can be believed: the list is read from its end, up to the first address
/// that is not one of theirs.
package struct TrustedProxies: Sendable, Equatable {
    /// Where proxies say it. One that adds to the one may let the other through as its client made
    /// it up, so only one of them is read.
    package enum Field: String, Sendable, CaseIterable {
        case xForwardedFor = "x-forwarded-for"
        /// RFC 7239.
        case forwarded
        /// In no field: before the first request of each connection (``ProxyHeader``).
        case proxyProtocol = "proxy-protocol"
    }

    package var networks: [Network]
    package var field: Field

    /// More addresses in one list are no proxies' work.
    private static let hopLimit = 32

    package init(_ networks: [Network] = [], field: Field = .xForwardedFor) {
        self.networks = networks
        self.field = field
    }

    /// Who sent a request.
    ///
    /// - Parameters:
    ///   - head: Its head.
    ///   - peer: The other end of its connection.
    /// - Returns: What the nearest trusted proxy says it was sent by; where that says nothing that
    ///   is an address, the proxy itself.
    func client(of head: RequestHead, from peer: PeerAddress?) -> PeerAddress? {
        guard let peer, readsFields, trusts(peer),
            let value = head.value(named: field.rawValue).map({ Array($0.utf8) })
        else { return peer }
        var client = peer
        var hops = ForwardedHops(value.span, hasParameters: field == .forwarded)
        for _ in 0..<TrustedProxies.hopLimit {
            guard let place = hops.next(in: value.span),
                let address = PeerAddress(value.span.extracting(place))
            else { break }
            client = address
            guard trusts(address) else { break }
        }
        return client
    }

    /// Whether who sent a request may stand in its head.
    var readsFields: Bool { !networks.isEmpty && field != .proxyProtocol }

    /// Whether a connection begins with a ``ProxyHeader``. Those of others do not: nobody but a
    /// trusted proxy is believed, and nothing is guessed.
    func speaksFirst(_ peer: PeerAddress?) -> Bool {
        field == .proxyProtocol && peer.map(trusts) == true
    }

    private func trusts(_ address: PeerAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }
}

extension TrustedProxies {
    /// An address, or all that begin as it does (RFC 4632 §3.1, RFC 4291 §2.3).
    package struct Network: Sendable, Equatable {
        private let start: PeerAddress
        /// Of 128 bits.
        private let length: Int

        /// Reads `10.0.0.0/8`, `fd00::/8`, or an address alone.
        ///
        /// - Returns: `nil` when it is none, or has bits behind its length.
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
