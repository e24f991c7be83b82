import CLinux
import Dispatch
import Glibc
import HTTPWire

/// How a loop takes connections: the listening socket is in every loop's epoll set, and each new
/// connection wakes one of them (EPOLLEXCLUSIVE, epoll_ctl(2)).
struct Accepting: ~Copyable {
    /// Closes when the last loop has let it go.
    fileprivate var listener: SharedListener?

    /// Given up for a moment when no descriptor is left, to tell a client so.
    fileprivate var spare = Accepting.openSpare()

    /// Connections taken before the loop looks at the others again: few, so that those who come at
    /// once are shared by all loops that are idle.
    fileprivate static let batch = 4
    /// The same while some wait for their turn: who is served next is decided among all who are
    /// there.
    fileprivate static let busyBatch = 16
    /// As many as may have been waiting when it stops.
    fileprivate static let lastBatch = 4 * Int(Listener.backlog)
    /// For how long none is taken when the kernel cannot.
    fileprivate static let pause = DispatchTimeInterval.milliseconds(100)
    /// A loop that has so many connections more than another gives it the next one.
    fileprivate static let imbalance = 16

    init(_ listener: SharedListener) {
        self.listener = listener
    }

    fileprivate static func openSpare() -> Descriptor? {
        let opened = open("/dev/null", O_RDONLY | O_CLOEXEC)
        return opened >= 0 ? Descriptor(owning: opened) : nil
    }
}

extension EventLoop {
    /// Begins to take connections, or goes on with it.
    func beginAccepting() {
        guard let socket = accepting.listener?.listener.descriptor.rawValue else { return }
        do {
            try poller.addExclusively(socket, data: EventLoop.listenerData)
        } catch {
            // The kernel has no room for it; connections wait unseen until it has.
            context.shortages.note()
            acceptLater()
        }
    }

    private func acceptLater() {
        queue.asyncAfter(deadline: .now() + Accepting.pause) { [self] in beginAccepting() }
    }

    /// Takes no more connections; those whose handshake was over count as begun.
    func endAccepting() {
        guard let socket = accepting.listener?.listener.descriptor.rawValue else { return }
        poller.remove(socket)
        _ = acceptAll(atMost: Accepting.lastBatch)
        accepting.listener = nil
    }

    /// The same for a loop that was never started.
    func letGoOfListener() {
        queue.sync { accepting.listener = nil }
    }

    /// Takes some of those that are waiting.
    func accept() {
        let batch = queues.newcomers.isEmpty ? Accepting.batch : Accepting.busyBatch
        guard !acceptAll(atMost: batch) else { return }
        guard let socket = accepting.listener?.listener.descriptor.rawValue else { return }
        poller.remove(socket)
        acceptLater()
    }

    /// - Returns: Whether it is of use to go on as soon as there is more.
    private func acceptAll(atMost limit: Int) -> Bool {
        guard let socket = accepting.listener?.listener.descriptor.rawValue else { return true }
        for _ in 0..<limit {
            var address = sockaddr_storage()
            let accepted = EventLoop.accept(socket, &address)
            if accepted >= 0 {
                deal(Descriptor(owning: accepted), from: PeerAddress(address))
                continue
            }
            switch AcceptFailure(errno) {
            case .next: continue
            case .none: return true
            case .pause: return false
            case .full:
                context.shortages.note()
                scratch.figures.shortageCount += 1
                guard refuseOne(socket) else { return false }
            }
        }
        return true
    }

    private static func accept(_ socket: CInt, _ address: inout sockaddr_storage) -> CInt {
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                freshet_accept(socket, $0, &size)
            }
        }
    }

    private func deal(_ connection: consuming Descriptor, from peer: PeerAddress?) {
        let admission = context.connectionOpened(settings.capacity)
        guard admission != .refused else {
            context.refusals.note()
            scratch.figures.refusedConnectionCount += 1
            refuse(connection)
            context.connectionClosed()
            return
        }
        let isOverLimit = admission == .reserve
        if let other = context.loads.lighterLoop(than: index, by: Accepting.imbalance) {
            context.mailboxes[other].post(
                .adopt(connection.release(), peer, isOverLimit: isOverLimit)
            )
        } else {
            adopt(connection, from: peer, isOverLimit: isOverLimit)
        }
    }

    /// Without a free descriptor, a connection can only be taken in the spare one's place.
    ///
    /// - Returns: Whether that went well.
    private func refuseOne(_ socket: CInt) -> Bool {
        for mailbox in context.mailboxes { mailbox.post(.makeRoom) }
        accepting.spare = nil
        let accepted = freshet_accept(socket, nil, nil)
        if accepted >= 0 { refuse(Descriptor(owning: accepted)) }
        accepting.spare = Accepting.openSpare()
        return accepted >= 0 && accepting.spare != nil
    }

    /// Says that the server is full.
    ///
    /// A small answer fits any socket's buffer.
    private func refuse(_ connection: consuming Descriptor) {
        // Words would have to be encrypted, which is what there is no room for.
        guard context.tls == nil else { return }
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
            var response = settings.handler.overloaded()
            // What it asks has perhaps arrived with it.
            let bytes = buffer.bindMemory(to: UInt8.self)
            if case .bytes(let count) = System.receive(connection.rawValue, into: buffer),
                let origin = OriginSearch.origin(
                    in: UnsafeBufferPointer(rebasing: bytes[..<count]).span
                )
            {
                response = settings.handler.addressed(response, to: origin)
            }
            let cached = CachedResponse(response)
            let message = cached.head() + Array("Connection: close\r\n\r\n".utf8) + cached.body
            message.withUnsafeBytes { _ = System.send(connection.rawValue, $0) }
            shutdown(connection.rawValue, CInt(SHUT_WR))
            // Closing with unread input would reset the connection, and the answer be lost.
            for _ in 0..<8 {
                guard case .bytes(1...) = System.receive(connection.rawValue, into: buffer) else {
                    break
                }
            }
        }
    }
}

/// What to do when a connection could not be taken.
enum AcceptFailure: Equatable {
    /// There is none.
    case none
    /// Take the next one: this one is gone.
    case next
    /// No descriptor is left: one connection can be told so in the place of the spare one.
    case full
    /// The kernel cannot do it now. Asking again at once would only burn a core.
    case pause

    /// - Parameter code: Of accept4(2).
    init(_ code: CInt) {
        switch code {
        case EAGAIN: self = .none
        case EMFILE, ENFILE: self = .full
        case ENOBUFS, ENOMEM: self = .pause
        // What Linux passes on from the network is about one connection (accept(2), "Error
        // handling").
        case EINTR, ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET,
            EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH:
            self = .next
        default: self = .pause
        }
    }
}
