import HTTPWire
import Platform

/// The proxies that are trusted to state the address of a request's client.
///
/// Each proxy appends the address of its own client to a list, so only the entries that trusted
/// proxies have appended are right. The list is read from its end, up to the first address that is
/// not a trusted proxy's.
package struct TrustedProxies: Sendable, Equatable {
    /// The header field, or the header before TLS, in which the proxies state the client's address.
    ///
    /// Only one field is read: a proxy that appends to one field may forward the other as its
    /// client forged it.
    package enum Field: String, Sendable, CaseIterable {
        /// The X-Forwarded-For field, a list of addresses.
        case xForwardedFor = "x-forwarded-for"
        /// The Forwarded field (RFC 7239).
        case forwarded
        /// No field: each connection begins with a ``ProxyHeader``.
        case proxyProtocol = "proxy-protocol"
    }

    /// The addresses of the proxies.
    package var networks: [Network]
    package var field: Field

    /// The most addresses read from a list, because no real chain of proxies is longer.
    private static let hopLimit = 32

    package init(_ networks: [Network] = [], field: Field = .xForwardedFor) {
        self.networks = networks
        self.field = field
    }

    /// Returns the address of a request's client: the last address of the list that is not a
    /// trusted proxy's, or else the first address of the list; `peer` if it is not trusted or
    /// states no address.
    func client(of head: RequestHead, from peer: IPAddress?) -> IPAddress? {
        guard let peer, readsFields, trusts(peer),
            let value = head.value(named: field.rawValue).map({ Array($0.utf8) })
        else { return peer }
        var client = peer
        var hops = ForwardedHops(value.span, hasParameters: field == .forwarded)
        for _ in 0..<TrustedProxies.hopLimit {
            guard let range = hops.next(in: value.span),
                let address = IPAddress(value.span.extracting(range))
            else { break }
            client = address
            guard trusts(address) else { break }
        }
        return client
    }

    /// Whether a field of the request may state the client's address.
    var readsFields: Bool { !networks.isEmpty && field != .proxyProtocol }

    /// Returns whether a connection from this address must begin with a ``ProxyHeader``: every
    /// connection from a trusted proxy must, and no other one may.
    func speaksFirst(_ peer: IPAddress?) -> Bool {
        field == .proxyProtocol && peer.map(trusts) == true
    }

    private func trusts(_ address: IPAddress) -> Bool {
        networks.contains { $0.contains(address) }
    }
}

extension TrustedProxies {
    /// An address, or all addresses with a common prefix (RFC 4632 §3.1, RFC 4291 §2.3).
    package struct Network: Sendable, Equatable {
        /// The first address of the network.
        private let start: IPAddress
        /// The length of the prefix in bits, up to 128; that of an IPv4 network has 96 added.
        private let length: Int

        /// Parses `10.0.0.0/8`, `fd00::/8`, or a single address; `nil` if it is malformed, or has
        /// bits beyond its length.
        package init?(_ text: String) {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count <= 2, let address = IPAddress(Array(parts[0].utf8).span) else {
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

        func contains(_ address: IPAddress) -> Bool { address.first(length) == start }
    }
}
