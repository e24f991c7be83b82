import Foundation
import TestSupport
import Testing

/// RFC 9110 §13 and §9, for files, and which files there are.
///
/// `TAG` and `DATE` stand for the file's validators.
@Suite struct StaticFiles {
    private static let subject = Result { () throws -> FileSubject in
        try FileSubject { folder in
            try folder.write("<p>hello", to: "index.html")
            try folder.write("in a folder", to: "deep/er/file.txt")
            try folder.write("<p>index", to: "deep/er/index.html")
            try folder.write("secret", to: ".hidden")
            try folder.write("secret", to: "deep/.git/config")
            try folder.write("contact", to: ".well-known/security.txt")
            try folder.write("secret", to: ".well-known/.hidden")
            try folder.write("named", to: "ü 50% &+?#.txt")
            try folder.write("", to: "empty.txt")
            let manager = FileManager.default
            for (name, target) in [
                ("inside.txt", "deep/er/file.txt"), ("outside", "/etc"), ("passwd", "/etc/passwd"),
                ("up", "../"), ("loop", "loop"), ("nowhere", "missing"),
            ] {
                try manager.createSymbolicLink(
                    atPath: folder.path(name),
                    withDestinationPath: target
                )
            }
            #expect(mkfifo(folder.path("fifo.txt"), 0o600) == 0)
        }
    }

    private func answer(_ method: String, _ target: String, _ fields: String...) throws
        -> RawResponse
    {
        try Self.subject.get().answer(target, fields, method)
    }

