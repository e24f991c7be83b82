import Foundation
import HTTPServer
import Platform

/// Reads the files that are sources.
enum SourceFile {
    /// Reads the file of a source, which may wait for a disk.
    ///
    /// - Throws: ``SourceFailure/file(_:)`` if the file cannot be read, is longer than the limit,
    ///   or is not below the folder that it must be in.
    static func read(_ path: String, _ settings: SourceSettings) throws(SourceFailure) -> [UInt8] {
        let limit = settings.byteLimit
        if let folder = settings.folder { return try read(path, below: folder, limit: limit) }
        guard let file = FileHandle(forReadingAtPath: path) else {
            let reason = SystemError.words()
            throw .file("the file \(path) cannot be opened: \(reason)")
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

    private static func read(
        _ path: String,
        below folder: String,
        limit: Int
    ) throws(SourceFailure) -> [UInt8] {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            .map(String.init)
        let found: OpenFile?
        do throws(SystemError) {
            found = try Folder(path: folder).open(segments)
        } catch {
            throw .file("\(error)")
        }
        guard let file = found else {
            throw .file("there is no file \(path) in the folder \(folder)")
        }
        guard file.byteCount <= limit else {
            throw .file("the file \(path) is longer than \(limit) bytes")
        }
        guard let bytes = file.read(0..<file.byteCount) else {
            throw .file("the file \(path) is being written")
        }
        return bytes
    }
}
