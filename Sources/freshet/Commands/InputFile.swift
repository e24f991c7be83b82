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
        do {
            guard path == "-" else { return try Data(contentsOf: URL(fileURLWithPath: path)) }
            return try FileHandle.standardInput.readToEnd() ?? Data()
        } catch {
            throw .other("cannot read \(name): \(error.localizedDescription)")
        }
    }
}
