import Dispatch
import FeedStore
import Foundation
import Platform

/// A Unix socket in the data folder, by which `freshet backup` asks the running server.
///
/// An order is one line: the path of the backup, after `replace ` where it may take the place of an
/// older backup. The answer is one line, `ok BYTES` or `error REASON`. Only the server's user may
/// ask.
final class ControlSocket {
    /// Carries out an order and answers, once, from any thread.
    typealias Handler =
        @Sendable (_ order: Order, _ answer: @escaping @Sendable (String) -> Void)
        -> Void

    /// An order for a backup.
    struct Order: Equatable, Sendable {
        let path: String
        /// Whether the backup may take the place of an older one.
        let replaces: Bool

        private static let replacing = "replace "

        init(path: String, replaces: Bool) {
            (self.path, self.replaces) = (path, replaces)
        }

        /// Reads an order's line; `nil` for a line that is no order.
        init?(_ line: String) {
            replaces = line.hasPrefix(Order.replacing)
            path = replaces ? String(line.dropFirst(Order.replacing.count)) : line
            guard path.hasPrefix("/"), !path.utf8.contains(0) else { return nil }
        }

        var line: String { (replaces ? Order.replacing : "") + path }
    }

    private let folder: String
    private let handler: Handler
    private var source: (any DispatchSourceRead)?
    private let queue = DispatchQueue(label: "freshet.control", qos: .utility)

    init(_ folder: String, _ handler: @escaping Handler) {
        self.folder = folder
        self.handler = handler
    }

    /// Begins to listen.
    func open() throws(JournalError) {
        let listener = try UnixSocket.listen(in: folder)
        let source = DispatchSource.makeReadSource(fileDescriptor: listener, queue: queue)
        source.setEventHandler { [handler] in
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { return }
            UnixSocket.limitTime(connection)
            DispatchQueue.global(qos: .utility).async {
                guard let order = UnixSocket.readLine(connection).flatMap(Order.init) else {
                    UnixSocket.finish(connection, "error an order is the path of a file")
                    return
                }
                handler(order) { UnixSocket.finish(connection, $0) }
            }
        }
        source.setCancelHandler { Glibc.close(listener) }
        source.activate()
        self.source = source
    }

    /// Stops listening.
    func close() {
        guard let listening = source else { return }
        listening.cancel()
        source = nil
        unlink(folder + "/" + UnixSocket.name)
    }
}

/// Unix sockets whose path may be long: their addresses are relative to their folder.
enum UnixSocket {
    static let name = "control.sock"

    /// Opens a socket that takes connections; a socket that a killed server left is replaced.
    static func listen(in folder: String) throws(JournalError) -> CInt {
        unlink(folder + "/" + name)
        return try open(folder, "cannot listen on") { descriptor, address, size in
            // The socket gets the mode of its descriptor, less the umask (unix(7)): no other user
            // may connect, not even for a moment.
            guard fchmod(descriptor, 0o600) == 0, bind(descriptor, address, size) == 0 else {
                return false
            }
            return Glibc.listen(descriptor, 8) == 0
        }
    }

    /// Connects to the server that has a folder open.
    static func connect(to folder: String) throws(JournalError) -> CInt {
        try open(folder, "no server listens on") { descriptor, address, size in
            Glibc.connect(descriptor, address, size) == 0
        }
    }

    private static func open(
        _ folder: String,
        _ failure: String,
        _ use: (CInt, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) throws(JournalError) -> CInt {
        let directory = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard directory >= 0 else { throw problem("cannot open", folder) }
        defer { Glibc.close(directory) }
        let type = CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue)
        let descriptor = socket(AF_UNIX, type, 0)
        guard descriptor >= 0 else { throw problem("cannot make", folder + "/" + name) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        // An address has room for 107 bytes (unix(7)).
        let path = Array("/proc/self/fd/\(directory)/\(name)".utf8)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let size = socklen_t(MemoryLayout<sockaddr_un>.size)
        let isOpen = withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { use(descriptor, $0, size) }
        }
        guard isOpen else {
            let problem = problem(failure, folder + "/" + name)
            Glibc.close(descriptor)
            throw problem
        }
        return descriptor
    }

    private static func problem(_ what: String, _ path: String) -> JournalError {
        JournalError("\(what) \(path): \(SystemError.words())")
    }

    /// Limits each read from a slow client to 10 s, since a thread waits for it.
    static func limitTime(_ descriptor: CInt) {
        var time = timeval(tv_sec: 10, tv_usec: 0)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(descriptor, SOL_SOCKET, SO_RCVTIMEO, &time, size)
    }

    /// Reads a line of at most 4 KiB, in UTF-8.
    ///
    /// A line with a NUL is refused, because the system takes a path only up to the NUL, while the
    /// checks see all of it.
    static func readLine(_ descriptor: CInt) -> String? {
        var bytes: [UInt8] = []
        while bytes.count < 4096 {
            var byte: UInt8 = 0
            guard read(descriptor, &byte, 1) == 1 else { return nil }
            if byte == UInt8(ascii: "\n") { return String(validating: bytes, as: UTF8.self) }
            if byte == 0 { return nil }
            bytes.append(byte)
        }
        return nil
    }

    /// Sends a line.
    static func send(_ descriptor: CInt, _ line: String) {
        let bytes = Array((line + "\n").utf8)
        _ = Glibc.send(descriptor, bytes, bytes.count, CInt(MSG_NOSIGNAL))
    }

    /// Sends a line and closes.
    static func finish(_ descriptor: CInt, _ line: String) {
        send(descriptor, line)
        close(descriptor)
    }
}
