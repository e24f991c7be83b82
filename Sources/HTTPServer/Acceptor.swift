import CLinux
import Dispatch
import Glibc
import Synchronization

/// Takes connections and deals them out to the event loops in turn.
///
/// What changes is touched on `queue` alone: hence `@unchecked Sendable`.
final class Acceptor: @unchecked Sendable {
    let port: Int
    /// Closed when it stops, whoever still holds the server.
    private var listener: Listener?
    private let loops: [EventLoop]
    private let context: ServerContext
    private var settings: ServerSettings
    private let queue = DispatchQueue(label: "freshet.accept", qos: .userInitiated)
    private var source: (any DispatchSourceRead)?
    private var stopped: (@Sendable () -> Void)?
    private var turn = 0

    /// Given up for a moment when no descriptor is left, to tell a client so.
    private var reserve = Acceptor.openReserve()

    /// Connections taken before the queue may do something else.
    private static let batch = 256

    init(
        listener: consuming Listener,
        loops: [EventLoop],
        context: ServerContext,
        settings: ServerSettings
    ) {
        port = listener.port
        self.listener = consume listener
        self.loops = loops
        self.context = context
        self.settings = settings
    }

    /// Begins to take connections.
    ///
    /// The source holds the acceptor, and so the socket, until it is cancelled.
    func start() {
        queue.async { [self] in
            guard let socket = listener?.descriptor.rawValue else { return }
            let source = DispatchSource.makeReadSource(fileDescriptor: socket, queue: queue)
            self.source = source
            source.setEventHandler { [self] in acceptAll() }
            source.setCancelHandler { [self] in
                // Those whose handshake was over count as begun.
                acceptAll()
                end()
            }
            source.activate()
        }
    }

    /// Takes what changed while the server runs; then calls `taken`.
    func configure(_ settings: ServerSettings, taken: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            self.settings = settings
            taken()
        }
    }

    /// Takes no more connections; then calls `completion`.
    func stop(_ completion: @escaping @Sendable () -> Void) {
        queue.async { [self] in
            stopped = completion
            if let source { source.cancel() } else { end() }
        }
    }

    private func end() {
        listener = nil
        stopped?()
        stopped = nil
    }

    private func acceptAll() {
        for _ in 0..<Acceptor.batch {
            let accepted = accept()
            if accepted >= 0 {
                deal(Descriptor(owning: accepted))
                continue
            }
            switch errno {
            case EINTR, ECONNABORTED, EPROTO: continue
            case EMFILE, ENFILE: refuseOne()
            default: return
            }
        }
    }

    private func accept() -> CInt {
        guard let socket = listener?.descriptor.rawValue else { return -1 }
        return freshet_accept(socket, nil, nil)
    }

    private func deal(_ connection: consuming Descriptor) {
        let count = context.connectionCount.add(1, ordering: .relaxed).newValue
        guard count <= settings.connectionLimit else {
            refuse(connection)
            context.connectionClosed()
            return
        }
        System.setOption(connection.rawValue, CInt(IPPROTO_TCP), TCP_NODELAY, to: 1)
        turn = (turn + 1) % loops.count
        loops[turn].mailbox.post(.adopt(connection.release()))
    }

    /// Without a free descriptor, a connection can only be taken in the reserve's place.
    private func refuseOne() {
        reserve = nil
        let accepted = accept()
        if accepted >= 0 { refuse(Descriptor(owning: accepted)) }
        reserve = Acceptor.openReserve()
    }

    /// Says that the server is full.
    ///
    /// A small answer fits any socket's buffer.
    private func refuse(_ connection: consuming Descriptor) {
        let baked = BakedResponse(settings.handler.overloaded())
        let message = baked.head + Array("Connection: close\r\n\r\n".utf8) + baked.body
        message.withUnsafeBytes { _ = System.send(connection.rawValue, $0) }
        shutdown(connection.rawValue, CInt(SHUT_WR))
        // Closing with unread input would reset the connection, and the answer be lost.
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
            for _ in 0..<8 {
                guard case .bytes(1...) = System.receive(connection.rawValue, into: buffer) else {
                    break
                }
            }
        }
    }

    private static func openReserve() -> Descriptor? {
        let opened = open("/dev/null", O_RDONLY | O_CLOEXEC)
        return opened >= 0 ? Descriptor(owning: opened) : nil
    }
}
