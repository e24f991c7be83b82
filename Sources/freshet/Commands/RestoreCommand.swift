import ArgumentParser
import FeedJournal
import FeedStore

/// `freshet restore`: puts a backup into a data folder that no server has open.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup in a data folder that no server has open.",
        discussion: """
            Every feed gets a new epoch, because readers may have seen later versions than the \
            backup has; they are sent snapshots then. The backup is read and checked first.
            """
    )

    @Argument(help: "The backup.", completion: .file())
    var file: String

    @Argument(
        help: ArgumentHelp("The data folder, made if it is not there.", valueName: "dir"),
        completion: .directory
    )
    var folder: String

    @Flag(help: "Let the feeds go that are in the folder.")
    var replace = false

    mutating func run() throws {
        for path in [file, folder] { try FeedStorage.checkIsNoDatabase(path) }
        let contents: DataFolder.Contents
        do throws(JournalError) {
            contents = try DataFolder.restore(file, to: folder, replaces: replace)
        } catch {
            throw CommandFailure.other(error.description)
        }
        try StandardOutput.print("\(folder): \(contents.summary)")
    }
}

extension DataFolder.Contents {
    /// The numbers of feeds, items and versions in words.
    var summary: String {
        "\(feeds.counted("feed")) with \(items.counted("item")), \(versions.counted("version"))"
    }
}
