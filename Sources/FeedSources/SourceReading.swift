package import FeedFormats
package import FeedModel
import Foundation

/// Reads what a source gave, and says what becomes of it.
package enum SourceContent: Sendable {
    /// A document of the protocol's own form.
    case document([UInt8])
    /// The next content of a feed, made of what it holds.
    case made(@Sendable (Snapshot?) -> Snapshot)

    /// Content made of a feed that was read.
    package init(_ feed: SourceFeed, _ settings: SourceSettings, now: Int) {
        if let document = feed.ownForm {
            self = .document(document)
            return
        }
        var options = SourceSnapshot.Options()
        options.title = settings.title
        options.keeping = settings.keeping
        self = .made { [options] current in
            SourceSnapshot.make(
                feed,
                current: current,
                options: options,
                now: FeedDate(seconds: now)
            )
        }
    }
}

extension FeedReader {
    /// A reader for a source.
    package init(_ settings: SourceSettings, address: String, charset: String?) {
        self.init(address: address)
        self.charset = charset
        mapping = settings.mapping
        isSanitizing = settings.isSanitizing
    }
}

/// The file of a source.
enum SourceFile {
    /// - Throws: ``SourceFailure/file(_:)`` for what is no file, or longer than the limit.
    static func read(_ path: String, limit: Int) throws(SourceFailure) -> [UInt8] {
        guard let file = FileHandle(forReadingAtPath: path) else {
            throw .file("the file \(path) cannot be opened")
        }
        defer { try? file.close() }
        do {
            let data = try file.read(upToCount: limit + 1) ?? Data()
            guard data.count <= limit else { throw SourceFailure.file("the file is too long") }
            return Array(data)
        } catch {
            throw .file("the file \(path) cannot be read, or is longer than \(limit) bytes")
        }
    }
}
