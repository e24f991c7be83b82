import Glibc
import HTTPTypes
import HTTPWire

/// The names that a server answers to, where a browser inside may reach it and a page must not.
///
/// A page of the web can let its own name lead to 127.0.0.1, or to an address inside. Its scripts
/// then read such a server as their own (DNS rebinding). The Host field shows it.
package struct HostNames: Sendable, Equatable {
    /// The IP addresses that a server answers to. A page's own name is never an address.
    package enum Addresses: Sendable { case loopback, all }

    /// Names beside `localhost`, in lower case.
    private let names: Set<String>
    private let addresses: Addresses

    /// - Parameters:
    ///   - names: Others that lead here, without a port.
    ///   - addresses: The IP addresses that are answered to as well.
    package init(_ names: [String] = [], addresses: Addresses = .loopback) {
        self.names = Set(names.map { $0.lowercased() })
        self.addresses = addresses
    }

    /// Whether a request has one of these names, or none; what its target names is meant, whatever
    /// the Host field says (RFC 9112 §3.2.2).
    func include(_ head: RequestHead) -> Bool {
        if let places = try? TargetPlaces(head), let authority = places.authority {
            return includes(host: head.string(authority))
        }
        return head.value(.host).map(includes(host:)) ?? true
    }

    /// - Parameter host: A host and perhaps a port (RFC 9110 §7.2).
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
        return addresses == .all || bytes[0] == 127
    }

    /// Whether an address of IPv6 in any notation is answered to: of loopback addresses `::1`, and
    /// those of IPv4 in their mapped form (RFC 4291 §2.5.3, §2.5.5.2).
    private func includes(version6 address: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return false }
        if addresses == .all { return true }
        let isMapped = bytes.starts(with: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF])
        return isMapped && bytes[12] == 127
            || bytes.elementsEqual([UInt8](repeating: 0, count: 15) + [1])
    }
}

extension Problem {
    /// `421` (RFC 9110 §15.5.20).
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

    /// `421` of the operator's listener (RFC 9110 §15.5.20).
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
