import Foundation
import TestSupport
import Testing

/// RFC 9110 §14 and §15.3.7: parts of files.
@Suite struct RangeRequests {
    private static let digits = Array(String(repeating: "0123456789", count: 10).utf8)
    /// Past what 32 bits count.
    private static let hugeByteCount = 5 << 30

    private static let subject = Result { () throws -> FileSubject in
        try FileSubject { folder in
            try folder.write(digits, to: "digits.bin")
            try folder.write([], to: "empty.bin")
            try folder.write([UInt8](repeating: 0x61, count: 200_000), to: "long.bin")
            try folder.write("", to: "huge.bin")
            let huge = try #require(FileHandle(forWritingAtPath: folder.path("huge.bin")))
            try huge.truncate(atOffset: UInt64(hugeByteCount - 5))
            try huge.seekToEnd()
            try huge.write(contentsOf: Data("hello".utf8))
            try huge.close()
            try folder.settle("huge.bin")
        }
    }

    private func answer(
        _ target: String,
        _ fields: [String],
        _ method: String = "GET"
    ) throws -> RawResponse {
        try Self.subject.get().answer(target, fields, method)
    }

    @Test(arguments: [
        ("0-0", 0..<1), ("0-9", 0..<10), ("95-", 95..<100), ("-5", 95..<100), ("0-", 0..<100),
        ("90-1000", 90..<100), ("-1000", 0..<100), ("0-9,5-19", 0..<20), ("0-0,200-", 0..<1),
        ("99-18446744073709551616", 99..<100),
    ])
    func rangeRequestsGiveOnePart(_ range: String, _ part: Range<Int>) throws {
        let whole = try answer("/digits.bin", [])
        #expect(whole["accept-ranges"] == "bytes")
        let answer = try answer("/digits.bin", ["Range: bytes=\(range)"])
        #expect(answer.status == 206)
        #expect(answer.body == Array(Self.digits[part]))
        #expect(answer["content-length"] == String(part.count))
        #expect(answer["content-range"] == "bytes \(part.lowerBound)-\(part.upperBound - 1)/100")
        for name in ["etag", "last-modified", "cache-control", "content-type"] {
            #expect(answer[name] != nil)
            #expect(answer[name] == whole[name])
        }
    }

    @Test(arguments: [
        ("0-1,10-11", [0..<2, 10..<12]), ("90-,0-4", [90..<100, 0..<5]),
        ("0-0,2-2,4-4,1-1", [0..<3, 4..<5]), ("-1,0-0", [99..<100, 0..<1]),
    ])
    func rangeRequestsGiveSeveralParts(_ ranges: String, _ parts: [Range<Int>]) throws {
        let answer = try answer("/digits.bin", ["Range: bytes=\(ranges)"])
        #expect(answer.status == 206)
        #expect(answer["content-range"] == nil)
        let type = try #require(answer["content-type"])
        let prefix = "multipart/byteranges; boundary="
        #expect(type.hasPrefix(prefix))
        let boundary = type.dropFirst(prefix.count)
        var expected = ""
        for part in parts {
            expected += "\r\n--\(boundary)\r\nContent-Type: application/octet-stream\r\n"
            expected += "Content-Range: bytes \(part.lowerBound)-\(part.upperBound - 1)/100"
            expected += "\r\n\r\n" + String(decoding: Self.digits[part], as: UTF8.self)
        }
        expected += "\r\n--\(boundary)--\r\n"
        #expect(answer.text == expected.trimmingPrefix("\r\n"))
        #expect(answer["content-length"] == String(answer.body.count))
    }

    /// So many ranges of a byte.
    private static func manyRanges(_ count: Int) -> String {
        "bytes=" + (0..<count).map { "\($0 * 2)-\($0 * 2)" }.joined(separator: ",")
    }

    @Test func rangeRequestsGiveAsManyPartsAsAreTaken() throws {
        let answer = try answer("/digits.bin", ["Range: \(Self.manyRanges(16))"])
        #expect(answer.status == 206)
        #expect(answer.text.split(separator: "Content-Range: ").count == 17)
    }

