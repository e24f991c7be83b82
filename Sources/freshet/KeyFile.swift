import FeedJournal
import FeedStore
import Foundation
import Glibc
import Platform

/// A file with a key, which only its owner can read.
enum KeyFile {
    /// Reads the key that an earlier server has generated; `nil` where there is no such file.
    static func read(_ path: String) throws(CommandFailure) -> String? {
        guard let status = FileContents.status(path) else {
            guard [ENOENT, ENOTDIR].contains(errno) else { throw failure("read from", path) }
            return nil
        }
        guard status.st_mode & 0o077 == 0 else {
            throw .other("others may read the key in \(path): chmod 600 \(path)")
        }
        guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
            throw .other("the key cannot be read from \(path); delete it for a new one")
        }
        let key = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard KeyText.canBeSent(key) else {
            throw .other("there is no key in \(path); delete it for a new one")
        }
        return key
    }

    /// Writes a key and syncs it, in place of a file that is there; anything else there, such as a
    /// folder, stays as it is.
    static func write(_ key: String, to path: String) throws(CommandFailure) {
        if let status = FileContents.status(path), status.st_mode & S_IFMT != S_IFREG {
            throw .other("the key cannot be written to \(path): that is no file")
        }
        // The key is written to a file beside it first, so that no other user can open the file
        // before it is private, or read half of it.
        let part = "\(path).\(getpid()).part"
        unlink(part)
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("written to", path) }
        let code = Descriptor.write(Array((key + "\n").utf8), to: descriptor).code
        close(descriptor)
        do throws(JournalError) {
            guard code == 0 else { throw JournalError(SystemError.words(code)) }
            try DataFolder.move(part, to: path)
        } catch {
            unlink(part)
            throw .other("the key cannot be written to \(path): \(error)")
        }
    }

    private static func failure(_ step: String, _ path: String) -> CommandFailure {
        .other("the key cannot be \(step) \(path): \(SystemError.words())")
    }
}
