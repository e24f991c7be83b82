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
    private var isPaused = false
    private var stopped: (@Sendable () -> Void)?
    private var turn = 0

    /// Given up for a moment when no descriptor is left, to tell a client so.
    private var spare = Acceptor.openSpare()

    /// Connections taken before the queue may do something else.
    private static let batch = 256
    /// As many as may have been waiting when it stops.
    private static let lastBatch = 4 * Int(Listener.backlog)
    /// For how long nobody is taken when the kernel cannot.
    private static let pause = DispatchTimeInterval.milliseconds(100)

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
            source.setEventHandler { [self] in
                if !acceptAll(atMost: Acceptor.batch) { pause() }
            }
            source.setCancelHandler { [self] in
                // Those whose handshake was over count as begun.
                _ = acceptAll(atMost: Acceptor.lastBatch)
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
            guard let source else {
                end()
                return
            }
            source.cancel()
            // A source that is suspended does not end.
            resume()
        }
    }

    private func end() {
        listener = nil
        stopped?()
        stopped = nil
    }

    private func pause() {
        guard let source, !source.isCancelled else { return }
        isPaused = true
        source.suspend()
        queue.asyncAfter(deadline: .now() + Acceptor.pause) { [self] in resume() }
    }

    private func resume() {
        guard isPaused else { return }
        isPaused = false
        source?.resume()
    }
}

extension Acceptor {
    /// Takes what is waiting.
    ///
    /// - Returns: Whether it is of use to go on as soon as there is more.
    private func acceptAll(atMost limit: Int) -> Bool {
        for _ in 0..<limit {
            let accepted = accept()
            if accepted >= 0 {
                deal(Descriptor(owning: accepted))
                continue
            }
            switch AcceptFailure(errno) {
            case .next: continue
            case .none: return true
            case .pause: return false
            case .full:
                context.shortages.note()
                guard refuseOne() else { return false }
            }
        }
        return true
    }

    private func accept() -> CInt {
        guard let socket = listener?.descriptor.rawValue else { return -1 }
        return freshet_accept(socket, nil, nil)
    }

    private func deal(_ connection: consuming Descriptor) {
        let admission = context.connectionOpened(settings.capacity)
        guard admission != .refused else {
            context.refusals.note()
            refuse(connection)
            context.connectionClosed()
            return
        }
        turn = (turn + 1) % loops.count
        loops[turn].mailbox.post(.adopt(connection.release(), isExtra: admission == .reserve))
    }

    /// Without a free descriptor, a connection can only be taken in the spare one's place.
    ///
    /// - Returns: Whether that went well.
    private func refuseOne() -> Bool {
        for loop in loops { loop.mailbox.post(.makeRoom) }
        spare = nil
        let accepted = accept()
        if accepted >= 0 { refuse(Descriptor(owning: accepted)) }
        spare = Acceptor.openSpare()
        return accepted >= 0 && spare != nil
    }

    /// Says that the server is full.
    ///
    /// A small answer fits any socket's buffer.
    private func refuse(_ connection: consuming Descriptor) {
        // Words would have to be encrypted, which is what there is no room for.
        guard context.tls == nil else { return }
        let response = CachedResponse(settings.handler.overloaded())
        let message = response.head + Array("Connection: close\r\n\r\n".utf8) + response.body
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

    private static func openSpare() -> Descriptor? {
        let opened = open("/dev/null", O_RDONLY | O_CLOEXEC)
        return opened >= 0 ? Descriptor(owning: opened) : nil
    }
}
