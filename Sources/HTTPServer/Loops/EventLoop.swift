import Dispatch
import HTTPWire
import Platform

/// An event loop: serves one core's share of the connections on a serial queue.
///
/// The loop has one epoll set, which a dispatch source watches. When the source fires, the loop
/// handles all events of the set. When the set is empty, the loop waits in it for a moment before
/// it gives its thread back. So Dispatch costs a busy loop nothing, and an idle loop uses no
/// thread. A round is one wait in the set with the handling of the events found.
///
/// All properties except `index`, `mailbox`, `context` and `queue` are used on `queue` only: hence
/// `@unchecked Sendable`.
final class EventLoop: @unchecked Sendable {
    let index: Int
    let queue: DispatchQueue
    let mailbox: Mailbox
    let context: ServerContext

    /// The current settings, replaced as a whole between two events.
    private(set) var settings: ServerSettings

    /// The time at which the current round began.
    private(set) var now: LoopTime

    /// The time at which the current round began, in nanoseconds of a monotonic clock.
    private(set) var roundStart: Int

    /// The time at which the current round began, in seconds since 1970.
    private(set) var seconds: Int

    /// The whole read buffer; ``readBuffer`` is the part that may be used.
    let wholeReadBuffer: UnsafeMutableBufferPointer<UInt8>

    /// The access log, if there is one.
    let access: AccessLog?
    /// The lines of the access log that have not been passed on.
    var logLines: [UInt8] = []
    /// The number of lines in ``logLines``.
    var logLineCount = 0

    let poller: Poller
    private let alarm: Alarm
    /// The state needed for accepting connections.
    var accepting: Accepting
    /// The source of the epoll set's events, made in ``start()``: Dispatch cannot release a source
    /// that was never activated.
    private var source: (any DispatchSourceRead)?
    private(set) var timer: (any DispatchSourceTimer)?
    /// The time at which the timer fires next; `nil` if it is not set.
    var timerDue: LoopTime?
    /// The open connections by descriptor.
    var connections: [Connection?] = []
    var connectionCount = 0 {
        didSet { context.setLoad(connectionCount, of: index) }
    }
    /// The ids of the connections accepted past the limit of connections, the oldest first.
    var reserve: [ConnectionID] = []
    /// The time before which the loop does not search for idle connections again.
    var nextSearch = LoopTime(milliseconds: 0)
    /// The count of the memory that the loop's connections hold.
    let account: MemoryAccount
    /// The counter for ``ConnectionID``, which distinguishes a connection from earlier ones with
    /// the same descriptor.
    var generation: UInt32 = 0
    /// The times at which connections must be checked.
    var wheel: TimerWheel
    /// The queues of connections that wait to be served, in which clients take turns.
    let queues = LoopQueues()
    /// The time spent on notifying subscribers in this round, in nanoseconds.
    var notifyingNanoseconds = 0
    /// The subscribed connections by topic.
    var subscribersByTopic: [ObjectIdentifier: Subscribers] = [:]
    /// Whether the server stops, so that each response is the last one of its connection.
    private(set) var isStopping = false
    /// Whether the loop ends once it has no connections.
    private var endsWhenEmpty = false
    private let ended: DispatchGroup

    // The buffer, the parser and the metrics are behind pointers: Swift would check every access to
    // a property for exclusivity, several times for each request.

    /// The output of the connection that is being served, and deferred output of others.
    let writeBuffer: UnsafeMutablePointer<WriteBuffer>
    /// The parser of heads that arrive in one piece; a connection borrows its storage for any other
    /// head.
    let parser: UnsafeMutablePointer<RequestParser>
    /// The loop's counters.
    let metrics: UnsafeMutablePointer<LoopMetrics>
    /// The input that this round has received but not yet parsed.
    var batch = InputBatch()

    private static let readBufferByteCount = 256 << 10
    /// The size of the read buffer when memory is short: that of a TLS record, which is read whole.
    private static let smallReadBufferByteCount = TLSSession.recordByteLimit
    /// The longest time for which ``drain()`` occupies the queue.
    private static let drainTime = Duration.milliseconds(100)

