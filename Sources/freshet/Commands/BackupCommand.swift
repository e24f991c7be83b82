import ArgumentParser
import FeedStore
import Foundation

/// `freshet backup`: has the running server write a copy of its feeds.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Copy the feeds of a data folder into a file, while the server runs.",
        discussion: """
            The server that has the folder open writes the file; publishes go on meanwhile. It \
            has everything that was acknowledged before the command was given. "freshet restore" \
            puts it in place.
            """
    )

    @Argument(
        help: ArgumentHelp("The data folder of a running server.", valueName: "dir"),
        completion: .directory
    )
    var folder: String

    @Argument(help: "The file to write; the server's user must be able to.", completion: .file())
    var file: String

    @Flag(help: "Replace a backup that is there.")
    var force = false

    mutating func run() throws {
        for place in [folder, file] { try FeedStorage.checkIsNoDatabase(place) }
        let path = URL(fileURLWithPath: file).path
        let order = ControlSocket.Order(path: path, replaces: force)
        let answer = try BackupCommand.carryOut(order, in: folder)
        try StandardOutput.print("\(file): \(answer) bytes")
    }

    /// Asks the server for a backup, and returns its size in bytes, as the server spells it.
    static func carryOut(
        _ order: ControlSocket.Order,
        in folder: String
    ) throws(CommandFailure) -> String {
        // An order is a line of at most 4 KiB: the server would obey a part of a longer one.
        guard !order.path.contains("\n"), order.line.utf8.count < 4096 else {
            throw .usage("the name of the backup is too long, or has a line feed")
        }
        do throws(JournalError) {
            let connection = try UnixSocket.connect(to: folder)
            defer { close(connection) }
            UnixSocket.send(connection, order.line)
            guard let answer = UnixSocket.readLine(connection) else {
                throw JournalError("the server went away without an answer")
            }
            guard answer.hasPrefix("ok ") else {
                let isError = answer.hasPrefix("error ")
                throw JournalError(isError ? String(answer.dropFirst(6)) : answer)
            }
            return String(answer.dropFirst(3))
        } catch {
            throw .other(error.description)
        }
    }
}
