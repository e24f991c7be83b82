import HTTPServer

/// Who has a fair share of what is computed.
enum ClientID: Hashable, Sendable {
    /// The clients that send this key, from any address: the first bytes of its digest.
    case key(UInt64)
    /// An address; of IPv6 the network of 64 bits, for one client may have all of it.
    case address(high: UInt64, low: UInt64)
    /// A caller in the same program.
    case local

    /// - Parameters:
    ///   - caller: Whose rights are used.
    ///   - peer: From where.
    init(_ caller: Access.Caller, _ peer: PeerAddress?) {
        if case .key(let key) = caller {
            let digest = key.digest
            self = .key(digest.span.bytes.unsafeLoadUnaligned(as: UInt64.self))
        } else if let peer {
            self = .address(high: peer.network.high, low: peer.network.low)
        } else {
            self = .local
        }
    }
}
