import TestSupport
import Testing

/// The ways in which a message reaches a server: nothing that comes of it depends on them.
enum Delivery: CaseIterable {
    case whole
    /// Every byte by itself, as far as a test has the time.
    case byByte
    /// In two parts, cut at a place that is another one for every message.
    case cut
    /// Right behind a request that is answered first.
    case behindAnother
    /// By TLS, in two records, cut like ``cut``.
    case encrypted

    /// The longest message that is sent byte by byte.
    private static let byByteLimit = 1500

    /// Sends a message, and `rest` behind it; takes the answer to the request before it.
    func send(_ bytes: [UInt8], followedBy rest: [UInt8] = [], on client: RawClient) throws {
        switch self {
        case .whole: try client.send(bytes + rest)
        case .byByte:
            for byte in bytes.prefix(Delivery.byByteLimit) { try client.send([byte]) }
            try client.send(Array(bytes.dropFirst(Delivery.byByteLimit)) + rest)
        case .cut, .encrypted:
            let place = bytes.reduce(0) { ($0 * 31 + Int($1)) % max(1, bytes.count) }
            try client.send(Array(bytes[..<place]))
            try client.send(Array(bytes[place...]) + rest)
        case .behindAnother:
            try client.send(Array(Subject.get().utf8) + bytes + rest)
            #expect(try client.receive().status == 200)
        }
    }
}
