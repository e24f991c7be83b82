import Gzip
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// Streams that are put together from parts that were compressed before, and from what was not.
@Suite struct GzipFrames {
    @Test(arguments: 0..<UInt64(20))
    func holdTheirPartsInOrder(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var frame = GzipFrame()
        var (stream, content): ([UInt8], [UInt8]) = ([], [])
        frame.appendHeader(to: &stream)
        for _ in 0..<Int.random(in: 0...8, using: &random) {
            let isStored = Bool.random(using: &random)
            let limit =
                [0, 1, 30, 5_000, isStored ? 200_000 : 300_000, 0xffff, 0x1_0000]
                .randomElement(using: &random) ?? 0
            let count = Int.random(in: 0...limit, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...9, using: &random) }
            content += bytes
            if isStored {
                frame.store(in: &stream) { $0 += bytes }
            } else {
                let part = try #require(GzipPart(bytes, while: { true }))
                #expect(part.content == bytes)
                frame.add(part)
                stream += part.blocks
            }
        }
        frame.appendTrailer(to: &stream)
        #expect(gunzip(stream) == content)
    }

    /// Comments of event streams are coded by hand; each is whole lines that begin with a colon.
    @Test(arguments: 0..<UInt64(20))
    func haveCommentsAmongTheirParts(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        var frame = GzipFrame()
        var (stream, content): ([UInt8], [UInt8]) = ([], [])
        frame.appendHeader(to: &stream)
        for _ in 0..<Int.random(in: 1...12, using: &random) {
            let start = stream.count
            switch Int.random(in: 0...3, using: &random) {
            case 0:
                let part = try #require(GzipPart(Array("data: é\n\n".utf8), while: { true }))
                frame.add(part)
                stream += part.blocks
                content += part.content
            case 1:
                frame.store(in: &stream) { $0 += Array("id: 1\n\n".utf8) }
                content += Array("id: 1\n\n".utf8)
            default:
                frame.appendComment(to: &stream)
                #expect(stream.count - start == 6)
                for _ in 0..<8 { content += Array(":.\n".utf8) }
            }
        }
        frame.appendTrailer(to: &stream)
        #expect(gunzip(stream) == content)
    }

    @Test(arguments: [0, 1, 511, 512, 513, 5000, 100_000])
    func wholeContentsAreCodedToo(_ byteCount: Int) {
        let bytes = (0..<byteCount).map { UInt8($0 % 251) }
        let coded = ContentCoding.gzip.compress(bytes)
        #expect(gunzip(coded) == bytes)
        #expect(coded.capacity < coded.count + 64, "no room is kept")
    }

    @Test func makeNothingOfWhatIsGivenUp() {
        #expect(GzipPart(Array(repeating: 1, count: 1 << 20), while: { false }) == nil)
    }
}
