#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Small files of other parts of the server beside the feeds. Backups have them, too, each as a
/// note of its name.
extension DataFolder {
    /// The names of the files: the states of sources.
    static let companions = ["sources.json"]

    /// The length in bytes from which a file is not in backups.
    private static let companionByteLimit = 64 << 20

    /// Returns the text of such a file; `nil`: there is none, or it is not text.
    func companion(_ name: String) -> String? {
        let file = open(path + "/" + name, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= DataFolder.companionByteLimit {
            let count = read(file, &buffer, buffer.count)
            guard count > 0 else {
                return count == 0 ? String(validating: bytes, as: UTF8.self) : nil
            }
            bytes += buffer[..<count]
        }
        return nil
    }

    /// The ending of the name of a file that stands for a missing one.
    static let absence = ".absent"

    /// Writes the files, or marks of absence, for another folder to take.
    func write(_ texts: [String: String]) throws(JournalError) {
        for name in DataFolder.companions {
            let target = path + "/" + name + (texts[name] == nil ? DataFolder.absence : "")
            let file = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw JournalError("cannot write \(target): \(Self.reason())") }
            defer { close(file) }
            let bytes = Array((texts[name] ?? "").utf8)
            guard Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
                throw JournalError("cannot write \(target): \(Self.reason())")
            }
        }
    }

    /// Replaces such files by the ones of another folder; steps that were done before a crash stay
    /// done.
    func takeCompanions(from other: String) throws(JournalError) {
        for name in DataFolder.companions {
            let (source, target) = (other + "/" + name, path + "/" + name)
            if Self.byteCount(source + DataFolder.absence) != nil { unlink(target) }
            guard rename(source, target) == 0 || errno == ENOENT else {
                throw JournalError("cannot rename \(source) to \(target): \(Self.reason())")
            }
        }
    }
}

extension Database {
    /// Keeps the texts of the files as notes.
    func addCompanions(of folder: DataFolder) throws(DatabaseError) {
        let statement = try prepare("INSERT OR REPLACE INTO note VALUES(?, ?)")
        for name in DataFolder.companions {
            if let text = folder.companion(name) { try statement.run(.text(name), .text(text)) }
        }
    }

    /// Returns the notes of the files, and removes them.
    func takeCompanions() throws(DatabaseError) -> [String: String] {
        var texts: [String: String] = [:]
        for name in DataFolder.companions {
            texts[name] = try value("SELECT value FROM note WHERE name = '\(name)'")
            try execute("DELETE FROM note WHERE name = '\(name)'")
        }
        return texts
    }
}