    /// Makes a loop; nothing runs before ``start()``.
    ///
    /// - Parameters:
    ///   - index: The loop's index, also in the name of its queue.
    ///   - ended: A group that the loop enters when it starts and leaves when it has stopped.
    /// - Throws: ``SystemError``, when there are no descriptors left.
    init(
        index: Int,
        context: ServerContext,
        listener: Listener,
        settings: ServerSettings,
        access: AccessLog? = nil,
        ended: DispatchGroup
    ) throws(SystemError) {
        self.index = index
        accepting = Accepting(listener)
        queue = DispatchQueue(label: "freshet.loop.\(index)", qos: .userInitiated)
        mailbox = context.mailboxes[index]
        self.context = context
        self.settings = settings
        self.access = access
        self.ended = ended
        now = LoopTime(milliseconds: System.monotonicMilliseconds())
        roundStart = System.monotonicNanoseconds()
        seconds = System.wallSeconds()
        wheel = TimerWheel(now: now)
        writeBuffer = .allocate(capacity: 1)
        writeBuffer.initialize(to: WriteBuffer())
        parser = .allocate(capacity: 1)
        parser.initialize(to: RequestParser(limits: settings.limits.head))
        metrics = .allocate(capacity: 1)
        metrics.initialize(
            to: LoopMetrics(routeCount: max(1, settings.handler.routeNames.count))
        )
        account = MemoryAccount(limit: settings.loopByteLimit)
        wholeReadBuffer = .allocate(capacity: EventLoop.readBufferByteCount)
        poller = try Poller()
        alarm = try Alarm()
        try poller.add(mailbox.descriptor, data: EventLoop.mailboxData, for: .input)
        try poller.add(alarm.descriptor.rawValue, data: EventLoop.alarmData, for: .edge)
    }

    deinit {
        wholeReadBuffer.deallocate()
        writeBuffer.deinitialize(count: 1).deallocate()
        parser.deinitialize(count: 1).deallocate()
        metrics.deinitialize(count: 1).deallocate()
    }

    /// The buffer into which sockets are read; a small part of the whole when memory is short.
    var readBuffer: UnsafeMutableBufferPointer<UInt8> {
        guard account.isOverHalf else { return wholeReadBuffer }
        return UnsafeMutableBufferPointer(
            rebasing: wholeReadBuffer[..<EventLoop.smallReadBufferByteCount]
        )
    }

    /// Starts serving.
    ///
    /// The dispatch sources keep the loop alive, and so its descriptors open, until they are
    /// cancelled.
    func start() {
        ended.enter()
        let source = DispatchSource.makeReadSource(
            fileDescriptor: poller.descriptor.rawValue,
            queue: queue
        )
        let timer = DispatchSource.makeTimerSource(queue: queue)
        self.source = source
        self.timer = timer
        source.setEventHandler { [self] in drain() }
        source.setCancelHandler { [self] in
            ended.leave()
        }
        timer.setEventHandler { [self] in
            tick()
            postNextRoundIfNeeded()
        }
        beginAccepting()
        timer.activate()
        source.activate()
    }

    // No ``ConnectionID`` has one of these values as its data.

    /// The data of the mailbox's epoll events.
    private static let mailboxData = UInt64.max
    /// The data of the listening socket's epoll events.
    static let listenerData = UInt64.max - 1
    /// The data of the alarm's epoll events.
    private static let alarmData = UInt64.max - 2
}

/// Runs rounds, and handles the events and messages in them.
extension EventLoop {
    /// Runs rounds until no connection is ready or waits in a queue, or ``drainTime`` is over.
    private func drain() {
        dispatchPrecondition(condition: .onQueue(queue))
        readClocks()
        let end = now + EventLoop.drainTime
        var hasWaiting = !queues.isEmpty
        while now < end {
            alarm.set(for: min(end, timerDue ?? end), now: now)
            let count = poller.wait(isPolling: hasWaiting)
            readClocks()
            var isIdle = !hasWaiting
            for index in 0..<count where poller[index].data != EventLoop.alarmData {
                isIdle = false
                handle(poller[index], isAlone: count == 1)
            }
            if count > 1 { answerBatch() }
            if !queues.isEmpty {
                serveReadyQueue()
                serveNewConnections()
            }
            // The timer's own event could only be handled after this function.
            if let timerDue, timerDue <= now { tick() }
            if !isIdle {
                metrics.pointee.roundEnded(after: System.monotonicNanoseconds() - roundStart)
            }
            if isIdle { break }
            if endsWhenEmpty, connectionCount == 0 { break }
            hasWaiting = !queues.isEmpty
        }
        alarm.stop()
        handOverLog()
        postNextRoundIfNeeded()
        endIfStopped()
    }

    /// Posts a message that starts another round, if connections wait in a queue.
    private func postNextRoundIfNeeded() {
        if !queues.isEmpty { mailbox.post(.nextRound) }
    }

    private func readClocks() {
        roundStart = System.monotonicNanoseconds()
        now = LoopTime(milliseconds: roundStart / 1_000_000)
        seconds = System.wallSeconds()
        notifyingNanoseconds = 0
        queues.beginRound(at: roundStart)
    }

    /// Handles an epoll event, which is the only one of this round if `isAlone`.
    private func handle(_ event: Poller.Readiness, isAlone: Bool) {
        if event.data == EventLoop.mailboxData {
            if !isAlone { answerBatch() }
            for mail in mailbox.takeAll() { handle(mail) }
        } else if event.data == EventLoop.listenerData {
            if !isAlone { answerBatch() }
            accept()
        } else {
            serveOrQueue(event, isAlone: isAlone)
        }
    }

