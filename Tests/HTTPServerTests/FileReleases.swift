import HTTPTypes
import HTTPWire
import TestSupport
import Testing

@testable import HTTPServer

/// Files whose addresses name their release are kept by browsers for good, and pages name them so.
@Suite struct FileReleases {
    /// SHA-256 of "abc", by FIPS 180-4.
    private static let abc = "ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0="
    private static let version = "0123456789ab"

    private static func list(_ version: String = version, digest: String = abc) -> String {
        let files = ["a.js", "sub/b.css", "icon.svg", "app.webmanifest", "page.html"]
        return "// The files.\nself.release = {\n  version: \"\(version)\",\n  files: {\n"
            + files.map { "    \"\($0)\": \"\(digest)\",\n" }.joined() + "  },\n};\n"
    }

    private func release() throws -> FileRelease {
        try #require(FileRelease(list: Array(FileReleases.list().utf8)))
    }

    @Test(arguments: [
        "", "self.release = {};", list(""), list("0123456789a"), list("0123456789abc"),
        list("0123456789aB"), list("../123456789"), "  version: \"0123456789ab\",\n",
        "    \"a.js\": \"x\",\n",
    ])
    func aListWithoutAVersionAndFilesIsNone(_ list: String) {
        #expect(FileRelease(list: Array(list.utf8)) == nil)
    }

    @Test func aContentIsOfTheReleaseByItsDigest() throws {
        let release = try release()
        #expect(release.version == FileReleases.version)
        #expect(release.has(Array("abc".utf8), at: "sub/b.css"))
        #expect(!release.has(Array("abd".utf8), at: "sub/b.css"))
        #expect(!release.has(Array("abc".utf8), at: "b.css"))
    }

    @Test(arguments: [
        ("<script src=\"a.js\">", "<script src=\"@0123456789ab/a.js\">"),
        ("<link href=\"sub/b.css\">", "<link href=\"@0123456789ab/sub/b.css\">"),
        ("<img alt=\"\" src=\"icon.svg\">", "<img alt=\"\" src=\"@0123456789ab/icon.svg\">"),
        // Whatever else there is stays: other files, what places elsewhere know, words.
        ("<script src=\"c.js\">", nil), ("<a href=\"page.html\">", nil),
        ("<a href=\"#a.js\">", nil),
        ("<link href=\"app.webmanifest\">", nil), ("<p title=\"a.js\">", nil), ("\"a.js\"", nil),
        ("<a data-href=\"a.js\">", nil), ("", nil), ("\"", nil),
    ])
    func aPageNamesItsFilesByTheRelease(_ page: String, _ expected: String?) throws {
        let made = String(decoding: try release().page(Array(page.utf8)), as: UTF8.self)
        #expect(made == expected ?? page)
    }

    @Test func aPageOfAnyBytesStaysAsItIs() throws {
        let page: [UInt8] = [0xff, 0x22, 0x00, 0x22, 0xfe]
        #expect(try release().page(page) == page)
    }

    @Test(arguments: [
        ("@0123456789ab", "0123456789ab"), ("@0123456789abc", nil), ("@", nil),
        ("0123456789ab", nil),
        ("@0123456789AB", nil), ("", nil), (nil, nil),
    ])
    func aSegmentNamesAVersion(_ segment: String?, _ version: String?) {
        #expect(FileRelease.version(of: segment) == version)
    }
}

/// Releases over HTTP.
@Suite struct FileReleaseServing {
    private struct Subject {
        let folder: TemporaryFolder
        let handler: FileHandler

        init() throws {
            folder = try TemporaryFolder()
            handler = FileHandler(
                folder: try Folder(path: folder.path),
                checkedEvery: .zero
            ) { status, _ in
                Response(status: status)
            }
            try folder.write("<script src=\"a.js\"></script>", to: "index.html")
            try folder.write("abc", to: "a.js")
            try write(version: "0123456789ab")
        }

        func write(version: String) throws {
            try folder.write(
                "  version: \"\(version)\",\n    \"a.js\": \"ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=\",\n",
                to: "release.js"
            )
        }

