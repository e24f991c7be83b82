import TestSupport
import Testing

@testable import FeedSources

/// Numbers are compared by what they are, however they are written and however long.
@Suite struct DecimalNumbers {
    @Test(arguments: [
        [
            "-1e400", "-9007199254740993", "-9007199254740992", "-1.5", "-1e-400", "0", "1e-400",
            "1e-399",
        ],
        ["9007199254740992", "9007199254740993", "9007199254740993.5", "9007199254740994"],
        [
            "12345678901234567890", "12345678901234567891", "1e400", "1.1e400",
            "1e99999999999999999999",
        ],
        [
            "0.1", "0.10000000000000000001", "0.2", "0.99999999999999999999", "1",
            "1.00000000000000000001",
        ],
        ["1e-99999999999999999999", "1e-400", "5e-324"],
    ])
    func areInOrder(_ spellings: [String]) throws {
        let numbers = try spellings.map { try #require(DecimalNumber($0)) }
        for (place, left) in numbers.enumerated() {
            for (other, right) in numbers.enumerated() {
                #expect((left < right) == (place < other), "\(left.spelling) \(right.spelling)")
                #expect((left == right) == (place == other), "\(left.spelling) \(right.spelling)")
            }
        }
    }

    @Test(arguments: [
        ("1", "1.0"), ("1", "+1"), ("100", "1e2"), ("100", "1E+2"), ("0.5", ".5"), ("5", "5."),
        ("0", "-0"), ("0", "0e5"), ("-0.0", "0.000"), ("9007199254740993", "9007199254740.993e3"),
        ("1e400", "10e399"), ("0.001e-400", "1e-403"), ("007", "7"),
    ])
    func areTheSame(_ left: String, _ right: String) throws {
        let (left, right) = (try #require(DecimalNumber(left)), try #require(DecimalNumber(right)))
        #expect(left == right)
        #expect(!(left < right) && !(right < left))
    }

    @Test(arguments: [
        "", "nan", "inf", "0x1p4", "1e", "e5", "--1", "1.2.3", "+", ".", "1 ", "1_000",
    ])
    func areNothingElse(_ text: String) {
        #expect(DecimalNumber(text) == nil)
    }

    @Test(arguments: 0..<UInt64(20))
    func areWhatTheirDigitsSay(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        func spelling(_ value: Int) -> String {
            let shift = Int.random(in: 0...4, using: &random)
            let zeros = String(repeating: "0", count: shift)
            switch Int.random(in: 0...3, using: &random) {
            case 0: return "\(value)"
            case 1: return "\(value).\(zeros)0"
            case 2: return "\(value)\(zeros)e-\(shift)"
            default: return "\(value)\(zeros).0E-\(shift)"
            }
        }
        for _ in 0..<200 {
            let base = Int.random(in: -(1 << 62)...(1 << 62), using: &random)
            let (first, second) = (base, base &+ Int.random(in: -2...2, using: &random))
            let left = try #require(DecimalNumber(spelling(first)))
            let right = try #require(DecimalNumber(spelling(second)))
            #expect((left < right) == (first < second), "\(left.spelling) \(right.spelling)")
            #expect((left == right) == (first == second), "\(left.spelling) \(right.spelling)")
        }
    }
}
