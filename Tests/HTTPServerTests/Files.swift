import Glibc
import HTTPWire
import Platform
import Synchronization
import TestSupport
import Testing

@testable import HTTPServer

/// What is told from the name of a file.
@Suite struct FileNames {
    @Test(arguments: [
        ("a.html", "text/html; charset=utf-8", true), ("a.css", "text/css; charset=utf-8", true),
        ("a.js", "text/javascript; charset=utf-8", true),
        ("a.MJS", "text/javascript; charset=utf-8", true), ("a.json", "application/json", true),
        ("a.svg", "image/svg+xml", true), ("a.webp", "image/webp", false),
        ("a.avif", "image/avif", false), ("a.woff2", "font/woff2", false),
        ("a.wasm", "application/wasm", true), ("a.js.map", "application/json", true),
        ("a.webmanifest", "application/manifest+json", true), ("a.ico", "image/x-icon", true),
        ("a.txt", "text/plain; charset=utf-8", true), ("a.xml", "application/xml", true),
        ("a.pdf", "application/pdf", false), ("a.mp4", "video/mp4", false),
        ("a.js.gz", "application/gzip", false), ("a", "application/octet-stream", false),
        ("html", "application/octet-stream", false), ("a.", "application/octet-stream", false),
        ("a.unknown", "application/octet-stream", false), ("", "application/octet-stream", false),
    ])
    func namesTellTheType(_ name: String, _ mediaType: String, _ isCompressible: Bool) {
        let type = FileType(name: name)
        #expect(type.mediaType == mediaType)
        #expect(type.isCompressible == isCompressible)
    }

    @Test(arguments: [
        ("app.3f9ab2c1.js", true), ("app-3f9ab2c1.css", true), ("a.b-0123456789abcdef.woff2", true),
        ("app.js", false),
        ("app.3f9ab2c.js", false), ("app.3F9AB2C1.js", false), ("app.20240101.js", false),
        ("app.deadbeef.js", false), ("app-overview.js", false), ("3f9ab2c1.js", false),
        ("app.3f9ab2g1.js", false), ("app_3f9ab2c1.js", false), ("app.3f9ab2c1", false),
        ("", false), (".", false), ("..", false), ("-.", false),
    ])
    func namesTellWhetherTheContentIsForGood(_ name: String, _ isNamedByContent: Bool) {
        #expect(FileType(name: name).isNamedByContent == isNamedByContent)
        let value = FileType(name: name).cacheControl
        #expect(value.contains("immutable") == isNamedByContent)
    }

    @Test func namesTellSoWithAnyHash() {
        for count in 0..<40 {
            let name = "app." + String(repeating: "a1", count: count) + ".js"
            #expect(FileType(name: name).isNamedByContent == (4...32 ~= count))
        }
    }

    @Test func namesOfPagesNeverTellThat() {
        let name = "page.3f9ab2c1.html"
        #expect(FileType(name: name).cacheControl == "no-cache")
    }
}

/// RFC 9110 §8.8.1 and §8.8.2.2: when a validator is strong.
@Suite struct FileValidators {
    private func file(changed: timespec, modified: Int, now: timespec) throws -> OpenFile {
        var status = stat()
        status.st_ctim = changed
        status.st_mtim.tv_sec = modified
        let descriptor = open("/dev/null", O_RDONLY | O_CLOEXEC)
        return OpenFile(Descriptor(owning: descriptor), status: status, now: now)
    }

    private func time(_ seconds: Int, _ nanoseconds: Int) -> timespec {
        timespec(tv_sec: seconds, tv_nsec: nanoseconds)
    }

    @Test(arguments: [
        (100, 5, 100, 6, true), (100, 5, 101, 0, true), (100, 5, 100, 5, false),
        // The file's clock is a little ahead of what was read, or another altogether.
        (100, 5, 100, 4, false), (101, 3, 100, 5, false), (500, 0, 100, 0, true),
    ])
    func fileValidatorsWaitForTheClock(
        _ changed: Int,
        _ changedPart: Int,
        _ now: Int,
        _ nowPart: Int,
        _ isThere: Bool
    ) throws {
        let file = try file(
            changed: time(changed, changedPart),
            modified: 5,
            now: time(now, nowPart)
        )
        #expect((file.tag != nil) == isThere)
    }

    @Test(arguments: [(98, 98), (99, nil), (100, nil), (101, nil)])
    func fileValidatorsAreNoDateForTwoSecondsAfterTheChange(_ modified: Int, _ expected: Int?) throws {
        let file = try file(changed: time(50, 0), modified: modified, now: time(100, 999))
        #expect(file.lastModified == expected)
    }

