import Foundation

/// A folder of a test's own, which goes with its last reference.
package final class TemporaryFolder: Sendable {
    private let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory
            .appendingPathComponent("freshet-test-" + UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    package var path: String { url.path }

    /// The place of a file.
    package func path(_ name: String) -> String { url.appendingPathComponent(name).path }

    /// Writes a file, with the folders above it; `modified` is in seconds since 1970.
    package func write(_ bytes: [UInt8], to name: String, modified: Int = 1_700_000_000) throws {
        let file = url.appendingPathComponent(name)
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(),
            withIntermediateDirectories: true
        )
        try Data(bytes).write(to: file)
        try settle(name, modified: modified)
    }

    /// The same with a text.
    package func write(_ text: String, to name: String, modified: Int = 1_700_000_000) throws {
        try write(Array(text.utf8), to: name, modified: modified)
    }

    /// Sets when a file was modified, and waits until the clock that stamps files is past that.
    package func settle(_ name: String, modified: Int = 1_700_000_000) throws {
        try FileManager.default.setAttributes(
            [.modificationDate: Date(timeIntervalSince1970: Double(modified))],
            ofItemAtPath: path(name)
        )
        var status = stat()
        stat(path(name), &status)
        var now = timespec()
        repeat {
            clock_gettime(CLOCK_REALTIME_COARSE, &now)
        } while (now.tv_sec, now.tv_nsec) <= (status.st_ctim.tv_sec, status.st_ctim.tv_nsec)
    }
}
