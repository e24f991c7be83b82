import TestSupport
import Testing

@testable import FeedModel

/// RFC 3629 §4, against the standard library.
@Suite struct UTF8Checking {
    private static let leads: [UInt8] = [
        0x41, 0x7f, 0x80, 0xbf, 0xc0, 0xc1, 0xc2, 0xdf, 0xe0, 0xe1, 0xec, 0xed, 0xee, 0xef, 0xf0,
        0xf1, 0xf3, 0xf4, 0xf5, 0xf7, 0xf8, 0xff,
    ]
    private static let followers: [UInt8] = [
        0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xe0, 0xed, 0xf0, 0xff,
    ]

    /// Every combination of bytes at the borders of the table, in a word and in a block of 32.
    @Test(arguments: leads, [0, 30])
    func agreesOnFourBytes(lead: UInt8, padding: Int) {
        for second in Self.followers {
            for third in Self.followers {
                for fourth in [UInt8(0x7f), 0x80, 0xbf, 0xc2] {
                    expectAgreement(on: [lead, second, third, fourth], padding: padding)
                }
            }
        }
    }

    @Test(arguments: UInt64(0)..<10)
    func agreesOnRandomText(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let parts = ["a", "뉴", "한", "é", "😀", "\u{d7ff}", "\u{e000}", "\u{10ffff}", "the words"]
        for _ in 0..<100 {
            let count = Int.random(in: 1..<40, using: &generator)
            var bytes = (0..<count).flatMap { _ in
                Array((parts.randomElement(using: &generator) ?? "").utf8)
            }
            expectAgreement(on: bytes, padding: 0)
            let position = Int.random(in: bytes.indices, using: &generator)
            bytes[position] = UInt8.random(in: 0x23...0xff, using: &generator)
            if bytes[position] != UInt8(ascii: "\\") { expectAgreement(on: bytes, padding: 0) }
        }
    }

    private func expectAgreement(on bytes: [UInt8], padding: Int) {
        let string = [UInt8](repeating: 0x61, count: padding) + bytes
        let alone = [0x22] + string + [0x22]
        let rest = String(repeating: "-", count: 32) + #"","x":["éé"]}"#
        let inside = Array(#"{"é":""#.utf8) + string + Array(rest.utf8)
        // A fault is named where it is, whichever way it is found.
        let fault = alone.span.firstNotUTF8(from: 1, to: alone.count - 1)
        let same = inside.span.firstNotUTF8(from: 7, to: inside.count - 15)
        let isValid = String(validating: string, as: UTF8.self) != nil
        let agrees =
            (fault == nil) == isValid && fault.map { $0 + 6 } == same
            && String(validating: alone[1..<(fault ?? 1)], as: UTF8.self) != nil
            && ((try? JSONText(parsing: inside)) != nil) == isValid
        if !agrees { Issue.record("\(string), \(isValid), \(fault as Int?)") }
    }
}
