import HTTPWire
import TestSupport
import Testing

/// RFC 9110 §14.1.2 and §14.2.
@Suite struct Ranges {
    @Test(arguments: [
        "", "bytes", "bytes=", "bytes=,", "bytes= ", "bytes=-", "bytes=1", "bytes=a-", "bytes=1-b",
        "bytes=5-4", "bytes=0-1,5-4", "bytes=1--2", "bytes=--2", "bytes=1-2-3", "bytes=+1-2",
        "bytes= 1 - 2", "bytes =0-1", "bytes:0-1", "items=0-1", "byte=0-1", "bytes=0x1-2",
        "bytes=0-1, bytes=2-3", "bytes=0-1;2-3", "bytes=\"0-1\"", "=0-1", "bytes=0-1 2-3",
        "bytes=0-,0-,0-,0-,0-,0-,0-,0-,0-,0-,0-,0-,0-,0-,0-,0-,0-",
    ])
    func rangesAreIgnored(_ value: String) {
        #expect(ByteRanges(value) == nil)
    }

    /// Of a content of 100 bytes.
    @Test(arguments: [
        ("bytes=0-0", [0..<1]), ("bytes=0-", [0..<100]), ("bytes=99-", [99..<100]),
        ("bytes=10-19", [10..<20]), ("bytes=90-1000", [90..<100]), ("bytes=-1", [99..<100]),
        ("bytes=-100", [0..<100]), ("bytes=-1000", [0..<100]), ("BYTES=0-1", [0..<2]),
        ("bytes=007-008", [7..<9]), ("bytes= 0-1 ,\t,4-5 ", [0..<2, 4..<6]),
        ("bytes=0-99999999999999999999999", [0..<100]),
        ("bytes=-99999999999999999999999", [0..<100]),
        ("bytes=0-9223372036854775807", [0..<100]), ("bytes=5-9223372036854775806", [5..<100]),
        // In the order asked for, without those outside.
        ("bytes=50-59,10-19", [50..<60, 10..<20]), ("bytes=200-,10-19,-0", [10..<20]),
        // What overlaps or touches is one.
        ("bytes=0-9,10-19", [0..<20]), ("bytes=0-9,5-14", [0..<15]), ("bytes=10-19,0-9", [0..<20]),
        ("bytes=0-1,50-51,4-5,2-3", [0..<6, 50..<52]), ("bytes=0-,0-,0-,0-,-5", [0..<100]),
        ("bytes=70-79,0-9,50-59,5-74", [0..<80]), ("bytes=0-0,2-2,1-1", [0..<3]),
        ("bytes=-10,0-9", [90..<100, 0..<10]),
    ])
    func rangesArePartsOfTheContent(_ value: String, _ parts: [Range<Int>]) throws {
        #expect(try #require(ByteRanges(value)).outcome(length: 100) == .parts(parts))
    }

    @Test(arguments: [
        "bytes=100-", "bytes=100-200", "bytes=-0", "bytes=99999999999999999999999-",
        "bytes=9223372036854775807-", "bytes=9223372036854775807-9223372036854775807",
        "bytes=200-,300-,-0",
    ])
    func outsideAreNotSatisfied(_ value: String) throws {
        #expect(try #require(ByteRanges(value)).outcome(length: 100) == .unsatisfiable)
    }

    /// The end of nothing is all of it, and cannot be written as a range.
    @Test(arguments: [
        ("bytes=-5", ByteRanges.Outcome.whole), ("bytes=0-", .unsatisfiable),
        ("bytes=0-0", .unsatisfiable), ("bytes=-0", .unsatisfiable), ("bytes=0-,-1", .whole),
    ])
    func nothingHasNoRanges(_ value: String, _ outcome: ByteRanges.Outcome) throws {
        #expect(try #require(ByteRanges(value)).outcome(length: 0) == outcome)
    }

    @Test func theLargestContentHasRanges() throws {
        let ranges = try #require(ByteRanges("bytes=0-9223372036854775807"))
        #expect(ranges.outcome(length: .max) == .parts([0..<Int.max]))
        let last = try #require(ByteRanges("bytes=9223372036854775806-"))
        #expect(last.outcome(length: .max) == .parts([(Int.max - 1)..<Int.max]))
    }

    @Test func rangesCutAnywhereAreReadOrIgnored() {
        let value = "bytes=10-19, 30-,-5"
        for end in 0...value.utf8.count {
            let ranges = ByteRanges(String(value.prefix(end)))
            if case .parts(let parts) = ranges?.outcome(length: 100) {
                #expect(parts.allSatisfy { !$0.isEmpty && $0.upperBound <= 100 })
            }
        }
    }

    /// Against a set of the bytes that are asked for.
    @Test func rangesCoverWhatIsAskedForAndNothingElse() throws {
        var random = SeededGenerator(seed: 14)
        for _ in 0..<3000 {
            let length = Int.random(in: 0...40, using: &random)
            var wanted: Set<Int> = []
            let specs = (0..<Int.random(in: 1...16, using: &random)).map { _ in
                let first = Int.random(in: 0...50, using: &random)
                let last = Int.random(in: first...60, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0:
                    wanted.formUnion((0..<length).suffix(first))
                    return "-\(first)"
                case 1:
                    wanted.formUnion((0..<length).dropFirst(first))
                    return "\(first)-"
                default:
                    wanted.formUnion((0..<length).prefix(last + 1).dropFirst(first))
                    return "\(first)-\(last)"
                }
            }
            let value = "bytes=" + specs.joined(separator: ",")
            guard case .parts(let parts) = try #require(ByteRanges(value)).outcome(length: length)
            else {
                #expect(wanted.isEmpty, "\(value) of \(length)")
                continue
            }
            #expect(Set(parts.joined()) == wanted, "\(value) of \(length)")
            let sorted = parts.sorted { $0.lowerBound < $1.lowerBound }
            for (part, next) in zip(sorted, sorted.dropFirst()) {
                #expect(part.upperBound < next.lowerBound, "\(value) of \(length)")
            }
        }
    }
}
