import CLinux
import Glibc
import Platform

/// A listening socket, which accepts connections; the loops of a server share it.
final class Listener: Sendable {
    let descriptor: Descriptor

    /// The most established connections that wait in the kernel to be accepted.
    static let backlog: CInt = 4096

    /// The port that the socket is bound to.
    let port: Int

    /// Binds a TCP socket.
    ///
    /// - Parameters:
    ///   - host: A name or an address; for a name with several addresses, the first that can be
    ///     bound.
    ///   - port: The port; 0 for any free one.
    /// - Throws: ``SystemError`` that names the address.
    init(host: String, port: Int) throws(SystemError) {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_STREAM.rawValue)
        hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else {
            throw SystemError(call: "no such address: \(host)", code: EADDRNOTAVAIL)
        }
        defer { freeaddrinfo(list) }
        // An IPv6 address stands in brackets before a port (RFC 3986 §3.2.2).
        let name = (host.contains(":") ? "[\(host)]" : host) + ":\(port)"
        var failure = SystemError(call: "listen on \(name)", code: EADDRNOTAVAIL)
        var next = list
        while let address = next {
            do {
                descriptor = try Listener.bind(address.pointee, name)
                self.port = Listener.port(of: descriptor)
                Listener.setOptions(of: descriptor)
                return
            } catch {
                failure = error
                next = address.pointee.ai_next
            }
        }
        throw failure
    }

    /// Takes over a socket that already listens, opened by the parent of this process.
    ///
    /// - Parameter socket: The descriptor, which now belongs to this listener.
    /// - Throws: ``SystemError`` if the descriptor is not a listening TCP socket.
    init(inheriting socket: CInt) throws(SystemError) {
        let name = "take over descriptor \(socket)"
        var isListening: CInt = 0
        var size = socklen_t(MemoryLayout<CInt>.size)
        try System.check(name) {
            getsockopt(socket, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size)
        }
        guard isListening == 1 else { throw SystemError(call: name, code: EINVAL) }
        let flags = try System.check(name) { fcntl(socket, F_GETFL) }
        try System.check(name) { fcntl(socket, F_SETFL, flags | O_NONBLOCK) }
        try System.check(name) { fcntl(socket, F_SETFD, FD_CLOEXEC) }
        descriptor = Descriptor(owning: socket)
        port = Listener.port(of: descriptor)
        Listener.setOptions(of: descriptor)
    }

    private static func bind(_ address: addrinfo, _ name: String) throws(SystemError) -> Descriptor
    {
        let type = address.ai_socktype | CInt(SOCK_NONBLOCK.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let socket = Descriptor(
            owning: try System.check("socket") { Glibc.socket(address.ai_family, type, 0) }
        )
        System.setOption(socket.rawValue, SOL_SOCKET, SO_REUSEADDR, to: 1)
        if address.ai_family == AF_INET6 {
            System.setOption(socket.rawValue, CInt(IPPROTO_IPV6), IPV6_V6ONLY, to: 0)
        }
        try System.check("listen on \(name)") {
            Glibc.bind(socket.rawValue, address.ai_addr, address.ai_addrlen)
        }
        try System.check("listen on \(name)") { listen(socket.rawValue, Listener.backlog) }
        return socket
    }

    /// Sets the options that accepted connections inherit (tcp(7)), which saves calls for each.
    ///
    /// A client may vanish without closing its connection. So an idle connection is probed, and a
    /// connection whose output is not acknowledged is closed after the same time.
    private static func setOptions(of socket: borrowing Descriptor) {
        let descriptor = socket.rawValue
        System.setOption(descriptor, SOL_SOCKET, SO_KEEPALIVE, to: 1)
        System.setOption(descriptor, CInt(IPPROTO_TCP), TCP_KEEPIDLE, to: goneSeconds / 2)
        System.setOption(descriptor, CInt(IPPROTO_TCP), TCP_KEEPINTVL, to: goneSeconds / 6)
        System.setOption(descriptor, CInt(IPPROTO_TCP), TCP_KEEPCNT, to: 3)
        System.setOption(descriptor, CInt(IPPROTO_TCP), TCP_USER_TIMEOUT, to: goneSeconds * 1000)
        System.setOption(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, to: 1)
        System.setOption(descriptor, CInt(IPPROTO_TCP), TCP_DEFER_ACCEPT, to: silentSeconds)
        System.setOption(descriptor, CInt(IPPROTO_TCP), TCP_NOTSENT_LOWAT, to: unsentByteCount)
    }

    /// The seconds after which a client that acknowledges no data counts as gone.
    private static let goneSeconds: CInt = 120

    /// The seconds after which a connection without input is accepted anyway; any other is accepted
    /// when its first bytes have arrived (tcp(7), `TCP_DEFER_ACCEPT`).
    ///
    /// So a loop is woken once for a new connection and its request, not twice, and never reads in
    /// vain.
    private static let silentSeconds: CInt = 1

    /// The most unsent bytes that the kernel buffers for a connection.
    ///
    /// Its default is megabytes for each reader, however slow: a thousand readers would use up the
    /// memory for all of the machine's connections (tcp(7), `tcp_mem`).
    private static let unsentByteCount: CInt = 64 << 10

    private static func port(of socket: borrowing Descriptor) -> Int {
        var storage = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(socket.rawValue, $0, &size)
            }
        }
        precondition(result == 0, "a bound socket has a name")
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                Int(UInt16(bigEndian: $0.pointee.sin_port))  // at the same place in sockaddr_in6
            }
        }
    }
}
