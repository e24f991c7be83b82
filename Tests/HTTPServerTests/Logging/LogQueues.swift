import Glibc
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// A log whose reader is slow, reads nothing, or leaves.
@Suite struct LogQueues {
    /// What a queue reports, and when.
    private final class Reports: Sendable {
        let events = Mutex<[LogQueue<Int>.Event]>([])
        let arrived = Event()

        func add(_ event: LogQueue<Int>.Event) {
            events.withLock { $0.append(event) }
            arrived.happened()
        }
    }

    private func queue(_ descriptor: CInt, byteLimit: Int, _ reports: Reports) -> LogQueue<Int> {
        LogQueue(descriptor: descriptor, byteLimit: byteLimit) { number, bytes in
            bytes += "\(number)\n".utf8
        } report: {
            reports.add($0)
        }
    }

    @Test func writesWhatWasLoggedBeforeAFlush() throws {
        let pipe = LogPipe()
        let queue = queue(pipe.input, byteLimit: 1 << 20, Reports())
        for number in 0..<1000 { queue.put(number, byteCount: 8) }
        let flushed = Event()
        queue.flush(within: .seconds(20)) { flushed.happened() }
        #expect(flushed.wait())
        pipe.endWriting()
        #expect(pipe.readLines() == (0..<1000).map(String.init))
    }

    @Test func dropsAndCountsWhenNobodyReads() throws {
        let pipe = LogPipe()
        let reports = Reports()
        let queue = queue(pipe.input, byteLimit: 4096, reports)
        // Far more than the pipe and the queue hold; none of these calls waits.
        let count = 200_000
        for number in 0..<count { queue.put(number, byteCount: 8) }
        let flushed = Event()
        queue.flush(within: .milliseconds(1)) { flushed.happened() }
        #expect(flushed.wait())

        var lineCount = 0
        later {
            #expect(reports.arrived.wait())
            let done = Event()
            queue.flush(within: .seconds(20)) { done.happened() }
            #expect(done.wait())
            pipe.endWriting()
        }
        lineCount = pipe.readLines().count
        let dropped = reports.events.withLock { events in
            events.reduce(0) { sum, event in
                if case .dropped(let count) = event { sum + count } else { sum }
            }
        }
        #expect(dropped > 0)
        #expect(lineCount + dropped == count)
    }

    /// Lines that are dropped between the last write and its end are told of without another line.
    @Test func tellsOfLinesDroppedAfterTheLastWrite() throws {
        let pipe = LogPipe()
        let reports = Reports()
        let itself = Mutex<LogQueue<Int>?>(nil)
        // One line fits at a time.
        let queue = LogQueue<Int>(descriptor: pipe.input, byteLimit: 8) { number, bytes in
            itself.withLock(\.self)?.put(number + 1, byteCount: 8)
            bytes += "\(number)\n".utf8
        } report: { event in
            let isFirst = reports.events.withLock(\.isEmpty)
            if isFirst { itself.withLock(\.self)?.put(3, byteCount: 8) }
            reports.add(event)
        }
        itself.withLock { $0 = queue }
        queue.put(1, byteCount: 8)
        let flushed = Event()
        queue.flush(within: .seconds(20)) { flushed.happened() }
        #expect(flushed.wait())
        itself.withLock { $0 = nil }
        pipe.endWriting()
        #expect(pipe.readLines() == ["1"])
        #expect(reports.events.withLock(\.self) == [.dropped(1), .dropped(1)])
    }

    @Test func endsWhenTheReaderLeaves() throws {
        let pipe = LogPipe()
        let reports = Reports()
        let queue = queue(pipe.input, byteLimit: 4096, reports)
        pipe.endReading()
        queue.put(1, byteCount: 8)
        #expect(reports.arrived.wait())
        queue.put(2, byteCount: 8)
        let flushed = Event()
        queue.flush(within: .seconds(20)) { flushed.happened() }
        #expect(flushed.wait())
        #expect(reports.events.withLock(\.self) == [.closed(EPIPE)])
        pipe.endWriting()
    }

    @Test func tellsOfAFullDiskWhenThereIsRoomAgain() throws {
        let full = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        let reports = Reports()
        let queue = queue(full, byteLimit: 4096, reports)
        for number in 0..<3 { queue.put(number, byteCount: 8) }
        let flushed = Event()
        queue.flush(within: .seconds(20)) { flushed.happened() }
        #expect(flushed.wait())
        // The disk has room again.
        let pipe = LogPipe()
        #expect(dup2(pipe.input, full) == full)
        queue.put(3, byteCount: 8)
        #expect(reports.arrived.wait())
        #expect(reports.events.withLock(\.self) == [.dropped(3)])
        pipe.endWriting()
        close(full)
        #expect(pipe.readLines() == ["3"])
    }
}
