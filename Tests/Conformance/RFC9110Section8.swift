import Gzip
import HTTPServer
import HTTPWire
import TestSupport
import Testing

/// RFC 9110 §8.4, §8.8 and §12.5.3, for files.
@Suite struct CodedFileContents {
    private static let script = String(repeating: "let answer = 42; // once more\n", count: 300)
    private static let other = String(repeating: "let answer = 43; // once more\n", count: 300)

    private static let subject = Result { () throws -> FileSubject in
        try FileSubject { folder in
            try folder.write(script, to: "page.js")
            try folder.write(script, to: "photo.png")
            try folder.write("let x = 1", to: "small.js")
            try folder.write(script, to: "packed.js", modified: 1_700_000_000)
            try folder.write(
                ContentCoding.gzip.compress(Array(script.utf8), level: 1),
                to: "packed.js.gz"
            )
            try folder.write(script, to: "newer.js", modified: 1_700_000_001)
            try folder.write(ContentCoding.gzip.compress(Array(other.utf8)), to: "newer.js.gz")
            try folder.write(ContentCoding.gzip.compress(Array(other.utf8)), to: "alone.js.gz")
            var random = SeededGenerator(seed: 3)
            let noise = (0..<5000).map { _ in UInt8.random(in: 0...255, using: &random) }
            try folder.write(noise, to: "noise.txt")
        }
    }

    private func answer(
        _ target: String,
        _ coding: String?,
        _ fields: [String] = [],
        _ method: String = "GET"
    ) throws -> RawResponse {
        let coding = coding.map { ["Accept-Encoding: \($0)"] } ?? []
        return try Self.subject.get().answer(target, coding + fields, method)
    }

