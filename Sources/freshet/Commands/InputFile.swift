import FeedFormats
import Foundation

/// A file named at the prompt, or standard input for `-`.
struct InputFile {
    let path: String

    /// The most bytes that are read; a server takes 32 MiB unless it is configured to take more.
    static let byteLimit = 256 << 20

    /// The file's name in messages, without the password that an address in its place may have.
    var name: String { path == "-" ? "standard input" : WebAddress.shown(path) }

    /// Returns the whole content.
    ///
    /// - Throws: ``CommandFailure`` when the file cannot be read, or is longer than ``byteLimit``.
    func read() throws(CommandFailure) -> Data {
        do throws(FileContents.Failure) {
            let limit = InputFile.byteLimit
            if path == "-" { return Data(try FileContents.read(STDIN_FILENO, byteLimit: limit)) }
            return Data(try FileContents.read(path, byteLimit: limit, takesPipes: true))
        } catch {
            throw .other("cannot read \(name): \(error.reason)")
        }
    }
}
