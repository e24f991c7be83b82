package import HTTPWire

/// A request as a handler sees it: its head; the body comes apart.
package struct Request: Sendable {
    package var head: RequestHead

    /// Who sent it; `nil` for a caller in the same program.
    package var peer: PeerAddress?

    /// Makes a request.
    package init(head: RequestHead, peer: PeerAddress? = nil) {
        self.head = head
        self.peer = peer
    }
}
