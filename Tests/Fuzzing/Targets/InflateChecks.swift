import Gzip
import HTTPServer
import HTTPWire
import TestSupport

/// Compressed content has one outcome however it is cut, never gives more than its limit, and what
/// was compressed comes out as it went in.
enum InflateChecks {
    private enum Outcome: Equatable {
        case whole([UInt8])
        case waiting([UInt8])
        case refused(Inflater.Failure)
    }

    static func run(_ input: [UInt8]) throws(Finding) {
        try checkBytes(input)
        try checkMade(input)
    }

    /// The bytes as a client could send them.
    private static func checkBytes(_ input: [UInt8]) throws(Finding) {
        let most = 2000
        let found = try outcomeOfAll(input, limit: most)
        guard case .whole(let content) = found else { return }
        // The other decoder stops at the end of the first member.
        let first = gunzip(input)
        try require(first.map { content.starts(with: $0) } ?? false, "not \(content.text)")
        let just = try outcomeOfAll(input, limit: content.count)
        try require(just == found, "\(content.count) bytes are too large for that limit")
        guard !content.isEmpty else { return }
        let less = try outcomeOfAll(input, limit: content.count - 1)
        try require(less == .refused(.tooLarge), "\(content.count) bytes are not too large")
    }

    /// Two members made of the bytes, the first of parts, then damaged as the first bytes say.
    private static func checkMade(_ input: [UInt8]) throws(Finding) {
        guard input.count >= 4 else { return }
        let content = Array(input[4...])
        let first = made(content)
        let packed = first + ContentCoding.gzip.compress(content, level: 1 + Int(input[0] >> 4) % 9)
        let place = (Int(input[1]) << 16 | Int(input[2]) << 8 | Int(input[3])) % packed.count
        var damaged = packed
        var ends = [packed.count: content + content]
        switch input[0] & 3 {
        case 0: break
        case 1:
            damaged = Array(packed[..<place])
            ends = [first.count: content]
        case 2: damaged[place] ^= 1 << (input[0] >> 2 & 7)
        default:
            guard gunzip(input) == nil else { return }
            damaged += input
        }
        let found = try outcomeOfAll(damaged, limit: 2 * content.count)
        if case .whole(let content) = found {
            try require(ends[damaged.count] == content, "\(content.text) at \(place)")
        } else {
            let mayFail = input[0] & 3 == 2 || ends[damaged.count] == nil
            try require(mayFail, "\(found) at \(place)")
        }
    }

    /// One member, of parts that are compressed or not.
    private static func made(_ content: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        var frame = GzipFrame()
        frame.appendHeader(to: &bytes)
        for piece in content.split(separator: 0, omittingEmptySubsequences: false) {
            if piece.count % 2 != 0, let part = GzipPart(Array(piece), while: { true }) {
                bytes += part.blocks
                frame.add(part)
            } else {
                frame.store(in: &bytes) { $0 += piece }
            }
            guard piece.endIndex < content.endIndex else { break }
            frame.store(in: &bytes) { $0.append(0) }
        }
        frame.appendTrailer(to: &bytes)
        return bytes
    }

    private static func outcomeOfAll(_ input: [UInt8], limit: Int) throws(Finding) -> Outcome {
        let whole = try outcome(of: [input], limit: limit)
        for parts in input.cuttings {
            let other = try outcome(of: parts, limit: limit)
            try require(other == whole, "\(other) rather than \(whole)")
        }
        return whole
    }

    private static func outcome(of parts: [[UInt8]], limit: Int) throws(Finding) -> Outcome {
        let inflater = Inflater(byteLimit: limit)
        var output: [UInt8] = []
        do throws(Inflater.Failure) {
            for part in parts { try inflater.decode(part, into: &output) }
        } catch {
            let count = output.count
            try require(count <= limit + 1, "\(count) bytes for a limit of \(limit)")
            try require((count > limit) == (error == .tooLarge), "\(error) at \(count) bytes")
            return .refused(error)
        }
        try require(output.count <= limit, "\(output.count) bytes for a limit of \(limit)")
        return inflater.isAtEnd ? .whole(output) : .waiting(output)
    }
}
