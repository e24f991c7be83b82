import Dispatch
import Glibc
import Platform
import Synchronization

/// Writes log lines to a descriptor on its own queue, so that its callers do not wait.
///
/// The waiting lines are bounded in bytes. When the reader of the descriptor's pipe or terminal is
/// too slow or has stopped, lines are dropped and counted; the number is reported when writing
/// works again.
package final class LogQueue: Sendable {
    /// An event of the log itself, to be reported to the operator.
    package enum Event: Sendable, Equatable {
        /// The number of lines dropped since the last report.
        case dropped(Int)
        /// Writing failed with this `errno`, and the log has ended.
        case closed(CInt)
    }

    private struct State {
        var waiting: [[UInt8]] = []
        /// The number of bytes of the lines that wait or are being written.
        var byteCount = 0
        /// The number of lines dropped since the last report.
        var droppedCount = 0
        /// Whether ``writeAll()`` runs, or will run soon.
        var isWriting = false
        /// Whether the last write failed because the disk was full.
        var isFull = false
        /// Whether the last line is incomplete because the disk became full.
        var isCut = false
        var isClosed = false
    }

    private let state = Mutex(State())
    private let queue: DispatchQueue
    private let descriptor: CInt
    private let byteLimit: Int
    private let report: @Sendable (Event) -> Void

    /// The number of bytes that are collected before they are written.
    private static let chunkByteCount = 64 << 10

    /// Makes a log.
    ///
    /// - Parameters:
    ///   - descriptor: The descriptor to write to; the caller closes it after the last line.
    ///   - byteLimit: The most bytes that wait.
    ///   - report: Called with the log's events, on the log's queue.
    package init(
        descriptor: CInt,
        byteLimit: Int = 8 << 20,
        report: @escaping @Sendable (Event) -> Void = { _ in }
    ) {
        queue = DispatchQueue(label: "freshet.log", qos: .utility)
        self.descriptor = descriptor
        self.byteLimit = byteLimit
        self.report = report
    }

    /// Logs whole lines, or drops them if too many bytes would wait.
    package func put(_ lines: [UInt8], lineCount: Int = 1) {
        let isFirst = state.withLock { state in
            guard !state.isClosed else { return false }
            guard state.byteCount + lines.count <= byteLimit else {
                state.droppedCount += lineCount
                return false
            }
            state.byteCount += lines.count
            state.waiting.append(lines)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if isFirst { queue.async { self.writeAll() } }
    }

    /// Calls `completion` once, on any thread: when all lines logged before are written, or after
    /// `time`.
    package func flush(within time: Duration, completion: @escaping @Sendable () -> Void) {
        let written = AwaitedAnswers<Void>(count: 1, within: time) { _ in completion() }
        queue.async { written.take(()) }
    }
}

extension LogQueue {
    private func writeAll() {
        while true {
            let items = state.withLock { state in
                if state.waiting.isEmpty { state.isWriting = false }
                defer { state.waiting = [] }
                return state.waiting
            }
            // Lines may have been dropped since the last write told of others.
            if items.isEmpty { return reportDropped() }
            var bytes: [UInt8] = []
            for item in items {
                bytes += item
                guard bytes.count >= Self.chunkByteCount else { continue }
                write(bytes)
                bytes.removeAll(keepingCapacity: true)
            }
            write(bytes)
            state.withLock { $0.byteCount -= items.reduce(0) { $0 + $1.count } }
        }
    }

    private func write(_ lines: [UInt8]) {
        guard !lines.isEmpty, !state.withLock(\.isClosed) else { return }
        let lineFeed = UInt8(ascii: "\n")
        // A line that was cut off gets its line end before the next line is written.
        let isBehindCut = state.withLock(\.isCut)
        let bytes = isBehindCut ? [lineFeed] + lines : lines
        let (count, code) = Descriptor.write(bytes, to: descriptor)
        switch code {
        case 0:
            state.withLock { ($0.isFull, $0.isCut) = (false, false) }
            reportDropped()
        case ENOSPC, EDQUOT, EFBIG:
            // The disk is full, but may have room again later.
            let written = lines.prefix(max(0, count - (isBehindCut ? 1 : 0)))
            state.withLock { state in
                state.isFull = true
                state.droppedCount += lines[written.endIndex...].count { $0 == lineFeed }
                if count > 0 { state.isCut = written.last.map { $0 != lineFeed } ?? false }
            }
        case let code:
            state.withLock { $0.isClosed = true }
            report(.closed(code))
        }
    }

    /// Reports the lines dropped since the last report, if writing works.
    private func reportDropped() {
        let dropped = state.withLock { state in
            guard !state.isFull, !state.isClosed else { return 0 }
            defer { state.droppedCount = 0 }
            return state.droppedCount
        }
        if dropped > 0 { report(.dropped(dropped)) }
    }
}
