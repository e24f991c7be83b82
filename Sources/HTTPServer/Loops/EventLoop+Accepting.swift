import CLinux
import Dispatch
import Glibc
import HTTPWire
import Platform

/// A loop's state for accepting connections.
///
/// The listening socket is in every loop's epoll set, and each new connection wakes only some of
/// the loops (EPOLLEXCLUSIVE, epoll_ctl(2)).
struct Accepting: ~Copyable {
    /// The listening socket, which is closed when the last loop has released it.
    fileprivate var listener: Listener?

    /// A spare descriptor: when no other descriptor is free, it is closed for a moment to accept
    /// and refuse a connection.
    fileprivate var spare = Accepting.openSpare()

    /// The most connections accepted in a round: few, so that connections that come at once are
    /// shared among all idle loops.
    fileprivate static let batch = 4
    /// The most connections accepted in a round while new connections wait to be served: more, so
    /// that the loop knows the connections of all clients that it should serve in turn.
    fileprivate static let busyBatch = 16
    /// The most connections accepted when the loop stops: as many as may have been waiting.
    fileprivate static let lastBatch = 4 * Int(Listener.backlog)
    /// The time for which no connection is accepted after the kernel could not accept one.
    fileprivate static let pause = DispatchTimeInterval.milliseconds(100)
    /// The difference in the numbers of connections from which a loop passes a new connection to
    /// another loop.
    fileprivate static let imbalance = 16

    init(_ listener: Listener) {
        self.listener = listener
    }

    fileprivate static func openSpare() -> Descriptor? {
        let opened = open("/dev/null", O_RDONLY | O_CLOEXEC)
        return opened >= 0 ? Descriptor(owning: opened) : nil
    }
}

extension EventLoop {
    /// Starts or resumes accepting connections.
    func beginAccepting() {
        guard let socket = accepting.listener?.descriptor.rawValue else { return }
        do {
            try poller.addExclusively(socket, data: EventLoop.listenerData)
        } catch {
            // The kernel has no memory to watch the socket; new connections wait in its backlog.
            context.shortages.note()
            acceptLater()
        }
    }

    private func acceptLater() {
        queue.asyncAfter(deadline: .now() + Accepting.pause) { [self] in beginAccepting() }
    }

    /// Ends accepting, after accepting the connections that are already established.
    func endAccepting() {
        guard let socket = accepting.listener?.descriptor.rawValue else { return }
        poller.remove(socket)
        _ = acceptAll(atMost: Accepting.lastBatch)
        accepting.listener = nil
    }

    /// Releases the listening socket of a loop that was never started.
    func releaseListener() {
        queue.sync { accepting.listener = nil }
    }

    /// Accepts some of the connections that are waiting.
    func accept() {
        let batch = queues.newConnections.isEmpty ? Accepting.batch : Accepting.busyBatch
        guard !acceptAll(atMost: batch) else { return }
        guard let socket = accepting.listener?.descriptor.rawValue else { return }
        poller.remove(socket)
        acceptLater()
    }

    /// Accepts at most `limit` of the connections that are waiting; returns whether to watch for
    /// more at once, without a pause.
    private func acceptAll(atMost limit: Int) -> Bool {
        guard let socket = accepting.listener?.descriptor.rawValue else { return true }
        for _ in 0..<limit {
            var address = sockaddr_storage()
            let accepted = EventLoop.accept(socket, &address)
            if accepted >= 0 {
                let peer = withUnsafePointer(to: address) {
                    IPAddress($0, family: CInt($0.pointee.ss_family))
                }
                take(Descriptor(owning: accepted), from: peer)
                continue
            }
            switch AcceptFailure(errno) {
            case .next: continue
            case .none: return true
            case .pause: return false
            case .full:
                context.shortages.note()
                metrics.pointee.shortageCount += 1
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

    /// Counts an accepted connection, and refuses it, serves it, or passes it to another loop.
    private func take(_ connection: consuming Descriptor, from peer: IPAddress?) {
        let excess = context.connectionOpened(settings)
        guard excess <= settings.reserveLimit else {
            context.refusals.note()
            metrics.pointee.refusedConnectionCount += 1
            refuse(connection)
            context.connectionClosed()
            return
        }
        let isOverLimit = excess > 0
        if let other = context.lighterLoop(than: index, by: Accepting.imbalance) {
            context.mailboxes[other].post(
                .adopt(connection.release(), peer, isOverLimit: isOverLimit)
            )
        } else {
            adopt(connection, from: peer, isOverLimit: isOverLimit)
        }
    }

    /// Accepts one connection with the spare descriptor, because no other is free, and refuses it;
    /// returns whether this was done and the spare descriptor is open again.
    private func refuseOne(_ socket: CInt) -> Bool {
        for mailbox in context.mailboxes { mailbox.post(.makeRoom) }
        accepting.spare = nil
        let accepted = freshet_accept(socket, nil, nil)
        if accepted >= 0 { refuse(Descriptor(owning: accepted)) }
        accepting.spare = Accepting.openSpare()
        return accepted >= 0 && accepting.spare != nil
    }

    /// Sends a client the `503` of a server that has no room for its connection; the short response
    /// fits into any socket's buffer.
    private func refuse(_ connection: consuming Descriptor) {
        // The response would have to be encrypted, and there is no room for a TLS session.
        guard context.tls == nil else { return }
        withUnsafeTemporaryAllocation(byteCount: 16 << 10, alignment: 1) { buffer in
            let response = settings.handler.response(to: .overloaded, origin: nil)
            let cached = Payload(response)
            let message = cached.head() + Array("Connection: close\r\n\r\n".utf8) + cached.body
            message.withUnsafeBytes { _ = System.send(connection.rawValue, $0) }
            shutdown(connection.rawValue, CInt(SHUT_WR))
            // Closing with unread input would reset the connection, and the response would be lost.
            for _ in 0..<8 {
                guard case .bytes(1...) = System.receive(connection.rawValue, into: buffer) else {
                    break
                }
            }
        }
    }
}

/// The reaction to a failed attempt to accept a connection.
enum AcceptFailure: Equatable {
    /// No connection is waiting.
    case none
    /// The connection is gone: accept the next one.
    case next
    /// No descriptor is free: one connection can be refused with the spare descriptor.
    case full
    /// The kernel cannot accept now: the loop must pause, because repeated attempts use up a core.
    case pause

    /// Classifies the error number of accept4(2).
    init(_ code: CInt) {
        switch code {
        case EAGAIN: self = .none
        case EMFILE, ENFILE: self = .full
        case ENOBUFS, ENOMEM: self = .pause
        // The network errors that Linux passes on concern one connection (accept(2), "Error
        // handling").
        case EINTR, ECONNABORTED, EPROTO, EPERM, ENETDOWN, ENOPROTOOPT, EHOSTDOWN, ENONET,
            EHOSTUNREACH, EOPNOTSUPP, ENETUNREACH:
            self = .next
        default: self = .pause
        }
    }
}
