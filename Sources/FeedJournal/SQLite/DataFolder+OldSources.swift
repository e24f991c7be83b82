#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// Reads the states of sources that servers stored up to format 3 of the data folder: in a file
/// beside the database, and in backups in a row of the `note` table with the file's name.
extension DataFolder {
    /// The name of the file with the states.
    static let oldSources = "sources.json"

    /// The largest file with states that is read, in bytes.
    private static let oldSourcesByteLimit = 64 << 20

    /// The content of the file with the states; `nil`: there is none, it is too large, or it cannot
    /// be read.
    var oldSources: [UInt8]? {
        let file = open(path + "/" + DataFolder.oldSources, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= DataFolder.oldSourcesByteLimit {
            let count = Glibc.read(file, &buffer, buffer.count)
            guard count > 0 else { return count == 0 ? bytes : nil }
            bytes += buffer[..<count]
        }
        return nil
    }
}

extension JournalWriter {
    /// Removes the file of old states, once its content is in the database.
    func letGoOfOldSources() {
        guard hasOldSources else { return }
        hasOldSources = false
        // If the removal fails, the states in the database are used nevertheless.
        unlink(folder.path + "/" + DataFolder.oldSources)
    }
}
