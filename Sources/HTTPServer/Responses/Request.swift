package import HTTPWire

/// A request as a handler sees it: its head; the body comes apart.
package struct Request: Sendable {
    package var head: RequestHead

    /// Whether it came over TLS.
    package var isSecure: Bool

    /// Makes a request.
    package init(head: RequestHead, isSecure: Bool = false) {
        self.head = head
        self.isSecure = isSecure
    }
}