        /// What is answered once the clock that stamps files has ticked since the last change.
        func get(
            _ path: String,
            _ fields: [(String, String)] = [],
            until isRight: (TestResponse) -> Bool = { _ in true }
        ) async throws -> TestResponse {
            for _ in 0..<100_000 {
                let response = try await InMemoryServer(handler)
                    .send("GET", path, headers: fields, body: [])
                if response["ETag"] != nil, isRight(response) { return response }
                if response.status == 404 { return response }
                await Task.yield()
            }
            throw RawClient.Failure.malformed("\(path) never came as it should")
        }
    }

    private static let immutable = "public, max-age=31536000, immutable"
    private static let address = "/@0123456789ab/a.js"

    @Test func aFileOfTheReleaseIsKeptForGood() async throws {
        let subject = try Subject()
        let answer = try await subject.get(FileReleaseServing.address) {
            $0["Cache-Control"] == FileReleaseServing.immutable
        }
        #expect(answer.body == Array("abc".utf8))
        #expect(answer["Content-Type"] == "text/javascript; charset=utf-8")
        // Its own address is asked for each time.
        #expect(try await subject.get("/a.js")["Cache-Control"] == "no-cache")
    }

    @Test(arguments: ["/", "/index.html", "/index.html?a=b"])
    func aPageNamesTheReleaseAndIsAskedForEachTime(_ path: String) async throws {
        let subject = try Subject()
        let named = Array("<script src=\"@0123456789ab/a.js\"></script>".utf8)
        let answer = try await subject.get(path) { $0.body == named }
        #expect(answer["Cache-Control"] == "no-cache")
        #expect(answer["Last-Modified"] == nil)
        let tag = try #require(answer["ETag"])
        let again = try await subject.get(path, [("If-None-Match", tag)])
        #expect(again.status == 304)
        // Another release makes it another page, though the file is the same.
        try subject.write(version: "ffffffffffff")
        let other = try await subject.get(path, [("If-None-Match", tag)]) { $0.status == 200 }
        #expect(other.body == Array("<script src=\"@ffffffffffff/a.js\"></script>".utf8))
    }

    @Test func aPageIsCompressedAsItIsServed() async throws {
        let subject = try Subject()
        let scripts = String(repeating: "<script src=\"a.js\"></script>\n", count: 50)
        try subject.folder.write(scripts, to: "index.html")
        let answer = try await subject.get("/", [("Accept-Encoding", "gzip")]) {
            $0["Content-Encoding"] == "gzip"
        }
        let expected = scripts.replacing("a.js", with: "@0123456789ab/a.js")
        #expect(gunzip(answer.body) == Array(expected.utf8))
    }

    @Test(arguments: ["/@ffffffffffff/a.js", address])
    func aFileOfAnotherReleaseIsServedAndNotKept(_ path: String) async throws {
        let subject = try Subject()
        let content = path == FileReleaseServing.address ? "abd" : "abc"
        try subject.folder.write(content, to: "a.js")
        let answer = try await subject.get(path) { $0.body == Array(content.utf8) }
        #expect(answer["Cache-Control"] == "no-cache")
    }

    @Test(arguments: ["/@0123456789ab/", "/@0123456789ab", "/@0123456789ab/b.js", "/@x/a.js"])
    func aReleaseHasFilesAlone(_ path: String) async throws {
        #expect(try await Subject().get(path).status == 404)
    }

    @Test func aPageBelowAReleaseIsTheFile() async throws {
        let subject = try Subject()
        let answer = try await subject.get("/@0123456789ab/index.html")
        #expect(answer.body == Array("<script src=\"a.js\"></script>".utf8))
        #expect(answer["Cache-Control"] == "no-cache")
    }

    @Test func aFolderWithoutAListIsServedAsItIs() async throws {
        let subject = try Subject()
        try subject.folder.write("", to: "release.js")
        let answer = try await subject.get("/") { $0["Last-Modified"] != nil || $0["ETag"] != nil }
        #expect(answer.body == Array("<script src=\"a.js\"></script>".utf8))
        #expect(try await subject.get(FileReleaseServing.address)["Cache-Control"] == "no-cache")
    }
}
