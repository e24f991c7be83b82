import Glibc
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// A log whose reader is slow, reads nothing, or leaves.
@Suite struct LogQueues {
    /// What a queue reports, and when.
    private final class Reports: Sendable {
        let events = Mutex<[LogQueue.Event]>([])
        let arrived = Event()

        func add(_ event: LogQueue.Event) {
            events.withLock { $0.append(event) }
            arrived.happened()
        }
    }

    private func queue(_ descriptor: CInt, byteLimit: Int, _ reports: Reports) -> LogQueue {
        LogQueue(descriptor: descriptor, byteLimit: byteLimit) { reports.add($0) }
    }

    private func line(_ number: Int) -> [UInt8] { Array("\(number)\n".utf8) }

    @Test func writesWhatWasLoggedBeforeAFlush() throws {
        let pipe = LogPipe()
        let queue = queue(pipe.input, byteLimit: 1 << 20, Reports())
        for number in 0..<1000 { queue.put(line(number)) }
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
        for number in 0..<count { queue.put(line(number)) }
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
        let itself = Mutex<LogQueue?>(nil)
        // One line fits at a time, and the pipe does not hold it: it is written when it is read.
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20) + [UInt8(ascii: "\n")]
        let queue = LogQueue(descriptor: pipe.input, byteLimit: line.count) { event in
            let isFirst = reports.events.withLock(\.isEmpty)
            if isFirst { itself.withLock(\.self)?.put(line) }
            reports.add(event)
        }
        itself.withLock { $0 = queue }
        for _ in 0..<2 { queue.put(line) }
        later {
            let flushed = Event()
            queue.flush(within: .seconds(20)) { flushed.happened() }
            #expect(flushed.wait())
            pipe.endWriting()
        }
        #expect(pipe.readLines().count == 1)
        itself.withLock { $0 = nil }
        #expect(reports.events.withLock(\.self) == [.dropped(1), .dropped(1)])
    }

    @Test func endsWhenTheReaderLeaves() throws {
        let pipe = LogPipe()
        let reports = Reports()
        let queue = queue(pipe.input, byteLimit: 4096, reports)
        pipe.endReading()
        queue.put(line(1))
        #expect(reports.arrived.wait())
        queue.put(line(2))
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
        for number in 0..<3 { queue.put(line(number)) }
        let flushed = Event()
        queue.flush(within: .seconds(20)) { flushed.happened() }
        #expect(flushed.wait())
        // The disk has room again.
        let pipe = LogPipe()
        #expect(dup2(pipe.input, full) == full)
        queue.put(line(3))
        #expect(reports.arrived.wait())
        #expect(reports.events.withLock(\.self) == [.dropped(3)])
        pipe.endWriting()
        close(full)
        #expect(pipe.readLines() == ["3"])
    }
}
