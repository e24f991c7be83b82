import TestSupport
import Testing

@testable import FeedModel

@Suite struct OrderCheck {
    @Test(arguments: [
        ("", 0), ("a", 0xe8b7_be43), ("123456789", 0xcbf4_3926),
        ("The quick brown fox jumps over the lazy dog", 0x414f_a339),
    ])
    func theCheckIsTheCRCOfZlib(_ text: String, _ expected: UInt32) {
        var check = CRC32()
        check.update(text.utf8.span)
        #expect(check.value == expected)
    }

    @Test func doesNotDependOnHowBytesArrive() {
        let bytes = Array("0123456789abcdefghijklmnopqrstuvwxyz\u{0}\u{7f}é가👩‍👩‍👧".utf8)
        for way in cuts(of: bytes) {
            var check = CRC32()
            for piece in way { check.update(piece.span) }
            #expect(check.value == naiveCRC32(bytes))
        }
        var check = CRC32()
        for byte in bytes { check.update(byte) }
        #expect(check.value == naiveCRC32(bytes))
    }

    @Test func theCheckIsOverTheLinesOfTheProtocol() throws {
        let feed = try feed(["today": ["a1", "a2"], "é": [], "z": ["가"]])
        #expect(feed.order == naiveCRC32("#today\n a1\n a2\n#é\n#z\n 가\n".utf8))
        #expect(Snapshot().order == 0)
    }

    @Test func tellsWhichSectionAnItemIsIn() throws {
        let one = try feed(["s": ["a"], "t": []])
        let other = try feed(["s": [], "t": ["a"]])
        #expect(one.order != other.order)
    }

    private func feed(_ sections: KeyValuePairs<ExactString, [String]>) throws -> Snapshot {
        let list = try sections.map { id, items in
            let items = try items.map { try FeedItem(parsing: Array("{\"id\":\"\($0)\"}".utf8)) }
            return FeedSection(id: id, items: items)
        }
        return Snapshot(sections: list)
    }
}
