import ArgumentParser
import FeedAPI
import FeedModel
import Foundation

/// `freshet key`: makes a key.
struct KeyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "key",
        abstract: "Make a key, and print it with its entry for the configuration.",
        discussion: "The configuration has only the key's SHA-256 digest: keep the key itself."
    )

    @Option(help: "What its owner is called in the configuration.")
    var name: String?

    @Option(
        help: ArgumentHelp(
            "A feed that it may read, or several with commas; can be repeated.",
            valueName: "feed"
        )
    )
    var read: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            A feed that it may read and change, or several with commas (default: all, without \
            other rights).
            """,
            valueName: "feed"
        )
    )
    var write: [String] = []

    @Option(
        help: ArgumentHelp(
            "A feed that it may read, and follow with very many others, or several with commas.",
            valueName: "feed"
        )
    )
    var follow: [String] = []

    @Flag(help: "It may see metrics and the admin page.")
    var admin = false

    mutating func run() throws {
        let key = KeyText.random()
        var rights = Rights(
            read: Rights.feeds(read),
            write: Rights.feeds(write),
            follow: Rights.feeds(follow),
            isAdmin: admin
        )
        if (read + write + follow).isEmpty, !admin { rights.write = ["*"] }
        let entry = KeyCommand.entry(key, name: name, rights)
        try KeyCommand.check(entry)
        try StandardOutput.print("key    \(key)")
        try StandardOutput.print("sha256 \(KeyCommand.digest(key))")
        try StandardOutput.print("")
        try StandardOutput.print(entry)
    }

    /// The rights of a key.
    struct Rights {
        var read: [String] = []
        var write: [String] = []
        var follow: [String] = []
        var isAdmin = false

        /// Returns the feeds of an option that can be repeated, or has several feeds between
        /// commas.
        static func feeds(_ texts: [String]) -> [String] {
            texts.flatMap { text in
                text.split(separator: ",", omittingEmptySubsequences: false)
                    .map { $0.trimmingCharacters(in: .whitespaces) }
            }
        }
    }

    /// Returns the digest by which a server knows a key, in 64 lower-case hexadecimal digits.
    static func digest(_ key: String) -> String { AccessKey(key).digest.hexadecimal }

    /// Returns a key's entry in the configuration.
    static func entry(_ key: String, name: String?, _ rights: Rights) -> String {
        var lines = ["keys:", "  - digest: \(digest(key))"]
        if let name { lines.append("    name: \(YAMLText.quoted(name))") }
        let lists = [("read", rights.read), ("write", rights.write), ("follow", rights.follow)]
        for (right, feeds) in lists where !feeds.isEmpty {
            lines.append("    \(right): \(YAMLText.list(feeds))")
        }
        if rights.isAdmin { lines.append("    admin: true") }
        return lines.joined(separator: "\n")
    }

    /// Refuses an entry that the server would refuse.
    private static func check(_ entry: String) throws(CommandFailure) {
        do {
            _ = try ConfigurationFile(parsing: Array(entry.utf8))
        } catch {
            let lines = error.list.map { "\($0.path): \($0.reason)" }
            throw .usage(lines.joined(separator: "\n"))
        }
    }
}
