import HTTPTypes
import HTTPWire
import Platform

/// The host names that a server answers to, as a defense against DNS rebinding.
///
/// A page of the web can make its own host name resolve to 127.0.0.1 or to an internal address. A
/// browser then lets the page's scripts read that server as their own origin. But their requests
/// have the page's host name, so they can be refused.
package struct HostNames: Sendable, Equatable {
    /// The accepted names besides `localhost`, in lower case.
    private let names: Set<String>
    /// Whether all IP addresses are accepted, not only loopback addresses; the host name of a page
    /// that attacks by DNS rebinding is never an address.
    private let takesAllAddresses: Bool

    /// Makes the set of accepted names; `localhost` and loopback addresses are always accepted.
    ///
    /// - Parameter names: Further accepted names, without a port.
    package init(_ names: [String] = [], takesAllAddresses: Bool = false) {
        self.names = Set(names.map { $0.lowercased() })
        self.takesAllAddresses = takesAllAddresses
    }

    /// Returns whether a request names an accepted host, or no host at all.
    ///
    /// A host in the target takes precedence over the Host field (RFC 9112 §3.2.2).
    func includes(hostOf head: RequestHead) -> Bool {
        if let authority = head.targetParts.authority {
            return includes(host: head.string(authority))
        }
        return head.value(.host).map(includes(host:)) ?? true
    }

    /// Returns whether a host, which a port may follow (RFC 9110 §7.2), is accepted.
    package func includes(host: String) -> Bool {
        var name = host.lowercased()[...]
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return false }
            let address = String(name[name.index(after: name.startIndex)..<end])
            return includes(address: address) || names.contains(address)
        }
        if let colon = name.lastIndex(of: ":") { name = name[..<colon] }
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        return includes(address: String(name)) || names.contains(String(name))
    }

    /// Returns whether a text is an IP address, in any of its notations, that is accepted.
    private func includes(address text: String) -> Bool {
        IPAddress(text).map { takesAllAddresses || $0.isLoopback } ?? false
    }
}

extension Problem {
    /// `421` for a host name that is not accepted (RFC 9110 §15.5.20).
    static var otherHost: Problem {
        Problem(
            .misdirected,
            .misdirectedRequest,
            """
            this server is only for this machine while it has no key of its own: configure keys, \
            or --allow-host NAME (docs/OPERATIONS.md, Trying it out)
            """
        )
    }

    /// `421` for a host name that the operator's listener does not accept (RFC 9110 §15.5.20).
    static var otherAdminHost: Problem {
        Problem(
            .misdirected,
            .misdirectedRequest,
            """
            the operator's listener answers to IP addresses, localhost, and names of \
            --allow-host NAME
            """
        )
    }
}
