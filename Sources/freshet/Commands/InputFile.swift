import Foundation

/// A file named at the prompt, or standard input for `-`.
struct InputFile {
    let path: String

    /// As it is called in messages.
    var name: String { path == "-" ? "standard input" : path }

    /// All of it.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be read.
    func read() throws(CommandFailure) -> Data {
        var file = FileHandle.standardInput
        if path != "-" {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                throw .other("cannot read \(name): \(String(cString: strerror(errno)))")
            }
            file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        }
        do {
            return try file.readToEnd() ?? Data()
        } catch {
            throw .other("cannot read \(name): \(error.localizedDescription)")
        }
    }
}
