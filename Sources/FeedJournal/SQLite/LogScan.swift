#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Looks for damage in a write-ahead log (sqlite.org/fileformat2.html, "WAL File Format").
///
/// SQLite reads a log up to the first frame with a wrong checksum, and drops the rest. That is
/// right for the last transaction, which a power failure may have cut off. But every other
/// transaction was synced before the next one began: a wrong frame before the last transaction is
/// damage.
///
/// After the last transaction there may be frames of failed transactions that were longer. The
/// checksums of one transaction's frames continue each other up to its last frame; the checksums of
/// leftover frames do not continue those of the last transaction.
enum LogScan {
    private static let headerByteCount = 32
    private static let frameHeaderByteCount = 24

    /// The running checksum of the log's format, computed over pairs of 32-bit words.
    private struct Check: Equatable {
        var first: UInt32 = 0
        var second: UInt32 = 0

        mutating func add(_ bytes: [UInt8], _ range: Range<Int>, isBigEndian: Bool) {
            bytes.withUnsafeBytes { bytes in
                for index in stride(from: range.lowerBound, to: range.upperBound - 7, by: 8) {
                    let left = bytes.loadUnaligned(fromByteOffset: index, as: UInt32.self)
                    let right = bytes.loadUnaligned(fromByteOffset: index + 4, as: UInt32.self)
                    first &+= (isBigEndian ? left.bigEndian : left.littleEndian) &+ second
                    second &+= (isBigEndian ? right.bigEndian : right.littleEndian) &+ first
                }
            }
        }
    }

    /// The header of a log.
    private struct Head {
        let bytes: [UInt8]
        var isBigEndian: Bool { LogScan.word(bytes, 0) & 1 == 1 }
        var check = Check()

        /// Reads the header; `nil`: the log is shorter than a header.
        init?(_ file: CInt) {
            var bytes = [UInt8](repeating: 0, count: headerByteCount)
            guard pread(file, &bytes, bytes.count, 0) == bytes.count else { return nil }
            self.bytes = bytes
            check.add(bytes, 0..<24, isBigEndian: isBigEndian)
        }

        var isSound: Bool {
            LogScan.word(bytes, 0) & 0xFFFF_FFFE == 0x377F_0682
                && check
                    == Check(first: LogScan.word(bytes, 24), second: LogScan.word(bytes, 28))
        }
    }

    /// Returns the result of `body` for a log and its header; `nil`: the log is missing, or shorter
    /// than a header.
    private static func read<Value>(_ path: String, _ body: (CInt, Head) -> Value?) -> Value? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return Head(file).flatMap { body(file, $0) }
    }

    /// Whether a log begins with a damaged header, so that SQLite drops the whole log.
    static func hasBrokenHead(_ path: String) -> Bool {
        read(path) { !$1.isSound && $1.bytes.contains { $0 != 0 } } ?? false
    }

    /// Searches a log, which may be missing, for damage; returns the number of a damaged frame,
    /// from 1; `nil`: there is none.
    static func damagedFrame(_ path: String) -> Int? {
        read(path) { $1.isSound ? damagedFrame(in: $0, behind: $1) : nil }
    }

    private static func damagedFrame(in file: CInt, behind head: Head) -> Int? {
        var check = head.check
        let isBigEndian = head.isBigEndian
        let pageByteCount = Int(word(head.bytes, 8))
        guard pageByteCount >= 512, pageByteCount <= 65536 else { return nil }
        let salts = (word(head.bytes, 16), word(head.bytes, 20))
        var frame = [UInt8](repeating: 0, count: frameHeaderByteCount + pageByteCount)
        var (number, damaged): (Int, Int?) = (0, nil)
        var isCommitBehind = false
        // Whether the frames before the damage end within a transaction.
        var isInTransaction = false
        while true {
            let offset = off_t(headerByteCount + number * frame.count)
            guard pread(file, &frame, frame.count, offset) == frame.count else { return nil }
            number += 1
            guard (word(frame, 8), word(frame, 12)) == salts else {
                // The frame is older than this log, unless valid frames follow.
                damaged = damaged ?? number
                continue
            }
            check.add(frame, 0..<8, isBigEndian: isBigEndian)
            check.add(frame, frameHeaderByteCount..<frame.count, isBigEndian: isBigEndian)
            let noted = Check(first: word(frame, 16), second: word(frame, 20))
            if check == noted {
                // This frame continues a transaction's last frame after the damage, so it is part
                // of the log.
                if isCommitBehind { return damaged }
            } else {
                // A frame right after one with a damaged header cannot continue its checksum.
                let isBehindDamage = isInTransaction && damaged.map { $0 == number - 1 } ?? false
                if isCommitBehind, isBehindDamage { return damaged }
                damaged = damaged ?? number
                isCommitBehind = false
                check = noted
            }
            let isCommit = word(frame, 4) > 0
            if damaged != nil, isCommit { isCommitBehind = true }
            if damaged == nil { isInTransaction = !isCommit }
        }
    }

    /// Returns a big-endian number of four bytes.
    private static func word(_ bytes: [UInt8], _ index: Int) -> UInt32 {
        bytes[index..<index + 4].reduce(0) { $0 << 8 | UInt32($1) }
    }
}
