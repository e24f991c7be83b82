import TestSupport
import Testing

@testable import FeedModel

@Suite struct ChecksOfParts {
    @Test(arguments: 0..<10 as Range<UInt64>)
    func checksOfPartsMakeTheCheckOfTheWhole(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var whole: [UInt8] = []
        var check = CRC32Part.empty
        for _ in 0..<10 {
            let length = [0, 1, 7, 64, 300, 70_000].randomElement(using: &generator) ?? 0
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            whole += bytes
            check = check.followed(by: part(bytes))
            #expect(check == part(whole))
        }
        #expect(check.value == naiveCRC32(whole))
    }

    @Test func checksOfPartsDoNotDependOnHowTheyAreGrouped() {
        let (a, b, c) = (part([1, 2, 3]), part([]), part(Array(repeating: 9, count: 1000)))
        #expect(a.followed(by: b).followed(by: c) == a.followed(by: b.followed(by: c)))
    }

    private func part(_ bytes: [UInt8]) -> CRC32Part {
        CRC32Part(
            value: naiveCRC32(bytes),
            shift: CRC32Part.shift(byteCount: bytes.count)
        )
    }
}
