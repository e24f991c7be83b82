import Dispatch
import Glibc
import Synchronization

/// Writes log entries to a descriptor from a queue of its own: whoever logs waits for nobody.
///
/// What waits is bounded. When the reader of the descriptor is slower than the log for long, or
/// reads nothing at all, entries are dropped and counted; once something can be written again, that
/// is told.
package final class LogQueue<Entry: Sendable>: Sendable {
    /// What befell the log itself.
    package enum Event: Sendable, Equatable {
        /// So many lines were dropped since the last time.
        case dropped(Int)
        /// Nothing can be written any more, for this reason (an `errno`).
        case closed(CInt)
    }

    private struct Item {
        let entry: Entry
        let lineCount: Int
        let byteCount: Int
    }

    private struct State {
        var waiting: [Item] = []
        /// Of what waits, and of what is being written.
        var byteCount = 0
        var droppedCount = 0
        var isWriting = false
        /// Whether the disk was full in the middle of a line.
        var isCut = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let descriptor: CInt
    private let byteLimit: Int
    private let format: @Sendable (Entry, inout [UInt8]) -> Void
    private let report: @Sendable (Event) -> Void

    /// Bytes that are gathered before they are written.
    private static var chunkByteCount: Int { 64 << 10 }

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - descriptor: Where it goes; whoever opened it closes it, later than the last entry.
    ///   - byteLimit: The most bytes that wait, as whoever logs counts them.
    ///   - format: Appends the lines of an entry; called on the log's queue.
    ///   - report: Told what befell the log; called on the log's queue.
    package init(
        descriptor: CInt,
        byteLimit: Int = 8 << 20,
        format: @escaping @Sendable (Entry, inout [UInt8]) -> Void,
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        queue = DispatchQueue(label: "freshet.log", qos: .utility)
        self.descriptor = descriptor
        self.byteLimit = byteLimit
        self.format = format
        self.report = report
    }

    /// Logs an entry, or drops it when too much waits.
    ///
    /// - Parameters:
    ///   - entry: What to log.
    ///   - lineCount: How many lines it makes.
    ///   - byteCount: What it holds of the limit.
    package func put(_ entry: Entry, lineCount: Int = 1, byteCount: Int) {
        let item = Item(entry: entry, lineCount: lineCount, byteCount: byteCount)
        let isFirst = state.withLock { state in
            guard !state.isClosed else { return false }
            guard state.byteCount + byteCount <= byteLimit else {
                state.droppedCount += lineCount
                return false
            }
            state.byteCount += byteCount
            state.waiting.append(item)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { queue.async { self.writeAll() } }
    }

    /// Calls `completion` once all that was logged before is written, at the latest after `time`.
    package func flush(within time: Duration, completion: @escaping @Sendable () -> Void) {
        let once = Once(completion)
        queue.async { once() }
        let milliseconds = Int(time / .milliseconds(1))
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(milliseconds)) {
            once()
        }
    }
}

extension LogQueue {
    private func writeAll() {
        while let items = takeAll() {
            var bytes: [UInt8] = []
            for item in items {
                format(item.entry, &bytes)
                guard bytes.count >= Self.chunkByteCount else { continue }
                write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            write(bytes)
            state.withLock { $0.byteCount -= items.reduce(0) { $0 + $1.byteCount } }
        }
    }

    private func takeAll() -> [Item]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            defer { state.waiting = [] }
            return state.waiting
        }
    }

    private func write(_ lines: [UInt8]) {
        guard !lines.isEmpty, !state.withLock(\.isClosed) else { return }
        let lineFeed = UInt8(ascii: "\n")
        // Behind a line that was cut, the next one begins anew.
        let isBehindCut = state.withLock(\.isCut)
        let (count, code) = System.writeAll(descriptor, isBehindCut ? [lineFeed] + lines : lines)
        switch code {
        case 0:
            let dropped = state.withLock { state in
                defer { (state.droppedCount, state.isCut) = (0, false) }
                return state.droppedCount
            }
            if dropped > 0 { report(.dropped(dropped)) }
        case ENOSPC, EDQUOT, EFBIG:
            // A disk that is full may have room again.
            let written = lines.prefix(max(0, count - (isBehindCut ? 1 : 0)))
            state.withLock { state in
                state.droppedCount += lines[written.endIndex...].count { $0 == lineFeed }
                if count > 0 { state.isCut = written.last.map { $0 != lineFeed } ?? false }
            }
        case let code:
            state.withLock { $0.isClosed = true }
            report(.closed(code))
        }
    }
}

/// Calls something at most once, from any thread.
private final class Once: Sendable {
    private let isDone = Atomic(false)
    private let work: @Sendable () -> Void

    init(_ work: @escaping @Sendable () -> Void) {
        self.work = work
    }

    func callAsFunction() {
        if !isDone.exchange(true, ordering: .relaxed) { work() }
    }
}

extension System {
    /// Writes all of `bytes`, however long that takes.
    ///
    /// - Returns: How many could be written, and 0 or why not all of them.
    fileprivate static func writeAll(
        _ descriptor: CInt,
        _ bytes: [UInt8]
    ) -> (count: Int, code: CInt) {
        var rest = bytes[...]
        while !rest.isEmpty {
            switch transfer({ rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) } }
            )
            {
            case .bytes(let count): rest = rest.dropFirst(count)
            case .blocked:
                // Somebody else made the descriptor's file non-blocking.
                var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = poll(&room, 1, -1)
            case .failed(let code): return (rest.startIndex, code)
            }
        }
        return (bytes.count, 0)
    }
}
