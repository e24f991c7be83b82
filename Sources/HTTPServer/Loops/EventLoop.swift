import Dispatch
import HTTPWire

/// One core's share of the connections: a serial queue, one epoll set, and one dispatch source that
/// watches the set.
///
/// When the source fires, the loop drains the set; once that is empty the loop lingers in it for a
/// moment before it hands its thread back, so that a busy loop costs what a bare one does and an
/// idle one nothing. Everything here but `mailbox`, `context` and `queue` is touched on `queue`
/// alone: hence `@unchecked Sendable`.
final class EventLoop: @unchecked Sendable {
    let index: Int
    let queue: DispatchQueue
    let mailbox: Mailbox
    let context: ServerContext

    /// Replaced as a whole between two events.
    private(set) var settings: ServerSettings
    /// The proxies that say in fields who sent a request; `nil`: none does.
    private(set) var fieldProxies: TrustedProxies?

    /// The time as of the last readiness; good to a few milliseconds.
    private(set) var now: LoopTime

    /// The same in nanoseconds, exactly.
    private(set) var roundStart: Int

    /// Seconds since 1970 as of the last readiness.
    private(set) var seconds: Int

    /// All of ``readBuffer``.
    let wholeReadBuffer: UnsafeMutableBufferPointer<UInt8>

    /// Whether there is an access log.
    let logsAccess: Bool
    /// What is to be logged of the answers of this turn.
    let access: AccessRecorder?

    let poller: Poller
    private let alarm: Alarm
    /// What is needed to take connections.
    var accepting: Accepting
    /// Made at the start: a source that was never activated cannot be given back to Dispatch.
    private var source: (any DispatchSourceRead)?
    private(set) var timer: (any DispatchSourceTimer)?
    /// When the timer fires next.
    var timerDue: LoopTime?
    var connections: [Connection?] = []
    var connectionCount = 0 {
        didSet { context.loads[index] = connectionCount }
    }
    /// Connections past the limit.
    var reserve = ConnectionReserve()
    /// What all connections hold in memory.
    let account: MemoryAccount
    /// Tells a connection from earlier ones with its descriptor.
    var generation: UInt32 = 0
    var wheel: TimerWheel
    /// Of the ends of waits, which are to be as exact as they can cheaply be.
    var waitEnds: TimerWheel
    /// Connections that wait for their turn, which the set says nothing of.
    let queues = LoopQueues()
    /// For how long subscribers were notified in this round.
    var notifyingNanoseconds = 0
    /// Who waits for which topic.
    var subscribersByTopic: [ObjectIdentifier: Subscribers] = [:]
    private var isStopping = false
    private let ended: DispatchGroup

    /// Answers on their way, of the connection that is being served.
    let writeBuffer = WriteBuffer()
    /// What requests are answered with.
    var scratch: LoopScratch
    /// What this round has received and not read.
    var batch = InputBatch()

    private static let readBufferByteCount = 256 << 10
    private static let smallReadBufferByteCount = 4 << 10
    /// For how long ``drain()`` goes on before the queue may do something else.
    private static let drainTime = Duration.milliseconds(100)

    /// Makes a loop; nothing runs before ``start()``.
    ///
    /// - Parameters:
    ///   - index: Tells its queue from the others'.
    ///   - context: What it shares with the server's other loops.
    ///   - listener: Where connections come from.
    ///   - settings: Those of the beginning.
    ///   - access: Where answers are logged.
    ///   - ended: Is left when the loop has stopped.
    /// - Throws: ``SystemError``, when there are no descriptors left.
    init(
        index: Int,
        context: ServerContext,
        listener: SharedListener,
        settings: ServerSettings,
        access: AccessLog? = nil,
        ended: DispatchGroup
    ) throws(SystemError) {
        self.index = index
        accepting = Accepting(listener)
        queue = DispatchQueue(label: "freshet.loop.\(index)", qos: .userInitiated)
        mailbox = context.mailboxes[index]
        self.context = context
        self.settings = ServerSettings(copying: settings)
        logsAccess = access != nil
        self.access = access.map(AccessRecorder.init)
        self.ended = ended
        now = LoopTime(milliseconds: System.monotonicMilliseconds())
        roundStart = System.monotonicNanoseconds()
        seconds = System.wallSeconds()
        fieldProxies = EventLoop.fieldProxies(settings)
        wheel = TimerWheel(now: now)
        waitEnds = TimerWheel(now: now, slot: Self.waitSlot, span: Self.waitSlotCount)
        scratch = LoopScratch(
            limits: settings.limits.head,
            routeCount: max(1, settings.handler.routeNames.count)
        )
        account = MemoryAccount(limit: settings.capacity.loopByteLimit)
        wholeReadBuffer = .allocate(capacity: EventLoop.readBufferByteCount)
        poller = try Poller()
        alarm = try Alarm()
        try poller.add(mailbox.descriptor.rawValue, data: EventLoop.mailboxData, for: .input)
        try poller.add(alarm.descriptor.rawValue, data: EventLoop.alarmData, for: .edge)
    }