    @Test(arguments: [
        ("If-None-Match: TAG", 304), ("If-None-Match: W/TAG", 304), ("If-None-Match: *", 304),
        ("If-None-Match: \"x\"", 200), ("If-None-Match: x", 200), ("If-Match: TAG", 200),
        ("If-Match: *", 200), ("If-Match: \"x\"", 412), ("If-Match: W/TAG", 412),
        ("If-Modified-Since: DATE", 304), ("If-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 200),
        ("If-Modified-Since: Sunday, 06-Nov-94 08:49:37 GMT", 200),
        ("If-Modified-Since: Sun Nov  6 08:49:37 1994", 200), ("If-Modified-Since: tomorrow", 200),
        ("If-Modified-Since: DATE, DATE", 200), ("If-Unmodified-Since: DATE", 200),
        ("If-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 412),
        ("If-Unmodified-Since: yesterday", 200),
        // The order of evaluation, §13.2.2.
        ("If-None-Match: \"x\"\r\nIf-Modified-Since: DATE", 200),
        ("If-None-Match: TAG\r\nIf-Modified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 304),
        ("If-Match: TAG\r\nIf-Unmodified-Since: Sun, 06 Nov 1994 08:49:37 GMT", 200),
        ("If-Match: \"x\"\r\nIf-None-Match: TAG", 412),
    ])
    func staticFilesAreSentUnderConditions(_ fields: String, _ status: Int) throws {
        for method in ["GET", "HEAD"] {
            let answer = try answer(method, "/", fields)
            #expect(answer.status == status)
            if status != 412 { #expect(answer["etag"] != nil) }
            if status == 200 { #expect(answer["content-length"] == "8") }
        }
    }

    @Test(arguments: [("POST", 405), ("DELETE", 405), ("TRACE", 405), ("BREW", 501), ("get", 501)])
    func staticFilesAreOnlyRead(_ method: String, _ status: Int) throws {
        let answer = try answer(method, "/", "Content-Length: 0")
        #expect(answer.status == status)
        #expect((answer["allow"] == nil) == (status == 501))
    }

    @Test(arguments: [
        "/..", "/../index.html", "/%2e%2e/index.html", "/%2e%2e%2findex.html", "/index.html/",
        "/index.html%00", "/./index.html", "//index.html", "/.hidden", "/index.html%0d%0aX:%20y",
        "/deep/../index.html", "/deep/%2e/er/file.txt", "/deep%2fer%2ffile.txt", "/%00",
        "/deep//er/file.txt", "/deep/.git/config", "/deep/.well-known/x", "/.well-known/.hidden",
        "/deep/", "/deep/er/file.txt/", "/etc/passwd", "/%2fetc/passwd", "/\\index.html",
        "/index.html%20", "/INDEX.HTML", "/index.htm", "/index",
        // Links that lead outside, to nothing, or in a circle.
        "/outside/passwd", "/passwd", "/up/", "/up/index.html", "/loop", "/nowhere",
        // Neither a file nor a folder: opening it must not wait for a writer.
        "/fifo.txt",
    ])
    func staticFilesAreFoundByTheirNamesAlone(_ target: String) throws {
        #expect(try answer("GET", target).status == 404)
    }

    @Test(arguments: [("x", 300), ("x/", 3000)])
    func staticFilesHaveNamesOfALengthThatThereIs(_ part: String, _ count: Int) throws {
        #expect(try answer("GET", "/" + String(repeating: part, count: count)).status == 404)
    }

    @Test(arguments: [
        ("/index.html", "<p>hello"), ("/", "<p>hello"), ("/deep/er/", "<p>index"),
        ("/deep/er/file.txt", "in a folder"), ("/inside.txt", "in a folder"),
        ("/%69ndex.html", "<p>hello"), ("/index.html?x=/../..", "<p>hello"),
        ("/%C3%BC%2050%25%20&+%3F%23.txt", "named"), ("/.well-known/security.txt", "contact"),
        ("/empty.txt", ""), ("http://h/deep/er/file.txt", "in a folder"),
    ])
    func staticFilesAreReadAsTheyAre(_ target: String, _ content: String) throws {
        let answer = try answer("GET", target)
        #expect(answer.status == 200)
        #expect(answer.text == content)
        #expect(answer["content-length"] == String(content.utf8.count))
    }

    @Test(arguments: [
        ("/deep", "./deep/"), ("/deep/er", "./er/"), ("/deep/er?a=b&c", "./er/?a=b&c"),
        ("/de%65p/er", "./er/"), ("/deep?", "./deep/?"), ("http://h/deep", "./deep/"),
    ])
    func staticFilesInFoldersNeedASlash(_ target: String, _ location: String) throws {
        for method in ["GET", "HEAD"] {
            let answer = try answer(method, target)
            #expect(answer.status == 308)
            #expect(answer["location"] == location)
        }
    }

    @Test func staticFilesTellBrowsersToBeStrict() throws {
        let page = try answer("GET", "/")
        let policy = try #require(page["content-security-policy"])
        for part in [
            "default-src 'self'", "object-src 'none'", "base-uri 'none'", "form-action 'self'",
            "frame-ancestors 'none'",
        ] {
            #expect(policy.contains(part))
        }
        #expect(!policy.contains("unsafe"))
        #expect(page["cross-origin-opener-policy"] == "same-origin")
        #expect(page["permissions-policy"]?.contains("camera=()") == true)
        for answer in [page, try answer("GET", "/empty.txt")] {
            #expect(answer["x-content-type-options"] == "nosniff")
            #expect(answer["referrer-policy"] == "same-origin")
            #expect(answer["cross-origin-resource-policy"] == "same-origin")
            #expect(answer["cache-control"] == "no-cache")
        }
    }
}

/// Files that change while they are sent.
@Suite struct ChangingFiles {
    /// More than the sockets between them hold: 4 MiB at most.
    private static let byteCount = 12 << 20

    private func subject() throws -> FileSubject {
        try FileSubject { folder in
            try folder.write([UInt8](repeating: 0x61, count: Self.byteCount), to: "long.bin")
        }
    }

    /// A client that has read the head, and so little that the rest is not on its way yet.
    private func slowClient(_ subject: FileSubject) throws -> RawClient {
        let client = try subject.connect(receiveByteCount: 4096)
        try client.send("GET /long.bin HTTP/1.1\r\nHost: h\r\n\r\n")
        let head = try RawResponse(head: client.readHead())
        #expect(head["content-length"] == String(Self.byteCount))
        return client
    }

    /// The announced length cannot be kept, which only the end of the connection can tell.
    @Test func changingFilesEndTheConnectionWhenTheyGetShorter() throws {
        let subject = try subject()
        let client = try slowClient(subject)
        #expect(truncate(subject.folder.path("long.bin"), 1000) == 0)
        let content = try client.readToEnd()
        #expect(content.count < Self.byteCount)
        #expect(try subject.answer("/long.bin")["content-length"] == "1000")
    }

    @Test(arguments: ["replaced", "removed", "longer"])
    func changingFilesAreSentAsTheyWereOpened(_ change: String) throws {
        let subject = try subject()
        let client = try slowClient(subject)
        let path = subject.folder.path("long.bin")
        switch change {
        case "replaced":
            try subject.folder.write("new", to: "new.bin")
            #expect(rename(subject.folder.path("new.bin"), path) == 0)
        case "removed": #expect(unlink(path) == 0)
        default: #expect(truncate(path, off_t(Self.byteCount + 1000)) == 0)
        }
        let content = try client.read(Self.byteCount)
        #expect(content.allSatisfy { $0 == 0x61 })
        try client.send("GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n")
        #expect(try client.receive().status == 404)
    }
}
