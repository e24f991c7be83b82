import Glibc
import HTTPTypes
import HTTPWire

/// The names that a server answers to, which only this machine is meant to reach.
///
/// A page of the web can let its own name lead to 127.0.0.1. Its scripts then read such a server as
/// their own (DNS rebinding). The Host field shows it.
package struct HostNames: Sendable, Equatable {
    /// Beside those of loopback addresses, in lower case.
    private let names: Set<String>

    /// - Parameter names: Others that lead here, without a port.
    package init(_ names: [String] = []) {
        self.names = Set(names.map { $0.lowercased() })
    }

    /// Whether a request names this machine, or nothing; what its target names is meant, whatever
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
            return HostNames.isLoopback(address) || names.contains(address)
        }
        if let colon = name.lastIndex(of: ":") { name = name[..<colon] }
        if name == "localhost" || name.hasSuffix(".localhost") { return true }
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        if parts.count == 4, parts[0] == "127", parts.allSatisfy({ UInt8($0) != nil }) {
            return true
        }
        return names.contains(String(name))
    }

    /// Whether it is the loopback address of IPv6 in any notation, or one of IPv4 in its mapped form
    /// (RFC 4291 §2.5.3, §2.5.5.2).
    private static func isLoopback(_ address: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        guard inet_pton(AF_INET6, address, &bytes) == 1 else { return false }
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

    /// The same for the operator's listener on a loopback address.
    static var otherAdminHost: Problem {
        Problem(
            .misdirected,
            .misdirectedRequest,
            "the operator's listener is on a loopback address, and answers to names of this machine alone"
        )
    }
}
