public import Foundation

/// A cache of feeds on disk: an app starts with the feeds of its last run, without a network, and
/// then asks only for changes.
///
/// Each feed has a file with a snapshot and the later changes and loaded rows, each with its length
/// and checksum, and with whether the feed was read with a key and since when it is missing. A
/// second file has the first rows of a feed that is not short. Files that are damaged, of another
/// format or of another feed are ignored. An app and its extensions may share a folder
/// without locks: files are replaced as a whole, and changes are appended by one write, to a file
/// that ends with the version that the changes start from.
public struct FeedCache: Sendable {
    /// The folder; it is made with the first feed.
    public let directory: URL

    /// The most bytes of all files together.
    ///
    /// The files that were not used for longest are removed first.
    public let byteLimit: Int

    /// The folder's path.
    let path: String

    /// Makes a cache; no file is read or written yet.
    ///
    /// - Parameters:
    ///   - directory: The folder, which should have nothing else in it. A folder in an app group's
    ///     container is shared with the app's extensions.
    ///   - byteLimit: The most bytes of all files together.
    public init(directory: URL, byteLimit: Int = 256 << 20) {
        self.directory = directory
        self.byteLimit = byteLimit
        path = directory.path
    }

    /// Removes all feeds.
    ///
    /// - Throws: The error of the first file that could not be removed; all others are removed.
    public func removeAll() throws {
        var first: (any Error)?
        for file in files {
            do {
                try FileManager.default.removeItem(at: file.url)
            } catch CocoaError.fileNoSuchFile {
                // Another process has removed the file.
            } catch {
                first = first ?? error
            }
        }
        if let first { throw first }
    }
}

/// The cache's folder.
extension FeedCache {
    private struct File {
        let url: URL
        let byteCount: Int
        let date: Date
    }

    private var files: [File] {
        let keys: [URLResourceKey] = [.fileSizeKey, .contentModificationDateKey]
        let urls = try? FileManager.default.contentsOfDirectory(
            at: directory,
            includingPropertiesForKeys: keys
        )
        return (urls ?? []).filter { $0.pathExtension == "feed" }.map { url in
            let values = try? url.resourceValues(forKeys: Set(keys))
            return File(
                url: url,
                byteCount: values?.fileSize ?? 0,
                date: values?.contentModificationDate ?? Date(timeIntervalSince1970: 0)
            )
        }
    }

    /// Removes the least recently used files until the others are within the limit; the files with
    /// these names stay.
    func prune(keeping names: [String]) {
        let files = files.sorted { $0.date > $1.date }
        var rest = byteLimit
        for file in files {
            rest -= file.byteCount
            if rest < 0, !names.contains(file.url.lastPathComponent) {
                try? FileManager.default.removeItem(at: file.url)
            }
        }
    }

    /// The options for writing: atomically; on iOS the files can be read once the device was
    /// unlocked after its start, so that extensions can run while it is locked.
    static var writingOptions: Data.WritingOptions {
        #if os(iOS)
        [.atomic, .completeFileProtectionUntilFirstUserAuthentication]
        #else
        .atomic
        #endif
    }

    func excludeFromBackup() {
        #if canImport(Darwin)
        var directory = directory
        var values = URLResourceValues()
        values.isExcludedFromBackup = true
        try? directory.setResourceValues(values)
        #endif
    }
}