    private func decoded(_ answer: RawResponse) throws -> String {
        let isCoded = answer["content-encoding"] == "gzip"
        let bytes = isCoded ? try #require(gunzip(answer.body)) : answer.body
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: ["/page.js", "/packed.js", "/newer.js"])
    func theCodingIsChosenByTheClient(_ target: String) throws {
        var tags: Set<String> = []
        for (accepted, coding) in [
            (nil, nil), ("", nil), ("gzip", "gzip"), ("deflate", nil), ("br", nil),
            ("gzip;q=0.5, deflate", "gzip"), ("*", "gzip"), ("gzip;q=0, *", nil),
            ("gzip;q=0.1, identity", nil), ("*;q=0", nil), ("identity;q=0, gzip;q=0.1", "gzip"),
        ] {
            let answer = try answer(target, accepted)
            #expect(answer.status == 200)
            #expect(answer["content-encoding"] == coding, "\(accepted ?? "none")")
            #expect(answer["vary"] == "Accept-Encoding")
            #expect(answer["content-type"] == "text/javascript; charset=utf-8")
            #expect(try decoded(answer) == Self.script)
            #expect((answer.body.count < Self.script.utf8.count) == (coding != nil))
            tags.insert(try #require(answer["etag"]))
            let head = try self.answer(target, accepted, [], "HEAD")
            #expect(head.status == 200)
            for name in ["content-encoding", "etag", "vary", "content-length", "accept-ranges"] {
                #expect(head[name] == answer[name], "\(name)")
            }
        }
        #expect(tags.count == 2, "each representation has a tag of its own")
        #expect(tags.allSatisfy { $0.hasPrefix("\"") }, "strong ones")
    }

    @Test(arguments: ["/small.js", "/photo.png", "/noise.txt"])
    func theCodingIsNoneWhereItGainsNothing(_ target: String) throws {
        let plain = try answer(target, nil)
        let answer = try answer(target, "gzip, deflate")
        #expect(answer["content-encoding"] == nil)
        #expect(answer.body == plain.body)
        #expect(answer["etag"] == plain["etag"])
        #expect((answer["vary"] == nil) == (target == "/photo.png"))
    }

    @Test(arguments: ["/small.js", "/noise.txt"])
    func theCodingIsForcedWhereNothingElseWillDo(_ target: String) throws {
        let answer = try answer(target, "gzip, identity;q=0")
        #expect(answer["content-encoding"] == "gzip")
        #expect(answer["etag"]?.hasSuffix("-gzip\"") == true)
        #expect(gunzip(answer.body) == (try self.answer(target, nil).body))
    }

    /// What lies beside a file is sent as it lies there, if it is no older.
    @Test func takesWhatIsCompressedAlready() throws {
        let packed = try answer("/packed.js", "gzip")
        #expect(packed.body == ContentCoding.gzip.compress(Array(Self.script.utf8), level: 1))
        #expect(packed["accept-ranges"] == "bytes")
        let part = try answer("/packed.js", "gzip", ["Range: bytes=0-1"])
        #expect(part.status == 206)
        #expect(part.body == [0x1f, 0x8b])
        #expect(part["content-encoding"] == "gzip")
        #expect(part["etag"] == packed["etag"])
        let newer = try answer("/newer.js", "gzip")
        #expect(try decoded(newer) == Self.script)
    }

    @Test func leavesArchivesAsTheyAre() throws {
        let archive = try answer("/packed.js.gz", "gzip")
        #expect(archive["content-type"] == "application/gzip")
        #expect(archive["content-encoding"] == nil)
        #expect(archive["vary"] == nil)
        #expect(gunzip(archive.body) == Array(Self.script.utf8))
        #expect(try answer("/alone.js", "gzip").status == 404)
    }

    /// §14.2: parts are sent of what lies on the disk, not of what is coded just now.
    @Test func leavesPartsAsTheyAre() throws {
        let coded = try answer("/page.js", "gzip")
        #expect(coded["accept-ranges"] == "none")
        let tag = try #require(coded["etag"])
        let part = try answer("/page.js", "gzip", ["Range: bytes=0-9"])
        #expect(part.status == 206)
        #expect(part["content-encoding"] == nil)
        #expect(part.text == "let answer")
        #expect(part["vary"] == "Accept-Encoding")
        let again = try answer("/page.js", "gzip", ["Range: bytes=0-9", "If-Range: \(tag)"])
        #expect(again.status == 200)
        #expect(again.body == coded.body)
        let forced = try answer("/page.js", "gzip, *;q=0", ["Range: bytes=0-9"])
        #expect(forced.status == 200)
        #expect(forced["content-encoding"] == "gzip")
    }

    @Test(arguments: ["/page.js", "/packed.js"], [nil, "gzip"])
    func theCodingIsPartOfTheTag(_ target: String, _ coding: String?) throws {
        let answer = try answer(target, coding)
        let tag = try #require(answer["etag"])
        let same = try self.answer(target, coding, ["If-None-Match: \(tag)"])
        #expect(same.status == 304)
        #expect(same["etag"] == tag)
        #expect(same["vary"] == "Accept-Encoding")
        #expect(same["cache-control"] == answer["cache-control"])
        #expect(same["content-encoding"] == nil)
        let match = try self.answer(target, coding, ["If-Match: \(tag)"])
        #expect(match.status == 200)
        let other = try self.answer(target, coding == nil ? "gzip" : nil, ["If-Match: \(tag)"])
        #expect(other.status == 412)
    }

    /// §8.8.1: another content, another tag, be it of the same length at the same time.
    @Test func changesTheTagWithTheContent() throws {
        let subject = try FileSubject { try $0.write(Self.script, to: "a.js") }
        for coding in ["identity", "gzip"] {
            try subject.folder.write(Self.script, to: "a.js")
            let old = try subject.answer("/a.js", ["Accept-Encoding: \(coding)"])
            let tag = try #require(old["etag"])
            try subject.folder.write(Self.other, to: "a.js")
            let fields = ["Accept-Encoding: \(coding)", "If-None-Match: \(tag)"]
            let new = try subject.answer("/a.js", fields)
            #expect(new.status == 200)
            #expect(new["last-modified"] == old["last-modified"])
            #expect(try decoded(new) == Self.other)
        }
    }
}
