#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Small files beside the feeds that others keep there, and that backups have, too: each as a note of
/// its name.
extension DataFolder {
    /// Their names: what is known of sources.
    static let companions = ["sources.json"]

    /// A longer one is not in backups.
    private static let companionByteLimit = 64 << 20

    /// The text of such a file; `nil` where there is none, or where it is no text.
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

    /// Puts such files in the place of those that are there, which go.
    func replaceCompanions(_ texts: [String: String]) throws(JournalError) {
        for name in DataFolder.companions {
            let target = path + "/" + name
            guard let text = texts[name] else {
                unlink(target)
                continue
            }
            let part = target + ".part"
            let file = open(part, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
            guard file >= 0 else { throw JournalError("cannot write \(part): \(Self.reason())") }
            let bytes = Array(text.utf8)
            let isWritten = write(file, bytes, bytes.count) == bytes.count
            close(file)
            guard isWritten else { throw JournalError("cannot write \(part): \(Self.reason())") }
            try FileMove.move(part, to: target)
        }
    }
}

extension Database {
    /// Keeps texts as notes.
    func addCompanions(of folder: DataFolder) throws(DatabaseError) {
        let statement = try prepare("INSERT OR REPLACE INTO note VALUES(?, ?)")
        for name in DataFolder.companions {
            if let text = folder.companion(name) { try statement.run(.text(name), .text(text)) }
        }
    }

    /// Takes such notes out.
    func takeCompanions() throws(DatabaseError) -> [String: String] {
        var texts: [String: String] = [:]
        for name in DataFolder.companions {
            texts[name] = try value("SELECT value FROM note WHERE name = '\(name)'")
            try execute("DELETE FROM note WHERE name = '\(name)'")
        }
        return texts
    }
}
