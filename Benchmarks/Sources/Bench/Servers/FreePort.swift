import Glibc

/// Finds a port of 127.0.0.1 for a server that cannot choose a free one itself.
enum FreePort {
    /// Returns a port that was free a moment ago.
    static func find() -> Int {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { plain in
                _ = bind(descriptor, plain, size)
                _ = getsockname(descriptor, plain, &size)
            }
        }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
