import Glibc

/// A file with a key, which only its owner can read.
enum KeyFile {
    /// Writes a key, in the place of a file that is there; of anything else there, nothing is
    /// touched.
    static func write(_ key: String, to path: String) throws(CommandFailure) {
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw .other("the key cannot be written to \(path): that is no file (--key-file)")
        }
        // Beside it, so that nobody can open it before it is private, or read half of it.
        let part = "\(path).\(getpid()).part"
        unlink(part)
        let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure(path) }
        let line = Array((key + "\n").utf8)
        let isWritten = Glibc.write(descriptor, line, line.count) == line.count
        guard isWritten, rename(part, path) == 0 else {
            let failure = failure(path)
            close(descriptor)
            unlink(part)
            throw failure
        }
        close(descriptor)
    }

    private static func failure(_ path: String) -> CommandFailure {
        let reason = String(cString: strerror(errno))
        return .other("the key cannot be written to \(path): \(reason) (--key-file)")
    }
}
