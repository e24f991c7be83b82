import CZlib
import HTTPClient
import HTTPTypes
import TestSupport
import Testing

@testable import FeedSources

/// What servers say of the coding of a body, and what it is (RFC 9110 §8.4).
@Suite struct ContentCodings {
    private let servers = RawServers()
    private static let document = Array(rss([1, 2, 3]).utf8)

    /// Bytes in a format that zlib writes: 15 window bits are zlib's own, -15 bare deflate, 31
    /// gzip.
    private static func compressed(_ bytes: [UInt8], _ windowBits: CInt) -> [UInt8] {
        let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
        stream.initialize(to: z_stream())
        defer { stream.deallocate() }
        #expect(freshet_deflateInit(stream, 6, windowBits, 8) == Z_OK)
        var (input, output) = (bytes, [UInt8](repeating: 0, count: bytes.count + 1000))
        let count = output.count
        input.withUnsafeMutableBufferPointer { source in
            output.withUnsafeMutableBufferPointer { target in
                stream.pointee.next_in = source.baseAddress
                stream.pointee.avail_in = UInt32(source.count)
                stream.pointee.next_out = target.baseAddress
                stream.pointee.avail_out = UInt32(target.count)
                #expect(deflate(stream, Z_FINISH) == Z_STREAM_END)
            }
        }
        output.removeLast(Int(stream.pointee.avail_out))
        #expect(output.count <= count)
        deflateEnd(stream)
        return output
    }

    private static func content(
        _ body: [UInt8],
        _ codings: [String],
        limit: Int = 1 << 20
    ) throws(HTTPClientError) -> [UInt8] {
        var head = HTTPClient.Response.Head()
        for coding in codings {
            head.fields.append(HTTPField(name: .contentEncoding, value: coding))
        }
        return try ContentCoding.content(
            of: HTTPClient.Response(head: head, body: body),
            limit: limit
        )
    }

    private static let gzip = compressed(document, 31)
    private static let halves =
        compressed(Array(document[..<40]), 31)
        + compressed(Array(document[40...]), 31)
    private static let bodies: [(String, [UInt8], [String])] = [
        ("plain", document, []), ("no coding", document, ["utf-8"]),
        ("a transport's", document, ["aws-chunked"]), ("identity", document, ["identity, "]),
        ("gzip", gzip, ["gzip"]), ("in capitals", gzip, ["X-GZIP"]),
        ("beside what is none", gzip, ["gzip, aws-chunked"]),
        ("in two fields", gzip, ["gzip", "UTF-8"]),
        ("without a name", gzip, []), ("with another name", gzip, ["deflate"]),
        ("only said", document, ["gzip"]), ("several members", halves, ["gzip"]),
        ("zeros behind it", gzip + [0, 0, 0, 0], ["gzip"]),
        ("text behind it", gzip + Array("<!-- 3 ms -->".utf8), ["gzip"]),
        ("half a member behind it", gzip + gzip.prefix(30), ["gzip"]),
        ("twice", compressed(gzip, 31), ["gzip, gzip"]),
        ("twice, said once", compressed(gzip, 31), ["gzip"]),
        ("deflate", compressed(document, 15), ["deflate"]),
        ("bare deflate", compressed(document, -15), ["deflate"]),
        ("text behind it", compressed(document, 15) + Array("<!-- 3 ms -->".utf8), ["deflate"]),
        ("more behind it", compressed(document, 15) + compressed(document, 15), ["deflate"]),
        ("only said to be deflate", document, ["deflate"]),
    ]

    @Test(arguments: bodies.indices)
    func areUndone(_ index: Int) throws {
        let (name, body, codings) = Self.bodies[index]
        #expect(try Self.content(body, codings) == Self.document, "\(name)")
    }

    @Test(arguments: bodies.indices)
    func areUndoneByAFetch(_ index: Int) async throws {
        let (name, body, codings) = Self.bodies[index]
        let server = servers.serving { head, connection in
            #expect(head.contains("\r\nAccept-Encoding: gzip, deflate\r\n"))
            return connection.answer("200 OK", codings.map { "Content-Encoding: \($0)" }, body)
        }
        let feeds = try SourcedFeeds([source(server.url)])
        #expect(try await feeds.failure() == nil, "\(name)")
        #expect(try feeds.ids() == ["n1", "n2", "n3"], "\(name)")
    }

    @Test func whatIsCutOffIsNothing() {
        for end in 3..<Self.gzip.count {
            #expect(throws: HTTPClientError.broken("its gzip is cut off")) {
                try Self.content(Array(Self.gzip[..<end]), ["gzip"])
            }
        }
    }

    @Test func whatIsDamagedIsNothingOrTheDocument() {
        var draw = SeededGenerator(seed: 1952)
        for _ in 0..<2000 {
            var body = Self.halves
            for _ in 0..<Int.random(in: 1...3, using: &draw) {
                body[Int.random(in: 0..<body.count, using: &draw)] = .random(
                    in: 0...255,
                    using: &draw
                )
            }
            _ = try? Self.content(body, ["gzip"])
            _ = try? Self.content(Array(body.dropFirst(10)), ["deflate"])
        }
        var body = Self.gzip
        body[body.count / 2] ^= 0x55
        #expect(throws: HTTPClientError.self) { try Self.content(body, ["gzip"]) }
    }

    @Test func nothingIsLongerThanItsLimit() throws {
        let long = [UInt8](repeating: 0x20, count: 1 << 20)
        for (body, coding) in [
            (Self.compressed(long, 31), "gzip"), (Self.compressed(long, 15), "deflate"),
            (Self.compressed(Array(long[1...]), 31) + Self.compressed([0x20], 31), "gzip"),
        ] {
            #expect(try Self.content(body, [coding]) == long)
            #expect(throws: HTTPClientError.bodyTooLarge(limit: (1 << 20) - 1)) {
                try Self.content(body, [coding], limit: (1 << 20) - 1)
            }
        }
    }

    @Test func manyMembersCostNoMoreThanTheirBytes() throws {
        let member = Self.compressed([0x61], 31)
        let body = Array(repeatElement(member, count: 100_000).joined())
        #expect(try Self.content(body, ["gzip"]).count == 100_000)
    }

    @Test(arguments: ["br", "zstd", "gzip, br", "compress"])
    func whatWasNotAskedForIsSaid(_ coding: String) {
        #expect(throws: HTTPClientError.self) { try Self.content(Self.document, [coding]) }
    }
}
