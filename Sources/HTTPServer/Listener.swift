import CLinux
import Glibc

/// A socket that takes connections.
struct Listener: ~Copyable, Sendable {
    let descriptor: Descriptor

    /// The port it is bound to.
    let port: Int

    /// Binds a TCP socket.
    ///
    /// - Parameters:
    ///   - host: A name or an address; of a name's addresses the first that can be bound.
    ///   - port: 0 for any that is free.
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
        var failure = SystemError(call: "listen on \(host):\(port)", code: EADDRNOTAVAIL)
        var next = list
        while let address = next {
            do {
                descriptor = try Listener.bind(address.pointee, "\(host):\(port)")
                self.port = Listener.port(of: descriptor)
                return
            } catch {
                failure = error
                next = address.pointee.ai_next
            }
        }
        throw failure
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
        try System.check("listen on \(name)") { listen(socket.rawValue, 4096) }
        return socket
    }

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