    private func handle(_ mail: Mail) {
        switch mail {
        case .adopt(let descriptor, let peer, let isOverLimit):
            let descriptor = Descriptor(owning: descriptor)
            // Before a stop that is not an abort, all loops have ended accepting.
            guard !endsWhenEmpty else { return context.connectionClosed() }
            adopt(descriptor, from: peer, isOverLimit: isOverLimit)
        case .makeRoom: makeRoom()
        case .shed: shed()
        case .response(let id, let number, let response):
            deliverOrQueue(response, to: id, exchange: number)
        case .streamHasMore(let id, let number): connection(id)?.streamHasMore(exchange: number)
        case .nextRound: break  // This round is the next one.
        case .configure(let settings, let taken):
            configure(settings)
            taken()
        case .notified(let topic): notifySubscribers(of: topic)
        case .continueNotifying(let topic): continueNotifying(of: topic)
        case .report(let taken): taken(report())
        case .countReaders(let topics, let taken): taken(topics.map(readerCount))
        case .endAccepting(let ended):
            isStopping = true
            endAccepting()
            ended()
        case .stop:
            endsWhenEmpty = true
            for connection in connections { connection?.stop() }
        case .abort:
            (isStopping, endsWhenEmpty) = (true, true)
            endAccepting()
            for case let connection? in connections { remove(connection) }
        }
    }

    /// Checks the connections whose time has come, because the timer has fired.
    private func tick() {
        timerDue = nil
        readClocks()
        for entry in wheel.due(by: now) {
            connection(entry.connection)?.timerFired(entry.deadline)
        }
        serveCostlyInput()
        if let next = wheel.next { setTimer(for: next, leeway: .milliseconds(1)) }
        handOverLog()
        endIfStopped()
    }

    private func endIfStopped() {
        guard endsWhenEmpty, connectionCount == 0, let source, !source.isCancelled else { return }
        timer?.cancel()
        source.cancel()
    }
}

/// Changes the settings while the server runs.
extension EventLoop {
    private func configure(_ settings: ServerSettings) {
        self.settings = settings
        account.limit = settings.loopByteLimit
        parser.pointee = RequestParser(limits: settings.limits.head)
        // A parser in the middle of a head keeps its limits.
        for case let connection? in connections where connection.reader.parser.isFresh {
            connection.reader.parser.limits = settings.limits.head
        }
    }
}

/// Adds, finds and removes the connections of the loop.
extension EventLoop {
    /// Begins to serve an accepted connection, perhaps past the limit of connections; `peer` is
    /// `nil` if the other end's address is not an IP address.
    func adopt(_ descriptor: consuming Descriptor, from peer: IPAddress?, isOverLimit: Bool) {
        generation &+= 1
        let connection = Connection(
            descriptor,
            from: peer,
            generation: generation,
            loop: self,
            isOverLimit: isOverLimit
        )
        let index = Int(connection.id.descriptor)
        setConnection(connection, at: index)
        connectionCount += 1
        metrics.pointee.connectionCount += 1
        if isOverLimit {
            makeRoom()
            keepInReserve(connection)
        }
        connection.startInTurn()
    }

    /// Stores a descriptor's connection in the table; `nil` removes it.
    private func setConnection(_ connection: Connection?, at index: Int) {
        // The table is taken out of the property: Swift would check every access to the property
        // for exclusivity if a call were made within one.
        var table: [Connection?] = []
        swap(&table, &connections)
        while table.count <= index { table.append(nil) }
        table[index] = connection
        swap(&table, &connections)
    }

    /// Returns the connection with this id; `nil` if it was closed.
    func connection(_ id: ConnectionID) -> Connection? {
        let index = Int(id.descriptor)
        guard index < connections.count, let found = connections[index], found.id == id else {
            return nil
        }
        return found
    }

    /// Returns whether a connection is still open.
    func has(_ connection: Connection) -> Bool {
        connections[Int(connection.id.descriptor)] === connection
    }

    /// Closes a connection; its descriptor closes with the last reference.
    func remove(_ connection: Connection) {
        guard has(connection) else { return }
        connection.closeExchange(isComplete: false)
        setConnection(nil, at: Int(connection.id.descriptor))
        connectionCount -= 1
        // The descriptor leaves the epoll set when it closes.
        connection.openResponse.stream?.closed()
        connection.setOpenResponse(.none)
        connection.interest?.peerLeft()
        unsubscribe(connection)
        connection.stopCountingMemory()
        context.connectionClosed()
    }

    /// Has the poller watch for events on a connection's socket, `isNew` if the socket is not in
    /// the set yet; returns `false` if the kernel has no memory for one more socket.
    func poll(for interest: Poller.Interest, on id: ConnectionID, isNew: Bool) -> Bool {
        do {
            if isNew {
                try poller.add(id.descriptor, data: id.eventData, for: interest)
            } else {
                try poller.modify(id.descriptor, data: id.eventData, for: interest)
            }
            return true
        } catch {
            precondition(isNew, "a connection's socket is in its loop's set: \(error)")
            return false
        }
    }
}
