import FeedFormats
import Foundation

/// A file named at the prompt, or standard input for `-`.
struct InputFile {
    let path: String

    /// More is not read: a server takes 32 MiB unless it is told to take more.
    static let byteLimit = 256 << 20

    /// As it is called in messages; an address in its place may have a password in it.
    var name: String { path == "-" ? "standard input" : WebAddress.shown(path) }

    /// All of it.
    ///
    /// - Throws: ``CommandFailure`` when it cannot be read, or is longer than ``byteLimit``.
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
