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
        do throws(FileContents.Failure) {
            if path == "-" { return Data(try FileContents.read(STDIN_FILENO)) }
            return Data(try FileContents.read(path, byteLimit: .max, takesPipes: true))
        } catch {
            throw .other("cannot read \(name): \(error.reason)")
        }
    }
}
