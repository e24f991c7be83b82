import HTTPTypes
import HTTPWire
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// Files are answered with as they were for a moment, and no longer.
@Suite struct KeptFiles {
    /// Milliseconds that only a test moves.
    fileprivate final class Time: Sendable {
        let value = Mutex(1_000_000)

        func advance(by milliseconds: Int) { value.withLock { $0 += milliseconds } }
    }

    /// A handler of a folder's files.
    fileprivate struct Subject: Sendable {
        let folder: TemporaryFolder
        let handler: FileHandler
        let time = Time()

        init() throws {
            folder = try TemporaryFolder()
            try folder.write("old", to: "a.txt", modified: 1_000_000_000)
            handler = FileHandler(
                folder: try Folder(path: folder.path),
                checkedEvery: .seconds(1),
                clock: { [time] in time.value.withLock(\.self) }
            ) { status, _ in
                Response(status: status)
            }
        }

        /// What a request gets without a look at the disk.
        func kept(_ fields: String = "", method: String = "GET") throws -> Payload? {
            let head = try RequestHead(
                parsing: "\(method) /a.txt?x=y HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
            )
            guard case .response(let reply) = handler.receive(Request(head: head)),
                let response = reply.payload
            else {
                return nil
            }
            return response
        }

        /// What a request gets, made anew if need be.
        func get(_ fields: String = "") async throws -> TestResponse {
            let headers = fields.split(separator: "\r\n").map { line in
                let parts = line.split(separator: ": ", maxSplits: 1)
                return (String(parts[0]), String(parts[1]))
            }
            return try await InMemoryServer(handler)
                .send("GET", "/a.txt", headers: headers, body: [])
        }
    }

    @Test func aFileIsLookedAtOnceASecond() async throws {
        let subject = try Subject()
        #expect(try subject.kept() == nil)
        #expect(try await subject.get().body == Array("old".utf8))
        let kept = try #require(try await subject.untilKept())
        #expect(kept.body == Array("old".utf8))
        try subject.folder.write("newer", to: "a.txt", modified: 1_000_000_001)
        subject.time.advance(by: 999)
        #expect(try subject.kept()?.body == Array("old".utf8))
        subject.time.advance(by: 1)
        // One request has it looked at, the others do not wait for that.
        #expect(try subject.kept() == nil)
        #expect(try subject.kept()?.body == Array("old".utf8))
        subject.time.advance(by: 1000)
        #expect(try subject.kept() == nil)
        #expect(try await subject.get().body == Array("newer".utf8))
    }

    @Test func conditionsAreHeldAgainstWhatIsKept() async throws {
        let subject = try Subject()
        let tag = try #require(try await subject.get()["ETag"])
        _ = try await subject.untilKept()
        #expect(try subject.kept("If-None-Match: \(tag)\r\n")?.status == 304)
        #expect(
            try subject.kept("If-None-Match: \"x\", W/\(tag)\r\n", method: "HEAD")?.status == 304
        )
        #expect(try subject.kept("If-None-Match: *\r\n")?.status == 304)
        #expect(try subject.kept("If-None-Match: \"x\"\r\n")?.status == 200)
        #expect(try subject.kept("If-None-Match: x\r\n")?.status == 200)
    }

    @Test(arguments: [
        "Range: bytes=0-1\r\n", "If-Match: \"x\"\r\n", "Accept-Encoding: gzip\r\n",
        "If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n",
        "If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT\r\n",
    ])
    func whatDependsOnMoreIsNotAnsweredWithThat(_ fields: String) async throws {
        let subject = try Subject()
        _ = try await subject.get()
        _ = try await subject.untilKept()
        #expect(try subject.kept(fields) == nil)
    }
}

extension KeptFiles.Subject {
    /// Asks until what was made is kept, which is after it was sent.
    fileprivate func untilKept() async throws -> Payload? {
        for _ in 0..<100_000 {
            if let response = try kept() { return response }
            await Task.yield()
        }
        return nil
    }
}
