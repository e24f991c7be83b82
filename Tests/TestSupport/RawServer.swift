import Glibc
import HTTPServer
import Platform
import Synchronization

/// A server of bare bytes on a port of this machine: what it sends need not be HTTP.
///
/// Each connection has a thread, and ends with the function that serves it. All end with the
/// server.
package final class RawServer: Sendable {
    /// One connection, while its function runs.
    package struct Connection {
        fileprivate let descriptor: CInt

        /// Reads a request's head, up to the empty line.
        ///
        /// - Returns: `nil` when the client ends the connection before, or sends nothing for 60 s.
        package func readHead() -> String? {
            var head: [UInt8] = []
            while true {
                // What follows the head stays where it is.
                let next = [UInt8](unsafeUninitializedCapacity: 4096) { bytes, count in
                    let peeked = recv(descriptor, bytes.baseAddress, bytes.count, CInt(MSG_PEEK))
                    count = max(0, peeked)
                }
                var count = 0
                while count < next.count {
                    head.append(next[count])
                    count += 1
                    if next[count - 1] == 10, head.suffix(4).elementsEqual([13, 10, 13, 10]) {
                        guard read(count) != nil else { return nil }
                        return String(decoding: head, as: UTF8.self)
                    }
                }
                guard count > 0, read(count) != nil else { return nil }
            }
        }

        /// Reads so many bytes; `nil` when they do not come.
        package func read(_ count: Int) -> [UInt8]? {
            var bytes = [UInt8](repeating: 0, count: count)
            var filled = 0
            while filled < count {
                let part = bytes[filled...].withUnsafeMutableBytes {
                    recv(descriptor, $0.baseAddress, $0.count, 0)
                }
                if part <= 0 { return nil }
                filled += part
            }
            return bytes
        }

        /// - Returns: Whether the client takes it.
        @discardableResult
        package func send(_ text: String) -> Bool { send(Array(text.utf8)) }

        @discardableResult
        package func send(_ bytes: [UInt8]) -> Bool {
            var offset = 0
            while offset < bytes.count {
                let sent = bytes[offset...].withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                if sent <= 0 { return false }
                offset += sent
            }
            return true
        }

        /// Sends a response with a body and its length.
        @discardableResult
        package func answer(
            _ status: String = "200 OK",
            _ fields: [String] = [],
            _ body: String = ""
        ) -> Bool {
            answer(status, fields, Array(body.utf8))
        }

        @discardableResult
        package func answer(_ status: String, _ fields: [String], _ body: [UInt8]) -> Bool {
            let lines = ["HTTP/1.1 \(status)"] + fields + ["Content-Length: \(body.count)", "", ""]
            return send(Array(lines.joined(separator: "\r\n").utf8) + body)
        }

        /// Resets the connection rather than closing it.
        package func reset() {
            var linger = linger(l_onoff: 1, l_linger: 0)
            let size = socklen_t(MemoryLayout<linger>.size)
            setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &linger, size)
        }
    }

    /// Descriptors are closed, and forgotten, by the threads that use them: another socket may have
    /// the number of one that is closed.
    private struct Open {
        /// `nil` when nothing is accepted any more.
        var listener: CInt?
        var descriptors: Set<CInt> = []
        var isStopped = false
        var count = 0
    }

    package let port: Int
    private let open: Shared

    private final class Shared: Sendable {
        let state = Mutex(Open())
    }

    /// Starts it on any free port.
    package init(_ serve: @escaping @Sendable (Connection) -> Void) {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                let isBound = bind(listener, $0, size) == 0 && listen(listener, 128) == 0
                precondition(isBound, "a port is free")
                getsockname(listener, $0, &size)
            }
        }
        port = Int(in_port_t(bigEndian: address.sin_port))
        let open = Shared()
        open.state.withLock { $0.listener = listener }
        self.open = open
        _ = WorkerThread.start(niceness: 0) {
            RawServer.accept(listener, open, serve)
            open.state.withLock { state in
                state.listener = nil
                close(listener)
            }
        }
    }

    /// Takes connections until the server ends.
    private static func accept(
        _ listener: CInt,
        _ open: Shared,
        _ serve: @escaping @Sendable (Connection) -> Void
    ) {
        while true {
            let descriptor = Glibc.accept(listener, nil, nil)
            if descriptor < 0 {
                if [EINTR, ECONNABORTED].contains(errno) { continue }
                return
            }
            let isWanted = open.state.withLock { state in
                if state.isStopped { return false }
                state.count += 1
                state.descriptors.insert(descriptor)
                return true
            }
            guard isWanted else {
                close(descriptor)
                return
            }
            _ = WorkerThread.start(niceness: 0) { RawServer.serve(descriptor, open, serve) }
        }
    }

    deinit {
        open.state.withLock { state in
            state.isStopped = true
            for descriptor in state.descriptors { shutdown(descriptor, CInt(SHUT_RDWR)) }
            if let listener = state.listener { shutdown(listener, CInt(SHUT_RDWR)) }
        }
    }

    /// How many connections were made to it.
    package var connectionCount: Int { open.state.withLock { $0.count } }

    /// Its address.
    package var url: String { "http://127.0.0.1:\(port)" }

    private static func serve(
        _ descriptor: CInt,
        _ open: Shared,
        _ serve: (Connection) -> Void
    ) {
        var time = timeval(tv_sec: 60, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
        setsockopt(descriptor, SOL_SOCKET, SO_SNDTIMEO, &time, size)
        // What is sent in parts waits for no acknowledgement.
        var isOn: CInt = 1
        setsockopt(descriptor, CInt(IPPROTO_TCP), TCP_NODELAY, &isOn, 4)
        serve(Connection(descriptor: descriptor))
        open.state.withLock { state in
            state.descriptors.remove(descriptor)
            close(descriptor)
        }
    }
}
