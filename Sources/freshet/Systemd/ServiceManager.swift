import Dispatch
import Foundation
import Glibc

/// Reports the server's state to the service manager, systemd (sd_notify(3)), if there is one.
struct ServiceManager: Sendable {
    /// The address of the manager's socket, which begins with `@` if it is abstract (unix(7));
    /// `nil`: there is no manager.
    private let address: String?
    /// The longest time between two calls of ``alive()``, after which the manager takes the server
    /// for dead; `nil`: the manager does not watch the server.
    let watchdogTime: Duration?
    /// The number of sockets that the manager has opened for the server, from descriptor
    /// ``firstSocket`` on (sd_listen_fds(3)).
    let socketCount: Int

    /// The first descriptor that the manager passes.
    static let firstSocket: CInt = 3

    /// Reads the manager's variables from the environment.
    init(_ variables: [String: String] = ProcessInfo.processInfo.environment) {
        address = variables["NOTIFY_SOCKET"].flatMap { $0.isEmpty ? nil : $0 }
        let process = String(getpid())
        let isWatched = variables["WATCHDOG_PID"].map { $0 == process } ?? true
        let time = variables["WATCHDOG_USEC"].flatMap { Int($0) } ?? 0
        watchdogTime = isWatched && time > 0 ? .microseconds(time) : nil
        // The sockets are meant for one process alone, not for its children.
        let count = variables["LISTEN_FDS"].flatMap { Int($0) } ?? 0
        socketCount = variables["LISTEN_PID"] == process ? max(0, count) : 0
    }

    /// The IP address that the first socket is bound to, as text; `nil` if the socket is of another
    /// kind.
    static var hostOfFirstSocket: String? {
        var address = sockaddr_storage()
        var byteCount = socklen_t(MemoryLayout<sockaddr_storage>.size)
        var host = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let isKnown = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { name in
                getsockname(firstSocket, name, &byteCount) == 0
                    && [AF_INET, AF_INET6].contains(CInt(name.pointee.sa_family))
                    && getnameinfo(
                        name,
                        byteCount,
                        &host,
                        socklen_t(host.count),
                        nil,
                        0,
                        NI_NUMERICHOST
                    ) == 0
            }
        }
        guard isKnown else { return nil }
        let bytes = host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reports that the server is ready, with a line of text that the manager shows; called after
    /// the start and at the end of each reload.
    func ready(_ status: String) {
        tell("READY=1\nSTATUS=\(status)")
    }

    /// Reports that the server reads its configuration again.
    func reloading() {
        let microseconds = DispatchTime.now().uptimeNanoseconds / 1000
        // Both lines must be in one datagram: otherwise the manager would take the first for a
        // reload without a time.
        tell("RELOADING=1\nMONOTONIC_USEC=\(microseconds)")
    }

    /// Reports that the server is stopping.
    func stopping() {
        tell("STOPPING=1")
    }

    /// Reports that the server works; must be called more often than every ``watchdogTime``.
    func alive() {
        tell("WATCHDOG=1")
    }

    /// Sends one datagram; errors are ignored, because the server works without a manager.
    private func tell(_ message: String) {
        guard let address else { return }
        var name = Array(address.utf8)
        if name.first == UInt8(ascii: "@") { name[0] = 0 }
        var destination = sockaddr_un()
        destination.sun_family = sa_family_t(AF_UNIX)
        let room = MemoryLayout.size(ofValue: destination.sun_path)
        guard name.count < room else { return }
        withUnsafeMutableBytes(of: &destination.sun_path) { $0.copyBytes(from: name) }
        let type = CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { return }
        defer { Glibc.close(descriptor) }
        // An abstract name ends with the address, not with a zero (unix(7)).
        let size = socklen_t(MemoryLayout<sockaddr_un>.size - room + name.count)
        let bytes = Array(message.utf8)
        withUnsafePointer(to: destination) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = sendto(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL), $0, size)
            }
        }
    }
}

/// Sends keep-alive messages.
extension ServiceManager {
    /// Finds out whether all is well, and calls its argument once with the result.
    typealias Check = @Sendable (@escaping @Sendable (Bool) -> Void) -> Void

    /// Sends a keep-alive message at intervals (sd_notify(3), `WATCHDOG=1`) for as long as the
    /// process runs, if the manager watches the server.
    ///
    /// - Parameter check: Finds out whether every event loop answers; if not, no message is sent.
    func watch(_ check: @escaping Check) {
        guard let watchdogTime else { return }
        let pause = max(1_000_000, Int(watchdogTime / 3 / .nanoseconds(1)))
        let queue = DispatchQueue(label: "freshet.watchdog", qos: .utility)
        @Sendable func next() {
            queue.asyncAfter(deadline: .now() + .nanoseconds(pause)) {
                check { isWell in
                    if isWell { alive() }
                    next()
                }
            }
        }
        next()
    }
}
