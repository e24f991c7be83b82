import Glibc
import HTTPTypes
import HTTPWire

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
    /// - Parameters:
    ///   - names: Further accepted names, without a port.
    ///   - takesAllAddresses: Whether all IP addresses are accepted, not only loopback addresses.
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

    /// Returns whether a host is accepted.
    ///
    /// - Parameter host: The host, which a port may follow (RFC 9110 §7.2).
    package func includes(host: String) -> Bool {
        var name = host.lowercased()[...]
        if name.hasPrefix("[") {
            guard let end = name.firstIndex(of: "]") else { return false }
            let address = String(name[name.index(after: name.startIndex)..<end])
            return includes(version6: address) || names.contains(address)
        }
        if let colon = name.lastIndex(of: ":") { name = name[..<colon] }
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        return includes(version4: String(name)) || names.contains(String(name))
    }

    private func includes(version4 address: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 4)
        guard inet_pton(AF_INET, address, &bytes) == 1 else { return false }
        return takesAllAddresses || bytes[0] == 127
    }

    /// Returns whether an IPv6 address is accepted, in any of its notations.
    ///
    /// Loopback addresses are `::1` (RFC 4291 §2.5.3) and 127.0.0.0/8 as mapped addresses
    /// (§2.5.5.2).
    private func includes(version6 address: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return false }
        if takesAllAddresses { return true }
        let isMapped = bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        return isMapped && bytes[12] == 127
            || bytes.elementsEqual([UInt8](repeating: 0, count: 15) + [1])
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
