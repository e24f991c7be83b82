import COpenSSL
import Glibc
import HTTPTypes
import Platform
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

@Suite struct SecureBytes {
    private static let putHead = "PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: "

    @Test(arguments: TLSPeer.versions)
    func aRequestInAnyTwoRecordsIsAnsweredTheSame(_ version: CInt) async throws {
        try await withSecureServer(echo) { server in
            let client = try RawClient(port: server.port, tls: .init(version: version))
            let request = Array("\(SecureBytes.putHead)20\r\n\r\n".utf8) + Array(1...20)
            for parts in cuts(of: request) {
                for part in parts { try client.send(part) }
                #expect(try client.receive().text == "20 210")
            }
        }
    }

    @Test func recordsOfAByteArriveHoweverTheyAreSent() async throws {
        try await withSecureServer(echo) { server in
            let client = try RawClient(port: server.port, tls: .init())
            let tls = try #require(client.tls)
            let request = Array("\(SecureBytes.putHead)20\r\n\r\n".utf8) + Array(1...20)
            // All of ten requests at once: more of them wait in OpenSSL than are read at a time.
            for _ in 0..<10 { for byte in request { try tls.write([byte]) } }
            try client.sendOutput(of: tls)
            for _ in 0..<10 { #expect(try client.receive().text == "20 210") }
            for byte in request { try tls.write([byte]) }
            for byte in tls.takeOutput() { try client.sendBare([byte]) }
            #expect(try client.receive().text == "20 210")
        }
    }

    @Test func pipelinedRequestsAreAnsweredInOrder() async throws {
        try await withSecureServer { request in
            guard request.path.hasSuffix("0") else { return .response(.text(request.path)) }
            return .later { responder in
                let path = request.path
                later { responder(.text(path)) }
            }
        } _: { server in
            let client = try RawClient(port: server.port, tls: .init())
            let paths = (0..<3000).map { "/\($0)" }
            try client.send(paths.map { "GET \($0) HTTP/1.1\r\nHost: a\r\n\r\n" }.joined())
            for path in paths { #expect(try client.receive().text == path) }
        }
    }

    @Test(arguments: TLSPeer.versions)
    func largeBodiesArriveWhole(_ version: CInt) async throws {
        let count = 3 << 20
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        let sum = content.reduce(0) { $0 + Int($1) }
        try await withSecureServer { request in
            request.head.hasBody
                ? echo(request) : .response(Response(status: .ok, body: .bytes(content)))
        } _: { server in
            let client = try RawClient(
                port: server.port,
                receiveByteCount: 4096,
                tls: .init(version: version)
            )
            for _ in 0..<2 {
                try client.send(Array("\(SecureBytes.putHead)\(count)\r\n\r\n".utf8) + content)
                #expect(try client.receive().text == "\(count) \(sum)")
                #expect(try client.fetch("/").body == content)
            }
        }
    }

    /// Around the size of a record and of what is copied, and past a turn's bytes.
    @Test(arguments: [0, 1, 16_000, 16_100, 16_383, 16_384, 16_385, 65_536, 262_144, 600_001])
    func answersOfEverySizeArriveWhole(_ count: Int) async throws {
        let content = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 17 >> 2) }
        try await withSecureServer { _ in
            .response(Response(status: .ok, body: .bytes(content)))
        } _: { server in
            let client = try RawClient(port: server.port, receiveByteCount: 4096, tls: .init())
            let request = "GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            try client.send(String(repeating: request, count: 5))
            for _ in 0..<5 { #expect(try client.receive().body == content) }
        }
    }

    @Test func filesArriveWhole() async throws {
        let folder = TestCertificate.rsa.folder
        let content = (0..<1_234_567).map { UInt8(truncatingIfNeeded: $0 &* 13 >> 4) }
        let opened = open("\(folder)/large", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        #expect(
            content.withUnsafeBytes { write(opened, $0.baseAddress, $0.count) } == content.count
        )
        var status = stat()
        fstat(opened, &status)
        let file = OpenFile(Descriptor(owning: opened), status: status, now: timespec())
        try await withSecureServer { request in
            let range = request.path == "/part" ? 1000..<200_000 : 0..<content.count
            return .response(Response(status: .ok, body: .file(file, range)))
        } _: { server in
            let client = try RawClient(port: server.port, receiveByteCount: 4096, tls: .init())
            #expect(try client.fetch("/").body == content)
            #expect(try client.fetch("/part").body == Array(content[1000..<200_000]))
        }
    }

    @Test func partsOfAStreamArrive() async throws {
        let stream = CountingStream(parts: 300, byteCount: 5000)
        try await withSecureServer { _ in
            .response(Response(status: .ok, body: .stream(stream)))
        } _: { server in
            let client = try RawClient(port: server.port, receiveByteCount: 4096, tls: .init())
            try client.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            later { stream.end() }
            #expect(try client.receive().body.count == 1_500_000)
        }
    }

    @Test func aBodyThatIsCutShortReachesNobody() async throws {
        let bodies = Mutex(0)
        try await withSecureServer { _ in
            .wholeBody(
                limit: 100,
                refuse: { _ in .text("refused") },
                then: { _, responder in
                    bodies.withLock { $0 += 1 }
                    responder(.text("taken"))
                }
            )
        } _: { server in
            for hasCloseNotify in [false, true] {
                let client = try RawClient(port: server.port, tls: .init())
                try client.send("\(SecureBytes.putHead)20\r\n\r\n12345")
                if hasCloseNotify, let tls = client.tls {
                    tls.sendCloseNotify()
                    try client.sendOutput(of: tls)
                }
                client.endSending()
                #expect(try client.isEnded())
            }
            #expect(bodies.withLock { $0 } == 0)
        }
    }

    @Test(arguments: TLSPeer.versions)
    func aClientThatLeavesInTheMiddleDisturbsNobody(_ version: CInt) async throws {
        let content = [UInt8](repeating: 5, count: 4 << 20)
        try await withSecureServer(loops: 1) { request in
            .response(
                request.path == "/large"
                    ? Response(status: .ok, body: .bytes(content)) : .text(request.path)
            )
        } _: { server in
            let other = try RawClient(port: server.port, tls: .init(version: version))
            for count in 0..<10 {
                let client = try RawClient(port: server.port, tls: .init(version: version))
                try client.send("GET /large HTTP/1.1\r\nHost: a\r\n\r\n")
                _ = try client.read(100)
                client.reset()
                #expect(try other.fetch("/\(count)").text == "/\(count)")
            }
        }
    }
}
