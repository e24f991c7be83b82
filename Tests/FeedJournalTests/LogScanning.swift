import TestSupport
import Testing

@testable import FeedJournal

/// Logs with damage, and with what was left over of transactions that failed.
@Suite struct LogScanning {
    /// A log made frame by frame, as "WAL File Format" of sqlite.org/fileformat2.html has it.
    private struct Log {
        private(set) var bytes: [UInt8] = []
        private var check: (UInt32, UInt32) = (0, 0)
        private var states: [(UInt32, UInt32)] = []
        private static let pageByteCount = 512
        private static let frameByteCount = 24 + pageByteCount

        init() {
            add([0x377F_0682, 3_007_000, UInt32(Log.pageByteCount), 0, 17, 18])
            sum(bytes[...])
            add([check.0, check.1])
            states = [check]
        }

        /// Writes a transaction behind the first `count` frames, over what follows them.
        mutating func write(_ pageCount: Int, behind count: Int, value: UInt8) {
            let rest = bytes.dropFirst(32 + (count + pageCount) * Log.frameByteCount)
            bytes.removeLast(bytes.count - 32 - count * Log.frameByteCount)
            states.removeLast(states.count - count - 1)
            check = states[count]
            for page in 1...pageCount {
                let start = bytes.count
                add([UInt32(page), page == pageCount ? 9 : 0])
                sum(bytes[start...])
                let body = [UInt8](repeating: value, count: Log.pageByteCount)
                sum(body[...])
                add([17, 18, check.0, check.1])
                bytes += body
                states.append(check)
            }
            bytes += rest
        }

        mutating func damage(frame: Int, at offset: Int) {
            bytes[32 + (frame - 1) * Log.frameByteCount + offset] ^= 0x55
        }

        mutating func cut(to frameCount: Int, and byteCount: Int = 0) {
            bytes.removeLast(bytes.count - 32 - frameCount * Log.frameByteCount - byteCount)
        }

        private mutating func add(_ words: [UInt32]) {
            for word in words { withUnsafeBytes(of: word.bigEndian) { bytes += $0 } }
        }

        private mutating func sum(_ part: ArraySlice<UInt8>) {
            let part = Array(part)
            for index in stride(from: 0, to: part.count, by: 8) {
                func word(_ start: Int) -> UInt32 {
                    part[start..<start + 4].reversed().reduce(0) { $0 << 8 | UInt32($1) }
                }
                check.0 &+= word(index) &+ check.1
                check.1 &+= word(index + 4) &+ check.0
            }
        }
    }

    private func damagedFrame(_ log: Log) throws -> Int? {
        let folder = try TemporaryFolder()
        try folder.write(log.bytes, to: "log")
        return LogScan.damagedFrame(folder.path("log"))
    }

    /// Three transactions, of frames 1 to 4, 5 to 7 and 8 to 9.
    private func sound() -> Log {
        var log = Log()
        log.write(4, behind: 0, value: 1)
        log.write(3, behind: 4, value: 2)
        log.write(2, behind: 7, value: 3)
        return log
    }

    @Test func aSoundLogHasNoDamage() throws {
        #expect(try damagedFrame(sound()) == nil)
        #expect(try damagedFrame(Log()) == nil)
    }

    @Test(arguments: [0, 5, 8, 12, 16, 20, 24, 400])
    func damageBeforeTheLastTransactionIsFound(offset: Int) throws {
        // Without its salts the end of a transaction is as if the next one had begun there.
        let isSalt = 8..<16 ~= offset
        for frame in 1...(isSalt ? 6 : 7) {
            var log = sound()
            log.damage(frame: frame, at: offset)
            #expect(try damagedFrame(log) == frame, "frame \(frame)")
        }
    }

    @Test func theLastTransactionMayBeCut() throws {
        for frame in 8...9 {
            var log = sound()
            log.damage(frame: frame, at: 100)
            #expect(try damagedFrame(log) == nil, "frame \(frame)")
            log = sound()
            log.cut(to: frame - 1, and: 300)
            #expect(try damagedFrame(log) == nil, "cut in frame \(frame)")
        }
    }

    /// One that failed, its place taken by a shorter one, once and more often.
    @Test func leftOversOfFailedTransactionsAreNoDamage() throws {
        var log = sound()
        log.write(20, behind: 9, value: 4)
        log.write(2, behind: 9, value: 5)
        #expect(try damagedFrame(log) == nil)
        log = sound()
        log.write(20, behind: 9, value: 4)
        log.write(10, behind: 9, value: 5)
        log.write(3, behind: 9, value: 6)
        log.write(1, behind: 12, value: 7)
        #expect(try damagedFrame(log) == nil)
        log.damage(frame: 5, at: 60)
        #expect(try damagedFrame(log) == 5)
    }
}