    @Test func fileValidatorsDifferWithTheTimeOfTheChange() throws {
        let now = time(200, 0)
        let tags = try (0..<100).map { index in
            try file(changed: time(100, index), modified: 100, now: now).tag
        }
        #expect(Set(tags).count == 100)
    }
}

/// Files on their way to a reader who takes all there is at once.
@Suite struct LongFiles {
    @Test func longFilesLeaveOthersTheirTurn() throws {
        let folder = try TemporaryFolder()
        try folder.write([UInt8](repeating: 0x61, count: 5 << 20), to: "long.bin")
        guard let file = try Folder(path: folder.path).open(["long.bin"]) else {
            throw RawClient.Failure.malformed("no file")
        }
        let null = open("/dev/null", O_WRONLY | O_CLOEXEC)
        let transport = Transport(Descriptor(owning: null), nil)
        var queue = PendingWrites()
        queue.append(file, 0..<(5 << 20))
        var counts: [Int] = []
        while !queue.isEmpty {
            let (last, count) = queue.send(through: transport)
            counts.append(count)
            #expect((last == .blocked) == !queue.isEmpty)
        }
        #expect(counts == [Int](repeating: 256 << 10, count: 20))
    }
}

/// Compressed contents that are kept.
@Suite struct CodedFileKeeping {
    private func cache(byteLimit: Int = 1 << 20) -> FileCache {
        FileCache(byteLimit: byteLimit, interval: 0) { 0 }
    }

    private func open(_ name: String, in folder: TemporaryFolder) throws -> FileRepresentation {
        guard let file = try Folder(path: folder.path).open([name]) else {
            throw RawClient.Failure.malformed("no file \(name)")
        }
        return FileRepresentation(file, FileType(name: name))
    }

    @Test func theCacheIsWithinTheLimit() throws {
        let folder = try TemporaryFolder()
        var random = SeededGenerator(seed: 8)
        let files = cache(byteLimit: 20_000)
        let given = Mutex(0)
        for index in 0..<20 {
            let digits = (0..<8000).map { _ in UInt8.random(in: 48...57, using: &random) }
            try folder.write(digits, to: "\(index).txt")
            let file = try open("\(index).txt", in: folder)
            files.coded(file, CodingChoice(.gzip)) { coded in
                let isRight = coded.made.flatMap(gunzip) == digits
                given.withLock { $0 += isRight ? 1 : 0 }
            }
            #expect(files.byteCount <= 20_000)
        }
        #expect(given.withLock { $0 } == 20)
        #expect(files.byteCount > 3000)
    }

    @Test(arguments: [
        (63, CodingChoice(.gzip), false), (200, CodingChoice(.gzip), true),
        (4_194_304, CodingChoice(.gzip), true), (4_194_305, CodingChoice(.gzip), false),
        (0, CodingChoice(.gzip, isForced: true), true),
        (4_194_305, CodingChoice(.gzip, isForced: true), false),
    ])
    func theCacheIsForContentsOfSomeSize(
        _ byteCount: Int,
        _ choice: CodingChoice,
        _ isCoded: Bool
    ) throws {
        let folder = try TemporaryFolder()
        try folder.write([UInt8](repeating: 0x61, count: byteCount), to: "a.txt")
        let coded = Mutex<[UInt8]?>(nil)
        cache().coded(try open("a.txt", in: folder), choice) { file in
            coded.withLock { $0 = file.made }
        }
        #expect((coded.withLock { $0 } != nil) == isCoded)
    }

    @Test func theCacheIsNotForAFileThatChanges() throws {
        let folder = try TemporaryFolder()
        try folder.write([UInt8](repeating: 0x61, count: 5000), to: "a.txt")
        let file = try open("a.txt", in: folder)
        try folder.write([UInt8](repeating: 0x62, count: 5000), to: "b.txt")
        let changed = Glibc.open(folder.path("a.txt"), O_WRONLY | O_CLOEXEC)
        #expect(Glibc.write(changed, "b", 1) == 1)
        close(changed)
        let files = cache()
        let coded = Mutex<[UInt8]?>([])
        files.coded(file, CodingChoice(.gzip)) { file in
            coded.withLock { $0 = file.made }
        }
        #expect(coded.withLock { $0 } == nil)
        #expect(files.byteCount == 0)
    }
}
