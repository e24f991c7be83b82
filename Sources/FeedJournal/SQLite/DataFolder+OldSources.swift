#if canImport(Glibc)
import Glibc
#elseif canImport(Darwin)
import Darwin
#endif

/// The states of sources as servers up to format 3 kept them: in a file beside the database, and in
/// backups as a note of its name.
extension DataFolder {
    /// The name of the file.
    static let oldSources = "sources.json"

    /// The length in bytes from which the file is not read.
    private static let oldSourcesByteLimit = 64 << 20

    /// The content of the file; `nil`: there is none, or it cannot be read.
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
    /// Removes the file, once its content is in the database.
    func letGoOfOldSources() {
        guard hasOldSources else { return }
        hasOldSources = false
        // If it stays, the states in the database count.
        unlink(folder.path + "/" + DataFolder.oldSources)
    }
}