    deinit { wholeReadBuffer.deallocate() }

    /// Where sockets are read into, before what matters of it is copied: in small parts when memory
    /// is short.
    var readBuffer: UnsafeMutableBufferPointer<UInt8> {
        guard account.isOverHalf else { return wholeReadBuffer }
        return UnsafeMutableBufferPointer(
            rebasing: wholeReadBuffer[..<EventLoop.smallReadBufferByteCount]
        )
    }

    /// Starts serving.
    ///
    /// The sources hold the loop, and so its descriptors, until they are cancelled.
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

    /// Stand for the mailbox, the listening socket and the alarm in an event; no connection has
    /// these ids.
    private static let mailboxData = UInt64.max
    static let listenerData = UInt64.max - 1
    private static let alarmData = UInt64.max - 2
}

/// Events.
extension EventLoop {
    /// Serves rounds until nothing is ready and nobody waits for a turn, or the time is over.
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
                admitNewcomers()
            }
            // The timer's own event waits for this queue.
            if let timerDue, timerDue <= now { tick() }
            if !isIdle { scratch.roundEnded(since: roundStart) }
            if isIdle || isStopping && connectionCount == 0 { break }
            hasWaiting = !queues.isEmpty
        }
        alarm.stop()
        access?.handOver()
        postNextRoundIfNeeded()
        endIfStopped()
    }

    /// Has another round follow, if some wait for their turn.
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

    /// - Parameter isAlone: Whether it is all that this round has found.
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
            adopt(Descriptor(owning: descriptor), from: peer, isOverLimit: isOverLimit)
        case .makeRoom: makeRoom()
        case .shed: shed()
        case .response(let id, let number, let response):
            deliverOrQueue(response, to: id, exchange: number)
        case .streamHasMore(let id, let number): connection(id)?.streamHasMore(exchange: number)
        case .nextRound: break  // It is this one.
        case .configure(let settings, let taken):
            configure(settings)
            taken()
        case .notified(let topic): notifySubscribers(of: topic)
        case .continueNotifying(let topic): continueNotifying(of: topic)
        case .report(let taken): taken(report())
        case .countReaders(let topics, let taken): taken(topics.map(readerCount))
        case .endAccepting(let ended):
            endAccepting()
            ended()
        case .stop:
            isStopping = true
            for connection in connections { connection?.stop() }
        case .abort:
            isStopping = true
            endAccepting()
            for case let connection? in connections { remove(connection) }
        }
    }

    private func tick() {
        timerDue = nil
        scratch.endRuns(since: roundStart)
        readClocks()
        for entry in wheel.due(by: now) {
            connection(entry.connection)?.timerFired(second: entry.slot)
        }
        for entry in waitEnds.due(by: now) { connection(entry.connection)?.checkOpenResponseEnd() }
        serveTediousQueue()
        scratch.endRuns(since: roundStart)
        if wheel.count > 0 { setTimer(for: now + .seconds(1)) }
        if let next = waitEnds.next { setTimer(for: next, leeway: .milliseconds(1)) }
        access?.handOver()
        endIfStopped()
    }

    private func endIfStopped() {
        guard isStopping, connectionCount == 0, let source, !source.isCancelled else { return }
        timer?.cancel()
        source.cancel()
    }
}

/// What changes while the server runs.
extension EventLoop {
    private static func fieldProxies(_ settings: ServerSettings) -> TrustedProxies? {
        settings.limits.proxies.readsFields ? settings.limits.proxies : nil
    }

    private func configure(_ settings: ServerSettings) {
        self.settings = ServerSettings(copying: settings)
        fieldProxies = EventLoop.fieldProxies(settings)
        account.limit = settings.capacity.loopByteLimit
        scratch.parser = RequestParser(limits: settings.limits.head)
        // One that is in the middle of a head finishes that by the limits it was begun by.
        for case let connection? in connections where connection.reader.parser.isFresh {
            connection.reader.parser.limits = settings.limits.head
        }
    }
}