    @Test func rangeRequestsSendLongPartsToo() throws {
        let answer = try answer("/long.bin", ["Range: bytes=0-99998,100000-199999"])
        #expect(answer.status == 206)
        #expect(answer.body.count { $0 == 0x61 } >= 199_999)
        #expect(answer["content-length"] == String(answer.body.count))
    }

    @Test(arguments: ["100-", "-0", "200-300", "100-,-0", "99999999999999999999-"])
    func rangeRequestsAreRefusedOutside(_ range: String) throws {
        let answer = try answer("/digits.bin", ["Range: bytes=\(range)"])
        #expect(answer.status == 416)
        #expect(answer["content-range"] == "bytes */100")
    }

    @Test(arguments: [
        "bytes=5-1", "bytes=a-b", "lines=0-1", "bytes=", "x", "bytes=0-1,x",
        manyRanges(17), manyRanges(1000),
    ])
    func rangeRequestsAreIgnored(_ value: String) throws {
        let answer = try answer("/digits.bin", ["Range: \(value)"])
        #expect(answer.status == 200)
        #expect(answer.body == Self.digits)
    }

    @Test func rangeRequestsCountForGetAlone() throws {
        for range in ["0-9", "200-"] {
            let answer = try answer("/digits.bin", ["Range: bytes=\(range)"], "HEAD")
            #expect(answer.status == 200)
            #expect(answer["content-length"] == "100")
            #expect(answer["accept-ranges"] == "bytes")
        }
    }

    @Test func anEmptyFileHasNoRanges() throws {
        let last = try answer("/empty.bin", ["Range: bytes=-5"])
        #expect(last.status == 200)
        #expect(last["content-length"] == "0")
        let first = try answer("/empty.bin", ["Range: bytes=0-0"])
        #expect(first.status == 416)
        #expect(first["content-range"] == "bytes */0")
    }

    @Test func aFileThatIsHugeHasRanges() throws {
        let whole = try answer("/huge.bin", [], "HEAD")
        #expect(whole["content-length"] == String(Self.hugeByteCount))
        let last = try answer("/huge.bin", ["Range: bytes=-5"])
        #expect(last.status == 206)
        #expect(last.text == "hello")
        let end = Self.hugeByteCount - 1
        #expect(last["content-range"] == "bytes \(end - 4)-\(end)/\(end + 1)")
        let long = try answer("/huge.bin", ["Range: bytes=\(end - 99_999)-"])
        #expect(long.body.count == 100_000)
        #expect(long.body.suffix(5) == Array("hello".utf8)[...])
    }

    /// §13.1.5 and §13.2.2.
    @Test(arguments: [
        ("If-Range: TAG", 206), ("If-Range: W/TAG", 200), ("If-Range: \"x\"", 200),
        ("If-Range: DATE", 206), ("If-Range: Sun, 06 Nov 1994 08:49:37 GMT", 200),
        ("If-Range: Fri, 01 Jan 2100 00:00:00 GMT", 200), ("If-Range: TAG, TAG", 200),
        ("If-None-Match: TAG", 304), ("If-None-Match: \"x\"", 206), ("If-Match: TAG", 206),
        ("If-Match: \"x\"", 412), ("If-Modified-Since: DATE", 304),
        ("If-Unmodified-Since: DATE", 206),
        ("If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 412),
    ])
    func rangeRequestsAreSentUnderConditions(_ field: String, _ status: Int) throws {
        let inside = try answer("/digits.bin", ["Range: bytes=0-9", field])
        #expect(inside.status == status)
        #expect(inside["content-range"] == (status == 206 ? "bytes 0-9/100" : nil))
        // A range outside is looked at only where ranges count.
        let outside = try answer("/digits.bin", ["Range: bytes=100-", field])
        #expect(outside.status == (status == 206 ? 416 : status))
    }

    @Test func rangeRequestsGoOnAfterAnInterruption() throws {
        let subject = try Self.subject.get()
        let first = try answer("/long.bin", ["Range: bytes=0-77776"])
        let tag = try #require(first["etag"])
        let rest = try subject.answer("/long.bin", ["Range: bytes=77777-", "If-Range: \(tag)"])
        #expect(rest.status == 206)
        #expect((first.body + rest.body).count == 200_000)
    }
}
